"""A global hotkey: what the setting ``ui.hotkey`` means."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Modifier(StrEnum):
    """Keys that are held; the order is the one in which they are written."""

    CTRL = "Ctrl"
    ALT = "Alt"
    SHIFT = "Shift"
    SUPER = "Super"


_SPELLINGS: Mapping[str, Modifier] = MappingProxyType(
    {
        "ctrl": Modifier.CTRL,
        "control": Modifier.CTRL,
        "alt": Modifier.ALT,
        "option": Modifier.ALT,
        "shift": Modifier.SHIFT,
        "super": Modifier.SUPER,
        "meta": Modifier.SUPER,
        "win": Modifier.SUPER,
        "windows": Modifier.SUPER,
    }
)
ALONE = (*(f"F{number}" for number in range(1, 25)), "Pause", "Print", "ScrollLock", "Menu")
"""Keys that write nothing and may therefore stand without a modifier."""
_NAMED = ("Space", "Enter", "Tab", "Backspace", "Insert", "Delete", "Home", "End", "PageUp", "PageDown")
_ARROWS = ("Left", "Right", "Up", "Down")
_SIGNS = ("Comma", "Period", "Slash", "Semicolon", "Minus", "Equal", "Grave", "Backslash")
KEYS: tuple[str, ...] = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"0123456789", *ALONE, *_NAMED, *_ARROWS, *_SIGNS)
"""Every key that can be named."""
_KEY_OF: Mapping[str, str] = MappingProxyType({key.lower(): key for key in KEYS} | {"return": "Enter"})


@dataclass(frozen=True, slots=True)
class Hotkey:
    """Keys that are pressed together."""

    modifiers: frozenset[Modifier]
    key: str
    """One of ``KEYS``."""

    def __str__(self) -> str:
        """As it is written in the settings."""
        return "+".join([*(one.value for one in Modifier if one in self.modifiers), self.key])


class HotkeyFault(StrEnum):
    """Why a text is no hotkey."""

    NO_KEY = "no_key"
    """Only modifiers."""
    TWO_KEYS = "two_keys"
    UNKNOWN = "unknown"
    """A word that is no key."""
    BARE = "bare"
    """The key alone would be taken away from every text field."""


class HotkeyTextError(ValueError):
    """The text is no hotkey."""

    def __init__(self, fault: HotkeyFault, word: str = "") -> None:
        super().__init__(f"{fault.value}: {word}")
        self.fault = fault
        self.word = word
        """The word that is meant, as it was written."""


def parse_hotkey(text: str) -> Hotkey | None:
    """What ``text`` names, whatever its case and spaces; None when it is empty.

    Raises:
        HotkeyTextError: it names no hotkey.
    """
    if not text.strip():
        return None
    modifiers: set[Modifier] = set()
    keys: list[str] = []
    for word in (part.strip() for part in text.split("+")):
        plain = word.replace(" ", "").replace("_", "").lower()
        if plain in _SPELLINGS:
            modifiers.add(_SPELLINGS[plain])
        elif plain in _KEY_OF:
            keys.append(_KEY_OF[plain])
        else:
            raise HotkeyTextError(HotkeyFault.UNKNOWN, word)
    if not keys:
        raise HotkeyTextError(HotkeyFault.NO_KEY, text.strip())
    if len(keys) > 1:
        raise HotkeyTextError(HotkeyFault.TWO_KEYS, text.strip())
    if modifiers <= {Modifier.SHIFT} and keys[0] not in ALONE:
        raise HotkeyTextError(HotkeyFault.BARE, text.strip())
    return Hotkey(frozenset(modifiers), keys[0])
