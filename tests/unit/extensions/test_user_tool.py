"""Tools of the person's own on their way through the one decision."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jarvis_desktop.core.extensions.user_tool import Offer, UserTool, user_tool
from jarvis_desktop.core.items.calls import Json, ResultStatus
from jarvis_desktop.core.items.decisions import Answer, Question
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.extensions import Added, ExtensionKind
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.web_trail import PASSED_ON
from jarvis_desktop.core.ports.extensions import CallAnswer
from tests.fakes.tools import FakeBash
from tests.unit.turn.stage import Stage

ALLOW, ALWAYS, DENY = Answer.ALLOW, Answer.ALWAYS, Answer.DENY
ADDED = Added(ExtensionKind.TOOL, "weather", "~/.jarvis/tools/weather.py", "ab" * 32)
STRING: dict[str, Json] = {"type": "string"}


class FakeWorker:
    """Fills ``ToolWorker``."""

    def __init__(self, *answers: CallAnswer) -> None:
        self.answers = [*answers]
        self.ran: list[tuple[str, dict[str, Json]]] = []

    async def call(self, function: str, arguments: Mapping[str, Json], cwd: Path) -> CallAnswer:
        assert cwd.is_absolute()
        self.ran.append((function, dict(arguments)))
        return self.answers.pop(0) if self.answers else CallAnswer("sunny")


def tool(
    worker: FakeWorker,
    name: str = "weather",
    *,
    read_only: bool = False,
    added: Added = ADDED,
    argument: str = "city",
) -> UserTool:
    schema: dict[str, Json] = {"type": "object", "properties": {argument: STRING}, "required": [argument]}
    return user_tool(Offer(name, "Says what the weather is.", schema, read_only, added), worker)


def asked(stage: Stage) -> list[Question]:
    return [event.question for event in stage.seen(QuestionAsked)]


@pytest.mark.promise("T-002")
async def test_it_asks_before_it_runs_and_says_whose_it_is() -> None:
    worker = FakeWorker()
    stage = Stage([tool(worker)], [DENY, ALLOW])
    assert (await stage.run_call("weather", city="Seoul")).status is ResultStatus.DENIED
    assert worker.ran == []
    answer = await stage.run_call("weather", city="Seoul")
    assert (answer.status, answer.text) == (ResultStatus.OK, f"sunny\n{PASSED_ON}")
    assert worker.ran == [("weather", {"city": "Seoul"})]
    assert [question.added for question in asked(stage)] == [ADDED, ADDED]


async def test_one_that_a_person_enabled_as_read_only_runs_unasked() -> None:
    stage = Stage([tool(FakeWorker(), read_only=True)], [])
    assert (await stage.run_call("weather", city="Seoul")).status is ResultStatus.OK
    assert asked(stage) == []


async def test_always_covers_this_tool_as_long_as_its_code_is_the_same() -> None:
    stage = Stage([tool(FakeWorker())], [ALWAYS])
    await stage.run_call("weather", city="Seoul")
    assert (await stage.run_call("weather", city="Busan")).status is ResultStatus.OK
    assert len(asked(stage)) == 1
    saved = [line for lines in stage.world.rules.lines.values() for line in lines]
    assert saved == [RuleLine("weather@abababababababababababababababab", "*")]
    changed = tool(FakeWorker(), added=replace(ADDED, digest="cd" * 32))
    after = Stage([changed], [DENY])
    after.world.rules.lines = stage.world.rules.lines
    assert (await after.run_call("weather", city="Seoul")).status is ResultStatus.DENIED


async def test_a_rule_on_its_bare_name_covers_nothing() -> None:
    stage = Stage([tool(FakeWorker())], [DENY])
    stage.world.rules.add("weather", "*")
    assert (await stage.run_call("weather", city="Seoul")).status is ResultStatus.DENIED


@pytest.mark.promise("T-054")
async def test_one_in_place_of_bash_keeps_the_danger_check_and_no_rule_covers_it() -> None:
    worker = FakeWorker()
    added = replace(ADDED, stands_in=True)
    mine = tool(worker, "bash", read_only=True, added=added, argument="command")
    stage = Stage([FakeBash(), mine], [DENY, ALLOW])
    stage.world.rules.add("bash", "git status")
    stage.world.rules.add(added.rule_name("bash"), "*")
    blocked = await stage.run_call("bash", command="sudo rm -rf /")
    assert "security.dangerous_commands" in blocked.text
    assert asked(stage) == []
    assert (await stage.run_call("bash", command="git status")).status is ResultStatus.DENIED
    assert (await stage.run_call("bash", command="git status")).status is ResultStatus.OK
    assert [(one.offer, one.desktop, one.why.source) for one in asked(stage)] == [
        (None, False, "stands-in")
    ] * 2
    assert worker.ran == [("bash", {"command": "git status"})]


@pytest.mark.promise("T-054")
async def test_the_question_of_one_in_place_of_bash_shows_every_argument() -> None:
    worker = FakeWorker()
    properties: dict[str, Json] = {"command": STRING, "also": STRING, "times": {"type": "integer"}}
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": ["command"]}
    offer = Offer("bash", "Runs it.", schema, read_only=False, added=replace(ADDED, stands_in=True))
    stage = Stage([FakeBash(), user_tool(offer, worker)], [ALLOW])
    await stage.run_call("bash", command="git status", also="rm -rf notes", times=3)
    [question] = asked(stage)
    for shown in ("git status", "rm -rf notes", "3"):
        assert shown in question.detail
    assert worker.ran == [("bash", {"command": "git status", "also": "rm -rf notes", "times": 3})]


@pytest.mark.promise("T-054")
@pytest.mark.parametrize(
    "given", ["sudo rm -rf /", ["rm", "-rf", "/"], {"line": "rm -rf ~"}], ids=["text", "words", "inside"]
)
async def test_one_in_place_of_bash_keeps_the_danger_check_whatever_its_argument_is_called(
    given: Json,
) -> None:
    worker = FakeWorker()
    schema: dict[str, Json] = {"type": "object", "properties": {"cmd": {}}, "required": ["cmd"]}
    offer = Offer("bash", "Runs it.", schema, read_only=True, added=replace(ADDED, stands_in=True))
    stage = Stage([FakeBash(), user_tool(offer, worker)], [])
    assert "security.dangerous_commands" in (await stage.run_call("bash", cmd=given)).text
    assert (worker.ran, asked(stage)) == ([], [])


async def test_one_in_place_of_a_reading_tool_asks_for_secrets_whatever_its_argument_is_called() -> None:
    worker = FakeWorker()
    mine = tool(
        worker, "read_file", read_only=True, added=replace(ADDED, stands_in=True), argument="file_name"
    )
    stage = Stage([mine], [DENY])
    assert (await stage.run_call("read_file", file_name="notes.txt")).status is ResultStatus.OK
    assert (await stage.run_call("read_file", file_name="~/.ssh/id_rsa")).status is ResultStatus.DENIED
    assert [one.why.source for one in asked(stage)] == ["secret"]


async def test_one_in_place_of_a_writing_tool_cannot_name_what_runs_unasked() -> None:
    worker = FakeWorker()
    mine = tool(worker, "write_file", added=replace(ADDED, stands_in=True), argument="path")
    stage = Stage([mine], [])
    for file in ("extensions.yaml", "approvals.yaml"):
        said = await stage.run_call("write_file", path=f"/home/u/.jarvis/{file}")
        assert (said.status, "no tool may write it" in said.text) == (ResultStatus.ERROR, True)
    assert worker.ran == []


async def test_wrong_arguments_and_failures_are_errors_that_a_model_can_mend() -> None:
    answers = (
        CallAnswer('"city": Input should be short', ok=False, wrong_arguments=True),
        CallAnswer("ValueError: no (line 3)", ok=False),
        CallAnswer("x" * 30_000),
    )
    stage = Stage([tool(FakeWorker(*answers), read_only=True)], [])
    said = await stage.run_call("weather", town="Seoul")
    assert said.text == (
        'weather was not run, its arguments do not fit. "city" is missing. "town" is not an argument of this '
        "tool. Expected: city (string)."
    )
    said = await stage.run_call("weather", city="Seoul")
    assert said.text == (
        f'weather was not run, its arguments do not fit. "city": Input should be short\n{PASSED_ON}'
    )
    said = await stage.run_call("weather", city="Seoul")
    assert said.text == "weather (~/.jarvis/tools/weather.py) failed: ValueError: no (line 3)\n" + PASSED_ON
    assert said.status is ResultStatus.ERROR
    assert len((await stage.run_call("weather", city="Seoul")).text) < 12_200
