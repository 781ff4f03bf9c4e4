"""What a front end knows: the events so far, folded into what a new window or the tray must show."""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum

from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    AdviceGiven,
    CoreStopped,
    Event,
    Part,
    QuestionAsked,
    QuestionSettled,
    ReplyDelta,
    ReplyReplaced,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
    VoiceState,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import QuestionId, TurnId
from jarvis_desktop.core.items.memory_desk import Erased
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.ui.agent_picture import AgentsPicture
from jarvis_desktop.ui.setup_picture import SetupPicture

NO_FOCUS = FocusChanged(on=False)
KEPT_ACTIVITY = 1000
"""Lines of activity that a window shows at most; the database keeps them all."""


class Face(StrEnum):
    """What the tray icon says; each has its own shape and colour."""

    ASLEEP = "asleep"
    LISTENING = "listening"
    THINKING = "thinking"
    ASKING = "asking"
    SPEAKING = "speaking"
    MUTED = "muted"
    TROUBLE = "trouble"


_FACE_OF_VOICE = {
    VoiceState.LISTENING: Face.LISTENING,
    VoiceState.TRANSCRIBING: Face.LISTENING,
    VoiceState.SPEAKING: Face.SPEAKING,
    VoiceState.ASKING: Face.ASKING,
    VoiceState.THINKING: Face.THINKING,
}


@dataclass(slots=True)
class RunningTurn:
    """The turn that is being worked on, and its answer so far."""

    turn_id: TurnId
    text: str = ""


@dataclass(slots=True)
class Picture:
    """The present state, as far as screens show it. ``take`` every event, in order."""

    voice: VoiceState = VoiceState.IDLE
    muted: bool = False
    listen_for: ListenFor = ListenFor.NOTHING
    ready: bool = False
    """The ears have said that their models are loaded, or that there will be none."""
    focus: FocusChanged = NO_FOCUS
    """Whether the person wants to be left alone, and until when."""
    troubles: dict[Part, str] = field(default_factory=dict)
    advice: str = ""
    """Something worth knowing; empty when there is nothing."""
    stopped: str = ""
    """What to say about a core that has ended by an error; empty while it works."""
    questions: dict[QuestionId, Question] = field(default_factory=dict)
    """Open ones, oldest first."""
    turn: RunningTurn | None = None
    agents: AgentsPicture = field(default_factory=AgentsPicture)
    activity: deque[ActivityNoted] = field(default_factory=lambda: deque(maxlen=KEPT_ACTIVITY))
    setup: SetupPicture = field(default_factory=SetupPicture)

    @property
    def face(self) -> Face:
        """The most urgent thing to say. A person's own mute outranks trouble: it is a promise of privacy."""
        if self.stopped:
            return Face.TROUBLE
        if self.questions:
            return Face.ASKING
        speaking = _FACE_OF_VOICE.get(self.voice)
        if speaking is not None:
            return speaking
        if self.turn is not None:
            return Face.THINKING
        if self.muted:
            return Face.MUTED
        return Face.TROUBLE if self.troubles else Face.ASLEEP

    def take(self, event: Event) -> None:
        """The picture after ``event``."""
        self._take_turn(event)
        self.setup.take(event)
        self.agents.take(event)
        match event:
            case VoiceStateChanged():
                self.voice, self.muted = event.state, event.muted
                self.listen_for, self.ready = event.listen_for, event.ready
            case QuestionAsked():
                self.questions[event.question.question_id] = event.question
            case QuestionSettled():
                self.questions.pop(event.question.question_id, None)
            case CoreStopped():
                self._stop(event.text)
            case _:
                self._take_note(event)

    def _take_note(self, event: Event) -> None:
        match event:
            case TroubleNoted():
                self.troubles[event.part] = event.text
            case FocusChanged():
                self.focus = event
            case TroubleCleared():
                self.troubles.pop(event.part, None)
            case AdviceGiven():
                self.advice = event.text
            case ActivityNoted():
                self.activity.append(event)
            case Erased(turn_ids=turn_ids, everything=everything):
                left = [one for one in self.activity if not everything and one.turn_id not in turn_ids]
                self.activity = deque(left, maxlen=KEPT_ACTIVITY)
            case _:
                pass

    def _stop(self, text: str) -> None:
        """Nothing goes on any more, and no question can be answered."""
        self.stopped = text
        self.voice, self.listen_for = VoiceState.IDLE, ListenFor.NOTHING
        self.turn = None
        self.questions.clear()

    def _take_turn(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self.turn = RunningTurn(event.turn_id)
            case TurnEnded() if self._runs(event.turn_id):
                self.turn = None
            case ReplyDelta() if self.turn is not None and self._runs(event.turn_id):
                self.turn.text += event.text
            case ReplyReplaced() if self.turn is not None and self._runs(event.turn_id):
                self.turn.text = event.text
            case _:
                pass

    def _runs(self, turn_id: TurnId) -> bool:
        return self.turn is not None and self.turn.turn_id == turn_id
