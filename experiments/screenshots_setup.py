"""Draws every page of the setup window, with contact sheets: ``experiments.screenshots OUTDIR --setup``.

One process draws one scale (``QT_SCALE_FACTOR``); at 200 % the window is as small as 1366×768 makes it.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QScrollArea

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event, LevelHeard, WakeHeard
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    Backend,
    ChatChoice,
    FetchChanged,
    FileChoice,
    MachineFacts,
    ModelMeasured,
    OllamaPresence,
    SetupFacts,
    SetupLooked,
    Trial,
    TrialChanged,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.settings import UiSettings
from jarvis_desktop.ui.qt.desktop import Desktop
from jarvis_desktop.ui.setup_steps import Step

_KOREAN = {
    "Hears “Hey Jarvis”.": "“헤이 자비스”를 알아들어요.",
    "Understands speech.": "말을 알아들어요.",
    "Understands speech better, and takes twice as long.": "말을 더 잘 알아듣지만 시간이 두 배 걸려요.",
    "the official address": "공식 주소",
    "a package index": "패키지 색인",
    "Ollama is running.": "Ollama가 돌아가고 있어요.",
    "Ollama was not found. Install it as below, or use the model inside Jarvis.": (
        "Ollama를 찾지 못했어요. 아래처럼 설치하거나 자비스 안의 모델을 쓰세요."
    ),
    "Good at everyday requests in both languages.": "두 언어로 일상적인 요청을 잘 처리해요.",
    "Answers better, and needs more memory.": "더 잘 답하지만 메모리가 더 필요해요.",
    "Works without anything else; short answers only.": "다른 것 없이 돌아가요. 짧은 답만 해요.",
    "Another program uses these keys. Choose others.": "다른 프로그램이 쓰는 키예요. 다른 키를 골라 주세요.",
}


def said(text: str, language: Language) -> str:
    """A text of the core, in ``language``."""
    return _KOREAN[text] if language is Language.KOREAN else text


def full(language: Language) -> SetupFacts:
    """A machine that has most things."""

    def file(name: str, purpose: str, size: int, *, needed: bool, present: bool) -> FileChoice:
        sources = (said("a package index", language), said("the official address", language))
        licence = "CC BY-NC-SA 4.0" if name == "wake" else "MIT"
        purpose = said(purpose, language)
        return FileChoice(name, purpose, ("ko", "en"), size, licence, sources, present, needed)

    def chat(name: str, size: int, note: str, backend: Backend = Backend.OLLAMA) -> ChatChoice:
        note = said(note, language)
        return ChatChoice(backend, name, size, "Gemma", present=False, fits=True, note=note)

    small = chat("gemma4:e2b", 7_200_000_000, "Good at everyday requests in both languages.")
    large = chat("gemma4:e4b", 9_600_000_000, "Answers better, and needs more memory.")
    inside = chat(
        "gemma-3-270m", 253_000_000, "Works without anything else; short answers only.", Backend.EMBEDDED
    )
    return SetupFacts(
        machine=MachineFacts(16_500_000_000, 8, "", 81_000_000_000),
        ollama=OllamaPresence.RUNNING,
        ollama_text=said("Ollama is running.", language),
        chat=(replace(small, present=True, recommended=True), replace(large, fits=False), inside),
        files=(
            file("wake", "Hears “Hey Jarvis”.", 3_685_906, needed=True, present=True),
            file("whisper-base", "Understands speech.", 147_882_941, needed=True, present=False),
            file(
                "whisper-small",
                "Understands speech better, and takes twice as long.",
                486_000_000,
                needed=False,
                present=False,
            ),
        ),
        microphones=("USB PnP Sound Device", "Built-in Audio"),
        loudspeakers=("Built-in Audio",),
        settings={
            "ui.language": language.value,
            "ui.theme": "system",
            "ui.hotkey": "Ctrl+Alt+J",
            "voice.languages": ("ko", "en"),
            "voice.wake_threshold": 0.5,
            "voice.input_device": "USB PnP Sound Device",
            "model.name": "gemma4:e2b",
            "model.backend": "auto",
            "model.host": "http://127.0.0.1:11434",
        },
        hotkey_trouble=said("Another program uses these keys. Choose others.", language),
    )


def bare(language: Language) -> SetupFacts:
    """A machine that has nothing."""
    facts = full(language)
    return replace(
        facts,
        ollama=OllamaPresence.ABSENT,
        ollama_text=said(
            "Ollama was not found. Install it as below, or use the model inside Jarvis.", language
        ),
        chat=(facts.chat[2],),
        files=tuple(replace(choice, present=False) for choice in facts.files),
        microphones=(),
        loudspeakers=(),
        hotkey_trouble="",
        settings={**facts.settings, "ui.hotkey": "", "voice.input_device": ""},
    )


def doing() -> Iterator[Event]:
    """A download half done, another one failed, a measurement, a trial."""
    total = 147_882_941
    running = FetchStage.RUNNING
    yield FetchChanged(FetchState(FetchKind.FILES, "whisper-base", running, total // 3, total, 3_100_000, 31))
    yield ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 11.6, 0.8)
    yield TrialChanged(Trial.MICROPHONE, running=True)
    for step in range(24):
        yield LevelHeard(abs((step * 37) % 20 - 10) / 12 + 0.1)
    yield TrialChanged(Trial.WAKE_WORD, running=True)
    for score in (0.62, 0.97, 0.44, 0.91):
        yield WakeHeard(score)


def arrived() -> Event:
    """That download is done."""
    return FetchChanged(FetchState(FetchKind.FILES, "whisper-base", FetchStage.DONE, 1, 1))


def ignore(command: Command) -> None:
    """Commands go nowhere here."""
    del command


def spin(ms: int = 60) -> None:
    """Let Qt work for a moment."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


class SetupStudio:
    """Takes pictures of every page in one look and one language."""

    def __init__(self, out: Path, language: Language, theme: str, percent: int) -> None:
        self.out, self.language = out, language
        self.name = f"{language.value}-{theme}-{percent}"
        look = cast("Literal['light', 'dark']", theme)
        settings = UiSettings(language="system", theme=look, hotkey="")
        self.desktop = Desktop(ignore, Catalog(language), settings, start_hidden=True)
        self.small = percent > 100

    def shoot(self) -> None:
        """The pages of a machine that has most things, and of one that has nothing."""
        if not self.small:
            self._pages("bare", bare(self.language), iter(()))
        self._pages("full", full(self.language), doing())

    def _pages(self, kind: str, facts: SetupFacts, events: Iterator[Event]) -> None:
        desktop = self.desktop
        desktop.setup.open()
        window = desktop.setup.window
        assert window is not None
        window._seen = {Step.WELCOME}  # noqa: SLF001 - as on a first run
        desktop._take(SetupLooked(facts))  # noqa: SLF001 - without the queue
        for event in events:
            desktop._take(event)  # noqa: SLF001
        shots: list[QPixmap] = []
        for step in Step:
            window.go(step)
            if self.small:
                window.resize(683, 344)
            if kind == "full":
                self._act(step)
            spin()
            shot = window.grab()
            shots.append(shot)
            shot.save(str(self.out / f"setup-{kind}-{self.name}-{step.value}.png"))
            area = window._stack.currentWidget()  # noqa: SLF001
            assert isinstance(area, QScrollArea)
            if self.small and area.verticalScrollBar().maximum():
                area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
                spin(20)
                shots.append(window.grab())
        desktop.setup.close()
        sheet(shots).save(str(self.out / f"sheet-{kind}-{self.name}.png"))

    def _act(self, step: Step) -> None:
        """What is going on while a page is looked at."""
        for event in doing():
            self.desktop._take(event)  # noqa: SLF001
        if step in (Step.WAKE, Step.DONE):
            self.desktop._take(arrived())  # noqa: SLF001


def sheet(shots: list[QPixmap], columns: int = 3) -> QPixmap:
    """All pictures on one."""
    wide, high = shots[0].width(), shots[0].height()
    rows = -(-len(shots) // columns)
    page = QPixmap(columns * (wide + 12) + 12, rows * (high + 12) + 12)
    page.fill(QColor("#808080"))
    painter = QPainter(page)
    for at, shot in enumerate(shots):
        plain = QPixmap(shot)
        plain.setDevicePixelRatio(1.0)
        painter.drawPixmap(12 + at % columns * (wide + 12), 12 + at // columns * (high + 12), plain)
    painter.end()
    return page
