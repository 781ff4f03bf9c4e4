"""Whether a request sounds like work for good, and the rule that its turn then ends its prompt with."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from jarvis_desktop.core.items.speech import Language

_STANDING = re.compile(
    r"만\s*알려|(?:나오|생기|바뀌|오르|내리|올라오|뜨|되|열리)면\s*"
    r"(?:바로\s*)?(?:좀\s*)?(?:알려|말해|얘기해)"
    r"|앞으로|때마다|계속\s*(?:챙겨|봐|지켜|확인|알려)|지켜\s*봐|매일|매주|매시간"
    r"|\bfrom now on\b|\bwhenever\b|\bevery time\b|\bkeep (?:an eye|watching|track|me (?:posted|updated))\b"
    r"|\b(?:tell|notify|alert|let|ping|message|remind)\b.{0,40}\b(?:when|once|as soon as|if|only)\b"
    r"|\bonly (?:tell|notify|alert|let)\b|\bwatch (?:for|out)\b",
    re.IGNORECASE,
)
STANDING_RULE: Mapping[Language, str] = MappingProxyType(
    {
        Language.KOREAN: (
            "계속 챙길 일이면 바로 찾기 전에 goal 로 맡는다. 지금 한 번 묻는 말이면 맡지 않고 바로 답한다."
        ),
        Language.ENGLISH: (
            "If this is something to keep looking after, take it on with goal before looking anything up. If "
            "it is asked once, for now, do not; just answer."
        ),
    }
)
"""G-023; which of the two it is, the model judges (G-024)."""


def sounds_standing(text: str) -> bool:
    """``text`` has a phrase of people who want something looked after; many of them ask just once."""
    return _STANDING.search(text) is not None
