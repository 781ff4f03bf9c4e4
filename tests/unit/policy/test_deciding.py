"""Decisions under rules, danger list and settings, on a world in memory."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.core.items.calls import Json, ToolCall
from jarvis_desktop.core.items.decisions import (
    Allowed,
    Answer,
    AnsweredBy,
    Decision,
    Denied,
    RuleOffer,
    Shown,
    TimedOut,
    VerdictKind,
)
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId
from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.turn import Situation
from jarvis_desktop.core.policy.facts import Matter
from jarvis_desktop.core.policy.sandbox import LOOKS, decide, still_stands
from jarvis_desktop.core.tool import Preview
from tests.fakes.clock import settle
from tests.fakes.reading import World
from tests.unit.policy.asking import REQUEST, A, Desk, answer

OTHER = AgentId("karen")


async def drawn() -> Preview:
    return Preview(Shown.COMMAND, "shown")


def matter(tool: str, **arguments: Json) -> Matter:
    return Matter(ToolCall(CallId("c1"), tool, arguments), REQUEST, drawn)


def bash(command: str) -> Matter:
    return matter("bash", command=command)


def write(path: str, content: str = "text") -> Matter:
    return matter("write_file", path=path, content=content)


async def decided(world: World, about: Matter, kind: Answer | None = None) -> tuple[Decision, Desk]:
    """The decision with one window open, which gives this answer to the first question."""
    desk = Desk()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(decide(about, desk.broker, world.reading))
    await settle()
    if kind is not None:
        await desk.broker.answer(answer(kind, digest=desk.question().digest))
    if not deciding.done():
        await settle()
    if not deciding.done():
        deciding.cancel()
        await asyncio.gather(deciding, return_exceptions=True)
        raise AssertionError(f"asked about {about.call.arguments}")
    return await deciding, desk


async def asks(world: World, about: Matter) -> Desk:
    """It is asked about; the open question is left behind."""
    desk = Desk()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(decide(about, desk.broker, world.reading))
    await settle()
    assert not deciding.done()
    asked = desk.question()
    deciding.cancel()
    await asyncio.gather(deciding, return_exceptions=True)
    assert len(desk.asked) == 1
    assert asked.digest
    return desk


def offered(desk: Desk) -> RuleOffer | None:
    """What ALWAYS would have saved for the first question."""
    return next(event.question.offer for event in desk.events if hasattr(event, "question"))


# --- rules ------------------------------------------------------------------------------------


@pytest.mark.promise("T-003", "T-010", "T-017", "T-084", "T-245")
async def test_a_command_that_a_rule_covers_runs_unasked_and_others_ask() -> None:
    world = World()
    world.rules.add("bash", "git status")
    decision, desk = await decided(world, bash("git status --short"))
    assert isinstance(decision, Allowed)
    assert decision.allow.by is AnsweredBy.RULE
    assert decision.basis is not None
    assert decision.basis.verdict.rules == (await world.rules.load(MAIN_AGENT)).rules
    assert decision.basis.shown == "git status --short"
    assert desk.asked == []
    for command in ("git stash", "git statusx"):
        await asks(world, bash(command))


@pytest.mark.promise("T-085")
async def test_a_file_below_a_covered_folder_is_written_unasked() -> None:
    world = World()
    world.sandbox.ready = False  # a file tool writes one file by itself: nothing to confine
    world.rules.add("write_file", "docs/*")
    decision, _ = await decided(world, write("docs/a.md"))
    assert isinstance(decision, Allowed)
    for path in ("docs/sub/a.md", "docsx/a.md", "docs/../a.md", "src/a.md"):
        await asks(world, write(path))
    await asks(world, matter("edit_file", path="docs/a.md", old_string="a", new_string="b"))


@pytest.mark.promise("T-086")
async def test_any_other_tool_is_covered_whole() -> None:
    world = World()
    world.security.set(require_approval_for=("send_mail",))
    await asks(world, matter("send_mail", to="a"))
    world.rules.add("send_mail", "*")
    decision, _ = await decided(world, matter("send_mail", to="a"))
    assert isinstance(decision, Allowed)


@pytest.mark.promise("T-078", "T-079", "T-246")
async def test_a_rule_of_one_agent_is_none_of_another_and_a_shared_one_is_of_both() -> None:
    world = World()
    world.rules.add("bash", "git status", OTHER)
    await asks(world, bash("git status"))
    karen = replace(bash("git status"), request=replace(REQUEST, agent_id=OTHER))
    assert isinstance((await decided(world, karen))[0], Allowed)
    world.rules.add("bash", "git log")
    for about in (bash("git log"), replace(bash("git log"), request=karen.request)):
        assert isinstance((await decided(world, about))[0], Allowed)


async def test_without_a_sandbox_a_covered_command_asks_and_says_why() -> None:
    world = World()
    world.sandbox.ready = False
    world.rules.add("bash", "git status")
    desk = await asks(world, bash("git status"))
    question = next(event.question for event in desk.events if hasattr(event, "question"))
    assert (question.why.kind, question.why.source) == (VerdictKind.ASK, "no-sandbox")
    assert "cannot be confined" in question.why.why
    assert question.why.rules
    assert question.offer is None  # the rule is there already


async def test_a_command_that_needs_no_approval_runs_without_a_sandbox() -> None:
    world = World()
    world.sandbox.ready = False
    world.security.set(require_approval_for=())
    decision, _ = await decided(world, bash("git status"))
    assert isinstance(decision, Allowed)
    assert (decision.allow.guarded, decision.basis) == ("", None)


async def test_a_git_command_that_a_rule_allowed_is_handed_over_guarded() -> None:
    world = World()
    world.rules.add("bash", "git diff")
    world.rules.add("bash", "ls")
    decision, _ = await decided(world, bash("git diff HEAD && ls"))
    assert isinstance(decision, Allowed)
    assert decision.allow.guarded == "git diff --no-ext-diff --no-textconv HEAD && ls"
    decision, _ = await decided(world, bash("git diff > a"), Answer.ALLOW)
    assert isinstance(decision, Allowed)
    assert decision.allow.guarded == ""  # what a person saw is what runs


async def test_a_link_that_leads_out_of_a_covered_folder_asks() -> None:
    world = World()
    world.rules.add("write_file", "docs/*")
    world.disk.links["/home/u/Jarvis/docs/out"] = "/home/u/elsewhere"
    await asks(world, write("docs/out"))
    world.disk.links["/home/u/Jarvis/docs/ssh"] = "/home/u/.ssh/authorized_keys"
    await asks(world, write("docs/ssh"))


async def test_a_path_is_judged_as_the_tool_reads_it() -> None:
    world = World()
    world.rules.add("write_file", "~/*")
    world.rules.add("write_file", "./*")
    await asks(world, write("file:///etc/passwd"))
    home = str(Path("~").expanduser())
    desk = await asks(world, write("~/x/y.md"))
    offer = offered(desk)
    assert offer is None or offer.lines[0].pattern == f"{home}/x/*"


@pytest.mark.promise("T-185")
async def test_file_content_is_read_only_where_it_would_be_run() -> None:
    world = World()
    world.rules.add("write_file", "docs/*")
    world.rules.add("edit_file", "docs/*")
    assert isinstance((await decided(world, write("docs/a.md", "sudo rm -rf /")))[0], Allowed)
    await asks(world, write("docs/a.sh", "sudo ls"))
    await asks(world, write("docs/a", "#!/bin/sh\nsudo ls"))
    edit = matter("edit_file", path="docs/a.sh", old_string="x", new_string="sudo")
    world.disk.texts["/home/u/Jarvis/docs/a.sh"] = "x ls"
    await asks(world, edit)
    world.disk.texts.clear()
    await asks(
        world,
        replace(edit, call=replace(edit.call, arguments={**edit.call.arguments, "new_string": "sudo ls"})),
    )
    plain = matter("edit_file", path="docs/a.sh")
    assert isinstance((await decided(world, plain))[0], Allowed)


async def test_a_script_with_danger_in_it_asks_although_a_rule_covers_its_start() -> None:
    world = World()
    world.rules.add("bash", "python3 build.py")
    path = "/home/u/Jarvis/build.py"
    world.disk.known[path] = PathFact(path, exists=True)
    world.disk.texts[path] = "print(1)"
    assert isinstance((await decided(world, bash("python3 build.py")))[0], Allowed)
    world.disk.texts[path] = "import os\nos.system('sudo ls')"
    await asks(world, bash("python3 build.py"))


# --- danger -----------------------------------------------------------------------------------


@pytest.mark.promise("T-024", "T-177", "T-178", "T-179", "T-249")
@pytest.mark.parametrize("tool", ["bash", "a_users_shell"])
async def test_a_dangerous_command_is_refused_unasked_whatever_rules_and_settings_say(tool: str) -> None:
    world = World()
    world.rules.add("bash", "sudo ls")
    world.rules.add("a_users_shell", "*")
    for ask_for in (("bash", "a_users_shell"), ()):
        world.security.set(require_approval_for=ask_for)
        decision, desk = await decided(world, matter(tool, command="sudo ls"))
        assert isinstance(decision, Denied)
        assert decision.by is AnsweredBy.RULE
        assert "security.dangerous_commands" in decision.why
        assert decision.basis is not None
        assert decision.basis.verdict.kind is VerdictKind.BLOCK
        assert desk.events == []


@pytest.mark.promise("T-182")
async def test_a_pattern_of_the_persons_own_counts_from_the_next_decision() -> None:
    world = World()
    world.security.set(require_approval_for=())
    assert isinstance((await decided(world, bash("make DEPLOY")))[0], Allowed)
    world.security.set(dangerous_commands=("make deploy|curl",))
    assert isinstance((await decided(world, bash("make DEPLOY")))[0], Denied)
    assert isinstance((await decided(world, bash("curl --version")))[0], Denied)


@pytest.mark.promise("T-184")
async def test_an_empty_list_blocks_only_the_rule_files() -> None:
    world = World()
    world.security.set(dangerous_commands=(), require_approval_for=())
    assert isinstance((await decided(world, bash("sudo ls")))[0], Allowed)
    assert isinstance((await decided(world, bash("rm ~/.jarvis/approvals.yaml")))[0], Denied)


@pytest.mark.promise("T-183")
async def test_while_an_entry_is_wrong_every_command_asks_and_the_default_list_holds() -> None:
    world = World()
    world.rules.add("bash", "ls")
    world.security.set(dangerous_commands=("(", "halt_it"))
    await asks(world, bash("ls"))
    for command in ("sudo ls", "halt_it now"):
        assert isinstance((await decided(world, bash(command)))[0], Denied)


@pytest.mark.promise("T-177")
async def test_a_call_that_names_a_command_and_a_path_is_judged_by_both() -> None:
    world = World()
    world.rules.add("write_file", "docs/*")
    both = matter("write_file", path="docs/a.md", command="sudo ls")
    assert isinstance((await decided(world, both))[0], Denied)
    harmless = matter("write_file", path="docs/a.md", command="ls")
    desk = await asks(world, harmless)
    assert offered(desk) is None


async def test_any_tool_that_is_pointed_at_a_rule_file_is_refused_unless_it_only_reads() -> None:
    world = World()
    world.security.set(require_approval_for=())
    arguments: Mapping[str, Json] = {"many": [{"to": "~/.jarvis/approvals/main.yaml"}, 3, None]}
    sly = Matter(ToolCall(CallId("c1"), "notes_append", arguments), REQUEST, drawn)
    home = Path("~").expanduser()
    world_place = replace(world.reading, place=replace(world.reading.place, app_home=str(home / ".jarvis")))
    desk = Desk()
    assert isinstance(await decide(sly, desk.broker, world_place), Denied)
    assert isinstance(await decide(replace(sly, read_only=True), desk.broker, world_place), Allowed)
    world.disk.links["/home/u/Jarvis/innocent"] = "/home/u/.jarvis/approvals.yaml"
    linked = matter("notes_append", target="innocent")
    assert isinstance((await decided(world, linked))[0], Denied)
    deep: Json = "innocent"
    for _ in range(12):
        deep = [deep]
    assert isinstance((await decided(world, matter("notes_append", target=deep)))[0], Allowed)


# --- asking -----------------------------------------------------------------------------------


@pytest.mark.promise("T-018", "T-059", "T-077", "T-081", "T-083")
async def test_always_saves_the_lines_that_were_shown_and_the_next_call_runs_unasked() -> None:
    world = World()
    desk = await asks(world, bash("git status --short"))
    assert offered(desk) == RuleOffer(
        (RuleLine("bash", "git status"),),
        "approvals/main.yaml",
        ("git status", "git status --help", "git status README.md"),
        ("git something-else", "git status && rm notes.txt", "git status > notes.txt"),
        project_decides=False,
    )
    assert world.rules.lines == {}  # nobody but a person makes rules
    decision, _ = await decided(world, bash("git status --short"), Answer.ALWAYS)
    assert isinstance(decision, Allowed)
    assert decision.basis is not None
    assert decision.basis.saved == (RuleLine("bash", "git status"),)
    assert decision.allow.by is AnsweredBy.WINDOW
    assert world.rules.lines == {MAIN_AGENT: [RuleLine("bash", "git status")]}
    assert (await decided(world, bash("git status")))[1].asked == []


@pytest.mark.promise("T-082")
async def test_always_writes_nothing_when_a_rule_came_meanwhile() -> None:
    world = World()
    world.sandbox.ready = False  # so that the question stays open
    desk = Desk()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(decide(bash("git status"), desk.broker, world.reading))
    await settle()
    world.rules.add("bash", "git status")
    await desk.broker.answer(answer(Answer.ALWAYS, digest=desk.question().digest))
    decision = await deciding
    assert isinstance(decision, Allowed)
    assert (decision.basis is not None and decision.basis.saved, world.rules.writes) == ((), 0)


async def test_when_the_rule_cannot_be_saved_the_call_is_allowed_once_and_says_why() -> None:
    world = World()
    world.rules.fault = UserFixableError("the disk is full")
    decision, _ = await decided(world, bash("git status"), Answer.ALWAYS)
    assert isinstance(decision, Allowed)
    assert decision.basis is not None
    assert (decision.basis.saved, decision.basis.unsaved) == ((), "the disk is full")
    await asks(world, bash("git status"))


@pytest.mark.parametrize("command", ["rm a", "bash x.sh", "a $(b)", "git push", "a\u202eb"])
async def test_what_must_not_be_remembered_offers_no_always(command: str) -> None:
    assert offered(await asks(World(), bash(command))) is None


async def test_rules_that_come_and_go_end_in_a_denial() -> None:
    class Flapping(World):
        """Every second look finds a rule."""

    world = Flapping()
    world.rules.add("bash", "ls")
    held = [await world.rules.load(MAIN_AGENT), await World().rules.load(MAIN_AGENT)]
    looks = 0

    async def load(agent_id: AgentId) -> object:
        nonlocal looks
        looks += 1
        return held[looks % 2]

    world.rules.load = load  # type: ignore[assignment,method-assign]  # one odd book for one test
    decision, desk = await decided(world, bash("ls"))
    assert isinstance(decision, Denied)
    assert (decision.by, looks, desk.asked) == (AnsweredBy.NOBODY, 2 * LOOKS, [])


@pytest.mark.promise("T-180")
@pytest.mark.parametrize("situation", [Situation.GOAL, Situation.SCHEDULE, Situation.PROACTIVE])
async def test_without_a_person_only_rules_allow(situation: Situation) -> None:
    world = World()
    world.rules.add("bash", "ls")
    request = replace(REQUEST, situation=situation)
    ran, _ = await decided(world, replace(bash("ls"), request=request))
    refused, desk = await decided(world, replace(bash("make"), request=request))
    blocked, _ = await decided(world, replace(bash("sudo ls"), request=request))
    assert isinstance(ran, Allowed)
    assert isinstance(refused, Denied)
    assert (refused.by, desk.events) == (AnsweredBy.NOBODY, [])
    assert isinstance(blocked, Denied)
    assert blocked.by is AnsweredBy.RULE


async def test_a_long_text_is_read_beside_the_loop() -> None:
    world = World()
    decision = decide(bash("sudo ls # " + "x" * 600), Desk().broker, world.reading)
    assert isinstance(await decision, Denied)


# --- right before the launch ------------------------------------------------------------------


async def test_a_decision_stands_until_what_it_rests_on_is_taken_back() -> None:
    world = World()
    world.rules.add("bash", "git status")
    by_rule, _ = await decided(world, bash("git status"))
    by_person, _ = await decided(world, bash("make"), Answer.ALLOW)
    always, _ = await decided(world, bash("git log"), Answer.ALWAYS)
    assert isinstance(by_rule, Allowed)
    assert isinstance(by_person, Allowed)
    assert isinstance(always, Allowed)
    assert await still_stands(bash("git status"), by_rule, world.reading)
    assert await still_stands(bash("make"), by_person, world.reading)
    assert await still_stands(bash("git log"), always, world.reading)
    world.rules.lines.clear()
    assert not await still_stands(bash("git status"), by_rule, world.reading)
    assert await still_stands(bash("make"), by_person, world.reading)
    assert not await still_stands(bash("git log"), always, world.reading)
    world.security.set(dangerous_commands=("make",))
    assert not await still_stands(bash("make"), by_person, world.reading)


async def test_a_decision_falls_with_the_sandbox() -> None:
    world = World()
    world.rules.add("bash", "git status")
    decision, _ = await decided(world, bash("git status"))
    assert isinstance(decision, Allowed)
    world.sandbox.ready = False
    assert not await still_stands(bash("git status"), decision, world.reading)


async def test_time_that_runs_out_saves_nothing() -> None:
    world, desk = World(), Desk()
    await desk.broker.attach(A)
    deciding = asyncio.ensure_future(decide(bash("git status"), desk.broker, world.reading))
    await settle()
    await desk.clock.advance(120)
    assert isinstance(await deciding, TimedOut)
    assert world.rules.writes == 0
