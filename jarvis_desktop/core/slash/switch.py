"""Words for on and off."""

_ON = frozenset({"on", "yes", "켜기", "켜", "켬"})
_OFF = frozenset({"off", "no", "끄기", "꺼", "끔", "해제"})


def said_on(word: str) -> bool:
    """``word``, folded, means on."""
    return word in _ON


def said_off(word: str) -> bool:
    """``word``, folded, means off."""
    return word in _OFF
