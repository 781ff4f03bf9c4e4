"""Whether a request sounds like work for good, and the rule that its turn then ends its prompt with."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from jarvis_desktop.core.goals.suggesting import worth_offering
from jarvis_desktop.core.items.speech import Language

_STANDING = re.compile(
    r"만\s*(?:알려|말해|얘기해)"
    r"|[가-힣]면\s*(?:(?:바로|좀|꼭|즉시|먼저|그때그때|나한테|저한테|나에게|저에게)\s*)*"
    r"(?:알려|말해|얘기해|전해|연락해|보고해)"
    r"|앞으로|때마다|계속\s*(?:챙겨|봐|지켜|확인|알려)|지켜\s*(?:봐|보)|매일|매주|매시간"
    r"|(?:는|은)\s*(?:대로|즉시)|자마자"
    r"|\bfrom now on\b|\bgoing forward\b|\bwhenever\b|\b(?:every|each|any) ?time\b"
    r"|\bkeep (?:an eye|a lookout|watch|watching|track|tabs|me (?:posted|updated|informed))\b"
    r"|\b(?:tell|notify|alert|let|ping|message|warn|remind)\b.{0,40}\b(?:when|once|as soon as|if|only)\b"
    r"|\b(?:when|once|as soon as|if|any ?time)\b.{1,80}\b(?:tell|notify|alert|ping|message|warn|let) ?me\b"
    r"|\bonly (?:tell|notify|alert|let)\b|\bwatch (?:for|out|this|the)\b",
    re.IGNORECASE,
)
"""Wide on purpose: what is caught here is only asked of the model (G-024)."""
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
    return _STANDING.search(text) is not None or worth_offering(text)
