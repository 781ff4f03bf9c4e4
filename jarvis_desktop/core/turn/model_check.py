"""A short check, once per model, of whether it calls tools well without a schema that binds its answers."""

import asyncio
import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Literal

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import CallPiece, CallStyle, ChatModel, ChatRequest, Clock, Texts, ToolSpec
from jarvis_desktop.core.turn.reply_parser import ReplyReader
from jarvis_desktop.core.turn.schema_calls import lean

LIMIT_S = 90.0
"""For the whole check, loading included. A model that needs longer is better off with schemas anyway:
their prompts are shorter."""
MISSES_ALLOWED = 1
MAX_TOKENS = 400
EDITION = 1
"""Goes up when the requests change, so that results of older ones are not believed."""

SYSTEM = (
    "You are Jarvis, an assistant that runs on this person's computer. To look at or change anything on it, "
    "call a tool. Answer small talk and general knowledge directly, without a tool. Folder: /home/u"
)
TOOLS = ("list_dir", "read_file", "bash")


@dataclass(frozen=True, slots=True)
class _Case:
    """One request, and what a good model does with it."""

    request: str
    calls: Mapping[str, str]
    """Tools that are right, each with what its arguments must contain; empty: no call, but an answer."""
    answer: str = ""
    """What the answer must contain."""


_CASES = (
    _Case("What files are in this folder?", {"list_dir": "", "bash": r"\bls\b"}),
    _Case(
        "exp_probe.md 권한을 000 으로 바꿔 줘",
        {"bash": r"chmod\b.*(000\b.*exp_probe\.md|exp_probe\.md.*\b000)"},
    ),
    _Case("안녕, 너는 누구야?", {}),
    _Case("README.md 읽어 줘", {"read_file": r"README\.md", "bash": r"README\.md"}),
    _Case("Run git status", {"bash": r"\bgit status\b"}),
    _Case("What is two plus two?", {}, r"4|four"),
)


class CheckEnd(StrEnum):
    """Why a style was chosen."""

    CHOSEN = "chosen"
    """The person's setting says so."""
    GOOD = "good"
    POOR = "poor"
    NO_TOOLS = "no_tools"
    """The server cannot hand this model tools at all."""
    TIME_UP = "time_up"


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What came of the check; kept per server, model name and digest."""

    style: CallStyle
    end: CheckEnd
    right: int = 0
    asked: int = 0
    took_s: float = 0.0

    def as_mapping(self) -> dict[str, str | int | float]:
        """Plain values, for a file or a table."""
        plain = {
            name: str(value) if isinstance(value, StrEnum) else value for name, value in asdict(self).items()
        }
        return {"edition": EDITION, **plain}


def read_check(stored: Mapping[str, Json]) -> ModelCheck | None:
    """The result that ``as_mapping`` wrote; None when it is of another edition or not whole."""
    if stored.get("edition") != EDITION:
        return None
    right, asked, took_s = stored.get("right"), stored.get("asked"), stored.get("took_s")
    if not (isinstance(right, int) and isinstance(asked, int) and isinstance(took_s, int | float)):
        return None
    with suppress(ValueError):
        style, end = CallStyle(str(stored.get("style"))), CheckEnd(str(stored.get("end")))
        return ModelCheck(style, end, right, asked, float(took_s))
    return None


def chosen(calls: Literal["auto", "native", "schema"]) -> ModelCheck | None:
    """What the person's setting decides; None when the check has to."""
    return None if calls == "auto" else ModelCheck(CallStyle(calls), CheckEnd.CHOSEN)


async def check_model(
    model: ChatModel,
    specs: Sequence[ToolSpec],
    clock: Clock,
    capabilities: Collection[str] | None = None,
    limit_s: float = LIMIT_S,
) -> ModelCheck:
    """How ``model`` should be asked to call tools. Nothing it calls is run; may be cancelled at any time.

    specs: the real tools; the check offers ``TOOLS`` of them.
    capabilities: what the server says about the model; None when it says nothing.

    Raises:
        ModelUnavailableError: the model cannot be asked now, so nothing was found out.
    """
    if capabilities is not None and "tools" not in capabilities:
        return ModelCheck(CallStyle.SCHEMA, CheckEnd.NO_TOOLS)
    offered = [spec for spec in specs if spec.name in TOOLS]
    course = _Course(model, tuple(ToolSpec(s.name, s.description, _short(s)) for s in offered))
    began_s = clock.monotonic_s()
    asking = asyncio.ensure_future(course.run())
    alarm = asyncio.ensure_future(clock.sleep(limit_s))
    try:
        await asyncio.wait((asking, alarm), return_when=asyncio.FIRST_COMPLETED)
        end = asking.result() if asking.done() else CheckEnd.TIME_UP
    finally:
        for task in (asking, alarm):
            task.cancel()
        await asyncio.gather(asking, alarm, return_exceptions=True)
    style = CallStyle.NATIVE if end is CheckEnd.GOOD else CallStyle.SCHEMA
    return ModelCheck(style, end, course.right, course.asked, clock.monotonic_s() - began_s)


def _short(spec: ToolSpec) -> dict[str, Json]:
    return lean(spec.parameters, ("description",))


class _Course:
    """The requests, one after the other, until the end is certain."""

    def __init__(self, model: ChatModel, tools: tuple[ToolSpec, ...]) -> None:
        self._model = model
        self._tools = tools
        self.right = 0
        self.asked = 0

    async def run(self) -> CheckEnd:
        for case in _CASES:
            try:
                good = await self._asked_well(case)
            except ModelUnavailableError as error:
                if error.kind is not ModelTrouble.TOO_OLD:
                    raise
                return CheckEnd.NO_TOOLS
            self.asked += 1
            self.right += good
            if self.asked - self.right > MISSES_ALLOWED:
                return CheckEnd.POOR
        return CheckEnd.GOOD

    async def _asked_well(self, case: _Case) -> bool:
        messages = (Message(Role.SYSTEM, SYSTEM), Message(Role.USER, case.request))
        reader, native = ReplyReader(CallStyle.NATIVE), list[CallPiece]()
        async for piece in self._model.stream(ChatRequest(messages, self._tools, max_tokens=MAX_TOKENS)):
            reader.feed(piece)
            if isinstance(piece, CallPiece):
                native.append(piece)
        if case.calls:
            # A call written as text is read by the turn, but here it is a miss: a schema makes it certain.
            return bool(native) and _fits(native[0], case.calls)
        reply = reader.finish()
        said = bool(reply.text) and re.search(case.answer, reply.text, re.IGNORECASE) is not None
        return said and not reply.calls and reply.problem is None


def _fits(call: CallPiece, calls: Mapping[str, str]) -> bool:
    wanted = calls.get(call.name)
    return wanted is not None and re.search(wanted, json.dumps(dict(call.arguments), default=str)) is not None


def check_line(check: ModelCheck, model_name: str, texts: Texts) -> str:
    """The result in a sentence, for the person."""
    lines = {
        CheckEnd.CHOSEN: {
            CallStyle.NATIVE: texts("{model} uses tools in its own way, as set in model.calls."),
            CallStyle.SCHEMA: texts(
                "{model} answers in a fixed form when it uses tools, as set in model.calls."
            ),
        }[check.style],
        CheckEnd.GOOD: texts(
            "{model} uses tools by itself: in a short test it got {right} of {asked} requests right."
        ),
        CheckEnd.POOR: texts(
            "{model} answers in a fixed form when it uses tools, because in a short test it did not do that "
            "reliably by itself ({right} of {asked} requests right). You can change this: model.calls."
        ),
        CheckEnd.NO_TOOLS: texts(
            "{model} answers in a fixed form when it uses tools, because Ollama hands this model no tools."
        ),
        CheckEnd.TIME_UP: texts(
            "{model} answers in a fixed form when it uses tools, because a short test of it took longer than "
            "{seconds} s. You can change this: model.calls."
        ),
    }
    return lines[check.end].format(
        model=model_name, right=check.right, asked=check.asked, seconds=round(check.took_s)
    )
