"""Tool calls that a model wrote as text: bare or fenced JSON, tags, several of them, nearly JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import json_repair

from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.turn.hidden_text import begun_length

CALL_TAGS = ("<tool_call>", "<function_call>", "<tool_calls>", "<|tool_call|>", "<|tool_call>")
NAME_KEYS = ("name", "tool", "tool_name", "function")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
FIRST_KEYS = (*NAME_KEYS, *ARGUMENT_KEYS, "type", "id", "tool_calls")
"""Keys that JSON of a call begins with."""
FENCE_LANGUAGES = ("", "json", "jsonc", "tool_call", "tool_calls", "tool")
MAX_CHARS = 200_000

CUT_OFF = (
    "Your tool call was cut off because it was too long, so nothing was run. "
    "Write a shorter call, or do the work in several smaller calls."
)
UNREADABLE = (
    "Your tool call could not be read, so nothing was run. "
    'Write it as JSON, {"name": "<tool>", "arguments": {...}}, and nothing else.'
)

_FENCE_HEAD = re.compile(r"```([\w+-]*)([ \t]*\r?\n|[ \t]*(?=[{\[]))?")
_SEPARATORS = re.compile(r"(?:[\s,;]|```[\w-]*|</?\|?(?:tool_calls?|function_call)\|?>)*")
"""What may stand before, between and after the documents of calls."""
_CLOSING_TAG = re.compile(r"</\|?(?:tool_calls?|function_call)\|?>")
_FIRST_KEY = re.compile(r"\{\s*(?:[\"']?(\w*)([\"']?\s*:)?)?")


class Leaning(Enum):
    """What text looks like so far."""

    UNCLEAR = auto()
    CALL = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call in the model's own words, not yet checked."""

    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Written:
    """Calls that were found in text, or why they cannot be read."""

    calls: tuple[RawCall, ...] = ()
    problem: str | None = None


class _UnreadableError(ValueError):
    """Text of a call that no repair makes sense of."""


def leaning(text: str) -> Leaning:
    """What an answer that begins with ``text`` is going to be. ``text`` has no leading blanks."""
    if any(text.startswith(tag) for tag in CALL_TAGS):
        return Leaning.CALL
    if not text or begun_length(text, (*CALL_TAGS, "```")) == len(text):
        return Leaning.UNCLEAR
    if text.startswith("```"):
        return _leaning_of_fence(text)
    return _leaning_of_json(text)


def _leaning_of_fence(text: str) -> Leaning:
    head = _FENCE_HEAD.match(text)
    assert head is not None  # every text that begins with the three backticks has a head
    if not any(language.startswith(head[1].lower()) for language in FENCE_LANGUAGES):
        return Leaning.TEXT
    if head[2] is None:  # the line of the language is not over
        return Leaning.UNCLEAR if head.end() == len(text) else Leaning.TEXT
    return _leaning_of_json(text[head.end() :].lstrip())


def _leaning_of_json(text: str) -> Leaning:
    if text.startswith("["):
        text = text[1:].lstrip()
    if not text:
        return Leaning.UNCLEAR
    match = _FIRST_KEY.match(text)
    if match is None:
        return Leaning.TEXT
    key, closed = match[1] or "", match[2]
    if closed:
        return Leaning.CALL if key in FIRST_KEYS else Leaning.TEXT
    if match.end() < len(text) and text[match.end() :].strip("\"' \t\r\n"):
        return Leaning.TEXT
    return Leaning.UNCLEAR if any(known.startswith(key) for known in FIRST_KEYS) else Leaning.TEXT


def read_calls(text: str, *, cut_off: bool) -> Written | None:
    """The calls that ``text`` begins with; None when it is no call at all.

    cut_off: the model ran out of room. Then nothing is repaired: a file written
    half is worse than a call that is asked for again.
    """
    text = text.strip()
    if len(text) > MAX_CHARS:
        return Written(problem=CUT_OFF)
    tagged = any(text.startswith(tag) for tag in CALL_TAGS)
    try:
        calls = [_raw_call(one) for one in _flattened(_documents(text, cut_off=cut_off))]
    except _UnreadableError as error:
        return Written(problem=str(error)) if tagged or leaning(text) is Leaning.CALL else None
    if calls and all(calls):
        return Written(tuple(call for call in calls if call is not None))
    return Written(problem=UNREADABLE) if tagged else None


def _documents(text: str, *, cut_off: bool) -> list[Json]:
    """JSON documents at the beginning of ``text``; words after them are dropped."""
    decoder, found, rest = json.JSONDecoder(), list[Json](), _after_separators(text)
    while rest.startswith(("{", "[")):
        try:
            document, end = decoder.raw_decode(rest)
        except RecursionError:
            raise _UnreadableError(UNREADABLE) from None
        except ValueError:
            if cut_off:
                raise _UnreadableError(CUT_OFF) from None
            broken, *others = _CLOSING_TAG.split(rest, maxsplit=1)
            document, end, rest = _repaired(broken.rstrip("` \n")), 0, "".join(others)
        found.append(document)
        rest = _after_separators(rest[end:])
    return found


def _after_separators(text: str) -> str:
    match = _SEPARATORS.match(text)
    return text[match.end() :] if match else text


def _repaired(text: str) -> Json:
    try:
        return json_repair.loads(text)
    except (ValueError, RecursionError):
        raise _UnreadableError(UNREADABLE) from None


def _flattened(documents: Sequence[Json]) -> list[Json]:
    """Lists of calls opened up, the way servers wrap them."""
    flat: list[Json] = []
    for document in documents:
        inner = document.get("tool_calls") if isinstance(document, dict) else document
        flat.extend(inner if isinstance(inner, list) else [document])
    return flat


def _raw_call(document: Json) -> RawCall | None:
    """The call that ``document`` describes; None when it describes none."""
    if not isinstance(document, dict):
        return None
    inner = document.get("function")
    if isinstance(inner, dict):
        document = inner
    name = next((document[key] for key in NAME_KEYS if isinstance(document.get(key), str)), None)
    has_arguments = [key for key in ARGUMENT_KEYS if key in document]
    if not name or not (has_arguments or len(document) == 1):
        return None
    return RawCall(name.strip(), _object(document[has_arguments[0]]) if has_arguments else {})


def _object(arguments: Json) -> Mapping[str, Json]:
    if isinstance(arguments, str):
        arguments = _repaired(arguments) or {}
    if arguments is None:
        return {}
    if not isinstance(arguments, dict):
        raise _UnreadableError(
            'The "arguments" of your tool call must be a JSON object, like {"path": "a.txt"}.'
        )
    return arguments
