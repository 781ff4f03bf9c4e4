"""Danger in program text of other languages: shell commands handed on, and whole folders deleted."""

import re
from collections.abc import Iterator

_STRING = r"(?:[rbfu]{0,2})(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
_RUN = re.compile(
    r"(?:\b(?:system|popen\d?|Popen|run|call|check_output|check_call|getoutput|getstatusoutput|exec\w*|spawn\w*|"
    r"shell_exec|passthru|proc_open|execute|qx|sh))\s*\(?\s*" + _STRING,
    re.DOTALL,
)
_LISTED = re.compile(
    r"\b(?:popen|Popen|run|call|check_output|check_call|exec\w*|spawn\w*|system)\s{0,9}\(?[^\[\]()]{0,60}\[([^\]]{0,2000})\]",
    re.DOTALL,
)
_SPREAD = re.compile(
    r"\b(?:system|exec\w*|spawn\w*)\s*\(?\s*((?:['\"][^'\"]{0,500}['\"]\s{0,9},\s{0,9}\[?\s{0,9}){1,20}['\"][^'\"]{0,500}['\"])"
)
_PIPED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"\s*\|&?\s*getline|\|&?\s*\"((?:[^\"\\]|\\.)*)\"")
_TICKED = re.compile(r"`([^`]*)`|(?:%x|qx)[({\[]([^)}\]]*)[)}\]]")
_DELETES = re.compile(
    r"(?:rmtree|remove_tree|rm_rf|rm_r|rmSync|rimraf|rmdirSync|removedirs|deltree)\s*\(?\s*(['\"])(.*?)\1",
    re.IGNORECASE,
)


def shell_texts(code: str) -> Iterator[str]:
    """Commands that ``code`` hands to a shell or starts as a list of words."""
    for pattern in (_RUN, _PIPED, _TICKED):
        for match in pattern.finditer(code):
            yield _unescaped(next(group for group in match.groups() if group is not None))
    for match in (*_LISTED.finditer(code), *_SPREAD.finditer(code)):
        yield " ".join(single or double for single, double in re.findall(r"'([^']*)'|\"([^\"]*)\"", match[1]))
    if code.lstrip().startswith("!") or ":!" in code:
        # Editors: ":!command".
        yield code.partition("!")[2]


def deleted_folders(code: str) -> Iterator[str]:
    """Folders that ``code`` would delete with all in them."""
    for match in _DELETES.finditer(code):
        yield match[2]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(['\"\\])", r"\1", text)
