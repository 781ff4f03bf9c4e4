"""What a person sends is looked at first, whatever it came through: window, voice or command line.

Then comes who it is from: whoever the system lets open the folder of Jarvis is the one local person, so no
key is asked (decision D of T-175). What it leads to is up to the policy, call by call.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from jarvis_desktop.core.ports import Texts

_SCRIPTS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "<script>": re.compile(r"<\s*script\b", re.IGNORECASE),
        "javascript:": re.compile(r"(?<![a-z])javascript\s*:", re.IGNORECASE),
        # At least three letters: "once = 1" and "only = 2" are no handlers.
        "on…=": re.compile(r"(?<![\w.$-])on[a-z]{3,30}\s*=(?!=)", re.IGNORECASE),
    }
)
"""T-173; the names are how people are told."""


def taken(text: str) -> str:
    """``text`` as it is worked with: no blank ends, each character in its one usual spelling (T-174).

    Nothing is escaped: where it is shown it is shown as plain text, and code in it stays code.
    """
    return unicodedata.normalize("NFC", text).strip()


def refusal(text: str, most: int, texts: Texts) -> str:
    """Why ``text`` is not worked on, for a person; empty when nothing speaks against it."""
    if len(text) > most:
        return texts(
            "The request has {length} characters; the most allowed is {limit}. Shorten it, or raise "
            "security.input_max_length in settings.yaml."
        ).format(length=len(text), limit=most)
    found = next((name for name, pattern in _SCRIPTS.items() if pattern.search(text)), None)
    if found is None:
        return ""
    return texts(
        "The request holds {found}, which is not taken: it could run in a page. Leave it out, or put it into "
        "a file and name the file."
    ).format(found=found)
