"""Turns while Ollama fails under them: what was said stays, one sentence says why, and the next turn works.

Everything between the request and the events is real here: engine, adapter and server.
"""

import asyncio
import json
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.items.events import Event, ModelWaiting, ReplyDelta, TurnEnded
from jarvis_desktop.core.items.turn import TurnEnd, TurnRequest
from jarvis_desktop.core.ports import ChatPiece, ChatRequest
from jarvis_desktop.core.turn.turn_notes import TurnOutcome
from tests.fakes.ollama_script import Step, say
from tests.fakes.texts import PlainTexts
from tests.integration.ollama.conftest import OwnOllama, StartsOllama, settings_at
from tests.parts.ollama_script import StartsScript
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage

pytestmark = pytest.mark.timeout(120)

WAIT_S = 60.0
LONG = "Count from one to five hundred, one number after the other, in words."


class Conversation(Stage):
    """A stage on which a test waits for what people see."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._news = asyncio.Event()

    async def emit(self, event: Event) -> None:
        await super().emit(event)
        self._news.set()

    @property
    def shown(self) -> str:
        return "".join(event.text for event in self.seen(ReplyDelta))

    async def until_shown(self) -> str:
        """Some words of the answer, as soon as they are there."""
        async with asyncio.timeout(WAIT_S):
            while len(self.seen(ReplyDelta)) < 3:
                self._news.clear()
                await self._news.wait()
        return self.shown


@asynccontextmanager
async def answering(model: OllamaModel) -> AsyncIterator[tuple[Conversation, asyncio.Task[TurnOutcome]]]:
    """A turn that is under way."""
    stage = Conversation()
    turn = asyncio.create_task(stage.turn(model, request=asked(LONG)))
    try:
        yield stage, turn
    finally:
        turn.cancel()
        await asyncio.gather(turn, return_exceptions=True)


def asked(text: str) -> TurnRequest:
    return replace(REQUEST, text=text)


async def assert_works(model: OllamaModel) -> None:
    """The next turn brings words; it is interrupted there."""
    async with answering(model) as (stage, turn):
        await stage.until_shown()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
    assert stage.seen(TurnEnded)[-1].end is TurnEnd.INTERRUPTED


class TerseModel(OllamaModel):
    """The real adapter, which asks without our system prompt: a small model would read that for seconds."""

    def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        return super().stream(replace(request, messages=request.messages[-1:]))


def model_on(own: OwnOllama, name: str) -> OllamaModel:
    return TerseModel(settings_at(own.host, name=name), PlainTexts())


@pytest.mark.real_ollama
async def test_a_killed_server_keeps_the_half_answer_and_works_again_when_started(
    own_ollama: StartsOllama, smol: str
) -> None:
    own = own_ollama(name=smol)
    await own.program.start()
    model = model_on(own, smol)
    async with answering(model) as (stage, turn):
        await stage.until_shown()
        own.server.kill()
        outcome = await turn
    lost = f"The connection to Ollama at {own.host} broke off in the middle of the answer. Ask again; "
    assert outcome.end is TurnEnd.FAILED
    assert outcome.text == f"{stage.shown.rpartition(lost)[0]}{lost}if it happens again, restart Ollama."
    assert len(stage.shown.rpartition(lost)[0].strip()) > 3

    gone = await Conversation().turn(model)
    assert (gone.end, gone.text) == (
        TurnEnd.FAILED,
        f'No Ollama answers at {own.host}. Start it in the setup window or with "ollama serve"; if it is not '
        "installed, get it from https://ollama.com/download.",
    )
    await own.program.start()
    await assert_works(model)
    await model.close()


@pytest.mark.real_ollama
async def test_a_killed_runner_keeps_the_half_answer_and_the_server_loads_the_model_again(
    own_ollama: StartsOllama, smol: str
) -> None:
    own = own_ollama(name=smol)
    await own.program.start()
    model = model_on(own, smol)
    async with answering(model) as (stage, turn):
        await stage.until_shown()
        own.runner.kill()
        outcome = await turn
    assert outcome.end is TurnEnd.FAILED
    half, _, sentence = outcome.text.rpartition("\n\n")
    assert half.strip()
    assert sentence.startswith(f'Ollama failed with the model "{smol}": ')
    assert sentence.endswith("Ask again; if it happens again, restart Ollama.")
    await assert_works(model)
    await model.close()


@pytest.mark.real_ollama
async def test_a_model_deleted_while_it_answers_is_named_in_the_next_turn(
    own_ollama: StartsOllama, smol: str
) -> None:
    own, doomed = own_ollama(name="doomed"), "doomed:1b"
    await own.program.start()
    await asyncio.to_thread(post, f"{own.host}/api/copy", {"source": smol, "destination": doomed})
    model = model_on(own, doomed)
    async with answering(model) as (stage, turn):
        await stage.until_shown()
        await asyncio.to_thread(post, f"{own.host}/api/delete", {"model": doomed}, "DELETE")
        turn.cancel()
        await asyncio.gather(turn, return_exceptions=True)
    outcome = await Conversation().turn(model)
    assert (outcome.end, outcome.text) == (
        TurnEnd.FAILED,
        f'Ollama has no model "{doomed}". Fetch it in the setup window, or with: ollama pull {doomed}',
    )
    await model.close()
    kept = model_on(own, smol)
    await assert_works(kept)
    await kept.close()


@pytest.mark.real_ollama
async def test_a_server_that_hangs_is_waited_for_aloud_can_be_interrupted_and_works_again(
    own_ollama: StartsOllama, smol: str
) -> None:
    own = own_ollama(name=smol)
    await own.program.start()
    model = model_on(own, smol)
    own.server.suspend()
    async with answering(model) as (stage, turn):
        await stage.clock.advance(14)
        assert [event.waited_s for event in stage.seen(ModelWaiting)] == [3, 13]
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
    assert stage.seen(TurnEnded)[-1].end is TurnEnd.INTERRUPTED
    own.server.resume()
    await assert_works(model)
    await model.close()


@pytest.mark.voice_bug("llm", "First call 70 s")
async def test_a_cold_start_of_more_than_a_minute_is_told_all_the_while_and_then_answered(
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(say("Good morning.", gate="loaded"))
    model = OllamaModel(settings_at(server.host), PlainTexts())
    stage = Conversation()
    turn = asyncio.create_task(stage.turn(model))
    await asyncio.to_thread(server.wait_until, lambda s: s.chats)
    await stage.clock.advance(75)
    assert [event.waited_s for event in stage.seen(ModelWaiting)] == [3, 13, 23, 33, 43, 53, 63, 73]
    server.release("loaded")
    outcome = await turn
    assert (outcome.end, outcome.text) == (TurnEnd.ANSWERED, "Good morning.")
    await model.close()


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (
            Step(status=500, error="out of luck"),
            'Ollama failed with the model "gemma4:e2b": out of luck. Ask again; if it happens again, restart '
            "Ollama.",
        ),
        (
            Step(say=("It is",), error="out of luck"),
            'It is\n\nOllama failed with the model "gemma4:e2b": out of luck. Ask again; if it happens '
            "again, restart Ollama.",
        ),
        (
            Step(say=("It is",), garbage="<html>"),
            "It is\n\nWhat answers at {host} does not speak like Ollama. Check model.host in settings.yaml, "
            "or restart Ollama.",
        ),
        (
            Step(say=("It is",), cut=True),
            "It is\n\nThe connection to Ollama at {host} broke off in the middle of the answer. Ask again; "
            "if it happens again, restart Ollama.",
        ),
    ],
)
async def test_a_failing_server_leaves_what_was_said_one_sentence_and_a_next_turn_that_works(
    ollama_script: StartsScript, step: Step, sentence: str
) -> None:
    server = ollama_script(step, say("Hello."))
    model = OllamaModel(settings_at(server.host), PlainTexts())
    failed = await Conversation().turn(model)
    assert (failed.end, failed.text) == (TurnEnd.FAILED, sentence.format(host=server.host))
    assert (await Conversation().turn(model)).text == "Hello."
    await model.close()


STRANGE = (
    "What answers at {host} does not speak like Ollama. Check model.host in settings.yaml, or restart Ollama."
)
NO_WORD = (
    "What runs at {host} closed the connection without an answer. Ask again; if it happens again, restart "
    "Ollama, or check model.host in settings.yaml."
)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"\x16\x03\x01\x00\x02\x02\x28\r\n\r\n", STRANGE),
        (b"220 mail.example ESMTP\r\n\r\n", STRANGE),
        (b"220 mail.example ESMTP\r\n", NO_WORD),
        (b"", NO_WORD),
    ],
)
async def test_a_port_where_something_else_talks_is_told_apart_from_a_broken_answer(
    answer: bytes, words: str
) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
        host = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        model = OllamaModel(settings_at(host), PlainTexts())
        outcome = await Conversation().turn(model)
        status = await model.status()
        await model.close()
    assert (outcome.text, str(status.trouble)) == (words.format(host=host), words.format(host=host))


def post(url: str, body: dict[str, str], method: str = "POST") -> None:
    request = urllib.request.Request(url, json.dumps(body).encode(), method=method)
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=WAIT_S).close()
