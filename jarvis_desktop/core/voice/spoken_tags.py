"""What stands between hidden tags is taken out of a stream, however the chunks cut the tags."""

import re

_HIDDEN = (
    "think|thinking|thought|thoughts|reasoning|analysis|scratchpad|reflection|"
    "tool_call|tool_calls|tool_response|tool_result|tool|function_call|function|invoke"
)
_OPEN = re.compile(rf"<\|?({_HIDDEN})\b[^<>]{{0,200}}>|\[(TOOL_CALLS)\]", re.IGNORECASE)
_STRAY_CLOSE = re.compile(rf"</(?:{_HIDDEN})>", re.IGNORECASE)
_LONGEST_TAG = 220
_NEVER_CLOSED = "TOOL_CALLS"


class TagFilter:
    """Lets through what is outside hidden tags; a tag that never closes hides the rest."""

    def __init__(self) -> None:
        self._held = ""
        self._inside: str | None = None

    def feed(self, chunk: str) -> str:
        """The visible text that is certain by now."""
        self._held += chunk
        visible = ""
        while True:
            if self._inside is not None:
                if not self._leave():
                    return visible
                continue
            opening = _OPEN.search(self._held)
            if opening is None:
                certain = self._certain()
                visible += self._held[:certain]
                self._held = self._held[certain:]
                return _STRAY_CLOSE.sub("", visible)
            visible += self._held[: opening.start()]
            self._held = self._held[opening.end() :]
            self._inside = (opening[1] or opening[2]).casefold()

    def flush(self) -> str:
        """The rest, when nothing more comes; an unfinished hidden part stays hidden."""
        rest = "" if self._inside is not None else self._held
        self._held, self._inside = "", None
        return _STRAY_CLOSE.sub("", rest)

    def _leave(self) -> bool:
        closing = None
        if self._inside != _NEVER_CLOSED.casefold():
            closing = re.search(rf"</?\|?/?{self._inside}\|?>", self._held, re.IGNORECASE)
        if closing is None:
            self._held = self._held[-_LONGEST_TAG:]
            return False
        self._held, self._inside = self._held[closing.end() :], None
        return True

    def _certain(self) -> int:
        """Length of the beginning that cannot be part of an unfinished tag."""
        for sign in "<[":
            start = self._held.rfind(sign)
            unfinished = start >= 0 and len(self._held) - start < _LONGEST_TAG
            if unfinished and self._may_open(self._held[start:]):
                return start
        return len(self._held)

    @staticmethod
    def _may_open(rest: str) -> bool:
        """``rest`` could grow into a tag: it has no end yet and begins like one."""
        if ">" in rest or "]" in rest:
            return False
        if rest[0] == "[":
            return "[TOOL_CALLS]".startswith(rest.upper())
        name = re.match(r"</?\|?([a-z_]*)(.?)", rest, re.IGNORECASE)
        if name is None:
            return len(rest) == 1
        known = _HIDDEN.split("|")
        if name[2]:
            return name[1].casefold() in known
        return any(word.startswith(name[1].casefold()) for word in known)
