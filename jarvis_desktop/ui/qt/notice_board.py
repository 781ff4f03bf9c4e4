"""Tells what happens to a person who looks at none of our windows: beside the tray, or by the desktop."""

from collections.abc import Callable

from jarvis_desktop.core.items.events import AnswerRefused, Event, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.fetching import FetchStage
from jarvis_desktop.core.items.notice import Notice
from jarvis_desktop.core.items.setup import FetchChanged
from jarvis_desktop.core.ports import Notices, Texts
from jarvis_desktop.ui import setup_words, words
from jarvis_desktop.ui.qt.tray import Tray


class NoticeBoard:
    """A bubble of the tray where there is one, else a notification of the desktop, else nothing."""

    def __init__(self, texts: Texts, tray: Tray, setup_shown: Callable[[], bool]) -> None:
        self._texts = texts
        self._tray = tray
        self._setup_shown = setup_shown
        self.notices: Notices | None = None
        """The desktop's own messages, from when they are there."""

    def take(self, event: Event, *, looked_at: bool) -> None:
        """Tell ``event``, if it is worth it and no window of ours is ``looked_at``."""
        if isinstance(event, QuestionSettled) and self.notices is not None:
            self.notices.withdraw(event.question.question_id)
        notice = None if looked_at else self._notice(event)
        if notice is None:
            return
        if self._tray.present:
            self._tray.bubble(notice.title, notice.text)
        elif self.notices is not None:
            self.notices.show(notice)

    def _notice(self, event: Event) -> Notice | None:
        texts = self._texts
        if isinstance(event, QuestionAsked):
            # No command in it: it would be cut, and some desktops read markup.
            text = words.headline(event.question, texts)
            return Notice(event.question.question_id, texts("Jarvis asks for permission"), text, urgent=True)
        if isinstance(event, AnswerRefused):
            return Notice("answer", "Jarvis", words.fate_text(event.fate, texts))
        if isinstance(event, FetchChanged) and not self._setup_shown():
            # Minutes have passed since it was begun, and nobody is looking at a window of ours.
            state = event.state
            if state.stage in (FetchStage.DONE, FetchStage.FAILED):
                name = setup_words.model_name(state.name, texts)
                return Notice(f"fetch {state.name}", name, setup_words.fetch_text(state, texts))
        return None
