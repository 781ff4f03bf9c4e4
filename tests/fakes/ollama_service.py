"""The protocol of the scripted Ollama server, on one event loop."""

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TextIO

from tests.fakes.ollama_script import JsonObject, Script, Step, last_user_text, messages_of

REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 500: "Internal Server Error"}


class HungUpError(Exception):
    """The client closed the connection before the answer was complete."""


class CutError(Exception):
    """The script breaks the connection here."""


@dataclass(slots=True)
class Seen:
    """One request as it came, and how it ended."""

    path: str
    body: dict[str, Any]
    raw: bytes
    at: float
    """``time.monotonic()``, which all processes of a machine share."""
    step: int | None = None
    """Index of the step that answered it."""
    sent: int = 0
    """Pieces sent."""
    ended_at: float | None = None
    hung_up: bool = False
    """The client closed the connection before the end."""

    def as_json(self) -> dict[str, Any]:
        """All but the raw bytes."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "raw"}


def framed(line: bytes) -> bytes:
    """``line`` as a chunk of HTTP; an empty one ends the answer."""
    return b"%x\r\n%s\r\n" % (len(line), line)


@dataclass(slots=True)
class Line:
    """One client's connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    seen: Seen
    gone: asyncio.Task[bytes] = field(init=False)

    def __post_init__(self) -> None:
        # A client says nothing after its request; whatever ends this read ends the conversation.
        self.gone = asyncio.ensure_future(self.reader.read(1))

    async def until(self, event: asyncio.Event | None, seconds: float = 0.0) -> None:
        """Waits for the event, or for the seconds; raises ``HungUpError`` as soon as the client is gone."""
        if self.gone.done():
            raise HungUpError
        wait = asyncio.ensure_future(event.wait() if event else asyncio.sleep(seconds))
        try:
            await asyncio.wait({wait, self.gone}, return_when=asyncio.FIRST_COMPLETED)
            if not wait.done():
                raise HungUpError
        finally:
            wait.cancel()

    def head(self, status: int, kind: str, length: int | None, extra: str = "") -> None:
        body = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        first = f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}"
        head = f"{first}\r\nContent-Type: {kind}\r\n{body}\r\n{extra}"
        self.writer.write(f"{head}Connection: close\r\n\r\n".encode("ascii"))

    def whole(self, status: int, value: JsonObject) -> None:
        body = json.dumps(value).encode()
        self.head(status, "application/json; charset=utf-8", len(body))
        self.writer.write(body)

    async def chunk(self, line: bytes) -> None:
        self.writer.write(framed(line))
        with suppress(ConnectionError):
            await self.writer.drain()
        await self.until(None)


class Service:
    """The protocol; lives on one event loop."""

    def __init__(self, script: Script, changed: Callable[[], None], log: TextIO | None = None) -> None:
        self.script = script
        self.steps: list[Step | None] = list(script.steps)
        """Used-up steps are None."""
        self.seen: list[Seen] = []
        self._changed = changed
        self._log = log
        self._gates: dict[str, asyncio.Event] = {}
        self._loaded: set[str] = set()
        self._lines: set[asyncio.Task[None]] = set()

    def gate(self, name: str) -> asyncio.Event:
        """The gate called ``name``; it stays open once set."""
        return self._gates.setdefault(name, asyncio.Event())

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, one request."""
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError, ValueError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._lines.discard(task)
            writer.close()

    async def end_lines(self) -> None:
        """All connections are closed."""
        lines = tuple(self._lines)
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, path, _ = head.split("\r\n", 1)[0].split(" ", 2)
        length = next((v for k, _, v in _headers(head) if k.lower() == "content-length"), "0")
        raw = await reader.readexactly(int(length))
        line = Line(reader, writer, Seen(path, json.loads(raw) if raw else {}, raw, time.monotonic()))
        try:
            if path.startswith("/test/"):
                self._control(line)
                return
            self.seen.append(line.seen)
            self._note("request", line.seen)
            await self._answer(method, line)
            with suppress(ConnectionError):
                await writer.drain()
        except HungUpError:
            line.seen.hung_up = True
        except CutError:
            writer.transport.abort()
        finally:
            line.gone.cancel()
            line.seen.ended_at = time.monotonic()
            if not path.startswith("/test/"):
                self._note("end", line.seen)

    def _note(self, event: str, seen: Seen) -> None:
        if self._log is not None:
            self._log.write(json.dumps({"event": event, **seen.as_json()}, ensure_ascii=False) + "\n")
            self._log.flush()
        self._changed()

    def _control(self, line: Line) -> None:
        if line.seen.path.startswith("/test/release/"):
            self.gate(line.seen.path.removeprefix("/test/release/")).set()
        line.whole(200, {"requests": [one.as_json() for one in self.seen]})

    async def _answer(self, method: str, line: Line) -> None:
        path, body = line.seen.path, line.seen.body
        plain: dict[str, Callable[[], JsonObject]] = {
            "/api/version": lambda: {"version": self.script.version},
            "/api/tags": lambda: {"models": [_entry(name) for name in self.script.models]},
            "/api/ps": lambda: {"models": [_entry(name) for name in sorted(self._loaded)]},
        }
        if method == "GET" and path in plain:
            line.whole(200, plain[path]())
            return
        name = str(body.get("model", ""))
        known = {one.removesuffix(":latest") for one in self.script.models}
        if name.removesuffix(":latest") not in known:
            line.whole(404, {"error": f"model {name!r} not found"})
        elif path == "/api/show":
            line.whole(200, {"capabilities": list(self.script.models[name]), "model_info": {}, "details": {}})
        elif path in ("/api/chat", "/api/generate"):
            await self._reply(name, line)
        else:
            line.whole(404, {"error": "404 page not found"})

    async def _reply(self, name: str, line: Line) -> None:
        body = line.seen.body
        able = self.script.models[name]
        for wish, ability, word in (("tools", "tools", "tools"), ("think", "thinking", "thinking")):
            if body.get(wish) and ability not in able:
                line.whole(400, {"error": f"registry.ollama.ai/library/{name} does not support {word}"})
                return
        self._loaded.add(name)
        if line.seen.path == "/api/generate" or not last_user_text(body):
            line.whole(200, _done(name, Step(done_reason="load")))
            return
        step = self._take(line.seen)
        if step is None:
            line.whole(500, {"error": "the script has no step for this request"})
        else:
            await self._play(step, name, line)

    def _take(self, seen: Seen) -> Step | None:
        for index, step in enumerate(self.steps):
            if step is not None and step.fits(seen.body):
                seen.step = index
                if not step.repeat:
                    self.steps[index] = None
                return step
        return None

    async def _play(self, step: Step, name: str, line: Line) -> None:
        await line.until(self.gate(step.gate) if step.gate else None)
        await line.until(None, step.delay_s)
        if 300 <= step.status < 400:
            line.head(step.status, "text/plain", 0, f"Location: {step.error}\r\n")
            return
        if step.status != 200:
            line.whole(step.status, {"error": step.error})
            return
        try:
            messages = messages_of(step, line.seen.body)
        except ValueError as error:
            line.whole(500, {"error": f"the script is wrong: {error}"})
            return
        if line.seen.body.get("stream") is False:
            line.whole(200, _done(name, step) | {"message": _joined(list(messages))})
            return
        line.head(200, "application/x-ndjson", None)
        for message in messages:
            await line.until(None, step.every_s if line.seen.sent else 0.0)
            await line.chunk(_line({"model": name, "message": message, "done": False}))
            line.seen.sent += 1
            self._changed()
            if step.pause and line.seen.sent == 1:
                await line.until(self.gate(step.pause))
        await self._close(step, name, line)

    async def _close(self, step: Step, name: str, line: Line) -> None:
        if step.garbage:
            await line.chunk(step.garbage.encode() + b"\n")
        if step.error:
            await line.chunk(_line({"error": step.error}))
        if step.cut:
            raise CutError
        if step.done_reason and not step.error and not step.garbage:
            # A client may hang up as soon as it has read this: that is no interruption.
            line.writer.write(framed(_line(_done(name, step))))
        line.writer.write(framed(b""))


def _headers(head: str) -> Iterator[tuple[str, str, str]]:
    for one in head.split("\r\n")[1:]:
        name, colon, value = one.partition(":")
        yield name.strip(), colon, value.strip()


def _entry(name: str) -> JsonObject:
    return {"name": name, "model": name, "digest": hashlib.sha256(name.encode()).hexdigest()}


def _line(value: JsonObject) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _done(name: str, step: Step) -> dict[str, Any]:
    return {
        "model": name,
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": step.done_reason,
        "prompt_eval_count": step.prompt_tokens,
        "eval_count": len(step.say) + len(step.calls),
    }


def _joined(messages: list[JsonObject]) -> JsonObject:
    calls = [one for message in messages for one in message.get("tool_calls", ())]
    whole: dict[str, Any] = {
        "role": "assistant",
        "content": "".join(message["content"] for message in messages),
    }
    return whole | ({"tool_calls": calls} if calls else {})
