"""What an agent's answer in a goal turn says: head, items, record, done; read as tolerantly as can be."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from jarvis_desktop.core.items.goals import OWN_ASKING, GoalItem

MOST_LINE_CHARS, MOST_KEY_CHARS, MOST_ITEMS = 1000, 200, 5000
"""Of one line, one key and one text; what is beyond is cut off, folded into a digest, or left out.

A tool lists all that there is each time, so that what is left out is never told: no list is so long.
"""
RECORD_CHARS = 300

_LEAD = r"^[\s>]*(?:[-*+•·]\s+|\d{1,3}[.)]\s+)?"
_STARS = r"[*_`]{0,3}"
_LABEL = re.compile(
    _LEAD
    + _STARS
    + r"(?P<label>머리|항목|기록|완료|head|item|record|done)"
    + _STARS
    + r"\s*[:：]"
    + _STARS
    + r"\s*"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_KEYED = re.compile(r"^[*_`]{0,3}[\[［【](?P<key>[^\]］】]+)[\]］】](?P<tail>.*)$")
_BARE = re.compile(_LEAD + r"(?P<rest>[*_`]{0,3}[\[［【].*)$")
_KINDS = {"머리": "head", "항목": "item", "기록": "record", "완료": "done"}
_NOTHING = frozenset({"", "-", "–", "없음", "없어요", "없습니다", "none", "nothing", "n/a"})
_YES = frozenset({"예", "네", "응", "완료", "yes", "true", "done", "y"})
_STRANGERS, _STRANGERS_END = "[web content from ", "[end of web content "
"""Beginnings of the marks around text of strangers (``core.web_text``), which it cannot fake."""
_DIGEST_CHARS = 32
_HOST = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)*\.[a-z]{2,}$", re.IGNORECASE)
"""What stands behind the @ of a mail address is no version."""
_TICKS = frozenset({"x", "v", "✓", "✔"})
"""What stands in the box of a list of tasks, and is no key."""


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """What the agent said."""

    head: str = ""
    """One sentence before the items."""
    items: tuple[GoalItem, ...] = ()
    """In the order of the answer; of one key the first. Lines without a key are not among them (G-043)."""
    record: str = ""
    """What later turns should know."""
    done: bool = False
    """The goal is reached."""
    readable: bool = field(default=False, compare=False)
    """Some line of it was one of these parts; else the agent said something that nobody was told."""


def read_answer(text: str) -> GoalAnswer:
    """The parts of ``text``; what is in no part is dropped, so an answer without any tells nothing."""
    head = record = ""
    done = readable = False
    items: dict[str, GoalItem] = {}
    for line in text.splitlines():
        labelled = _LABEL.match(line)
        readable = readable or labelled is not None
        bare = None if labelled else _BARE.match(line)
        rest = _plain(labelled["rest"]) if labelled else ""
        match labelled and _KINDS.get(labelled["label"], labelled["label"].lower()):
            case "head" if rest.lower() not in _NOTHING:
                head = head or rest
            case "record" if rest.lower() not in _NOTHING:
                record = rest[:RECORD_CHARS]
            case "done":
                done = rest.rstrip(".!。").lower() in _YES
            case "item" if labelled is not None:
                _add(items, _keyed(labelled["rest"]))
            case None if bare is not None:
                _add(items, _keyed(bare["rest"], bare=True))
            case _:
                pass
    return GoalAnswer(head, tuple(items.values()), record, done, readable or bool(items))


def tool_items(text: str) -> tuple[GoalItem, ...]:
    """The items that a tool made: its labelled lines, taken as they are (G-034).

    Text of strangers makes none, whatever it says: a page could otherwise speak to the person by itself.
    """
    items: dict[str, GoalItem] = {}
    foreign = False
    for line in text.splitlines():
        foreign = line.startswith(_STRANGERS) or (foreign and not line.startswith(_STRANGERS_END))
        if foreign:
            continue
        labelled = _LABEL.match(line)
        if labelled and _KINDS.get(labelled["label"], labelled["label"].lower()) == "item":
            _add(items, _keyed(labelled["rest"]))
    return tuple(items.values())


def one_key(key: str) -> str:
    """The key by which items are the same: an address loses what makes no other page, an id nothing."""
    text = " ".join(unicodedata.normalize("NFC", key).split())
    if not re.match(r"https?://", text, re.IGNORECASE):
        return _short(text)
    try:
        parts = urlsplit(text.casefold())
    except ValueError:
        return _short(text)
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    # What stands behind "#/" is a page of its own in many sites; another fragment is a place in the page.
    page = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    path = parts.path.rstrip("/")
    return _short(f"{parts.netloc}{path}{'?' if query else ''}{query}{page}")


def _short(key: str) -> str:
    """Long keys that begin alike stay different."""
    if len(key) <= MOST_KEY_CHARS:
        return key
    digest = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:_DIGEST_CHARS]
    return f"{key[: MOST_KEY_CHARS - _DIGEST_CHARS]}{digest}"


def merged(said: Iterable[GoalItem], made: Iterable[GoalItem]) -> tuple[GoalItem, ...]:
    """All items, those that tools made first; of one key the tool's (G-035)."""
    items: dict[str, GoalItem] = {}
    for one in (*made, *said):
        items.setdefault(one.key, one)
    return tuple(items.values())


def _add(items: dict[str, GoalItem], item: GoalItem | None) -> None:
    if item is not None and len(items) < MOST_ITEMS:
        items.setdefault(item.key, item)


def _keyed(rest: str, *, bare: bool = False) -> GoalItem | None:
    """``[key] line``; None where there is no key, or nothing to tell."""
    # Models send lone surrogates, which no database takes.
    found = _KEYED.match(rest.encode("utf-8", "replace").decode("utf-8").strip())
    if found is None:
        return None
    key, tail = found["key"].strip(), found["tail"].lstrip("*_`")
    if bare and (tail.startswith(("(", "[", ":")) or key.lower() in _TICKS):
        return None  # a link, a reference or a box to tick
    line = _plain(tail.lstrip(" :：-–—"))[:MOST_LINE_CHARS]
    named, at, version = key.rpartition("@")
    if not (at and named and version) or "/" in version or _HOST.match(version):
        named, version = key, ""
    named = one_key(named)
    if named.casefold().startswith(OWN_ASKING):
        named = f"ask-{named}"  # a page must not put our own question, with its button, before the person
    return GoalItem(named, line, version.strip()) if named and line else None


def _plain(text: str) -> str:
    """One line without the stars around it."""
    text = text.strip()
    for mark in ("**", "__", "`"):
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark):
            text = text[len(mark) : -len(mark)].strip()
    return " ".join(text.split())
