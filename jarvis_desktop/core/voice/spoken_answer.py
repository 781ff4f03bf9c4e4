"""What a spoken answer to an approval question means, by keywords alone (decision 17, T-070..T-072).

Order: any refusal denies; a question or a condition is no yes; then phrases that clearly allow,
which must explain the whole answer. Everything else is unclear, and unclear never permits.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.voice.spoken_consent import Consent, consent_in, unexplained
from jarvis_desktop.core.voice.spoken_refusals import refusal_in
from jarvis_desktop.core.voice.spoken_text import has_hangul, normalised, word_set, words_of

MAX_WORDS = 16
"""A yes is short; whatever is longer is a story with a yes in it."""

ONE_WORD_AGAIN = 4
"""So many times the same word is a recogniser that got stuck."""
MOST_UNKNOWN = 2
"""Besides words of a yes, a refusal over our voice has so many words at most: "please don't run it now"."""

ANSWER_BIAS: Mapping[Language, str] = MappingProxyType(
    {
        Language.ENGLISH: "Deny. No, don't. Cancel that. Wait. Yes, go ahead. Allow it. Always allow.",
        Language.KOREAN: "거부. 아니, 하지 마. 안 돼. 취소해. 기다려. 승인해. 응, 실행해. 항상 허용.",
    }
)
"""Hotwords for the biased recognition of an answer: refusals first, so that bias never favours a yes."""


class SpokenLabel(StrEnum):
    """What an answer means."""

    ALLOW = "allow"
    ALWAYS = "always"
    DENY = "deny"
    UNCLEAR = "unclear"


PERMITTING = (SpokenLabel.ALLOW, SpokenLabel.ALWAYS)
"""The only labels that permit anything."""


class Stage(StrEnum):
    """What settled the label."""

    REFUSAL = "refusal"
    QUESTION = "question"
    CONDITION = "condition"
    KEYWORDS = "keywords"
    NOTHING = "nothing"
    """No stage recognised it; a model may look at it, nobody may assume a yes."""
    MODEL = "model"
    """Keywords said nothing, so the chat model was asked."""


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """The meaning of an answer and what settled it."""

    label: SpokenLabel
    stage: Stage


_QUESTION = re.compile(
    r"[?？]|\b(?:what|which|who|whom|where)$|^(?:what|which|why|how|when|where|who|can|could|should|shall|"
    r"would|will|do you|does|is it|are you|did)\b|"
    r"(?:뭐|뭘|뭔|무엇|무슨|왜|어떻|어때|언제(?!나)|어디|누구|어느|얼마|몇)|(?:까|까요|나요|는가|니|(?<!오)냐|"
    r"(?<!그)래)[.!]?$"
)
_ASKING_BACK = word_set("네 네네 예 예예 응 어 그래 그래요")
_CONDITION = re.compile(
    r"\b(?:but|if|unless|only if|except|as long as|provided|first|after|before|when|maybe|perhaps|depends)\b|"
    r"(?:지만|는데|은데|한데|그런데|근데|면|다면|거든|려면|아마|글쎄|혹시|대신|먼저|경우)(?:\b|$)"
)
_STOP_ORDER = re.compile(
    r"(?:stop|stop (?:it|that|talking|speaking|reading)|be quiet|quiet|shut up|silence|hush|enough|that's "
    r"enough|"
    r"cancel|cancel (?:it|that)|abort|halt|wait|hold on|never ?mind|"
    r"멈춰(?: ?(?:줘|주세요|요|라|봐))?|멈추세요|그만(?: ?(?:해|해요|해 ?줘|하세요|해라|말해|읽어|읽어 ?줘|"
    r"둬))?|"
    r"말하지 ?마(?:세요)?|읽지 ?마(?:세요)?|조용(?:히)?(?: ?(?:해|해요|해 ?줘|하세요))?|닥쳐|스톱|스탑|"
    r"중지(?: ?해)?|중단(?: ?해)?|정지|취소(?: ?해)?(?: ?줘)?|잠깐(?:만)?(?:요)?|잠시만(?:요)?|됐어|됐어요|"
    r"시끄러워)"
)
_STOP_FILLER = re.compile(
    r"(?:hey |okay |ok |please |now |oh |no |jarvis |자비스야? |헤이 |야 |아 |이제 |제발 |좀 |아니 )"
)


def classify(text: str) -> SpokenAnswer:
    """The meaning of a final transcript of an answer."""
    heard = normalised(text)
    if refusal_in(heard):
        return SpokenAnswer(SpokenLabel.DENY, Stage.REFUSAL)
    if _QUESTION.search(heard):
        return SpokenAnswer(SpokenLabel.UNCLEAR, Stage.QUESTION)
    if _CONDITION.search(heard):
        return SpokenAnswer(SpokenLabel.UNCLEAR, Stage.CONDITION)
    words = words_of(heard)
    consent = consent_in(words) if len(words) <= MAX_WORDS else None
    if consent is None:
        return SpokenAnswer(SpokenLabel.UNCLEAR, Stage.NOTHING)
    label = SpokenLabel.ALWAYS if consent is Consent.ALWAYS else SpokenLabel.ALLOW
    return SpokenAnswer(label, Stage.KEYWORDS)


def is_refusal(text: str) -> bool:
    """Some word of it refuses."""
    return refusal_in(normalised(text))


def is_plain_refusal(text: str) -> bool:
    """It refuses as people do who talk over our voice: with its first or last word, or with little besides.

    Recognisers make of our own voice in a room "we may not see it in the fold" and "no, no, no, no, no": a
    "not" amid unknown words, or one word again and again, is more likely ours than a person's. "It or not",
    heard when somebody typed while we read, leaves both open and refuses nothing.
    """
    words = words_of(normalised(text))
    if words[-2:] == ["or", "not"]:
        words = words[:-2]
    if not words or max(map(words.count, words)) >= ONE_WORD_AGAIN:
        return False
    ends = [words[0], " ".join(words[-2:]) if has_hangul(words[-1]) else words[-1]]  # 안 돼 is two words
    if any(map(refusal_in, ends)):
        return True
    left = unexplained(words)
    return refusal_in(" ".join(words)) and len(left) <= MOST_UNKNOWN and refusal_in(" ".join(left))


def may_ask_back(text: str) -> bool:
    """All of it is a Korean word that means "yes" or, said with a rising voice, "pardon?".

    Recognisers often write 네 for 네?, and voices differ too much to tell by their pitch.
    """
    words = words_of(normalised(text))
    return bool(words) and _ASKING_BACK.issuperset(words)


def is_stop(text: str) -> bool:
    """All of it is an order to be silent or stop; "how do I stop a process" is not.

    A repeated order ("stop, stop") counts, and so do a name or a "please" around it.
    """
    said = " ".join(words_of(normalised(text))) + " "
    row = rf"(?:{_STOP_FILLER.pattern})*(?:{_STOP_ORDER.pattern} (?:{_STOP_FILLER.pattern})*)+"
    return re.fullmatch(row, said) is not None
