"""Servers that are programs: one that we did not write, and one that does everything wrong."""

import asyncio
from pathlib import Path

import pytest

from jarvis_desktop.adapters import mcp_client
from jarvis_desktop.core.items.extensions import ExtensionState
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTrouble
from tests.integration.servers.conftest import BROKEN, ENABLED, Bench, file_text, said
from tests.parts.mcp_servers import evil, program


@pytest.mark.promise("T-164", "T-165")
async def test_a_program_of_the_package_index_is_asked_in_its_room(bench: Bench) -> None:
    bench.write(time={"command": program("mcp-server-time"), "args": ["--local-timezone", "UTC"]})
    await bench.enable("time")
    found = await bench.until("time", lambda one: one.state is ENABLED)
    assert [one.name for one in found.offers] == ["time_get_current_time", "time_convert_time"]
    assert said(await bench.call("time_get_current_time", timezone="Asia/Seoul"))["timezone"] == "Asia/Seoul"


async def test_nothing_is_started_before_a_person_enables_it(bench: Bench) -> None:
    bench.write(box=evil(bench.data("box")))
    assert (await bench.seen("box")).state is ExtensionState.WAITING
    assert bench.shelf._keepers == {}


async def test_a_server_sees_its_own_folder_and_nothing_else_of_ours_nor_the_session(bench: Bench) -> None:
    await bench.up("box", env={"TOKEN": "abc"})
    own = said(await bench.call("box_see", text="."))
    assert own["cwd"] == str(bench.data("box"))
    assert own["found"] == ["evil_server.py"]
    environment = own["env"]
    assert isinstance(environment, dict)
    assert environment["TOKEN"] == "abc"
    assert "DISPLAY" not in environment
    for hidden in (bench.home, bench.home / "secret.txt", bench.person / ".jarvis" / "settings.yaml"):
        assert said(await bench.call("box_see", text=str(hidden)))["found"] in (
            ["extension-data"],
            "FileNotFoundError",
        )


@pytest.mark.promise("T-166")
async def test_a_server_that_hangs_at_the_beginning_keeps_nobody_waiting(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_client, "READY_WITHIN_S", 5.0)
    bench.write(bad=evil(bench.data("bad"), "hang"), box=evil(bench.data("box")))
    await bench.enable("bad")
    await bench.enable("box")
    assert (await bench.until("box", lambda one: one.state is ENABLED)).offers
    assert (await bench.seen("bad")).state is ExtensionState.STARTING
    await bench.shelf.begin_turn()
    assert {tool.name.partition("_")[0] for tool in bench.shelf.tools()} == {"box"}
    assert (
        "did not tell its tools in time"
        in (await bench.until("bad", lambda one: one.state is BROKEN)).trouble
    )


@pytest.mark.parametrize(
    ("mode", "trouble"),
    [("die", "ended. Try it in a terminal"), ("huge-list", "more than 4 MB at once")],
)
async def test_what_is_wrong_from_the_beginning_is_said(bench: Bench, mode: str, trouble: str) -> None:
    bench.write(bad=evil(bench.data("bad"), mode))
    await bench.enable("bad")
    assert trouble in (await bench.until("bad", lambda one: one.state is BROKEN)).trouble


async def test_a_program_that_speaks_another_language_is_given_up_in_time(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_client, "READY_WITHIN_S", 5.0)
    bench.write(bad=evil(bench.data("bad"), "nonsense"))
    await bench.enable("bad")
    assert (await bench.until("bad", lambda one: one.state is BROKEN)).offers == ()


async def test_a_program_that_is_not_there_is_named(bench: Bench) -> None:
    bench.write(bad={"command": "no-such-server"})
    await bench.enable("bad")
    found = await bench.until("bad", lambda one: one.state is BROKEN)
    assert found.trouble == (
        "There is no program called no-such-server. Install it, or mend the command in settings.yaml."
    )


async def test_a_call_that_hangs_ends_in_time_and_the_server_is_told(bench: Bench) -> None:
    await bench.up("box", timeout_s=1)
    answer = await bench.call("box_wait")
    assert answer == ServerTrouble(
        "The MCP server box did not answer within 1 seconds. The call was cancelled."
    )
    assert await file_text(bench.data("box") / "cancelled")
    assert await bench.call("box_echo", text="still there") == ServerAnswer("still there")


async def test_an_interrupted_turn_cancels_its_call(bench: Bench) -> None:
    await bench.up("box")
    call = asyncio.create_task(bench.call("box_wait"))
    assert await bench.call("box_echo", text="a") == ServerAnswer("a")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await file_text(bench.data("box") / "cancelled")
    assert await bench.call("box_echo", text="b") == ServerAnswer("b")


async def test_a_server_that_crashes_in_a_call_is_there_again_for_the_next(bench: Bench) -> None:
    await bench.up("box")
    crashed = await bench.call("box_crash")
    assert crashed == ServerTrouble(
        "The MCP server box ended before it answered. Whether it did anything is not known."
    )
    assert await bench.call("box_echo", text="again") == ServerAnswer("again")


async def test_fifty_megabytes_are_refused_and_the_next_call_works(bench: Bench) -> None:
    await bench.up("box")
    assert await bench.call("box_huge") == ServerTrouble(
        "The answer of the MCP server box was larger than 4 MB and was refused. Ask for less."
    )
    assert await bench.call("box_echo", text="b") == ServerAnswer("b")


async def test_two_thousand_tools_are_cut_and_said(bench: Bench) -> None:
    found = await bench.up("box", "many")
    assert len(found.offers) == 64
    assert "it has more tools than are taken of one server" in found.trouble


async def test_tools_with_names_of_others_or_none_are_left_out_and_said(bench: Bench) -> None:
    bench.taken = {"box_inject"}
    found = await bench.up("box")
    names = [one.name for one in found.offers]
    assert {"box_bash", "box_a_b"} <= set(names)
    assert not {"bash", "box_inject"} & set(names)
    assert "Not offered: a b, box_inject: another tool has its name already." in found.trouble


async def test_more_than_the_model_can_read_is_left_out_and_said(bench: Bench) -> None:
    bench.context_tokens = 200
    found = await bench.up("box")
    assert 0 < len(found.offers) < 8
    assert "model.context_tokens" in found.trouble


async def test_a_changed_list_counts_from_the_next_turn(bench: Bench) -> None:
    await bench.up("box")
    await bench.shelf.begin_turn()
    before = {tool.name: tool.added for tool in bench.shelf.tools()}
    tool = bench.shelf._keepers["box"].offer.tools[0]
    await bench.call("box_change")
    await bench.until("box", lambda one: bench.shelf.definition(tool) != tool.definition)
    await bench.shelf.begin_turn()
    after = {tool.name: tool.added for tool in bench.shelf.tools()}
    assert {name for name in before if before[name] != after[name]} == {"box_echo"}


async def test_what_a_server_asks_of_us_is_declined(bench: Bench) -> None:
    await bench.up("box")
    await bench.call("box_ask")
    for number in (901, 902, 903):
        assert '"error"' in await file_text(bench.data("box") / f"answer-{number}")


async def test_without_bubblewrap_it_does_not_start_and_says_why(bench: Bench, tmp_path: Path) -> None:
    await bench.sandbox.close()
    bench.sandbox._path = str(tmp_path)
    bench.sandbox._rooms = None
    bench.sandbox._trial = None
    bench.write(box=evil(bench.data("box")))
    await bench.enable("box")
    assert "Install bubblewrap" in (await bench.until("box", lambda one: one.state is BROKEN)).trouble


async def test_a_variable_that_is_not_set_is_named_and_one_that_is_reaches_the_server(bench: Bench) -> None:
    bench.write(box={**evil(bench.data("box")), "env": {"TOKEN": "${MY_TOKEN}"}})
    await bench.enable("box")
    found = await bench.until("box", lambda one: one.state is BROKEN)
    assert "MY_TOKEN is not set" in found.trouble
    bench.environ["MY_TOKEN"] = "s3cret"
    await bench.until("box", lambda one: one.state is ENABLED)
    environment = said(await bench.call("box_see"))["env"]
    assert isinstance(environment, dict)
    assert environment["TOKEN"] == "s3cret"
    assert "s3cret" not in repr(await bench.seen("box"))
