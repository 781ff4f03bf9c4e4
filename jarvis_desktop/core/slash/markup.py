"""Words of other people inside our own Markdown: shown as they are, never read as markup."""

import re

MOST_OF_A_LINE = 90
_SIGNS = re.compile(r"([\\`*_{}\[\]()#+!|<>~])")
_MARKS = re.compile(r"\\([\\`*_{}\[\]()#+!|<>~])|\*\*")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_RUN = re.compile("`+")


def code(text: str) -> str:
    """``text`` as code, whatever it holds."""
    flat = " ".join(text.split())
    fence = "`" * (max((len(run) for run in _RUN.findall(flat)), default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}" if flat else ""


def plain(text: str, most: int = MOST_OF_A_LINE) -> str:
    """``text`` as prose on one line, cut where it is longer than ``most`` characters."""
    flat = " ".join(text.split())
    if len(flat) > most:
        flat = flat[: most - 1] + "…"
    return _SIGNS.sub(r"\\\1", flat)


def readable(markdown: str) -> str:
    """Our own Markdown for a terminal: nothing is escaped or bold there; code stays between its marks."""
    parts = _CODE.split(markdown)  # text, mark, code, text, mark, code, …, text
    for index in range(0, len(parts), 3):
        parts[index] = _MARKS.sub(lambda found: found.group(1) or "", parts[index])
    for index in range(2, len(parts), 3):
        parts[index] += parts[index - 1]
    return "".join(parts)


def listed(lines: list[str]) -> str:
    """Lines as a list."""
    return "\n".join(f"- {line}" for line in lines)


def whole(text: str) -> str:
    """``text`` with its lines, as code, whatever it holds."""
    fence = "`" * max(3, 1 + max((len(run) for run in _RUN.findall(text)), default=0))
    return f"{fence}\n{text}\n{fence}"
