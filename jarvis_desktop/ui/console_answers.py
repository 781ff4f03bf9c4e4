"""What can be typed as the answer to a question."""

from jarvis_desktop.core.items.decisions import Answer, Question
from jarvis_desktop.ui.offer_words import offer

_YES = frozenset({"y", "yes", "네", "예"})
_ALWAYS = frozenset({"a", "always", "항상", "항상 허용"})
_NO = frozenset({"n", "no", "아니", "아니요", "아니오"})


def answers(question: Question) -> dict[str, Answer]:
    """What can be typed, and what it means; ALWAYS only where the rule was shown."""
    always = _ALWAYS if offer(question) is not None else frozenset[str]()
    return {
        **dict.fromkeys(_YES, Answer.ALLOW),
        **dict.fromkeys(_NO, Answer.DENY),
        **dict.fromkeys(always, Answer.ALWAYS),
    }
