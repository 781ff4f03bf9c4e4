"""Draws tray icons, window and dialog, light and dark, Korean and English, into PNG files.

``python -m experiments.screenshots OUTDIR`` (needs fonts with Hangul; opens no display of its own).
``… OUTDIR --setup`` draws the pages of the setup window alone, at 100 % and 200 %; ``--settings`` those of
the settings window, over real rule files, a real audit log and a real memory; ``--agenda`` the agenda.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, cast

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_SCALE_FACTOR", "1.5")

from PySide6.QtCore import QEventLoop, QRect, QTimer
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from experiments.screenshots_agenda import AgendaStudio
from experiments.screenshots_delegation import delegation
from experiments.screenshots_memory import MemoryStudio
from experiments.screenshots_settings import SettingsStudio
from experiments.screenshots_settings_pages import PagesStudio
from experiments.screenshots_setup import SetupStudio
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.calls import ToolCall, ToolResult
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.decisions import Question, RuleOffer, Shown, Verdict, VerdictKind
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    ConversationOpened,
    Event,
    LevelHeard,
    Part,
    QuestionAsked,
    ReplyReplaced,
    StoredLine,
    ToolCalled,
    ToolFinished,
    Transcribed,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, QuestionId, SessionId, TurnId
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.turn import Origin, Role, TurnEnd
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.picture import Face
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.qt.icons import pixmap

NOW = datetime(2026, 12, 1, 9, 41, tzinfo=UTC)
SESSION, TURN, CALL = SessionId("s"), TurnId("t"), CallId("c")

LONG = {
    Language.ENGLISH: """I looked at both folders. **Three files are new** since Friday:

| File | Size | Changed |
|---|---:|---|
| `report.md` | 12 KB | today 08:12 |
| `budget.ods` | 48 KB | yesterday |
| `notes/housing.txt` | 3 KB | Sunday |

### What stands out
1. `report.md` still says *draft* in its title.
2. The budget has a new sheet called **2027**.

```python
total = sum(row.amount for row in rows if row.year == 2027)
print(f"{total:,} won")
```

> The sum of the new sheet is 41,200,000 won.

- [x] Folder compared
- [ ] Report renamed

See [the housing notice](https://apply.lh.or.kr/notice) for the deadline.""",
    Language.KOREAN: """두 폴더를 비교해 봤어요. 금요일 이후에 **새 파일이 세 개** 생겼습니다.

| 파일 | 크기 | 바뀐 때 |
|---|---:|---|
| `보고서.md` | 12 KB | 오늘 08:12 |
| `예산.ods` | 48 KB | 어제 |
| `메모/청약.txt` | 3 KB | 일요일 |

### 눈에 띄는 점
1. `보고서.md` 제목에 아직 *초안*이라고 적혀 있어요.
2. 예산 파일에 **2027** 시트가 새로 생겼어요.

```python
total = sum(row.amount for row in rows if row.year == 2027)
print(f"{total:,}원")
```

> 새 시트의 합계는 41,200,000원입니다.

- [x] 폴더 비교
- [ ] 보고서 이름 바꾸기

마감일은 [LH 공고](https://apply.lh.or.kr/notice)에서 볼 수 있어요.""",
}
TALK = {
    Language.ENGLISH: ("What changed in my project folder since Friday?", "And what is the weather like?"),
    Language.KOREAN: ("금요일 이후에 프로젝트 폴더에서 뭐가 바뀌었어?", "오늘 서울 날씨도 알려 줘"),
}
TROUBLE = {
    Language.ENGLISH: "No microphone was found. Plug one in, and Jarvis listens again by itself.",
    Language.KOREAN: "마이크를 찾지 못했어요. 연결하시면 알아서 다시 듣습니다.",
}
DIFF = """--- src/app/greeting.py
+++ src/app/greeting.py
@@ -1,6 +1,7 @@
 from app.names import short_name

 def greet(name: str) -> str:
-    return "Hello " + name
+    # 이름이 비어 있으면 "손님"이라고 부른다
+    return f"안녕하세요, {short_name(name) or '손님'}!"

 __all__ = ["greet"]
"""


def long_command(steps: int) -> str:
    """One that ends with what a person must not overlook."""
    return (
        "set -eu\nfor file in report.md budget.ods notes/*.txt; do\n"
        + "".join(
            f'  cp -- "$file" "/backup/2026-12-{day:02}/$file"  # step {day}\n' for day in range(1, steps + 1)
        )
        + 'done\necho "done" && rm -rf "$HOME/old-backup"'
    )


LONG_COMMAND = long_command(21)
OFFER = RuleOffer(
    lines=(RuleLine("bash", "git status"), RuleLine("bash", "npm test")),
    file="approvals/main.yaml",
    passes=("git status", "git status --help", "git status README.md"),
    asks=("git something-else", "git status && rm notes.txt", "git status > notes.txt"),
    project_decides=True,
)
FOLDER = str(Path.home() / "Jarvis/project/src/app")
FOLDER_OFFER = RuleOffer(
    lines=(RuleLine("edit_file", f"{FOLDER}/*"),),
    file="approvals/main.yaml",
    passes=(f"{FOLDER}/a.md", f"{FOLDER}/b.txt", f"{FOLDER}/new.py"),
    asks=(f"{FOLDER}/deeper/a.md", f"{FOLDER}-old/a.md", f"{FOLDER}/.git/config"),
    project_decides=False,
)


def ignore(command: Command) -> None:
    """Commands go nowhere here."""
    del command


def question(shown: Shown, detail: str, *, spoken: bool = False) -> Question:
    """An open question."""
    name = {Shown.COMMAND: "bash", Shown.DIFF: "edit_file", Shown.TEXT: "write_file"}[shown]
    return Question(
        question_id=QuestionId("q"),
        session_id=SESSION,
        turn_id=TURN,
        agent_id=MAIN_AGENT,
        call=ToolCall(CALL, name),
        shown=shown,
        detail=detail,
        cwd=Path.home() / "Jarvis/project",
        why=Verdict(VerdictKind.ASK, "no rule covers it", "no-rule"),
        digest="d",
        asked_at=NOW,
        deadline_at=NOW + timedelta(seconds=118),
        spoken=spoken,
    )


def spin(ms: int = 120) -> None:
    """Let Qt work for a moment."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def conversation(language: Language) -> Iterator[Event]:
    """A whole turn, a spoken one after it, a queued one, activity."""
    first, second = TALK[language]
    lines = (
        StoredLine(Role.USER, first, NOW, TurnId("a"), complete=True),
        StoredLine(Role.ASSISTANT, LONG[language], NOW, TurnId("a"), complete=True),
    )
    yield ConversationOpened(SESSION, MAIN_AGENT, lines)
    yield TurnStarted(TURN, SESSION, second, Origin.SPOKEN, NOW)
    call = ToolCall(CALL, "read_file", {"path": "~/Jarvis/weather.txt"})
    yield ToolCalled(TURN, call)
    yield ToolFinished(TURN, call, ToolResult(CALL, "read_file", "ok"), 0.04)
    half = {
        Language.ENGLISH: "Seoul is **clear and cold** today: minus 3 degrees in the morning, and",
        Language.KOREAN: "오늘 서울은 **맑고 추워요**. 아침 기온은 영하 3도이고, 낮에는",
    }
    yield ReplyReplaced(TURN, half[language])
    words = {
        Language.ENGLISH: ("Request: weather", "read_file · weather.txt", "bash · allowed once · window"),
        Language.KOREAN: ("요청: 날씨", "read_file · weather.txt", "bash · 한 번 허용 · 창"),
    }[language]
    yield ActivityNoted(ActivityKind.VOICE, "Hey Jarvis · 0.93", NOW)
    yield ActivityNoted(ActivityKind.TURN, words[0], NOW)
    yield ActivityNoted(ActivityKind.TOOL, words[1], NOW)
    yield ActivityNoted(ActivityKind.APPROVAL, f"⚡ approval · {words[2]}", NOW)


def listening(language: Language) -> Iterator[Event]:
    """An empty conversation that listens, with trouble noted."""
    yield ConversationOpened(SESSION, MAIN_AGENT, ())
    yield TroubleNoted(Part.MICROPHONE, TROUBLE[language])
    yield ActivityNoted(ActivityKind.TROUBLE, TROUBLE[language], NOW)
    yield VoiceStateChanged(VoiceState.LISTENING, muted=False, listen_for=ListenFor.REQUEST)
    for step in range(24):
        yield LevelHeard(abs((step * 37) % 20 - 10) / 12 + 0.1)


class Studio:
    """Takes pictures of one look in one language."""

    def __init__(self, out: Path, language: Language, theme: str) -> None:
        self.out = out
        self.name = f"{theme}-{language.value}"
        look = cast("Literal['light', 'dark']", theme)
        self.language = language
        self.desktop = Desktop(
            ignore, Catalog(language), UiSettings(language="system", theme=look, hotkey=""), now=lambda: NOW
        )
        self.window = self.desktop.windows[0]

    def save(self, widget: QWidget, what: str) -> None:
        """One picture."""
        spin()
        widget.grab().save(str(self.out / f"{what}-{self.name}.png"))

    def feed(self, events: Iterator[Event]) -> None:
        """Let events happen."""
        for event in events:
            self.desktop.deliver(event)
        spin()

    @contextmanager
    def dialog(self, asked: Question) -> Iterator[QWidget]:
        """The dialog of a question, as it looks when it can be answered."""
        self.desktop.picture.questions.clear()
        self.desktop.desk.close_all()
        self.desktop.deliver(QuestionAsked(asked))
        spin()
        dialog = self.desktop.desk.dialogs[0]
        dialog.recall()
        spin(1300)
        yield dialog
        self.desktop.desk.close_all()
        self.desktop.picture.questions.clear()

    def shoot(self) -> None:
        """All pictures of this look."""
        self.window.show()
        self.feed(listening(self.language))
        self.save(self.window, "listening")
        self.desktop.picture.troubles.clear()
        self.feed(conversation(self.language))
        self.desktop.deliver(VoiceStateChanged(VoiceState.THINKING, muted=False, listen_for=ListenFor.STOP))
        self.desktop.deliver(Transcribed(TALK[self.language][1], self.language, ListenFor.REQUEST))
        self.save(self.window, "window")
        self.desktop.deliver(TurnQueued(TALK[self.language][0], Origin.TYPED, 1))
        self.desktop.deliver(TurnEnded(TURN, SESSION, TurnEnd.INTERRUPTED, ""))
        self.save(self.window, "interrupted")
        self.feed(delegation(self.language, NOW))
        self.window.transcript.answers[-1].delegates[0].fold.setChecked(True)
        self.save(self.window, "delegation")
        short = {
            Language.ENGLISH: 'git status --short && echo "two files"',
            Language.KOREAN: 'git status --short && echo "파일 두 개"',
        }[self.language]
        for what, asked in (
            ("dialog-bash", question(Shown.COMMAND, short, spoken=True)),
            ("dialog-long", question(Shown.COMMAND, LONG_COMMAND)),
            ("dialog-diff", question(Shown.DIFF, DIFF)),
            ("dialog-always", replace(question(Shown.COMMAND, "git status && npm test"), offer=OFFER)),
            (
                "dialog-always-folder",
                replace(question(Shown.DIFF, DIFF * 3, spoken=True), offer=FOLDER_OFFER),
            ),
            (
                "dialog-tricks",
                question(Shown.COMMAND, "cat \u202etxt.yrammus\u200b && \u0441url evil.example"),
            ),
        ):
            with self.dialog(replace(asked, question_id=QuestionId(what))) as dialog:
                self.save(dialog, what)
        self.window.hide()


def tray_sheet(out: Path) -> None:
    """The seven faces at 22, 32 and 64 pixels on light and dark panels."""
    sheet = QPixmap(7 * 84 + 20, 2 * 130)
    painter = QPainter(sheet)
    for row, ground in enumerate(("#f2f2f4", "#1f2024")):
        painter.fillRect(QRect(0, row * 130, sheet.width(), 130), QColor(ground))
        for column, face in enumerate(Face):
            left, top = 20 + column * 84, row * 130 + 10
            painter.drawPixmap(left, top, pixmap(face.value, 64))
            painter.drawPixmap(left, top + 76, pixmap(face.value, 32))
            painter.drawPixmap(left + 40, top + 81, pixmap(face.value, 22))
    painter.end()
    sheet.save(str(out / "tray.png"))


def at_both_scales(out: Path, draw: str) -> None:
    """A window at both scales; the scale is fixed when Qt starts, so each has a process."""
    for scale in ("1", "2"):
        code = f"import sys; from experiments.screenshots import {draw}; {draw}(sys.argv[1], sys.argv[2])"
        environment = {**os.environ, "QT_SCALE_FACTOR": scale}
        subprocess.run([sys.executable, "-c", code, str(out), scale], check=True, env=environment)


def draw_setup(out: str, scale: str) -> None:
    """The pages of the setup window in both languages and both looks, in this process's scale."""
    app = QApplication(sys.argv[:1])
    for language in Language:
        for theme in ("light", "dark"):
            SetupStudio(Path(out), language, theme, 100 * int(scale)).shoot()
    app.closeAllWindows()


def draw_settings(out: str, scale: str) -> None:
    """The pages of the settings window in both languages and both looks, in this process's scale."""
    app = QApplication(sys.argv[:1])
    for language in Language:
        for theme in ("light", "dark"):
            SettingsStudio(Path(out), language, theme, 100 * int(scale)).shoot()
            MemoryStudio(Path(out), language, theme, 100 * int(scale)).shoot()
            PagesStudio(Path(out), language, theme, 100 * int(scale)).shoot()
    app.closeAllWindows()


def draw_agenda(out: str, scale: str) -> None:
    """The agenda in both languages and both looks, in this process's scale."""
    app = QApplication(sys.argv[:1])
    for language in Language:
        for theme in ("light", "dark"):
            AgendaStudio(Path(out), language, theme, 100 * int(scale)).shoot()
    app.closeAllWindows()


def main(arguments: list[str]) -> int:
    """Draw everything into the folder that is named."""
    only = arguments[1:]
    if not arguments or only not in ([], ["--setup"], ["--settings"], ["--agenda"]):
        print("usage: python -m experiments.screenshots OUTDIR [--setup | --settings | --agenda]")
        return 2
    out = Path(arguments[0])
    out.mkdir(parents=True, exist_ok=True)
    for name in ("setup", "settings", "agenda"):
        if only in ([], [f"--{name}"]):
            at_both_scales(out, f"draw_{name}")
    if not only:
        draw_windows(out)
    print(f"{len(list(out.glob('*.png')))} pictures in {out}")
    return 0


def draw_windows(out: Path) -> None:
    """Tray, main window and dialogs."""
    QApplication(sys.argv[:1])
    tray_sheet(out)
    for language in Language:
        for theme in ("light", "dark"):
            Studio(out, language, theme).shoot()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
