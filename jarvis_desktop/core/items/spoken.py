"""What happens between a spoken answer and what comes of it."""

from dataclasses import dataclass

from jarvis_desktop.core.items.decisions import Question
from jarvis_desktop.core.items.ids import QuestionId

MAX_LISTENINGS = 20
"""How often an answer is listened for, per question (T-073)."""


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
