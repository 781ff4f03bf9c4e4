"""For unit tests: properties are not timed, since a busy machine would make them fail by chance."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
