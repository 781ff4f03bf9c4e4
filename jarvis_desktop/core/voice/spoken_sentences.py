"""Where running text may be cut into pieces that are spoken one by one."""

import re

_TITLES = "Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|Gen|Col|Sgt|Rev|Hon|vs|cf|e\\.g|i\\.e|approx|No|Fig|Vol|pp|Mt"
# These may end a sentence; they do when a capital or a Korean word follows.
_SHORT_FORMS = "a\\.m|p\\.m|etc|Inc|Ltd|Co|Corp|U\\.S|U\\.K|Ph\\.D|[A-Za-z]"
_TITLE_BEFORE = re.compile(rf"(?:^|[\s(])(?:{_TITLES})\.$", re.IGNORECASE)
_SHORT_BEFORE = re.compile(rf"(?:^|[\s(\d])(?:{_SHORT_FORMS})\.$", re.IGNORECASE)
_LIST_NUMBER_BEFORE = re.compile(r"(?:^|\s)\d{1,4}\.$")
_CLOSERS = "\"'”’)\\]»」』*_`"
_DATE_BEFORE = re.compile(r"\d\. ?\d{1,2}\.$")
_END = re.compile(rf"[.!?…。！？]+[{_CLOSERS}]*(?=\s)|[。！？]+|(?<=[다요죠까음])[.!?]+(?=[가-힣])")
_CLAUSE = re.compile(r"[,;:，、](?=\s)|\s[-–—](?=\s)")
FIRST_CLAUSE_MIN = 24
"""The first piece may be a clause from this length on, so that a slow model is heard sooner."""
LONGEST_PIECE = 180
"""Without any end a piece is cut here, at a clause or a blank where there is one."""


def cut_sentences(text: str, *, first: bool) -> tuple[list[str], str]:
    """The pieces that are complete, and the rest that must wait for more text.

    first: nothing of this reply has been spoken yet.
    """
    pieces: list[str] = []
    while True:
        end = _sentence_end(text)
        if end is None and first and not pieces:
            end = _first_clause_end(text)
        if end is None and len(text) > LONGEST_PIECE:
            end = _forced_end(text)
        if end is None:
            return pieces, text
        pieces.append(text[:end].strip())
        text = text[end:].lstrip()


def _sentence_end(text: str) -> int | None:
    for match in _END.finditer(text):
        end = match.end()
        if end > LONGEST_PIECE:
            return None
        if _ends_sentence(text[:end].rstrip("\"'”’)]»」』*_`"), text[end:].lstrip()):
            return end
    return None


def _ends_sentence(before: str, after: str) -> bool:
    if not before.endswith(".") or before.endswith(".."):
        return True
    if _TITLE_BEFORE.search(before):
        return False
    if _SHORT_BEFORE.search(before):
        return bool(after) and (after[0].isupper() or "가" <= after[0] <= "힣")
    if _LIST_NUMBER_BEFORE.search(before):
        # "2026. 12. 1." goes on, "the answer is 42. Next" does not; the next word tells.
        return bool(after) and not after[0].isdigit() and not _DATE_BEFORE.search(before)
    return True


def _first_clause_end(text: str) -> int | None:
    match = next((m for m in _CLAUSE.finditer(text) if m.end() >= FIRST_CLAUSE_MIN), None)
    return match.end() if match else None


def _forced_end(text: str) -> int:
    window = text[:LONGEST_PIECE]
    clauses = [m.end() for m in _CLAUSE.finditer(window)]
    if clauses and clauses[-1] > LONGEST_PIECE // 3:
        return clauses[-1]
    blank = window.rfind(" ")
    return blank if blank > LONGEST_PIECE // 3 else LONGEST_PIECE
