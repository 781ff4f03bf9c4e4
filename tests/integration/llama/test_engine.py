"""The model inside Jarvis with the real engine and real weights (Qwen2.5-Coder 0.5B).

Numbers seen (xllamacpp 2026.10, one thread, 2 busy cores): ready after 1.3 to 8 s, 7 to 30 tokens/s. With two
threads, which wait for each other, it was ten times slower.
"""

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
import pytest_asyncio

from jarvis_desktop.adapters.llama_model import EmbeddedModel
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.ports import ChatRequest, DonePiece, ToolSpec
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.tools.list_dir import ListDir
from jarvis_desktop.core.turn.prompt import SCHEMA_RULE
from jarvis_desktop.core.turn.schema_calls import choice_schema, tool_lines
from tests.integration.llama.asking import (
    ENDLESS,
    PATIENCE_S,
    SYSTEM,
    answer,
    asking,
    begun,
    model_of,
    text_of,
    trouble,
    until,
)

pytestmark = [
    pytest.mark.real_engine,
    pytest.mark.timeout(300),
    pytest.mark.asyncio(loop_scope="module"),
]
SPECS = tuple(
    ToolSpec(tool.name, tool.description, tool.arguments.model_json_schema()) for tool in (ListDir, Bash)
)
QUIET_CPU_S = 0.02
"""Of an engine that does nothing, between two looks."""


@pytest_asyncio.fixture(loop_scope="module", scope="module", autouse=True)
async def loop_with_its_thread() -> None:
    """The loop that all tests here share has the thread that it will keep."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    await asyncio.to_thread(int)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def model(starters: ModelFiles) -> AsyncIterator[EmbeddedModel]:
    """A model that is in memory, for all tests here."""
    loaded = model_of(starters)
    await loaded.warm_up()
    assert loaded.engine.running
    yield loaded
    await loaded.close()


def process_of(model: EmbeddedModel) -> psutil.Process:
    assert model.engine.process_id is not None
    return psutil.Process(model.engine.process_id)


async def test_an_answer_streams_and_ends_with_its_cost(model: EmbeddedModel) -> None:
    pieces = await answer(model, asking("Say hello."))

    done = pieces[-1]
    assert isinstance(done, DonePiece)
    assert (done.reason, done.prompt_tokens > 20, done.reply_tokens > 0) == ("stop", True, True)
    assert "hello" in text_of(pieces).lower()
    assert len(pieces) > 3
    assert "xllamacpp" not in sys.modules  # its code runs in the other process alone


async def test_an_answer_ends_at_the_most_tokens_allowed(model: EmbeddedModel) -> None:
    done = (await answer(model, asking("Tell me a long story.", max_tokens=4)))[-1]

    assert done == DonePiece("length", prompt_tokens=29, reply_tokens=4)


async def test_an_answer_held_to_a_schema_is_the_call_of_a_tool(model: EmbeddedModel) -> None:
    request_text = "다운로드 폴더에 뭐가 있어?"
    messages = (Message(Role.SYSTEM, SCHEMA_RULE + tool_lines(SPECS)), Message(Role.USER, request_text))

    pieces = await answer(model, ChatRequest(messages, schema=choice_schema(SPECS), max_tokens=60))

    assert json.loads(text_of(pieces))["tool"] == "list_dir"


async def test_a_closed_answer_stops_the_engine_at_once(model: EmbeddedModel) -> None:
    engine = process_of(model)
    used = [0.0]

    def quiet() -> bool:
        used.append(sum(engine.cpu_times()[:2]))
        return used[-1] - used[-2] < QUIET_CPU_S

    await begun(model, ENDLESS)
    await until(quiet, look_s=0.3)  # counting to 2000 would keep it busy for minutes

    assert text_of(await answer(model, asking("Say hello.")))


async def test_a_cancelled_task_stops_the_engine_while_it_still_reads(model: EmbeddedModel) -> None:
    long = ChatRequest((SYSTEM, Message(Role.USER, "word " * 1500)), max_tokens=4)
    reading = asyncio.create_task(answer(model, long))
    engine = process_of(model)
    before_s = sum(engine.cpu_times()[:2])
    await until(lambda: sum(engine.cpu_times()[:2]) > before_s + 0.2)

    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    pieces = await answer(model, asking("Say hello."))  # would wait for the reading of 1500 words

    assert text_of(pieces)


async def test_the_next_turn_does_not_read_the_conversation_again(
    model: EmbeddedModel, caplog: pytest.LogCaptureFixture
) -> None:
    first = (SYSTEM, Message(Role.USER, "My name is Ada. " * 10 + "Say hello."))
    with caplog.at_level(logging.INFO, "jarvis_desktop.adapters.llama_model"):
        said = text_of(await answer(model, ChatRequest(first, max_tokens=8)))
        later = (*first, Message(Role.ASSISTANT, said), Message(Role.USER, "And goodbye?"))
        await answer(model, ChatRequest(later, max_tokens=8))

    costs = [record for record in caplog.records if record.msg == "model answered"]
    read_before, prompt = (getattr(costs[1], name) for name in ("cached_tokens", "prompt_tokens"))
    assert read_before > 60
    assert prompt - read_before < 25


async def test_the_beginning_of_a_prompt_is_not_read_again_after_a_restart_and_holds_nothing_said(
    starters: ModelFiles, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    beginning = Message(Role.SYSTEM, "You are Jarvis. " * 12)
    said = ChatRequest((beginning, Message(Role.USER, "My secret is blue. " * 12)), max_tokens=1)
    first = model_of(starters, prompts=tmp_path / "engine")
    await answer(first, said)
    await first.warm_up(ChatRequest((beginning,)))
    await first.close()

    second = model_of(starters, prompts=tmp_path / "engine")
    with caplog.at_level(logging.INFO, "jarvis_desktop.adapters.llama_model"):
        await answer(second, said)
    await second.close()
    (kept,) = (tmp_path / "engine").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])
    third = model_of(starters, prompts=tmp_path / "engine")
    await third.warm_up()
    await third.close()

    cached = next(record for record in caplog.records if record.msg == "model answered")
    assert 40 < getattr(cached, "cached_tokens") < 60  # noqa: B009 - a field of the log, unknown to the type
    assert list((tmp_path / "engine").iterdir()) == []  # cut short, so it was not even tried


async def test_a_prompt_that_does_not_fit_is_said(model: EmbeddedModel) -> None:
    error = await trouble(model, ChatRequest((Message(Role.USER, "word " * 3000),)))

    assert error.kind is ModelTrouble.SERVER_ERROR
    assert "context" in str(error)


async def test_nobody_without_the_key_and_no_other_user_reaches_the_engine(model: EmbeddedModel) -> None:
    address = next(
        one.laddr for one in process_of(model).net_connections("unix") if "engine.sock" in str(one.laddr)
    )
    socket = str(address)
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(uds=socket)) as stranger:
        refused = await stranger.post("http://localhost/v1/chat/completions", json={"messages": []})
    folder = await asyncio.to_thread(Path(socket).parent.stat)

    assert refused.status_code == 401
    assert folder.st_mode & 0o077 == 0
    assert process_of(model).net_connections("inet") == []


async def test_an_engine_killed_amid_an_answer_is_said_and_starts_anew(starters: ModelFiles) -> None:
    model = model_of(starters)
    try:
        pieces = model.stream(ENDLESS)
        await anext(pieces)
        process_of(model).kill()
        with pytest.raises(ModelUnavailableError, match="The system ended the model") as caught:
            [piece async for piece in pieces]
        assert (caught.value.kind, model.engine.running) == (ModelTrouble.LOST, False)

        assert "hello" in text_of(await answer(model, asking("Say hello."))).lower()
    finally:
        await model.close()


async def test_an_engine_that_nobody_needs_goes_and_comes_back(starters: ModelFiles) -> None:
    model = model_of(starters, keep_alive_minutes=0)
    try:
        await answer(model, asking("Say hello.", max_tokens=2))
        await until(lambda: model.engine.process_id is None)

        assert text_of(await answer(model, asking("Say hello.", max_tokens=2)))
    finally:
        await model.close()


async def test_an_impatient_start_is_not_done_twice(starters: ModelFiles) -> None:
    model = model_of(starters)
    try:
        impatient = asyncio.create_task(model.warm_up())
        await until(lambda: model.engine.process_id)
        started = model.engine.process_id
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)

        await answer(model, asking("Say hello.", max_tokens=2))
        assert model.engine.process_id == started
    finally:
        await model.close()


HOST = """
import asyncio, sys
from jarvis_desktop.adapters.model_files import ModelFiles
from pathlib import Path
from tests.integration.llama.asking import model_of

async def main():
    model = model_of(ModelFiles(Path(sys.argv[1])))
    starting = asyncio.create_task(model.warm_up())
    while model.engine.process_id is None:
        await asyncio.sleep(0.01)
    print(model.engine.process_id, flush=True)
    await starting
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_a_killed_jarvis_takes_its_engine_along_even_while_it_loads(starters: ModelFiles) -> None:
    host = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOST, str(starters.folder), stdout=asyncio.subprocess.PIPE
    )
    assert host.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        engine = psutil.Process(int(await host.stdout.readline()))
    host.kill()
    await host.wait()

    await until(lambda: not engine.is_running() or engine.status() == psutil.STATUS_ZOMBIE)
