"""Notices a model that says the same thing over and over."""

LONGEST_UNIT = 100
LOOP_CHARS = 240
"""A rule of dashes in a table has some 80; a stuck model never stops."""
LOOP_TIMES = 8
CHECK_EVERY_CHARS = 40


def loop_unit(text: str, chars: int = LOOP_CHARS, times: int = LOOP_TIMES) -> int:
    """Length of the unit that ``text`` ends in a loop of; 0 when it does not.

    A loop is the same 1 to 100 characters at least ``times`` times and over at least ``chars`` characters.
    """
    for unit in range(1, LONGEST_UNIT + 1):
        length = max(chars, unit * times)
        tail = text[-length:]
        if len(tail) == length and tail[unit:] == tail[:-unit]:
            return unit
    return 0


def without_loop(text: str) -> str:
    """``text`` with the loop at its end said once, or twice where it ends in the middle of a unit."""
    # Half the limits: what is shown lags behind what was heard by a few characters.
    unit = loop_unit(text, LOOP_CHARS // 2, LOOP_TIMES // 2)
    if not unit:
        return text
    start = len(text) - unit
    while start > 0 and text[start - 1] == text[start - 1 + unit]:
        start -= 1
    # Cut where a unit ends as the text ends, so that no word is left in halves.
    return text[: start + unit + (len(text) - start) % unit].rstrip()


class RepetitionGuard:
    """Watches everything that a model says in one answer, shown or not."""

    def __init__(self) -> None:
        self._tail = ""
        self._unchecked = 0
        self.looping = False

    def feed(self, text: str) -> None:
        """Hears more; ``looping`` may have become true."""
        self._tail = (self._tail + text)[-LONGEST_UNIT * LOOP_TIMES :]
        self._unchecked += len(text)
        if self._unchecked >= CHECK_EVERY_CHARS:
            self._unchecked = 0
            self.looping = self.looping or loop_unit(self._tail) > 0
