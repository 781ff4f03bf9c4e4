"""The adapter against the scripted server: what it sends, what it hears, how it ends."""

import asyncio
import json
import subprocess
import sys
import time
from contextlib import aclosing
from dataclasses import replace

import pytest

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import (
    CallPiece,
    ChatRequest,
    DonePiece,
    TextPiece,
    ThinkingPiece,
    ToolSpec,
)
from tests.fakes.ollama_script import Step, call, say
from tests.integration.ollama.asking import ASK, BASH, SCHEMA, answer, model_at, model_on
from tests.parts.ollama_script import StartsScript


async def test_thinking_text_and_calls_arrive_in_order_and_apart(ollama_script: StartsScript) -> None:
    step = replace(call("bash", {"command": "ls"}), think=("Hm. ", "List."), say=("One ", "moment."))
    server = ollama_script(step)
    assert await answer(model_on(server), replace(ASK, tools=(BASH,))) == [
        ThinkingPiece("Hm. "),
        ThinkingPiece("List."),
        TextPiece("One "),
        TextPiece("moment."),
        CallPiece("bash", {"command": "ls"}),
        DonePiece("stop", 20, 3),
    ]


@pytest.mark.voice_bug("llm", "keep_alive ignored")
@pytest.mark.voice_bug("llm", "System prompt dropped when the context is full")
async def test_every_request_says_context_temperature_length_keep_alive_and_thinking(
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(say("Yes."), say("Yes."), say("Yes."))
    model = model_on(server, context_tokens=4096, keep_alive_minutes=7, temperature=0.5)
    await model.warm_up()
    await answer(model)
    await answer(model, replace(ASK, tools=(BASH,), max_tokens=11))
    await answer(model, replace(ASK, schema=SCHEMA))
    sent = [(one.path, one.body["options"], one.body["keep_alive"], one.body["think"]) for one in server.seen]
    common = {"num_ctx": 4096, "temperature": 0.5}
    assert sent == [
        ("/api/generate", common | {"num_predict": 4096}, "7m", False),
        ("/api/chat", common | {"num_predict": 4096}, "7m", False),
        ("/api/chat", common | {"num_predict": 11}, "7m", False),
        ("/api/chat", common | {"num_predict": 4096}, "7m", False),
    ]


async def test_messages_tools_and_schema_are_sent_as_given(ollama_script: StartsScript) -> None:
    server = ollama_script(say("a"))
    asked = ChatRequest(
        (
            Message(Role.USER, "ls"),
            Message(Role.ASSISTANT, "", (ToolCall(CallId("c1"), "bash", {"command": "ls"}),)),
            Message(Role.TOOL, "a.txt", call_id=CallId("c1"), tool_name="bash"),
        ),
        tools=(BASH,),
        schema=SCHEMA,
    )
    pieces = await answer(model_on(server), asked)
    body = server.seen[0].body
    assert body["messages"] == [
        {"role": "user", "content": "ls"},
        {"role": "assistant", "tool_calls": [{"function": {"name": "bash", "arguments": {"command": "ls"}}}]},
        {"role": "tool", "content": "a.txt", "tool_name": "bash"},
    ]
    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "bash",
                "description": "Run a shell command.",
                "parameters": {
                    "type": "object",
                    "properties": {"command": {"type": "string"}},
                    "required": ["command"],
                },
            },
        }
    ]
    assert body["format"] == SCHEMA
    text = "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))
    assert json.loads(text) == {"tool": "answer", "arguments": {"text": "a"}}


async def test_an_optional_argument_reaches_the_model_with_its_type(ollama_script: StartsScript) -> None:
    server = ollama_script(say("a"))
    optional = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "description": "Seconds."}
    spec = ToolSpec("wait", "Wait.", {"type": "object", "properties": {"s": optional}})
    await answer(model_on(server), replace(ASK, tools=(spec,)))
    properties = server.seen[0].body["tools"][0]["function"]["parameters"]["properties"]
    assert properties == {"s": {"type": "integer", "description": "Seconds."}}


@pytest.mark.voice_bug("llm", "Slow prompt each turn")
async def test_two_requests_with_the_same_beginning_send_the_same_bytes_for_it(
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(say("a"), say("b"))
    model = model_on(server)
    await answer(model, replace(ASK, tools=(BASH,)))
    longer = (*ASK.messages, Message(Role.ASSISTANT, "a"), Message(Role.USER, "And now?"))
    await answer(model, ChatRequest(longer, tools=(BASH,)))
    first, second = (one.raw.split("지금 몇 시야?".encode())[0] for one in server.seen)
    assert first == second
    assert first.startswith(b'{"model":"gemma4:e2b"')


@pytest.mark.voice_bug("llm", "Cancel leaves CPU running")
async def test_the_server_sees_a_closed_answer_within_200_ms(ollama_script: StartsScript) -> None:
    server = ollama_script(Step(say=("on ", "and on "), endless=True, every_s=0.01))
    model = model_on(server)
    async with aclosing(model.stream(ASK)) as pieces:
        assert await anext(pieces) == TextPiece("on ")
        asked_at = time.monotonic()
    await asyncio.to_thread(server.wait_until, lambda s: s.seen[0].hung_up)
    ended_at = server.seen[0].ended_at
    assert ended_at is not None
    assert ended_at - asked_at < 0.2
    await model.close()


@pytest.mark.voice_bug("llm", "First call 70 s")
@pytest.mark.voice_bug("llm", "Cancel leaves CPU running")
async def test_a_cold_start_waits_for_as_long_as_it_takes_and_can_be_cancelled(
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(say("late", gate="loaded"), say("never", gate="never"))
    model = model_on(server)
    first = asyncio.create_task(answer(model))
    await asyncio.to_thread(server.wait_until, lambda s: s.chats)
    client = await model._open()
    # No clock is waited for: what would end the wait is a limit on reading, and there is none.
    assert client._client.timeout.read is None
    server.release("loaded")
    assert (await first)[0] == TextPiece("late")
    second = asyncio.create_task(answer(model))
    await asyncio.to_thread(server.wait_until, lambda s: len(s.chats) == 2)
    asked_at = time.monotonic()
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    await asyncio.to_thread(server.wait_until, lambda s: s.seen[1].hung_up)
    assert (server.seen[1].ended_at or 0) - asked_at < 0.2


async def test_closing_the_model_ends_an_answer_that_is_being_read(ollama_script: StartsScript) -> None:
    server = ollama_script(say("a", pause="never"), say("again"))
    model = model_on(server)
    pieces = model.stream(ASK)
    assert await anext(pieces) == TextPiece("a")
    reading = asyncio.ensure_future(anext(pieces))
    await asyncio.sleep(0)
    await model.close()
    with pytest.raises(ModelUnavailableError) as caught:
        await reading
    assert caught.value.kind is ModelTrouble.LOST
    assert (await answer(model))[0] == TextPiece("again")


async def test_warming_up_loads_with_the_same_size_and_never_fails(ollama_script: StartsScript) -> None:
    server = ollama_script()
    model = model_on(server)
    assert not (await model.status()).loaded
    await model.warm_up()
    assert (await model.status()).loaded
    await model.close()
    await model_at("http://127.0.0.1:9").warm_up()
    await model_on(server, name="missing").warm_up()


async def test_warming_up_with_a_beginning_sends_just_that_and_asks_for_one_token(
    ollama_script: StartsScript,
) -> None:
    server = ollama_script()
    model = model_on(server)
    await model.warm_up(ChatRequest((Message(Role.SYSTEM, "You are Jarvis."),), tools=(BASH,)))
    await model.close()
    (sent,) = server.seen
    assert sent.path == "/api/chat"
    assert sent.body["messages"] == [{"role": "system", "content": "You are Jarvis."}]
    assert sent.body["options"]["num_predict"] == 1


async def test_a_model_that_is_not_to_be_kept_is_not_warmed_up(ollama_script: StartsScript) -> None:
    server = ollama_script()
    model = model_on(server, keep_alive_minutes=0)
    await model.warm_up()
    assert server.seen == ()


def test_importing_the_adapter_imports_no_client_library() -> None:
    look = "import sys, jarvis_desktop.adapters.ollama_model; print({'ollama', 'httpx'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_model_knows_its_name_and_size() -> None:
    model = model_at("127.0.0.1", name="gemma4:e4b", context_tokens=2048)
    assert (model.name, model.context_tokens) == ("gemma4:e4b", 2048)
