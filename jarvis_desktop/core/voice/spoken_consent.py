"""The phrases that clearly allow. Every word of an answer must belong to one of them.

A search for "go ahead" somewhere in the sentence is what turned "goat head, go ahead and ask" into a yes;
so these are whole phrases, and an answer is a row of them with nothing left over.
In the patterns ``_`` is a blank that may be missing, since recognisers place Korean blanks freely.
"""

import re
from enum import StrEnum


class Consent(StrEnum):
    """What a fully explained answer permits."""

    ONCE = "once"
    ALWAYS = "always"


_EN_IT = r"(?: (?:it|this|that|them|(?:this|that|the) (?:one|command|call|action|request|tool))| this one)?"
# "allow of" is what a recogniser makes of "allow" before "this", one time in eight.
_EN_ALLOW = rf"(?:(?:allow|approve|permit|authorize|accept|confirm|trust){_EN_IT}|allow of (?:it|this|that))"
_EN_RUN = rf"(?:(?:run|execute|start){_EN_IT}|do (?:it|this|that|so))"
_EN_GO = (
    rf"(?:go (?:right )?ahead(?: and {_EN_RUN}| with (?:it|that|this))?|go for it|go on|proceed|continue|"
    r"carry on)"
)
_EN_ACT = rf"(?:{_EN_ALLOW}|{_EN_RUN}|{_EN_GO})"
_EN_FOREVER = (
    r"(?:always|every time|each time|from now on|from here on(?: out)?|going forward|in (?:the )?future|"
    r"forever|permanently|for good|automatically)"
)
_EN_YES = (
    r"(?:yes|yeah|yep|yup|yea|aye|sure(?: thing)?|of course|certainly|absolutely|definitely|affirmative|"
    r"ok|okay|okey dokey|okie dokie|(?:oh|hell|heck) (?:yes|yeah)|you bet|by all means|be my guest|"
    r"granted|permission (?:granted|given)|approved|allowed|accepted|authorized|confirmed|agreed|please do|"
    r"you have (?:my permission|the green light)|i give (?:you )?(?:my )?permission|"
    rf"feel free(?: to {_EN_RUN})?|let's (?:go|do it|do that|run it)|"
    r"(?:that's|that is|it's|it is|that would be) (?:fine|okay|ok|all right|alright|good|great|allowed|"
    r"approved)(?: (?:by|with) me)?|"
    r"(?:fine|okay|ok) (?:by|with) me|(?:sounds|looks) (?:good|fine)(?: to me)?|works for me|make it so|"
    r"(?:you're )?good to go|"
    rf"(?:yes )?you (?:can|may)(?: {_EN_ACT})?|i (?:allow|approve|permit|accept|confirm|agree|"
    rf"authorize){_EN_IT})"
)
_EN_FILLER = (
    r"(?:please|thanks|thank you|now|right (?:away|now)|just|then|jarvis|hey jarvis|um|uh|well|so|alright|"
    r"all right|"
    r"fine|good|great|perfect|cool|correct|that's (?:right|correct|what i want)|that is (?:right|correct)|"
    r"that one|i'm sure|i am sure|kindly|only|once|this once|one time|(?:just )?this time|for me|and|"
    r"note (?:it|that) down)"
)
_EN_ALWAYS = (
    rf"(?:{_EN_FOREVER}(?: {_EN_FOREVER})? {_EN_ACT}|{_EN_ACT} {_EN_FOREVER}|"
    rf"make it automatic(?: {_EN_FOREVER})?|"
    rf"you (?:can|may) {_EN_FOREVER} {_EN_ACT}|always (?:yes|okay|ok)|"
    rf"(?:yes|yeah|yep|sure) {_EN_FOREVER}|{_EN_FOREVER} (?:yes|yeah))"
)

_KO_PERMIT = r"(?:허용|승인|허락|수락|동의|컨펌)"
_KO_WORK = r"(?:진행|실행|시작|처리|수행)"
_KO_MAY = r"(?:해|하셔)도_(?:돼|되|됩니다|된다|괜찮아|좋아|좋습니다)(?:요)?"
_KO_DO = (
    r"(?:해(?:라|요)?|하세요|하십시오|하시죠|하자|하죠|하렴|한다|합니다|할게|할께|할게요|할께요|하겠습니다|"
    r"하도록_(?:해|하세요)|시켜(?:라|요|_줘|_주세요)?|해_(?:드릴게|드릴게요|드리겠습니다|줘|줘요|줘라|"
    r"주세요|주십시오|주시죠|봐|봐요|보세요|달라고)|" + _KO_MAY + r")"
)
_KO_DONE = r"(?:함|했어|했어요|했습니다|이야|이에요|예요|입니다|됨)"
_KO_RUN = r"(?:돌려(?:라|요|_줘|_줘요|_주세요|_봐|_보세요)?|돌리세요|돌리자|돌려도_(?:돼|됩니다)(?:요)?)"
_KO_ACT = rf"(?:{_KO_PERMIT}(?:_(?:{_KO_DO}|{_KO_DONE}))?|진행|실행|{_KO_WORK}_{_KO_DO}|{_KO_RUN})"
_KO_JUST_DO = rf"(?:해_(?:줘|줘요|주세요|주십시오|봐|봐요|보세요)|{_KO_MAY}|하세요|하십시오)"
_KO_YES = (
    r"(?:응|응응|네|네네|네넵|네에|예|예예|예쓰|넵|넹|그려|그려유|그래유|그럼요|그래|그래그래|그래요|"
    r"그러십시오|"
    r"그러세요|그러렴|그래라|그러자|그러시죠|그래도_(?:돼|"
    r"됩니다)(?:요)?|"
    r"좋아|조아|좋아요|좋습니다|좋지|좋죠|물론|물론입니다|물론이지|물론이죠|물론이에요|당연하지|당연하죠|당연히|"
    r"당연히_되죠|오케이|오키|오키도키|오케|고_?어헤드|얼라우|어프루브|"
    r"예스|ㅇㅇ|ㅇㅋ|"
    rf"그렇게_(?:{_KO_DO}|하자)|그대로_{_KO_DO}|계속_(?:해|하세요|해_줘|해_주세요|{_KO_WORK}(?:_{_KO_DO})?)|"
    rf"마저_{_KO_DO}|(?:안내|말|설명|제안)한_대로_{_KO_DO}|마음_대로_{_KO_MAY})"
)
_KO_FILLER = (
    r"(?:그거|그것|그걸|그건|이거|이것|이걸|이건|그_?명령(?:을|은)?|이_?명령(?:을|은)?|이번_만|이번에만|"
    r"이번_한_번만|한_번만|"
    r"한_번|그냥|바로|지금|당장|빨리|어서|얼른|그럼|자비스|헤이_자비스|어|음|저기|해|해요|하자|고마워|"
    r"고마워요|부탁해|부탁해요|부탁할게|부탁할게요|부탁합니다|부탁드려요|부탁드립니다|맞아|맞아요|맞습니다|"
    r"알았어|알았어요|"
    r"알겠어|"
    r"알겠습니다|확인했어|확인했어요|확인했습니다|그대로|이번에는)"
)
_KO_FROM_NOW = r"(?:앞으로|다음_부터|이제_부터|지금_부터)(?:_는|도)?"
_KO_FOREVER = (
    rf"(?:항상|늘|매번|언제나|{_KO_FROM_NOW}(?:_(?:계속|항상|쭉|그냥|알아서|자동으로))?|쭉|영구(?:히|"
    rf"적으로)?|"
    r"자동(?:으로)?|평생)"
)
_KO_ALWAYS = (
    rf"(?:(?:기억해_(?:두고|놓고)_)?(?:(?:이건|이거|그건|이것은|이_명령은|이런_(?:건|거|거는|것은|"
    rf"명령은))_)?{_KO_FOREVER}_(?:{_KO_ACT}|"
    rf"{_KO_JUST_DO}|{_EN_ACT}|오케이)|{_KO_FROM_NOW}_(?:그냥|알아서)_해|{_EN_FOREVER} {_KO_ACT}|"
    rf"(?:{_KO_FROM_NOW} )?{_EN_FOREVER} {_EN_ACT}|"
    rf"계속_(?:{_KO_PERMIT}(?:_(?:{_KO_DO}|{_KO_DONE}))?|{_KO_MAY}))"
)
"""Recognisers write the English words of a Korean sentence in either script."""
_ADDRESS_ONLY = re.compile(r"(?:ok|okay|오케이) (?:jarvis|자비스)")
"""Another assistant's wake phrase with our name; no yes to anything."""


def _row(*phrases: str) -> re.Pattern[str]:
    any_phrase = "|".join(phrases)
    # The short Korean yes may be glued to the order behind it: 네실행해.
    glued = rf"(?:응|네|예|넵|그래|좋아)(?={_KO_ACT}(?: |$))"
    # 내 sounds like 네, and is never "my" before these orders.
    glued += rf"|내 ?(?={_KO_WORK}_{_KO_DO}(?: |$))"
    return re.compile(rf"(?:(?:{glued}|(?:{any_phrase})(?: |$)))+".replace("_", " ?"))


_PHRASES = (_EN_ALWAYS, _KO_ALWAYS, _EN_YES, _EN_ACT, _EN_FILLER, _KO_YES, _KO_ACT, _KO_JUST_DO, _KO_FILLER)
_ANYTHING = _row(*_PHRASES)
_FILLER_ONLY = _row(_EN_FILLER, _KO_FILLER)
_PART = re.compile(rf"(?:(?<= )|^)(?:{'|'.join(_PHRASES)})(?= |$)".replace("_", " ?"))
_ALWAYS_WITHIN = re.compile(rf"(?:^| )(?:{_EN_ALWAYS}|{_KO_ALWAYS})(?= |$)".replace("_", " ?"))


def consent_in(words: list[str]) -> Consent | None:
    """What a row of normalised words permits; ``None`` when a word is left unexplained or all are filler."""
    said = " ".join(words)
    if not said or not _ANYTHING.fullmatch(said) or _FILLER_ONLY.fullmatch(said):
        return None
    if _ADDRESS_ONLY.fullmatch(said) or words[0] == "and":  # the rest of another sentence
        return None
    return Consent.ALWAYS if _ALWAYS_WITHIN.search(said) else Consent.ONCE


def unexplained(words: list[str]) -> list[str]:
    """The normalised words that belong to no phrase of consent and are no filler."""
    return _PART.sub(" ", " ".join(words)).split()
