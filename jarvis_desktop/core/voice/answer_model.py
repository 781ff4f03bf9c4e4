"""What a spoken answer means where keywords decide nothing: the local model gives it one of four labels."""

import asyncio
import json
import logging
from collections.abc import Mapping
from types import MappingProxyType

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ChatModel, ChatRequest, Clock, TextPiece
from jarvis_desktop.core.voice.spoken_answer import PERMITTING, SpokenAnswer, SpokenLabel, Stage, classify
from jarvis_desktop.core.voice.spoken_doubt import can_be_a_yes
from jarvis_desktop.core.voice.spoken_text import words_of

log = logging.getLogger(__name__)

LIMIT_S = 2.5
"""A person who spoke waits for this; a label that comes later is no label."""
MOST_SIGNS = 200
"""A longer answer is a story; nobody reads it for a yes."""
MAX_TOKENS = 24
_ORDER = (SpokenLabel.UNCLEAR, SpokenLabel.DENY, SpokenLabel.ALLOW, SpokenLabel.ALWAYS)
"""The harmless ones first: small models like what comes first."""
# A bare word and no object around it: every sign that a model has to write takes time.
SCHEMA: Mapping[str, Json] = MappingProxyType({"type": "string", "enum": [label.value for label in _ORDER]})
# Everything in one short message: a model that has just worked on something else reads it anew. With the same
# examples as a conversation that took three times as long (13 s, then 42 s on one busy core), and Qwen 0.5B
# labelled 4 of 27 hard answers right instead of 20.
_EXAMPLES = (
    ("I suppose", SpokenLabel.UNCLEAR),
    ("그거 써", SpokenLabel.ALLOW),
    ("let it wait", SpokenLabel.DENY),
    ("accept the parcel", SpokenLabel.UNCLEAR),
    ("make docs is always okay", SpokenLabel.ALWAYS),
    ("점심 뭐 먹지", SpokenLabel.UNCLEAR),
)
_RULES = (
    "A person was asked whether a command may run. Label what they said.",
    "unclear: a question, doubt, a condition, another topic",
    "deny: no, stop, later",
    "allow: a plain yes",
    "always: a plain yes, from now on too",
)


def answer_request(reply: str) -> ChatRequest:
    """The request for the label of ``reply``; its beginning never changes, so that models keep it read."""
    shown = (f"{_quoted(said)}: {_quoted(label.value)}" for said, label in _EXAMPLES)
    messages = (Message(Role.SYSTEM, "\n".join((*_RULES, *shown))), Message(Role.USER, _quoted(reply)))
    return ChatRequest(messages, schema=SCHEMA, max_tokens=MAX_TOKENS)


def label_in(answer: str) -> SpokenLabel:
    """The label that a model gave; UNCLEAR for everything that is not exactly one of them."""
    try:
        given = json.loads(answer)
    except ValueError:
        return SpokenLabel.UNCLEAR
    return next((label for label in SpokenLabel if label.value == given), SpokenLabel.UNCLEAR)


class AnswerReader:
    """Keywords first; the model only for what they say nothing about, and only a yes that can be one."""

    def __init__(self, model: ChatModel | None, clock: Clock) -> None:
        self._model = model
        self._clock = clock

    async def read(self, heard: str) -> SpokenAnswer:
        """The meaning of a final transcript of an answer; at once when keywords decide. Never raises."""
        said = classify(heard)
        if self._model is None or said.stage is not Stage.NOTHING or not words_of(heard):
            return said
        if len(heard) > MOST_SIGNS:
            return said
        label = await self._asked(self._model, heard)
        if label in PERMITTING and not can_be_a_yes(heard):
            label = SpokenLabel.UNCLEAR
        return SpokenAnswer(label, Stage.MODEL)

    async def _asked(self, model: ChatModel, heard: str) -> SpokenLabel:
        """What the model says in time; UNCLEAR when it says nothing."""
        asking = asyncio.create_task(label_of(model, heard))
        alarm = asyncio.create_task(self._clock.sleep(LIMIT_S))
        try:
            await asyncio.wait((asking, alarm), return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                return asking.result()
            log.info("the model was too slow for an answer")
        except ModelUnavailableError as error:
            log.info("no model for an answer", extra={"kind": error.kind.value})
        finally:
            for task in (asking, alarm):
                task.cancel()
            await asyncio.gather(asking, alarm, return_exceptions=True)
        return SpokenLabel.UNCLEAR


async def label_of(model: ChatModel, heard: str) -> SpokenLabel:
    """The bare label of the model, without keywords and without a limit.

    Raises:
        ModelUnavailableError: as from the stream.
    """
    answer, stream = "", model.stream(answer_request(heard))
    try:
        async for piece in stream:
            if isinstance(piece, TextPiece):
                answer += piece.text
    finally:
        # Closing is what ends the request at the server.
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
    return label_in(answer)


def _quoted(text: str) -> str:
    """As JSON, so that no answer can end its own quotation."""
    return json.dumps(text, ensure_ascii=False)
