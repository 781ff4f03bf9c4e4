"""Draws whom one talks with: KAREN's empty conversation, the list of agents, a turn that runs elsewhere.

``python -m experiments.screenshots_agents OUTDIR``
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from experiments.screenshots import NOW, SESSION, TURN, Studio, spin
from jarvis_desktop.adapters.team_files import SHIPPED
from jarvis_desktop.adapters.team_text import read_agent
from jarvis_desktop.core.agents.roster import Roster
from jarvis_desktop.core.items.agents import AgentsListed
from jarvis_desktop.core.items.events import (
    ConversationOpened,
    Event,
    ReplyReplaced,
    StoredLine,
    TurnQueued,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin, Role

KAREN, KARENS = AgentId("karen"), SessionId("karens")
TALK = {
    Language.ENGLISH: (
        "Karen, is there a new notice in Dongtan?",
        "LH has **two notices** there.",
    ),
    Language.KOREAN: ("카렌아, 동탄에 새 공고 있어?", "동탄에 LH 공고가 **두 건** 있어요."),
}


def team() -> AgentsListed:
    """The agents that come with the app."""
    read = [read_agent(path, path.name, ()) for path in sorted(SHIPPED.glob("*.yaml"))]
    return AgentsListed(Roster(one.card for one in read if one.card is not None).cards)


def with_karen(language: Language) -> Iterator[Event]:
    """Her conversation, while JARVIS works in his."""
    yield team()
    yield ConversationOpened(SESSION, MAIN_AGENT, ())
    yield TurnStarted(TURN, SESSION, "…", Origin.TYPED, NOW)
    asked, answer = TALK[language]
    lines = (
        StoredLine(Role.USER, asked, NOW, TurnId("old"), complete=True),
        StoredLine(Role.ASSISTANT, answer, NOW, TurnId("old"), complete=True),
    )
    yield ConversationOpened(KARENS, KAREN, lines)
    yield ReplyReplaced(TURN, "…")
    yield TurnQueued(asked, Origin.TYPED, 1, KARENS)


class AgentStudio(Studio):
    """Pictures of one look in one language."""

    def shoot(self) -> None:
        """An empty conversation, the list, another agent at work."""
        self.window.show()
        idle = VoiceStateChanged(VoiceState.IDLE, muted=False, listen_for=ListenFor.WAKE_WORD)
        self.feed(iter((idle, team(), ConversationOpened(KARENS, KAREN, ()))))
        self.save(self.window, "agents-empty")
        picker = self.window.header.agent
        picker.setFocus()
        picker.open()
        spin()
        whole = self.window.grab()
        painter = QPainter(whole)
        painter.drawPixmap(picker.mapTo(self.window, QPoint(0, picker.height())), picker.list.grab())
        painter.end()
        whole.save(str(self.out / f"agents-list-{self.name}.png"))
        picker.list.close()
        self.feed(with_karen(self.language))
        self.save(self.window, "agents-talk")
        self.window.hide()


def main() -> None:
    """All looks in both languages."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    for language in Language:
        for theme in ("light", "dark"):
            AgentStudio(out, language, theme).shoot()
    assert isinstance(app, QApplication)
    app.closeAllWindows()


if __name__ == "__main__":
    main()
