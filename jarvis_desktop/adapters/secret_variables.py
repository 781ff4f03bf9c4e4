"""Secrets that came in variables: the settings read them, programs that Jarvis starts do not inherit them."""

import os
from collections import ChainMap
from collections.abc import Mapping, MutableMapping

SECRETS = frozenset({"JARVIS_WEB__BRAVE_KEY", "JARVIS_NOTIFY__PUSH_TO"})

# As global as the environment that it is a part of; a secret is taken out once in the life of a process.
_taken: dict[str, str] = {}


def take_secrets(environ: MutableMapping[str, str] = os.environ) -> None:
    """From now on secrets are here and not in the environment."""
    for name in [name for name in environ if name.upper() in SECRETS]:
        _taken[name] = environ.pop(name)


def whole_environment() -> Mapping[str, str]:
    """The environment with the secrets that were taken out of it."""
    return ChainMap(os.environ, _taken)
