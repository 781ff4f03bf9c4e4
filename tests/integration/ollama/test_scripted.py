"""The adapter against the scripted server: what it sends, how it ends, what it says when things break."""

import asyncio
import json
import time
from contextlib import aclosing
from dataclasses import replace

import pytest

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import (
    CallPiece,
    ChatPiece,
    ChatRequest,
    DonePiece,
    TextPiece,
    ThinkingPiece,
    ToolSpec,
)
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.ollama_script import Script, Step, call, say
from tests.fakes.ollama_server import ScriptedOllama
from tests.fakes.texts import PlainTexts
from tests.parts.ollama_script import StartsScript

ASK = ChatRequest((Message(Role.SYSTEM, "You are Jarvis."), Message(Role.USER, "지금 몇 시야?")))
BASH = ToolSpec(
    "bash",
    "Run a shell command.",
    {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
)


SCHEMA = {
    "anyOf": [
        {
            "type": "object",
            "properties": {
                "tool": {"const": "answer"},
                "arguments": {"type": "object", "properties": {"text": {"type": "string"}}},
            },
        }
    ]
}


def model_at(host: str, **settings: object) -> OllamaModel:
    return OllamaModel(ModelSettings.model_validate({"host": host, **settings}), PlainTexts())


def model_on(server: ScriptedOllama, **settings: object) -> OllamaModel:
    return model_at(server.host, **settings)


async def answer(model: OllamaModel, request: ChatRequest = ASK) -> list[ChatPiece]:
    try:
        return [piece async for piece in model.stream(request)]
    finally:
        await model.close()


async def trouble(model: OllamaModel, request: ChatRequest = ASK) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError) as caught:
        await answer(model, request)
    return caught.value


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


@pytest.mark.parametrize(
    ("step", "kind", "words"),
    [
        (Step(status=500, error="llama runner process has terminated"), ModelTrouble.SERVER_ERROR,
         "llama runner process has terminated. Ask again"),
        (Step(status=503, error="server busy, please try again"), ModelTrouble.SERVER_ERROR, "server busy"),
        (Step(status=500, error="model requires more system memory (5.6 GiB) than is available (3.1 GiB)"),
         ModelTrouble.SERVER_ERROR, "choose a smaller model"),
        (Step(status=500, error="unable to load model: unknown model architecture: 'gemma4'"),
         ModelTrouble.TOO_OLD, "Update it"),
        (Step(status=400, error="json: cannot unmarshal object into Go struct field ChatRequest.format"),
         ModelTrouble.TOO_OLD, "Update it"),
        (Step(status=404, error="404 page not found"), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
        (Step(status=302, error=""), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
        (Step(say=("Hal",), error="unexpected EOF"), ModelTrouble.SERVER_ERROR, "unexpected EOF"),
        (Step(say=("Hal",), cut=True), ModelTrouble.LOST, "Ask again"),
        (Step(cut=True), ModelTrouble.LOST, "Ask again"),
        (Step(say=("Hal",), done_reason=""), ModelTrouble.LOST, "Ask again"),
        (Step(say=("Hal",), garbage="<html>"), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
        (Step(garbage="[1, 2]"), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
        (Step(garbage="null"), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
        (Step(garbage='{"message": 3}'), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
        (Step(garbage='{"error": {"code": 3}}'), ModelTrouble.BAD_ANSWER, "does not speak like Ollama"),
    ],
)  # fmt: skip
async def test_each_failure_has_its_kind_and_says_what_to_do(
    ollama_script: StartsScript, step: Step, kind: ModelTrouble, words: str
) -> None:
    error = await trouble(model_on(ollama_script(step)))
    assert error.kind is kind
    assert words in str(error)


@pytest.mark.voice_bug("llm", "Model missing -> 404 traceback")
async def test_a_missing_model_says_the_command_that_gets_it(ollama_script: StartsScript) -> None:
    error = await trouble(model_on(ollama_script(), name="gemma4:e4b"))
    assert error.kind is ModelTrouble.NO_MODEL
    assert str(error) == 'Ollama has no model "gemma4:e4b". Get it with: ollama pull gemma4:e4b'


@pytest.mark.parametrize("host", ["http://127.0.0.1:9", "127.0.0.1:9"])
async def test_no_server_says_how_to_start_one(host: str) -> None:
    error = await trouble(model_at(host))
    assert error.kind is ModelTrouble.NO_SERVER
    assert str(error) == (
        'No Ollama answers at http://127.0.0.1:9. Start it with "ollama serve"; if it is not installed, '
        "get it from https://ollama.com/download."
    )


async def test_an_address_that_is_none_names_the_setting() -> None:
    model = model_at("ftp://x y")
    error = await trouble(model)
    assert error.kind is ModelTrouble.NO_SERVER
    assert str(error).startswith('settings.yaml: model.host is "ftp://x y"')
    assert str((await model.status()).trouble) == str(error)


async def test_what_the_model_wrote_is_not_repeated_in_an_error(ollama_script: StartsScript) -> None:
    step = Step(
        status=500, error="error parsing tool call: raw='{\"secret', err=unexpected end of JSON input"
    )
    error = await trouble(model_on(ollama_script(step)))
    assert error.kind is ModelTrouble.BAD_ANSWER
    assert "secret" not in str(error)


async def test_a_model_that_cannot_think_is_asked_again_once_and_then_never_told_to(
    ollama_script: StartsScript,
) -> None:
    dull = Script((say("a"), say("b")), {"dull": ("completion",)})
    server = ollama_script(script=dull)
    model = model_on(server, name="dull", think=True)
    assert (await answer(model))[0] == TextPiece("a")
    assert (await answer(model))[0] == TextPiece("b")
    assert [one.body["think"] for one in server.chats] == [True, False, False]


async def test_a_server_that_will_not_hear_of_thinking_at_all_still_answers(
    ollama_script: StartsScript,
) -> None:
    refusal = Step(status=400, error='"odd" does not support thinking')
    server = ollama_script(refusal, refusal, say("a"))
    assert (await answer(model_on(server, think=True)))[0] == TextPiece("a")
    assert [one.body.get("think") for one in server.chats] == [True, False, None]


async def test_a_model_without_tools_is_told_apart_so_that_a_schema_can_be_used(
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(script=Script((), {"dull": ("completion",)}))
    error = await trouble(model_on(server, name="dull"), replace(ASK, tools=(BASH,)))
    assert error.kind is ModelTrouble.TOO_OLD
    assert 'Set model.calls to "schema"' in str(error)


async def test_proxy_variables_do_not_take_a_conversation_off_this_machine(
    ollama_script: StartsScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server = ollama_script(say("a"))
    model = model_on(server)
    assert (await answer(model))[0] == TextPiece("a")
    assert (await model.status()).trouble is None


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


async def test_status_says_version_abilities_and_digest(ollama_script: StartsScript) -> None:
    status = await model_on(ollama_script()).status()
    assert status.server_version == "0.12.0"
    assert status.model_found
    assert status.capabilities == frozenset({"completion", "tools", "thinking"})
    assert len(status.digest) == 64
    assert status.trouble is None


async def test_status_names_a_missing_model_and_a_missing_server(ollama_script: StartsScript) -> None:
    missing = (await model_on(ollama_script(), name="other").status()).trouble
    assert missing is not None
    assert missing.kind is ModelTrouble.NO_MODEL
    nobody = await model_at("127.0.0.1:9").status()
    assert nobody.trouble is not None
    assert nobody.trouble.kind is ModelTrouble.NO_SERVER
    assert nobody.server_version is None
