"""Whoever follows the pages has a skill and an agent that really work."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from jarvis_desktop.core.items.commands import Quit
from jarvis_desktop.core.items.events import TurnStarted
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.slash.registry import command_names
from tests.fakes.ollama_script import Script, call, last_user_text, say
from tests.fakes.ollama_server import ScriptedOllama
from tests.integration.docs_walk.walk import PATIENCE_S, Running, Walk
from tests.parts.docs_pages import UnknownBlockError, blocks_of, links_in, programs_in, slashes_in

PAGES = ("skills.md", "agents.md")
"""In the order in which somebody follows them."""
STANDS_FOR_A_NAME = frozenset({"name"})
NAMES_SHOWN = frozenset({"요약", "sum"})
"""Of skills that nobody has been told to make."""
MODELS = dict.fromkeys(("gemma4:e2b", "gemma4:e4b"), ("completion", "tools"))
SCRIPT = Script(
    (
        call("write_file", {"path": "notes.md", "content": "- tea\n"}, when="note: tea"),
        say("Done.", repeat=True),
    ),
    models=MODELS,
)


@pytest.fixture(scope="module")
def ollama() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(script=SCRIPT) as running:
        yield running


@pytest.fixture(scope="module")
def walk(ollama: ScriptedOllama, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Somebody who has followed every page."""
    walk = Walk(tmp_path_factory.mktemp("walk"), ollama.host)
    for page in PAGES:
        walk.follow(page)
    return walk


@pytest.fixture
async def running(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Running]:
    """The program in that home, with somebody who allows what is asked."""
    for name, value in walk.settings().items():
        monkeypatch.setenv(name, value)
    running = Running(walk)
    core = asyncio.create_task(running.serve())
    yield running
    running.inbox.put_nowait(Quit())
    async with asyncio.timeout(PATIENCE_S):
        await core


# --- the pages --------------------------------------------------------------------------------------


def test_every_command_on_the_pages_does_its_work(walk: Walk) -> None:
    assert [f"{one.block.place}:\n{one.output}" for one in walk.ran if one.status] == []
    assert walk.ran


@pytest.mark.parametrize("page", PAGES)
def test_every_link_on_the_pages_leads_to_a_file(page: str) -> None:
    assert [path for path in links_in(page) if not path.exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_names_exists(walk: Walk, page: str) -> None:
    known = command_names() | STANDS_FOR_A_NAME | NAMES_SHOWN
    known |= {path.stem for path in (walk.home / "skills").iterdir()}
    assert [name for name in slashes_in(page) if name not in known] == []
    for words in dict.fromkeys(programs_in(page)):
        help_ = walk.program(*words, "--help")
        assert help_.status == 0, (page, words, help_.output)


def test_a_block_that_nobody_knows_what_to_do_with_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.parts.docs_pages.DOCS", tmp_path)
    for text in ("```\nls\n```\n", "```python\nx = 1\n```\n", "`~/a.py`\n# New\n```python\nx = 1\n```\n"):
        (tmp_path / "odd.md").write_text(text, "utf-8")
        with pytest.raises(UnknownBlockError, match=re.escape("docs/odd.md, line ")):
            list(blocks_of("odd.md"))


# --- what they lead to ------------------------------------------------------------------------------


def test_the_skill_of_the_page_is_listed_shown_and_used(walk: Walk, ollama: ScriptedOllama) -> None:
    [ran] = [one for one in walk.ran if one.block.page == "skills.md"]
    assert "`/summary` — Sums up a file in three lines. (`skills/summary.md`)" in ran.output
    assert "Read the file $1 and sum it up" in ran.output
    assert ran.output.endswith("Done.\n")
    [request] = [
        last_user_text(one.body)
        for one in ollama.chats
        if last_user_text(one.body).startswith("Read the file report.md and sum it up")
    ]
    assert "$1" not in request


async def test_the_skill_with_a_folder_says_where_its_files_lie(
    running: Running, ollama: ScriptedOllama
) -> None:
    ended = await running.say("/review only the tests")
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Done.")
    assert running.of(TurnStarted)[-1].text == "/review only the tests"
    request = last_user_text(ollama.chats[-1].body)
    assert "What I care about most: only the tests" in request
    assert f"[files of this skill lie in {running.walk.home / 'skills' / 'review'}]" in request


async def test_the_agent_of_the_page_answers_to_its_name_and_has_its_tools(
    running: Running, ollama: ScriptedOllama
) -> None:
    ended = await running.say("Scribe, note: tea")
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Done.")
    started = running.of(TurnStarted)[-1]
    assert started.card is not None
    assert (started.card.agent_id, started.card.name) == (AgentId("scribe"), "SCRIBE")
    body = ollama.chats[-1].body
    assert body["model"] == "gemma4:e4b"
    assert "You are Scribe." in body["messages"][0]["content"]
    assert "bash" not in [tool["function"]["name"] for tool in body["tools"]]
    assert [(one.agent_id, one.call.name) for one in running.asked] == [("scribe", "write_file")]
    assert (running.walk.work / "notes.md").read_text("utf-8") == "- tea\n"
