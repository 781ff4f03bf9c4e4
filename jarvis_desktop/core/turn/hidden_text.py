"""Cuts hidden thinking out of streamed text, however the tags are chopped into pieces."""

OPENINGS = ("<think>", "<thinking>")
CLOSINGS = ("</think>", "</thinking>")


def first_of(text: str, marks: tuple[str, ...]) -> tuple[int, str]:
    """Place and spelling of the earliest mark in ``text``; (-1, "") when there is none."""
    found = [(text.find(mark), mark) for mark in marks if mark in text]
    return min(found, default=(-1, ""))


def begun_length(text: str, marks: tuple[str, ...]) -> int:
    """Length of the longest end of ``text`` that more text could turn into a mark."""
    longest = max(len(mark) for mark in marks) - 1
    for length in range(min(longest, len(text)), 0, -1):
        if any(mark.startswith(text[-length:]) for mark in marks):
            return length
    return 0


class HiddenText:
    """Text goes in piece by piece, the part that people may see comes out."""

    def __init__(self) -> None:
        self._rest = ""
        self._hidden = False
        self.all_was_hidden = False
        """A closing tag came without its opening, which the server's template had swallowed:
        everything before it was thinking. Whoever reads it resets it after starting anew."""

    def feed(self, text: str) -> str:
        """What can be shown now."""
        self._rest += text
        seen = ""
        while True:
            marks = CLOSINGS if self._hidden else OPENINGS + CLOSINGS
            at, mark = first_of(self._rest, marks)
            end = at if at >= 0 else len(self._rest) - begun_length(self._rest, marks)
            if not self._hidden:
                seen += self._rest[:end]
            if at < 0:
                self._rest = self._rest[end:]
                return seen
            if mark in CLOSINGS and not self._hidden:
                seen, self.all_was_hidden = "", True
            self._hidden = mark in OPENINGS
            self._rest = self._rest[at + len(mark) :]

    def finish(self) -> str:
        """What was held back in case a tag followed. Thinking that never ended stays hidden."""
        rest, self._rest = self._rest, ""
        return "" if self._hidden else rest
