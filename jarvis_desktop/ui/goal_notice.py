"""What came of goals as a message of the desktop: all of it, since whoever it is for counts as told."""

from collections.abc import Sequence

from jarvis_desktop.core.items.goal_notices import GoalNews
from jarvis_desktop.core.items.notice import OPEN, Notice
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import one_line

TITLE_CHARS = 60
LINE_CHARS = 240
ANSWER = "answer"
"""The key of the button that brings a person to where they can answer what was asked."""
MUTE = "mute"
"""The key of the button after which nobody is told of that item any more."""
_MARKUP = str.maketrans({"<": "‹", ">": "›", "&": "＆"})


def goal_notice(notice_id: str, news: Sequence[GoalNews], texts: Texts) -> Notice:
    """One message, about one goal or several."""
    title = bundle_title(news, texts)
    text = bundle_text(news)
    actions = [(OPEN, texts("Open"))]
    items = [item for one in news for item in one.items]
    if len(items) == 1:
        actions.insert(0, (MUTE, texts("No more of this")))
    if any(one.asks for one in items):
        actions.insert(0, (ANSWER, texts("Answer")))
    # A bubble of the tray may be read as markup, and no escaping means the same everywhere.
    return Notice(notice_id, title, text, tuple(actions), instead=text.translate(_MARKUP))


def bundle_title(news: Sequence[GoalNews], texts: Texts) -> str:
    """The goal's sentence, or of how many goals there is news."""
    if len(news) == 1:
        return f"💭 {one_line(news[0].sentence, TITLE_CHARS)}"
    return texts.plural("💭 News of one goal", "💭 News of {count} goals", len(news)).format(count=len(news))


def bundle_text(news: Sequence[GoalNews]) -> str:
    """The lines, those of several goals under each one's sentence."""
    if len(news) == 1:
        return _lines(news[0])
    return "\n".join(f"{one_line(one.sentence, TITLE_CHARS)}\n{_lines(one)}" for one in news)


def _lines(news: GoalNews) -> str:
    dash = "- " if len(news.items) > 1 else ""
    return "\n".join(f"{dash}{one_line(item.line, LINE_CHARS)}" for item in news.items)
