"""A file that was opened in the settings window's editor."""

from dataclasses import dataclass


@dataclass(slots=True)
class Sheet:
    """What was read of it, and what a person made of that."""

    base: str
    digest: str
    text: str

    @property
    def edited(self) -> bool:
        """Something in it is not in the file."""
        return self.text != self.base
