"""Words that refuse: one of them anywhere in an answer denies (T-070).

The lists are generous on purpose: a yes heard as a no costs one more sentence, a no heard
as a yes runs a command.
"""

import re

from jarvis_desktop.core.voice.spoken_text import word_set, words_of

_ENGLISH = word_set(
    """
    no nope nah nay naw non nuh not never none nothing nobody neither nor without cannot
    cant dont wont didnt doesnt isnt wasnt shouldnt couldnt wouldnt mustnt aint arent havent hasnt hadnt
    neednt
    stop stops stopped stopping cancel cancels cancelled canceled abort halt quit wait waiting pause
    deny denied denies denying reject rejected rejects refuse refused refuses decline declined
    forbid forbidden prohibit prohibited veto block blocked disallow disapprove disagree revoke
    postpone postponed cancelling canceling scrap negatory negative nevermind unless later skip enough hold
    undo leave rather
    """
)
_ENGLISH_PHRASES = re.compile(
    r"\b(?:hang on|back (?:off|out)|hands off|drop it|i'?ll pass|i pass|pass on|hard pass|i object|"
    r"against (?:it|this|that)|forget (?:it|that|about)|let it be|out of the question|thumbs down|"
    r"too (?:risky|"
    r"dangerous)|that's wrong|(?:one|just a|in a|give (?:me )?a) (?:moment|sec|"
    r"second|"
    r"minute)|(?:do it|until) tomorrow)\b"
)

_INSIDE_KOREAN = re.compile(
    r"못|없|않|싫|거부|거절|반대|그만|중단|중지|정지|취소|멈[춰추춘출췄]|멈$|스톱|스탑|캔슬|기다[려리릴]|"
    r"잠깐|잠시|"
    r"금지|불가|불허|사양|곤란|나중|보류|철회|관[둬두뒀]|집어치|냅[둬두]|놔[둬두]|내버려|됐|됬|아직|이따|"
    r"다음에|절대|삼가|미[뤄루]|내일|생각해 ?볼|생각 좀|고민|가만히? ?있|(?:그냥|그대로) ?둬|손 ?떼|기각|"
    r"꺼져|"
    r"있다가? ?[하해]|네버|디나이|리젝트|"
    r"지 ?(?:마|말|맙)|안 ?(?:돼|되|된|될|됨|됩|해|하|할|함|했|합|할래)"
)
_KOREAN_STARTS = (
    "아니", "아뇨", "아냐", "아녀", "아닌", "아닙", "아님", "패스", "스킵", "웨이트", "홀드", "노땡큐",
)  # fmt: skip
_KOREAN_WORDS = word_set(
    """
    마 마라 마요 마세요 마시오 마십시오 마셔 말고 말아 말아요 말자 말라 말라고 말랬어 말랬지
    말도록 말길 맙시다 말아줘 말아라 노 노노 노우 ㄴㄴ ㄴ ㄴㄴㄴ ㄴㄴㄴㄴ
    """
)
_AN_IS_A_NOUN = (
    "안녕", "안내", "안전", "안심", "안정", "안드로이드", "안경", "안방", "안쪽", "안에", "안으로", "안부",
    "안건", "안다",
    "안주", "안과", "안팎", "안테나", "안티", "안마", "안개", "안색", "안면", "안목", "안락",
)  # fmt: skip
_NOUN_ENDS_IN_AN = re.compile(r"(?:제|보|동|방|대|초|불|미|법)안(?! ?[돼되된될됨됩])")
_TORN_KOREAN = ("하지마", "하지말", "거부", "거절", "멈춰", "취소")
"""Found even where the recogniser put blanks between the syllables."""


def refusal_in(text: str) -> bool:
    """One word or form in the normalised ``text`` refuses, postpones or takes back."""
    words = words_of(text)
    if any(_refuses_in_english(word) for word in words) or _ENGLISH_PHRASES.search(text):
        return True
    return any(_refuses_in_korean(word) for word in words) or _refuses_across_words(words)


def _refuses_in_english(word: str) -> bool:
    return (
        word in _ENGLISH or word.endswith("n't") or word.split("'", maxsplit=1)[0] in {"no", "not", "never"}
    )


def _refuses_in_korean(word: str) -> bool:
    if word in _KOREAN_WORDS or word.startswith(_KOREAN_STARTS):
        return True
    return word.startswith("안") and not word.startswith(_AN_IS_A_NOUN)


def _refuses_across_words(words: list[str]) -> bool:
    # Each noun becomes one neutral sign, so that a mask can never swallow the word behind it.
    masked = _NOUN_ENDS_IN_AN.sub("·", " ".join(words))
    masked = " ".join(
        "·" + word[2:] if word.startswith(_AN_IS_A_NOUN) else word for word in masked.split(" ")
    )
    torn = "".join(words)
    return bool(_INSIDE_KOREAN.search(masked)) or any(stem in torn for stem in _TORN_KOREAN)
