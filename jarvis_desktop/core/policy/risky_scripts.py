"""Scripts of sed and awk: which of them only read and print."""

import re

_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?|\\(?P<{0}>[^\s\w\\])(?:(?!(?P={0})).)*(?P={0}))"
_PRINTING = r"[pdDPnNgGhHxlqQ=z]\s*\d*"
_TRANSLATE = r"y/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/"
_SED_COMMAND = re.compile(
    rf"\s*(?:{_ADDRESS.format('a')}\s*(?:,\s*[+~]?{_ADDRESS.format('b')}\s*)?)?!?\s*"
    rf"(?:(?P<sub>s(?P<d>[^\w\s\\])(?:(?:(?!(?P=d))[^\\\n])|\\.)*(?P=d)(?:(?:(?!(?P=d))[^\\\n])|\\.)*(?P=d)[gpIiMm0-9]*)"
    rf"|{_TRANSLATE}|{_PRINTING}|[{{}}]|[btT]\s*\w*|:\s*\w+|\#[^\n]*)?\s*(?:[;\n]|(?=[{{}}])|$)"
)
_AWK_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_AWK_RISK = re.compile(
    r"[|>@`]|\b(?:system|getline|close|fflush|printf?\s*\(.*\)\s*>|ARGV|ENVIRON|PROCINFO|include|load)\b"
)


def sed_only_prints(script: str) -> bool:
    """Every command of the sed ``script`` is one that can neither write a file nor run a program."""
    at = 0
    while at < len(script):
        match = _SED_COMMAND.match(script, at)
        if match is None or match.end() == at:
            return False
        if match["sub"] is None and re.search(r"[ewWrRF]", _without_addresses(match[0])):
            return False
        at = match.end()
    return True


def awk_only_prints(program: str) -> bool:
    """The awk ``program`` writes no file and starts nothing. Comparisons with ``>`` count as writing."""
    return _AWK_RISK.search(_AWK_STRING.sub('""', program)) is None


def _without_addresses(command: str) -> str:
    rest = re.sub(r"/(?:[^/\\\n]|\\.)*/I?", "", command)
    return re.sub(r"[btT:]\s*\w*|#[^\n]*", "", rest)
