"""Text of freedesktop's .desktop files: values quoted as their specification wants, and read back."""

from collections.abc import Mapping, Sequence

GROUP = "Desktop Entry"
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_QUOTED_TOO = '"`$\\'
"""Inside double quotes these need a backslash of their own."""


def value(text: str) -> str:
    """``text`` as the value of a key."""
    escaped = "".join(_ESCAPES.get(letter, letter) for letter in text)
    # A file has no other way to keep a space at the beginning.
    return "\\s" + escaped[1:] if escaped.startswith(" ") else escaped


def exec_value(words: Sequence[str]) -> str:
    """A command as the value of ``Exec``: every word reaches the program as it is.

    Each is quoted, then its percent signs are doubled against field codes, then the whole is escaped like
    any other value; a backslash in a path therefore becomes four.
    """
    return value(" ".join(_quoted(word).replace("%", "%%") for word in words))


def _quoted(word: str) -> str:
    return '"' + "".join("\\" + letter if letter in _QUOTED_TOO else letter for letter in word) + '"'


def entry_text(groups: Mapping[str, Mapping[str, str]]) -> str:
    """The whole file; ``groups`` hold finished values."""
    blocks = [
        "\n".join([f"[{name}]", *(f"{key}={text}" for key, text in keys.items())])
        for name, keys in groups.items()
    ]
    return "\n\n".join(blocks) + "\n"


def read_keys(text: str) -> dict[str, str]:
    """Keys of the main group, escapes resolved; lines that are none of its keys are passed over."""
    found: dict[str, str] = {}
    group = ""
    for line in text.split("\n"):  # splitlines() would also split at signs that may be in a path
        if line.startswith("["):
            group = line.strip().strip("[]")
        elif group == GROUP and "=" in line and not line.startswith("#"):
            key, _, raw = line.partition("=")
            found.setdefault(key.strip(), _unescaped(raw.strip(" ")))
    return found


def _unescaped(raw: str) -> str:
    letters = iter(raw)
    return "".join(
        letter if letter != "\\" else _UNESCAPES.get(following := next(letters, ""), "\\" + following)
        for letter in letters
    )
