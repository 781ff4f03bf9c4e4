"""The adapter against servers that refuse, break, or are not there."""

import asyncio
import gc
from dataclasses import replace

import psutil
import pytest

from jarvis_desktop.adapters import ollama_model
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.ports import DonePiece, TextPiece
from tests.fakes.ollama_script import Script, Step, say
from tests.integration.ollama.asking import ASK, BASH, answer, model_at, model_on, trouble
from tests.parts.ollama_script import StartsScript

HTML = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>"
NOWHERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


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
    assert str(error) == (
        'Ollama has no model "gemma4:e4b". Fetch it in the setup window, or with: ollama pull gemma4:e4b'
    )


@pytest.mark.parametrize("host", ["http://127.0.0.1:9", "127.0.0.1:9"])
async def test_no_server_says_how_to_start_one(host: str) -> None:
    error = await trouble(model_at(host))
    assert error.kind is ModelTrouble.NO_SERVER
    assert str(error) == (
        'No Ollama answers at http://127.0.0.1:9. Start it in the setup window or with "ollama serve"; if it '
        "is not installed, get it from https://ollama.com/download."
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


async def test_a_redirect_does_not_take_a_conversation_elsewhere(ollama_script: StartsScript) -> None:
    elsewhere = ollama_script(say("caught"))
    here = ollama_script(Step(status=307, error=f"{elsewhere.host}/api/chat"))
    error = await trouble(model_on(here))
    assert error.kind is ModelTrouble.BAD_ANSWER
    assert elsewhere.seen == ()


@pytest.mark.voice_bug("memory_cpu", "~2.5 MB/min leak while the satellite retries to connect")
async def test_a_day_of_retries_without_a_server_does_not_grow() -> None:
    model, process = model_at("http://127.0.0.1:9"), psutil.Process()

    async def retries(count: int) -> int:
        for _ in range(count):
            with pytest.raises(ModelUnavailableError):
                await anext(model.stream(ASK))
            await model.status()
        gc.collect()
        return process.memory_info().rss

    before_bytes = await retries(20)
    # One every five minutes, for 24 hours.
    after_bytes = await retries(288)
    await model.close()
    assert after_bytes - before_bytes < 5_000_000


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


@pytest.mark.parametrize(
    ("reply", "kind"),
    [(HTML, ModelTrouble.BAD_ANSWER), (NOWHERE, ModelTrouble.BAD_ANSWER), (b"", ModelTrouble.LOST)],
)
async def test_status_tells_what_is_not_ollama(reply: bytes, kind: ModelTrouble) -> None:
    async def reply_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        writer.close()

    async with await asyncio.start_server(reply_once, "127.0.0.1", 0) as server:
        model = model_at(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        status = await model.status()
        await model.close()
    assert status.trouble is not None
    assert status.trouble.kind is kind
    assert not status.model_found


async def test_a_model_that_is_still_loading_for_a_cancelled_warm_up_is_waited_for(
    ollama_script: StartsScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ollama_model, "LOADING_LOOK_S", 0.01)
    loading = Step(status=500, error="unexpected server status: llm server loading model")
    server = ollama_script(loading, loading, say("Hello."))
    assert await answer(model_on(server)) == [TextPiece("Hello."), DonePiece("stop", 20, 1)]
    assert len(server.chats) == 3


async def test_a_model_that_never_finishes_loading_is_given_up(
    ollama_script: StartsScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ollama_model, "LOADING_S", -1.0)
    loading = Step(status=500, error="unexpected server status: llm server loading model")
    with pytest.raises(ModelUnavailableError, match="llm server loading model") as caught:
        await answer(model_on(ollama_script(loading)))
    assert caught.value.kind is ModelTrouble.SERVER_ERROR
