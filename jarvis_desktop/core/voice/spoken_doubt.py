"""Whether an answer that keywords do not explain can be a yes at all. A model's yes counts only where it can.

A small model takes "I guess", "yeah right" and even "yesterday" for a yes. So its yes needs an answer that
is one by its words, but for the name of what is allowed ("allow git status from now on") or a casual word for
doing it; and nothing in it may doubt, tell of somebody else, order something else or hand the choice back.
"""

import re

from jarvis_desktop.core.voice.spoken_answer import MAX_WORDS
from jarvis_desktop.core.voice.spoken_consent import consent_in, unexplained
from jarvis_desktop.core.voice.spoken_text import has_hangul, normalised, word_set, words_of

MOST_NAME_WORDS = 4
"""The name of what is allowed is not longer; more is another sentence."""
_PERMISSION = re.compile(r"\b(?:allow|approve|permit|authorize)\b|허용|허락|승인|수락|동의")
"""Who says "yes", "run", "accept" or "confirm" beside unknown words may mean something else by it."""
_CASUAL = word_set("써 써라 써요 써도 돼 돼요 쓰세요 쓰자 찬성 부탁할게 부탁할게요 부탁드려요")
_DOUBT = word_set(
    """
    guess suppose think believe hope wonder probably possibly might seems seem like whatever kinda sorta
    hmm hm right said says say saying told tell tells asked asks ask heard hear mean means meant
    he she they me him her them his their we someone somebody people you
    and then also plus read show explain describe repeat again see look check print display
    everybody everyone number my with in at
    other another else different instead rather something anything everything all rest
    yesterday tomorrow tonight already was were had would could should
    """
)
_DOUBT_KO = re.compile(
    r"글쎄|괜찮|모르|몰라|생각|같[아은]|듯|긴 ?[한해]|판단|결정|골라|정해|네가|니가|당신|상관|보여|읽어|설명|"
    r"알려|말해|다시|확인 ?(?:해|하고)|물어|다른|까지|빼고|하고|그리고|[다냐라자]고|대요|래요|더라|던데|했|"
    r"그랬|예전|어제|내일|전부|모두|다 |사람|누[가군]|아무"
)


def can_be_a_yes(heard: str) -> bool:
    """By its words it consents, but for a name or a casual word; none of them doubts or adds something."""
    words = words_of(normalised(heard))
    if not 2 <= len(words) <= MAX_WORDS or _doubts(words):
        return False
    left = unexplained(words)
    if left and _CASUAL.issuperset(left):
        return True
    if not left or len(left) > MOST_NAME_WORDS:
        return False
    if has_hangul(words[-1]) and words[-1] in left:  # in Korean what is done to the thing comes last
        return False
    known = [word for word in words if word not in left]
    return consent_in(known) is not None and _PERMISSION.search(" ".join(known)) is not None


def _doubts(words: list[str]) -> bool:
    if _DOUBT.intersection(word.partition("'")[0] for word in words):
        return True
    return _DOUBT_KO.search(" ".join(words)) is not None
