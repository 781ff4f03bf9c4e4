"""Nothing goes to another machine before a person has agreed to exactly that one (decision 39)."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.ollama_consent import consent_needed, consented
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_program import OllamaProgram
from jarvis_desktop.adapters.ollama_pull import OllamaPuller
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.fetching import FetchStage
from jarvis_desktop.core.items.setup import OllamaPresence
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.clock import FakeClock
from tests.fakes.ollama_script import Script, say
from tests.fakes.ollama_server import ScriptedOllama
from tests.fakes.texts import PlainTexts
from tests.integration.ollama.asking import ASK
from tests.integration.ollama.conftest import settings_at
from tests.parts.ollama import absent
from tests.parts.ollama_script import StartsScript

CLOUD = "gpt-oss:120b-cloud"


def asked_paths(server: ScriptedOllama) -> set[str]:
    return {one.path for one in server.seen}


def other_address() -> str:
    """An address of this machine that is not loopback: for the app another machine."""
    plain = [one for some in psutil.net_if_addrs().values() for one in some if one.family is socket.AF_INET]
    found = [one.address for one in plain if not one.address.startswith("127.")]
    return found[0] if found else absent("this machine has no address besides loopback")


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[str, list[bytes]]]:
    """Another machine: its address, and what came in from each connection to it."""
    came: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(b"")
        with suppress(asyncio.IncompleteReadError):
            came[-1] = await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(take, other_address(), 0) as server:
        place = server.sockets[0].getsockname()
        yield f"http://{place[0]}:{place[1]}", came


async def chats(settings: ModelSettings, _home: Path) -> str:
    model = OllamaModel(settings, PlainTexts())
    with pytest.raises(ModelUnavailableError) as caught:
        await anext(model.stream(ASK))
    await model.close()
    assert caught.value.kind in (ModelTrouble.REMOTE_UNASKED, ModelTrouble.LOST)
    return str(caught.value)


async def warms_up(settings: ModelSettings, _home: Path) -> str:
    model = OllamaModel(settings, PlainTexts())
    await model.warm_up()
    await model.warm_up(ASK)
    await model.close()
    return ""


async def looks(settings: ModelSettings, _home: Path) -> str:
    model = OllamaModel(settings, PlainTexts())
    status = await model.status()
    await model.close()
    return str(status.trouble)


async def finds(settings: ModelSettings, home: Path) -> str:
    return (await OllamaProgram(settings, home, PlainTexts()).presence())[1]


async def starts(settings: ModelSettings, home: Path) -> str:
    with pytest.raises(ModelUnavailableError):
        await OllamaProgram(settings, home, PlainTexts()).start()
    return ""


async def pulls(settings: ModelSettings, home: Path) -> str:
    ended = await OllamaPuller(settings, home, PlainTexts(), FakeClock()).fetch("gemma4:e2b", lambda _: None)
    assert ended.stage is FetchStage.FAILED
    return ended.trouble


async def removes(settings: ModelSettings, home: Path) -> str:
    with pytest.raises(ModelUnavailableError) as caught:
        await OllamaPuller(settings, home, PlainTexts(), FakeClock()).remove("gemma4:e2b")
    return str(caught.value)


ROADS = (chats, warms_up, looks, finds, starts, pulls, removes)


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("allowed", ["", "http://192.0.2.77:11434", "?", "https://{host}", "{host}.evil"])
async def test_a_machine_that_nobody_agreed_to_sees_no_connection(
    road: Callable[[ModelSettings, Path], Awaitable[str]], allowed: str, tmp_path: Path
) -> None:
    async with listening() as (host, came):
        written = allowed.format(host=host.removeprefix("http://"))
        text = await road(settings_at(host, allowed_host=written), tmp_path)
    assert came == []
    if text:
        assert text == (
            f'With the model "gemma4:e2b" at {host} everything you say or type would leave this machine for '
            f"{host}, so nothing was sent. If you want that, agree in the setup window, or write "
            f"model.allowed_host: {host} into settings.yaml."
        )


@pytest.mark.parametrize("road", [road for road in ROADS if road is not starts])
@pytest.mark.parametrize("allowed", ["{host}", "{host}/", " http://{host} "])
async def test_a_machine_that_a_person_agreed_to_is_asked(
    road: Callable[[ModelSettings, Path], Awaitable[str]], allowed: str, tmp_path: Path
) -> None:
    async with listening() as (host, came):
        written = allowed.format(host=host.removeprefix("http://"))
        await road(settings_at(host, allowed_host=written), tmp_path)
    assert came


@pytest.mark.parametrize("allowed", ["", "https://ollama.com.evil", "http://127.0.0.1:11434"])
async def test_a_model_that_ollama_sends_on_gets_no_conversation_unasked(
    ollama_script: StartsScript, tmp_path: Path, allowed: str
) -> None:
    server = ollama_script(say("caught"), script=Script((), {CLOUD: ("completion",)}))
    settings = settings_at(server.host, name=CLOUD, allowed_host=allowed)
    for road in (chats, warms_up, looks):
        await road(settings, tmp_path)
    assert asked_paths(server) == set()
    presence, text = await OllamaProgram(settings, tmp_path, PlainTexts()).presence()
    assert presence is OllamaPresence.REMOTE_UNASKED
    assert "would leave this machine for https://ollama.com:443, so nothing was sent" in text
    assert asked_paths(server) <= {"/api/version", "/api/tags", "/api/show", "/api/ps"}


async def test_a_model_that_ollama_sends_on_is_used_once_a_person_agreed(
    ollama_script: StartsScript, tmp_path: Path
) -> None:
    server = ollama_script(script=Script((say("Hello."),), {CLOUD: ("completion",)}))
    settings = settings_at(server.host, name=CLOUD, allowed_host="https://ollama.com")
    model = OllamaModel(settings, PlainTexts())
    assert [piece async for piece in model.stream(ASK)]
    await model.close()
    presence, _ = await OllamaProgram(settings, tmp_path, PlainTexts()).presence()
    assert presence is OllamaPresence.RUNNING


@pytest.mark.parametrize(
    ("values", "needed"),
    [
        ({}, ""),
        ({"host": "localhost"}, ""),
        ({"host": "box"}, "http://box:11434"),
        ({"name": CLOUD}, "https://ollama.com:443"),
        ({"host": "https://box", "name": CLOUD}, "https://box:443 https://ollama.com:443"),
    ],
)
def test_what_has_to_be_agreed_to_names_every_machine(values: dict[str, str], needed: str) -> None:
    settings = ModelSettings.model_validate(values)
    assert consent_needed(settings) == needed
    assert consented(settings) is (needed == "")
    assert consented(ModelSettings.model_validate({**values, "allowed_host": needed}))
    if " " in needed:
        for part in needed.split():
            assert not consented(ModelSettings.model_validate({**values, "allowed_host": part}))


@given(st.text(max_size=30))
def test_no_text_agrees_to_a_machine_that_it_does_not_name(written: str) -> None:
    settings = ModelSettings.model_validate({"host": "http://192.0.2.77:11434", "allowed_host": written})
    assert not consented(settings) or "192.0.2.77" in written
