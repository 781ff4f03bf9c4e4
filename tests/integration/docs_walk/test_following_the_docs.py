"""Whoever follows the pages has a skill, an agent, a tool, a plugin and MCP servers that really work."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

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

PAGES = ("skills.md", "agents.md", "tools.md", "plugins.md", "mcp.md", "extending.md")
"""In the order in which somebody follows them."""
STANDS_FOR_A_NAME = frozenset({"name"})
NAMES_SHOWN = frozenset({"요약", "sum"})
"""Of skills that nobody has been told to make."""
MODELS = dict.fromkeys(("gemma4:e2b", "gemma4:e4b"), ("completion", "tools"))
PHOTOS = {"command": "rm -r Photos/2019"}
SCRIPT = Script(
    (
        call("bash", PHOTOS, when="tidy up"),
        call("shopping_add", {"item": "milk", "count": 2}, when="we need milk"),
        call("shopping_list", {}, when="what do we need"),
        call("write_file", {"path": "notes.md", "content": "- tea\n"}, when="note: tea"),
        call("dice_roll", {"sides": 1}, when="roll the die"),
        call("more-dice_roll", {"sides": 1}, when="roll the other die"),
        say("Done.", repeat=True),
    ),
    models=MODELS,
)


@pytest.fixture(scope="module")
def ollama() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(script=SCRIPT) as running:
        yield running


@pytest.fixture(scope="module")
def walk(ollama: ScriptedOllama) -> Iterator[Walk]:
    """Somebody who has followed every page."""
    # In a room temporary files are others, so no home of a person lies there.
    with TemporaryDirectory(prefix=".jarvis-walk-", dir=Path.home()) as folder:
        walk = Walk(Path(folder), ollama.host)
        for page in PAGES:
            walk.follow(page)
        yield walk


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


async def test_the_plugin_of_the_page_is_enabled_listed_and_blocks(
    running: Running, ollama: ScriptedOllama
) -> None:
    [enabled, shown] = [one.output for one in running.walk.ran if one.block.page == "plugins.md"]
    assert "Let this code run? Type yes: " in enabled
    assert "- `guard` — " in shown
    assert 'KEPT = "Photos"' in shown
    ended = await running.say("tidy up")
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Done.")
    assert "nothing in Photos is removed" in ollama.chats[-1].body["messages"][-1]["content"]
    assert running.asked == []
    assert "⚡ plugin · guard blocked bash: nothing in Photos is removed" in running.activity


async def test_the_tool_of_the_page_is_enabled_asks_and_does_its_work(
    running: Running, ollama: ScriptedOllama
) -> None:
    outputs = [one.output for one in running.walk.ran if one.block.page == "tools.md"]
    assert "tool/shopping  waits for you  shopping_list, shopping_add" in outputs[0]
    assert "Puts something on the shopping list." in outputs[0]
    ended = await running.say("we need milk")
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Done.")
    assert [one.call.name for one in running.asked] == ["shopping_add"]
    assert (running.walk.person / "shopping.txt").read_text("utf-8") == "2 milk\n"
    await running.say("what do we need")
    assert len(running.asked) == 1  # the other one only reads, as was believed when the file was enabled
    assert "2 milk" in ollama.chats[-1].body["messages"][-1]["content"]


async def test_the_servers_of_the_page_are_enabled_ask_and_answer(
    running: Running, ollama: ScriptedOllama
) -> None:
    outputs = [one.output for one in running.walk.ran if one.block.page == "mcp.md"]
    assert "more-dice stands in " in outputs[0]
    assert "command: python3" in outputs[1]
    await running.until_connected("dice", "more-dice")
    for request, tool in (("roll the die", "dice_roll"), ("roll the other die", "more-dice_roll")):
        ended = await running.say(request)
        assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Done.")
        assert running.asked[-1].call.name == tool
        assert "It is a 1." in ollama.chats[-1].body["messages"][-1]["content"]


def test_what_was_added_is_listed_with_its_state(walk: Walk) -> None:
    [ran] = [one for one in walk.ran if one.block.page == "extending.md"]
    for line in (
        "tool/shopping  enabled",
        "plugin/guard  enabled",
        "plugin/sign  waits for you",
        "server/dice",
    ):
        assert line in ran.output
