"""Whether a request was so surely meant for good that a person is offered to keep it as a goal.

Stricter than ``standing``, which only asks the model: an offer that makes no sense is in the way. A phrase
counts with what stands around it, since each of them is also used by people who ask once: "지금 올라온 것만
알려줘", "tell me when the next train leaves". How often that goes wrong is counted in
``tests/unit/goals/test_suggesting.py``.
"""

import re

from jarvis_desktop.core.goals.naming import MOST_CHARS

_TELL = r"(?:알려|알림|말해|얘기해|전해|연락해|보고해|메시지|문자|카톡|톡\s|귀띔)"
_ASKS = r"어떻|어떤|무슨|무엇|뭐|뭘|왜|언제|어디|누구|누가|얼마|며칠|몇"
_BETWEEN = rf"(?:(?!{_ASKS})\S*[^\s지까]\s+){{0,3}}"
"""A few words that make no question of it: "나면 어떻게 하는지 알려줘" is one."""
_KO_WHEN = re.compile(
    rf"(?P<verb>[가-힣]+)(?:면|거든)\s*{_BETWEEN}{_TELL}|(?:[는은]\s*(?:대로|즉시)|자마자)\s*{_BETWEEN}{_TELL}"
)
"""Something happens, and then the telling."""
_KO_OUR_WORK = re.compile(
    r"찾으|찾아보|알아보|알게되|확인하|읽으|읽어보|보|하|있으|없으|아니|괜찮으|가능하|필요하|원하|모르|궁금하|.*려"
)
"""What is done or known in this very turn, as the whole word before "면": "찾으면 알려줘"."""
_KO_ONLY = re.compile(rf"(?<![있없])는\s+\S+만\s*{_BETWEEN}{_TELL}|(?:앞으로|이제부터).*만\s*{_TELL}")
"""Of what will happen: "추천하는 공고만"; a noun alone asks for a part of what there is: "마감일만"."""
_KO_NOW = re.compile(r"지금|현재|방금|오늘|어제|이번|여기|이미|에서|\s중(?:에|에서)?\s")
_KO_LATER = re.compile(
    rf"(?:지켜|살펴|확인|봐|보).{{0,6}}다가\s*{_BETWEEN}{_TELL}|[는인은한]\s날(?:엔|에는|마다|이면|만).*{_TELL}"
)
_KO_ON = re.compile(
    r"앞으로(?!의|\s*남은)|이제부터|때마다|[월화수목금토일]요일마다|날마다|아침마다|저녁마다|"
    r"매(?:일|주|달|시간)(?!\s\S{1,2}는\s)|수시로|계속\s*(?:챙기|챙겨|지켜|살펴|확인|보다가|알려)|"
    r"지켜\s*(?:봐|보다가|보고)|눈여겨"
)
_KO_ASKED_FOR = re.compile(r"줘|주세요|주라|줄래|줄\s*수|달라|다오|부탁|해라")
_KO_QUESTION = re.compile(rf"{_ASKS}|[인는은을한된할]지(?:\s|$)|었지|였지")
_KO_AT = re.compile(r"매(?:일|주|달).*\d+\s*시")
"""That is a schedule: a goal looks every hour."""
_KO_DOUBT = re.compile(r"이해가?\s|틀린|잘못된")

_PERSON = r"(?:me|us)"
_ALERT = (
    rf"(?:(?:notify|alert|ping|warn|message|text|email|call|wake|inform) {_PERSON}"
    rf"|give {_PERSON} a heads.?up)"
)
_SAY = rf"(?:tell {_PERSON}|let {_PERSON} know)"
_WHEN = r"(?:when|once|if|as soon as|the (?:moment|minute|second))"
_EACH = r"(?:whenever|every ?time|each time|any ?time)"
_DAILY = r"(?:every|each) (?:hour|day|morning|evening|night|week|month|\w+day)"
_HAPPENS = (
    r"\b(?:drops?|rises?|falls?|goes|gets|comes|changes?|breaks?|fails?|appears?|arrives?|turns?|exceeds?|"
    r"reaches|happens?|becomes|shows?|writes|replies|emails|calls|crashes|stops|opens|lands?|ships|finishes|"
    r"ends|posts|touches|new)\b"
)
_EN_OFFER = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:from (?:now|here|today) on|going forward|in (?:the )?future)\b",
        rf"\b{_ALERT}\b.*\b(?:{_WHEN}|{_EACH}|before|above|below)\b",
        rf"\b{_SAY}\b.*\b(?:{_EACH}|as soon as|the (?:moment|minute|second))\b",
        rf"\b{_SAY} (?:only )?(?:when|once) (?!(?:the )?(?:next|last|first)\b|(?:you|i|it|that)\b|more\b)",
        rf"\b{_SAY} (?:only )?if (?!(?:you|i|there|this|that|it)\b).*{_HAPPENS}",
        rf"\b(?:{_WHEN}|{_EACH})\b .+\b(?:{_ALERT}|{_SAY})\b",
        rf"^(?:please )?{_EACH}\b.+,",
        rf"\bonly (?:tell|notify|alert|ping) {_PERSON}\b.*\b(?:when|if|about)\b",
        rf"\bkeep (?:an eye|a lookout|watch|watching|track|tabs|{_PERSON} (?:posted|updated|informed))\b",
        rf"\b(?:watch|monitor|{_DAILY})\b.*\b(?:{_ALERT}|{_SAY})\b",
        rf"\b(?:{_ALERT}|{_SAY})\b.*\b{_DAILY}\b",
        rf"\b(?:make sure i (?:hear|know)|i(?: want| would like|'d like) to hear)\b"
        rf".*\b(?:any|every|new|{_WHEN})\b",
        r"\bstay on top of\b|\bkeep up with\b",
    )
)
_EN_QUESTION = re.compile(
    r"^(?:what|how|why|which|who|whose|when|where|is|are|was|were|do|does|did|has|have|should)\b.*\?\s*$"
)
_EN_ONCE = (
    re.compile(rf"\b{_WHEN} (?:you|i)\b|\bkeep watching (?:the )?(?:movie|film|show)\b"),
    re.compile(r"\b(?:find out|see|look up|figure out|verify|test) (?:if|whether|when)\b"),
    re.compile(r"\bwhen\b.*\b(?:began|was|were|did|started|happened|died|born|ago)\b"),
    re.compile(rf"\b{_DAILY}\b.*\bat \d|\bat \d.*\b(?:every|each)\b"),
)
"""Asked about this turn, about the past, or for a time of the clock, which is a schedule."""


def worth_offering(text: str) -> bool:
    """``text`` means work for good, as far as words alone can say; never where it is too long for a goal."""
    said = " ".join(text.split())
    return len(said) <= MOST_CHARS and (_korean(said) or _english(said.lower()))


def _korean(said: str) -> bool:
    if _KO_DOUBT.search(said):
        return False
    if any(not _KO_OUR_WORK.fullmatch(one["verb"] or "") for one in _KO_WHEN.finditer(said)):
        return True
    if (_KO_ONLY.search(said) and not _KO_NOW.search(said)) or _KO_LATER.search(said):
        return True
    going_on = _KO_ON.search(said) and _KO_ASKED_FOR.search(said)
    return bool(going_on) and not (_KO_QUESTION.search(said) or _KO_AT.search(said))


def _english(said: str) -> bool:
    if _EN_QUESTION.search(said) or any(once.search(said) for once in _EN_ONCE):
        return False
    return any(offer.search(said) for offer in _EN_OFFER)
