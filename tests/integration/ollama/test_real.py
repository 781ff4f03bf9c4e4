"""The adapter against a real Ollama server with small real models.

Numbers seen (Ollama 0.9.3, 2 busy cores, no GPU): closing an answer costs the server 0.04 s of CPU and
then nothing; the next request's first token came after 0.15 s. A prompt of 444 tokens took Qwen 0.5B
9.5 s cold and 0.25 s with a beginning that it had read. Gemma 3 keeps that advantage only while prompt
and reply fit its sliding window of 512 tokens (0.4 s for 366 tokens, 8 s for 780): that server reads longer
ones anew on every turn (ollama#11365), which nothing in a request changes.
"""

import asyncio
import json
import time
from contextlib import aclosing
from dataclasses import dataclass

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import CallStyle, ChatRequest, DonePiece, TextPiece, ToolSpec
from jarvis_desktop.core.settings import ModelSettings
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.tools.list_dir import ListDir
from jarvis_desktop.core.tools.read_file import ReadFile
from jarvis_desktop.core.turn.model_check import CheckEnd, check_model
from jarvis_desktop.core.turn.prompt import SCHEMA_RULE
from jarvis_desktop.core.turn.reply_parser import ReplyReader
from jarvis_desktop.core.turn.schema_calls import choice_schema, lean, tool_lines
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.parts.ollama import RealOllama

pytestmark = [pytest.mark.real_ollama, pytest.mark.timeout(600)]

GEMMA, QWEN, QWEN_15 = "gemma3:270m", "qwen2.5-coder:0.5b", "qwen2.5-coder:1.5b"
QWEN_PLAIN = "qwen05-schema"
SPECS = tuple(
    ToolSpec(tool.name, tool.description, lean(tool.arguments.model_json_schema(), ("description",)))
    for tool in (ListDir, ReadFile, Bash)
)


@dataclass(frozen=True, slots=True)
class Heard:
    """One whole answer and when it began."""

    text: str
    pieces: int
    done: DonePiece
    first_s: float


def model_on(server: RealOllama, name: str, **settings: object) -> OllamaModel:
    values = {"host": server.host, "name": server.model(name), "context_tokens": 4096, "temperature": 0}
    return OllamaModel(ModelSettings.model_validate(values | settings), PlainTexts())


def asking(text: str, *before: Message, tokens: int = 8) -> ChatRequest:
    return ChatRequest((*before, Message(Role.USER, text)), max_tokens=tokens)


async def hear(model: OllamaModel, request: ChatRequest) -> Heard:
    began_s, first_s, texts, done = time.monotonic(), 0.0, list[str](), DonePiece("")
    async with aclosing(model.stream(request)) as pieces:
        async for piece in pieces:
            first_s = first_s or time.monotonic() - began_s
            if isinstance(piece, TextPiece):
                texts.append(piece.text)
            elif isinstance(piece, DonePiece):
                done = piece
    return Heard("".join(texts), len(texts), done, first_s)


async def test_gemma_streams_text_and_says_how_it_ended(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, GEMMA)
    heard = await hear(model, asking("Hi there!", tokens=6))
    await model.close()
    assert heard.text.strip()
    assert heard.pieces > 1
    assert heard.done.reason in ("stop", "length")
    assert heard.done.prompt_tokens > 0
    assert 0 < heard.done.reply_tokens <= 6


@pytest.mark.voice_bug("llm", "Model missing -> 404 traceback")
async def test_a_real_server_without_the_model_is_told_apart(real_ollama: RealOllama) -> None:
    settings = ModelSettings.model_validate({"host": real_ollama.host, "name": "nobody-has-this:1b"})
    model = OllamaModel(settings, PlainTexts())
    with pytest.raises(ModelUnavailableError) as caught:
        await hear(model, asking("hi"))
    await model.warm_up()
    status = await model.status()
    await model.close()
    assert caught.value.kind is ModelTrouble.NO_MODEL
    assert "ollama pull nobody-has-this:1b" in str(caught.value)
    assert status.server_version
    assert status.trouble is not None
    assert status.trouble.kind is ModelTrouble.NO_MODEL


async def test_a_model_that_cannot_think_answers_though_told_to_think(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, GEMMA, think=True)
    heard = await hear(model, asking("Hi there!", tokens=3))
    await model.close()
    assert heard.done.reply_tokens > 0


async def test_a_model_without_tools_is_told_apart_on_a_real_server(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, QWEN_PLAIN)
    with pytest.raises(ModelUnavailableError) as caught:
        await hear(model, ChatRequest((Message(Role.USER, "ls"),), SPECS))
    able = (await model.status()).capabilities
    found = await check_model(model, SPECS, FakeClock(), able)
    await model.close()
    assert caught.value.kind is ModelTrouble.TOO_OLD
    assert (found.style, found.end) == (CallStyle.SCHEMA, CheckEnd.NO_TOOLS)


@pytest.mark.voice_bug("llm", "First call 70 s")
@pytest.mark.voice_bug("llm", "keep_alive ignored")
async def test_warming_up_puts_the_model_into_memory_where_a_chat_finds_it(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, QWEN_PLAIN)
    real_ollama.unload(QWEN_PLAIN)
    while (await model.status()).loaded:  # the server unloads a moment after it has answered
        await asyncio.sleep(0.02)
    await model.warm_up()
    assert (await model.status()).loaded
    loads = real_ollama.ask("GET", "/api/ps")["models"]
    await hear(model, asking("hi", tokens=1))
    after = real_ollama.ask("GET", "/api/ps")["models"]
    await model.close()
    ours = [[m["size"] for m in models if m["name"].startswith(QWEN_PLAIN)] for models in (loads, after)]
    assert ours[0] == ours[1]  # the same context size: not loaded a second time


@pytest.mark.voice_bug("llm", "Cancel leaves CPU running")
async def test_an_answer_closed_early_leaves_the_server_free(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, QWEN_PLAIN)
    story = asking("Write a very long story about the sea.", tokens=2000)
    async with aclosing(model.stream(story)) as pieces:
        for _ in range(3):
            assert isinstance(await anext(pieces), TextPiece)
    # 2000 tokens would keep this server, which answers one request at a time, busy for minutes.
    heard = await asyncio.wait_for(hear(model, asking("Say OK", tokens=2)), 60)
    await model.close()
    assert heard.done.reply_tokens > 0


@pytest.mark.voice_bug("llm", "gemma: full prompt re-processed")
@pytest.mark.voice_bug("llm", "Slow prompt each turn")
async def test_the_second_turn_reads_only_what_is_new(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, GEMMA)
    await model.warm_up()
    # About 300 tokens: within the sliding window of this model.
    system = Message(Role.SYSTEM, f"Diary of {time.time_ns()}. " + "The sea is wide and blue. " * 36)
    cold = await hear(model, asking("Hi there!", system))
    turn = (system, Message(Role.USER, "Hi there!"), Message(Role.ASSISTANT, cold.text))
    warm = await hear(model, asking("What is the sea?", *turn))
    await model.close()
    assert warm.done.prompt_tokens > cold.done.prompt_tokens > 200
    assert warm.first_s < cold.first_s / 2


async def test_a_schema_over_real_tools_always_gives_one_of_them(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, QWEN_PLAIN)
    system = Message(Role.SYSTEM, SCHEMA_RULE + tool_lines(SPECS))
    chosen = []
    for request in ("Run git status", "지금 폴더에 뭐가 있어?"):
        messages = (system, Message(Role.USER, f"{request}\n\n[folder /home/u]"))
        asked = ChatRequest(messages, schema=choice_schema(SPECS), max_tokens=120)
        chosen.append(json.loads((await hear(model, asked)).text))
    await model.close()
    assert [one["tool"] for one in chosen] == ["bash", "list_dir"]
    assert "git status" in chosen[0]["arguments"]["command"]


async def test_a_call_that_a_real_model_wrote_as_text_is_read_as_a_call(real_ollama: RealOllama) -> None:
    model = model_on(real_ollama, QWEN_15)
    reader = ReplyReader(CallStyle.NATIVE)
    rule = Message(Role.SYSTEM, "You are Jarvis. Call a tool for everything that touches this computer.")
    asked = ChatRequest((rule, Message(Role.USER, "Run git status")), SPECS[2:], max_tokens=60)
    async with aclosing(model.stream(asked)) as pieces:
        async for piece in pieces:
            reader.feed(piece)
    await model.close()
    reply = reader.finish()
    assert [call.name for call in reply.calls] == ["bash"]
    assert "git status" in str(reply.calls[0].arguments["command"])
    assert reply.text == ""
