"""A reply that streams in becomes sentences to be spoken, the first as early as possible.

Code, tables, JSON, stack traces, hidden thinking and tool tags are never spoken; a short
sentence says that they are on the screen. Only the first items of a list are read.
"""

import json
from enum import Enum, auto

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.spoken_blocks import LineKind, kind_of, without_marker
from jarvis_desktop.core.voice.spoken_phrase import spoken_form
from jarvis_desktop.core.voice.spoken_sentences import cut_sentences
from jarvis_desktop.core.voice.spoken_tags import TagFilter

MOST_ITEMS = 3
"""Items of one list that are read aloud."""


class _Inside(Enum):
    NOTHING = auto()
    FENCE = auto()
    TABLE = auto()
    JSON = auto()
    RAW = auto()
    INDENTED = auto()


class SentenceReader:
    """Reads one reply; ``feed`` and ``flush`` give the sentences that are complete."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._tags = TagFilter()
        self._line = ""
        self._running = ""
        """Prose of the current line that has no end yet."""
        self._decided: LineKind | None = None
        self._inside = _Inside.NOTHING
        self._block: list[str] = []
        self._items = 0
        self._spoken_any = False
        self._out: list[str] = []

    def feed(self, delta: str) -> list[str]:
        """Sentences that ``delta`` completed, as they are said."""
        self._read(self._tags.feed(delta))
        return self._taken()

    def flush(self) -> list[str]:
        """The rest; the reply is over."""
        self._read(self._tags.flush())
        if self._line or self._running:
            self._read("\n")
        self._close_block()
        self._close_list()
        return self._taken()

    def _taken(self) -> list[str]:
        out, self._out = self._out, []
        return out

    def _read(self, visible: str) -> None:
        *complete, rest = visible.replace("\r\n", "\n").split("\n")
        for end in complete:
            self._line += end
            self._finish_line()
        self._line += rest
        self._peek()

    def _peek(self) -> None:
        """Speak of an unfinished prose line what is complete already."""
        if self._inside is not _Inside.NOTHING or not self._line:
            return
        if self._decided is None:
            kind = kind_of(self._line, complete=False)
            if kind is not LineKind.PROSE:
                return
            self._decided = kind
            self._close_list()
        self._running += self._line
        self._line = ""
        self._cut_json_off()
        if self._inside is _Inside.NOTHING:
            self._speak_complete()

    def _finish_line(self) -> None:
        line, self._line = self._line, ""
        decided, self._decided = self._decided, None
        if self._inside is not _Inside.NOTHING:
            self._in_block(line)
        elif decided is LineKind.PROSE:
            self._running += line
            self._cut_json_off()
            self._end_prose()
        else:
            self._begin(kind_of(line, complete=True), line)

    def _begin(self, kind: LineKind, line: str) -> None:
        if kind is LineKind.ITEM:
            self._item(line)
            return
        if kind is LineKind.INDENTED and self._items:  # the second paragraph of an item
            return
        if kind not in (LineKind.EMPTY, LineKind.RULE):
            self._close_list()
        block = {
            LineKind.FENCE: _Inside.FENCE,
            LineKind.TABLE: _Inside.TABLE,
            LineKind.JSON: _Inside.JSON,
            LineKind.RAW: _Inside.RAW,
            LineKind.INDENTED: _Inside.INDENTED,
        }.get(kind)
        if block is not None:
            self._inside = block
            self._block = [] if block is _Inside.FENCE else [line]
            self._end_json_if_whole()
        elif kind in (LineKind.PROSE, LineKind.HEADING):
            self._running = without_marker(line)
            self._cut_json_off()
            self._end_prose()

    def _in_block(self, line: str) -> None:
        match self._inside:
            case _Inside.FENCE:
                over = kind_of(line, complete=True) is LineKind.FENCE
            case _Inside.TABLE:
                over = "|" not in line
            case _Inside.INDENTED:
                over = bool(line.strip()) and not line.startswith((" ", "\t"))
            case _Inside.RAW:
                over = not line.strip()
            case _:
                self._block.append(line)
                self._end_json_if_whole()
                return
        if not over:
            self._block.append(line)
            return
        fence = self._inside is _Inside.FENCE
        self._close_block()
        if not fence and line.strip():
            self._begin(kind_of(line, complete=True), line)

    def _item(self, line: str) -> None:
        self._items += 1
        if self._items <= MOST_ITEMS:
            self._running = without_marker(line)
            self._end_prose()

    def _close_list(self) -> None:
        if self._items > MOST_ITEMS:
            self._say(self._texts("The rest is on the screen."))
        self._items = 0

    def _close_block(self) -> None:
        inside, self._inside = self._inside, _Inside.NOTHING
        lines = sum(1 for line in self._block if line.strip())
        self._block = []
        if inside in (_Inside.FENCE, _Inside.INDENTED, _Inside.RAW) and lines:
            self._say(
                self._texts.plural(
                    "I put {count} line of code on the screen.",
                    "I put {count} lines of code on the screen.",
                    lines,
                ).format(count=lines)
            )
        elif inside is _Inside.TABLE:
            self._say(self._texts("The table is on the screen."))

    def _cut_json_off(self) -> None:
        """JSON may begin in the middle of a line; what stands before it is still prose."""
        start = _json_start(self._running)
        if start is None:
            return
        before, self._block = self._running[:start], [self._running[start:]]
        self._inside, self._running = _Inside.JSON, before
        self._end_prose()
        self._end_json_if_whole()

    def _end_json_if_whole(self) -> None:
        if self._inside is not _Inside.JSON:
            return
        text = "\n".join(self._block).lstrip()
        try:
            _, end = json.JSONDecoder(strict=False).raw_decode(text)
        except ValueError:
            return
        self._inside, self._block = _Inside.NOTHING, []
        self._running = text[end:].lstrip()
        self._decided = LineKind.PROSE if self._running else None
        self._end_prose()

    def _speak_complete(self) -> None:
        pieces, self._running = cut_sentences(self._running, first=not self._spoken_any)
        for piece in pieces:
            self._say(piece)

    def _end_prose(self) -> None:
        rest, self._running = self._running, ""
        pieces, last = cut_sentences(without_marker(rest) + "\n", first=not self._spoken_any)
        for piece in (*pieces, last.strip()):
            self._say(piece)

    def _say(self, piece: str) -> None:
        said = spoken_form(piece, self._texts.language)
        if said:
            self._spoken_any = True
            self._out.append(said)


def _json_start(text: str) -> int | None:
    starts = [start for start in (text.find('{"'), text.find('[{"'), text.find('{ "')) if start >= 0]
    return min(starts, default=None)
