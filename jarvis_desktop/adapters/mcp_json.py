"""JSON as editors keep it, with comments and a comma too many, and where in it something stands."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jarvis_desktop.adapters.settings_problem import placed
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.ports import Texts

_STRING = r'"(?:\\.|[^"\\\n])*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_MISSING_BEFORE = "Expecting ',' delimiter"


@dataclass(frozen=True, slots=True)
class Source:
    """A text, and the file that it was read from."""

    text: str
    file: str = ""
    """As a person wrote it; empty for what was pasted."""

    def json(self, texts: Texts) -> Any:
        """What it says.

        Raises:
            ExtensionRefusedError: it is no JSON; the text says on which line.
        """
        if not self.text.strip():
            return {}
        # Lines stay where they are, and what stands in quotes stays as it is.
        plain = _COMMA.sub(lambda found: found[1] or "", _COMMENT.sub(_without, self.text))
        try:
            return json.loads(plain)
        except json.JSONDecodeError as error:
            at = error.pos
            if error.msg == _MISSING_BEFORE:  # found missing where the next thing begins
                at = len(plain[:at].rstrip())
            line, reason = plain.count("\n", 0, at) + 1, _reason(error.msg, texts)
        except (ValueError, RecursionError) as error:
            line, reason = 1, type(error).__name__
        text = texts("this is no JSON: {reason}. Nothing was taken over.")
        raise ExtensionRefusedError(self.placed(line, text.format(reason=reason), texts))

    def line(self, *names: str) -> int | None:
        """Where the last of these names stands behind the others; None when it cannot be found."""
        at = 0
        for name in names:
            at = self.text.find(json.dumps(name, ensure_ascii=False), at)
            if at < 0:
                return None
        return self.text.count("\n", 0, at) + 1

    def placed(self, line: int | None, what: str, texts: Texts) -> str:
        """``what``, behind where it was found."""
        if self.file:
            return placed(self.file, line, what, texts)
        told = what if line is None else f"{texts('line {line}').format(line=line)}: {what}"
        return told[:1].upper() + told[1:]


def _without(found: re.Match[str]) -> str:
    return found[1] or "\n" * found[0].count("\n")


def _reason(said: str, texts: Texts) -> str:
    """What the parser of Python says, in the app's language."""
    words: Mapping[str, str] = {
        _MISSING_BEFORE: texts("a comma or a closing bracket is missing at its end"),
        "Expecting ':' delimiter": texts("a colon is missing"),
        "Expecting value": texts("a value is missing, or is not in double quotes"),
        "Expecting property name enclosed in double quotes": texts("a name in double quotes is missing"),
        "Unterminated string starting at": texts("a text in quotes does not end"),
        "Invalid control character at": texts("a text in quotes does not end"),
        "Extra data": texts("something stands behind the end"),
    }
    return words.get(said, said)
