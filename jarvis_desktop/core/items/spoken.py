"""What happens between a spoken answer and what comes of it."""

from dataclasses import dataclass
from enum import StrEnum

from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.items.ids import QuestionId

MAX_LISTENINGS = 20
"""How often an answer is listened for, per question (T-073)."""


class AnswerStage(StrEnum):
    """How far a spoken answer to what is open is, so that people who only look know what voice does."""

    NONE = "none"
    """Nothing is open that voice could answer."""
    WAITING = "waiting"
    """It is being read aloud, or is about to be."""
    LISTENING = "listening"
    RECOGNISING = "recognising"
    """Something was said, and is being understood."""
    HELD = "held"
    """A yes was heard; it counts in a moment, unless the person goes on speaking."""
    GIVEN = "given"
    """It was answered by voice; what comes of it is not told yet."""
    USED_UP = "used_up"
    """It was listened for ``MAX_LISTENINGS`` times; only buttons answer now (T-254)."""
    UNREAD = "unread"
    """Nothing is read aloud here, and what was not read cannot be answered by voice."""
    DEAF = "deaf"
    """The microphone or a speech model is missing."""


@dataclass(frozen=True, slots=True)
class AnswerUnclear:
    """A spoken answer was neither a yes nor a no; the question is asked once more."""

    question_id: QuestionId


@dataclass(frozen=True, slots=True)
class SavingOffered:
    """ALWAYS was said: the call was allowed once, and the rule is read back to be saved or not."""

    question: Question
    """Settled already; its ``offer`` is what would be saved."""


@dataclass(frozen=True, slots=True)
class SavingEnded:
    """The rule that was read back is saved, or will not be."""

    question_id: QuestionId
    saved: bool
    problem: str = ""
    """Why it could not be saved although the person wanted it; in the app's language."""


def saving_id(question_id: QuestionId) -> QuestionId:
    """Under this name the reading of a rule is told, so that it is not taken for the question's own."""
    return QuestionId(f"{question_id}/save")
