"""An approval question as a message of the desktop: whole and with buttons, or only that there is one.

A desktop may wrap, cut, join lines and spaces, or read signs of its own in a message. So Allow stands
there only where none of that can change what a person reads: one line, short, of plain signs (decision 41).
"""

import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from jarvis_desktop.core.items.decisions import Answer, Question, Shown
from jarvis_desktop.core.items.notice import OPEN, Notice
from jarvis_desktop.core.policy.rules import PATH_TOOLS
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import words

DETAIL_CHARS = 120
"""Three lines of a message; all desktops that were looked at show four and more."""
FOLDER_CHARS = 90
LINE_CHARS = 60
"""Of the headline and the names in it."""
WHY_CHARS = 110
ANSWERS: Mapping[str, Answer] = MappingProxyType({"allow": Answer.ALLOW, "deny": Answer.DENY})
"""What the keys of a question's buttons answer. There is no ALWAYS: its rule would not fit."""
SHOW = "show"
"""The key of a button that brings the dialog up; ``OPEN`` is drawn as a button by few desktops."""
_PLAIN = re.compile(r"[!-\[\]-~가-힣]+(?: [!-\[\]-~가-힣]+)*")
"""ASCII and Hangul: nothing invisible, nothing that runs from right to left, no look-alike. No backslash,
which some desktops read as the beginning of a sign, and no two spaces in a row, which some draw as one."""


def question_notice(question: Question, now: datetime, texts: Texts) -> Notice:
    """The message about an open question. ``now``: for how long it stays."""
    facts = _facts(question, texts)
    if facts is None:
        text = texts("A notification cannot show all of it safely. Open does.")
        actions = [(SHOW, texts("Open"))]
    else:
        text = "\n".join(facts)
        actions = [("allow", texts("Allow")), ("deny", texts("Deny")), (OPEN, texts("Open"))]
    return Notice(
        question.question_id,
        words.headline(question, texts),
        f"{text}\n{_until(question, texts)}",
        tuple(actions),
        instead=texts("Answer in the dialog that has opened."),
        digest=question.digest,
        lasts_s=max(0.0, (question.deadline_at - now).total_seconds()),
        urgent=True,
        fleeting=True,
    )


def _facts(question: Question, texts: Texts) -> tuple[str, ...] | None:
    """The whole question, line by line; None where it does not fit or could deceive."""
    if question.shown is Shown.DIFF or question.call.name in PATH_TOOLS:
        return None
    detail, folder = question.detail.removesuffix("\n"), words.place(question.cwd)
    plain = question.why.source == "no-rule" and question.added is None
    special = "" if plain else words.why(question, texts)
    names = (question.call.name, question.agent_name or question.agent_id, question.asker_name)
    fits = (
        _fits(detail, DETAIL_CHARS)
        and _fits(folder, FOLDER_CHARS)
        and all(_fits(name, LINE_CHARS) for name in filter(None, names))
        and len(words.headline(question, texts)) <= LINE_CHARS
        and len(special) <= WHY_CHARS
    )
    if not fits:
        return None
    place = (
        (texts("Agent"), words.agents(question, texts)),
        (texts("Tool"), question.call.name),
        (texts("Folder"), folder),
    )
    return (detail, " · ".join(f"{name}: {value}" for name, value in place), *filter(None, [special]))


def _fits(text: str, limit: int) -> bool:
    return len(text) <= limit and _PLAIN.fullmatch(text) is not None


def _until(question: Question, texts: Texts) -> str:
    # A time of day stays true however long the message is there; "two minutes" would not.
    return texts("You can answer until {time}.").format(
        time=question.deadline_at.astimezone().strftime("%H:%M:%S")
    )
