"""What ``bench_dialog`` measures, run on its desktop: core thread, bridge, Qt, ears and mouth of the program.

Only the chat model is absent: a broker asks the questions, in their real order and on the real loop. Every
moment is one JSON line on standard output, with the monotonic second that all processes share.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QWindow

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.app.bus import Bus
from jarvis_desktop.app.core_thread import CoreThread, Inbox
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.voice_parts import VoiceWiring
from jarvis_desktop.app.voice_real import RealVoice
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import AnswerQuestion, Command
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Shown, Verdict, VerdictKind
from jarvis_desktop.core.items.events import (
    Event,
    QuestionAsked,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, SessionId, TurnId, WindowId
from jarvis_desktop.core.items.speech import Language, ListenFor
from jarvis_desktop.core.items.spoken import AnswerStage
from jarvis_desktop.core.items.turn import Origin, TurnEnd, TurnRequest
from jarvis_desktop.core.policy.broker import Asking, Broker
from jarvis_desktop.ui.qt.desktop import Desktop

COMMAND = "git status"
REST_S = 0.7
READY_S, LISTENS_S = 120.0, 60.0


def note(kind: str) -> None:
    """One moment, and how much the thread that notes it has worked so far."""
    line = json.dumps({"at": time.monotonic(), "kind": kind, "worked": time.thread_time()})
    # One write: print() makes two, and two threads' lines would run into each other.
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class ProbedDesktop(Desktop):
    """The same; it notes when a question has come over the bridge, and follows its dialog to the screen."""

    def _take(self, event: Event) -> None:
        if isinstance(event, QuestionAsked):
            note("arrived")
        super()._take(event)
        if isinstance(event, QuestionAsked):
            for dialog in self.desk.dialogs:
                Exposed(dialog.windowHandle())


class Exposed(QObject):
    """Notes when the window of a dialog is on the screen and painted.

    It follows that window alone: a filter of the whole program is asked for each of the 700 events that a
    dialog makes, and takes as long as a fifth of what it measures.
    """

    def __init__(self, window: QWindow) -> None:
        super().__init__(window)
        self._seen = False
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Look at what the screen shows."""
        if event.type() == QEvent.Type.Expose and not self._seen and cast("QWindow", watched).isExposed():
            self._seen = True
            QTimer.singleShot(0, lambda: note("shown"))  # this event paints it
        return False


class Core:
    """Asks one spoken question after another, and denies each as soon as it is listened for."""

    def __init__(self, start: Start, count: int, origin: Origin) -> None:
        self._start = start
        self._count = count
        self._origin = origin
        self._bus = Bus()
        self._clock = SystemClock()
        self._broker = Broker(self._clock, self.emit)
        self._state: VoiceStateChanged | None = None
        self._changed = asyncio.Event()
        self.post: Callable[[Command], None] = lambda _command: None
        self.deliver: Callable[[Event], None] = lambda _event: None
        self.over: Callable[[], None] = lambda: None

    async def emit(self, event: Event) -> None:
        """Everything that happens, to everybody."""
        match event:
            case QuestionAsked():
                note("asked")
            case SpeakingStarted(question_id=question_id) if question_id is not None:
                note("reading")
            case SpeakingEnded(question_id=question_id) if question_id is not None:
                note("read")
            case VoiceStateChanged():
                self._state = event
                self._changed.set()
            case _:
                pass
        self._bus.publish(event)

    async def main(self, inbox: Inbox) -> None:
        """Everything, once the ears hear."""
        del inbox  # nobody presses anything here
        if self._origin is Origin.TYPED:
            await self._without_voice()
            return
        wiring = VoiceWiring(self._clock, self.post, self.emit)
        voice = RealVoice(self._start, self._start.settings.voice, wiring)
        self._bus.subscribe(self.deliver)
        self._bus.subscribe(voice.on_event)
        await self._broker.attach(WindowId("bench"))
        running = asyncio.create_task(voice.run())
        try:
            await self._until(lambda state: state.ready and state.listen_for is ListenFor.WAKE_WORD, READY_S)
            for number in range(self._count):
                await self._one(number)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await voice.close()
            self.over()

    async def _without_voice(self) -> None:
        self._bus.subscribe(self.deliver)
        await self._broker.attach(WindowId("bench"))
        await asyncio.sleep(2 * REST_S)  # until the window and the tray have come
        for number in range(self._count):
            asking = asyncio.create_task(self._broker.ask(_question(number, self._clock, self._origin)))
            await asyncio.sleep(REST_S)
            await self._deny()
            await asking
            await asyncio.sleep(REST_S)
        self.over()

    async def _one(self, number: int) -> None:
        started = TurnStarted(
            TurnId(f"t{number}"), SessionId("bench"), "what has changed?", Origin.SPOKEN, self._clock.now()
        )
        await self.emit(started)
        await asyncio.sleep(REST_S)
        asking = asyncio.create_task(self._broker.ask(_question(number, self._clock, self._origin)))
        await self._until(lambda state: state.answer is AnswerStage.LISTENING, LISTENS_S)
        note("listening")
        await asyncio.sleep(REST_S)
        await self._deny()
        await asking
        await self.emit(TurnEnded(TurnId(f"t{number}"), SessionId("bench"), TurnEnd.DENIED, ""))
        await self._until(lambda state: state.answer is AnswerStage.NONE, LISTENS_S)
        await asyncio.sleep(REST_S)

    async def _deny(self) -> None:
        shown = self._broker.shown
        if shown is not None:
            await self._broker.answer(
                AnswerQuestion(shown.question_id, shown.digest, Answer.DENY, AnsweredBy.WINDOW)
            )

    async def _until(self, holds: Callable[[VoiceStateChanged], bool], within_s: float) -> None:
        async with asyncio.timeout(within_s):
            while self._state is None or not holds(self._state):
                self._changed.clear()
                await self._changed.wait()


def _question(number: int, clock: SystemClock, origin: Origin) -> Asking:
    request = TurnRequest(
        TurnId(f"t{number}"),
        SessionId("bench"),
        MAIN_AGENT,
        "what has changed?",
        origin,
        Language.ENGLISH,
        Path.cwd(),
        clock.now(),
    )
    call = ToolCall(CallId(f"c{number}"), "bash", {"command": COMMAND})
    why = Verdict(VerdictKind.ASK, "no rule covers it", "no-rule")
    return Asking(call, request, Shown.COMMAND, COMMAND, why, f"digest {number}", desktop=True)


def main(arguments: list[str]) -> int:
    """Ask in the home that the first argument names, so often, and about requests that came this way."""
    home, count, origin = Path(arguments[0]), int(arguments[1]), Origin(arguments[2])
    settings, _ = load_settings(home)
    texts = Catalog(Language.ENGLISH)
    core = Core(Start(home, settings, texts), count, origin)
    thread = CoreThread(core.main, lambda _error: core.over())
    desktop = ProbedDesktop(thread.post, texts, settings.ui)
    core.post, core.deliver, core.over = thread.post, desktop.deliver, desktop.stop
    QTimer.singleShot(0, thread.start)
    status = desktop.main()
    thread.join(5)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
