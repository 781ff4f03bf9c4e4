"""Draws the approval dialog's faces: ``python -m experiments.screenshots_dialog OUTDIR``.

Each at 100 % and 200 % of a screen of 1366×768, light and dark, Korean and English; the scale is fixed when
Qt starts, so each has a process of its own.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from experiments.screenshots import DIFF, long_command
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.decisions import Question, RuleOffer, Shown, Verdict, VerdictKind
from jarvis_desktop.core.items.events import (
    AnswerUnclear,
    Event,
    LevelHeard,
    QuestionAsked,
    SavingOffered,
    Transcribed,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.qt.approval_dialog import ApprovalDialog
from jarvis_desktop.ui.qt.approval_gated import GatedDialog
from jarvis_desktop.ui.qt.desktop import Desktop

SCREEN = (1366, 768)
NOW = datetime(2026, 12, 1, 9, 41, tzinfo=UTC)
ARMED_MS = 1200
FORTY_LINES = long_command(36)
KOREAN = (
    'notify-send "청약 알림" "' + "오늘 오후 세 시까지 서류를 내야 하는 공고가 두 건 있습니다. " * 18 + '"'
)
OFFER = RuleOffer(
    lines=(RuleLine("bash", "git status"), RuleLine("bash", "npm test")),
    file="approvals/main.yaml",
    passes=("git status", "git status --help", "git status README.md"),
    asks=("git something-else", "git status && rm notes.txt", "git status > notes.txt"),
    project_decides=True,
)
SHORT = {Language.ENGLISH: 'echo "two files"', Language.KOREAN: 'echo "파일 두 개"'}
MAYBE = {Language.ENGLISH: "well, maybe later", Language.KOREAN: "글쎄 나중에 할까"}
COMMAND = Question(
    question_id=QuestionId("q"),
    session_id=SessionId("s"),
    turn_id=TurnId("t"),
    agent_id=MAIN_AGENT,
    call=ToolCall(CallId("c"), "bash", {"command": "git status && npm test"}),
    shown=Shown.COMMAND,
    detail="git status && npm test",
    cwd=Path.home() / "Jarvis/project",
    why=Verdict(VerdictKind.ASK, "no rule covers it", "no-rule"),
    digest="d",
    asked_at=NOW,
    deadline_at=NOW + timedelta(seconds=118),
    spoken=False,
    desktop=True,
)
EDIT = replace(COMMAND, call=ToolCall(CallId("c"), "edit_file"), shown=Shown.DIFF, detail=DIFF, desktop=False)


def ignore(command: Command) -> None:
    """Commands go nowhere here."""
    del command


def spin(ms: int) -> None:
    """Let Qt work for a moment."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def listening(nth: int, stage: AnswerStage = AnswerStage.LISTENING) -> VoiceStateChanged:
    """The ears' state while an answer is listened for."""
    return VoiceStateChanged(
        VoiceState.ASKING, muted=False, listen_for=ListenFor.ANSWER, listening=nth, answer=stage
    )


def faces(language: Language) -> Iterable[tuple[str, tuple[Event, ...]]]:
    """Name of each picture, and what happened before it."""
    spoken = replace(COMMAND, spoken=True, detail=SHORT[language])
    heard = Transcribed(MAYBE[language], language, ListenFor.ANSWER)
    levels = tuple(LevelHeard(abs((step * 37) % 20 - 10) / 12 + 0.1) for step in range(24))
    yield "bash", (QuestionAsked(replace(COMMAND, detail=SHORT[language])),)
    yield "edit", (QuestionAsked(EDIT),)
    yield "edit-long", (QuestionAsked(replace(EDIT, detail=DIFF * 6)),)
    yield "forty-lines", (QuestionAsked(replace(COMMAND, detail=FORTY_LINES)),)
    yield (
        "korean",
        (QuestionAsked(replace(COMMAND, detail=KOREAN, spoken=True)), listening(0, AnswerStage.WAITING)),
    )
    yield "always", (QuestionAsked(replace(COMMAND, offer=OFFER)),)
    yield (
        "always-spoken",
        (QuestionAsked(replace(COMMAND, offer=OFFER, spoken=True)), listening(0, AnswerStage.WAITING)),
    )
    yield "listening", (QuestionAsked(spoken), listening(3), *levels)
    yield (
        "unclear",
        (QuestionAsked(spoken), listening(4), heard, AnswerUnclear(spoken.question_id), *levels),
    )
    yield "used-up", (QuestionAsked(spoken), listening(0, AnswerStage.USED_UP))
    yield "saving", (SavingOffered(replace(spoken, offer=OFFER)), listening(1), *levels)


class Studio:
    """Takes pictures of one look in one language."""

    def __init__(self, out: Path, language: Language, theme: str, name: str) -> None:
        self.out = out
        self.name = name
        self.language = language
        look = cast("Literal['light', 'dark']", theme)
        settings = UiSettings(language="system", theme=look, hotkey="")
        self.desktop = Desktop(ignore, Catalog(language), settings, now=lambda: NOW)

    def shoot(self) -> None:
        """All faces of this look."""
        for what, events in faces(self.language):
            for event in events:
                self.desktop.deliver(event)
            spin(60)
            desk = self.desktop.desk
            dialog = (*desk.dialogs, *desk.savings)[0]
            if what == "bash":
                QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
                self.save(dialog, "inactive")
            dialog.recall()
            spin(ARMED_MS)
            self.save(dialog, what)
            if what == "always" and isinstance(dialog, ApprovalDialog) and dialog.sheet.desktop is not None:
                dialog.sheet.desktop.click()
                self.save(dialog, "desktop")
            desk.close_all()
            self.desktop.picture.questions.clear()

    def save(self, dialog: GatedDialog, what: str) -> None:
        """One picture; it says when the dialog is higher than its screen."""
        spin(40)
        room = dialog.screen().availableGeometry()
        if dialog.height() > room.height():
            print(f"{what}-{self.name}: {dialog.height()} of {room.height()} pixels")
        dialog.grab().save(str(self.out / f"dialog-{what}-{self.name}.png"))


def draw(out: str, scale: str) -> None:
    """Everything in this process's scale."""
    app = QApplication(sys.argv[:1])
    for language, theme in product(Language, ("light", "dark")):
        Studio(Path(out), language, theme, f"{theme}-{language.value}-{100 * int(scale)}").shoot()
    app.closeAllWindows()


def main(arguments: list[str]) -> int:
    """Draw everything into the folder that is named."""
    if len(arguments) != 1:
        print("usage: python -m experiments.screenshots_dialog OUTDIR")
        return 2
    out = Path(arguments[0])
    out.mkdir(parents=True, exist_ok=True)
    screens = out / "screens.json"
    screens.write_text(
        json.dumps({"screens": [{"name": "one", "x": 0, "y": 0, "width": SCREEN[0], "height": SCREEN[1]}]})
    )
    code = "import sys; from experiments.screenshots_dialog import draw; draw(sys.argv[1], sys.argv[2])"
    for scale in ("1", "2"):
        platform = f"offscreen:configfile={screens.resolve()}"
        environment = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": platform}
        subprocess.run([sys.executable, "-c", code, str(out), scale], check=True, env=environment)
    screens.unlink()
    print(f"{len(list(out.glob('dialog-*.png')))} pictures in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
