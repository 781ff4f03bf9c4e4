"""What an agent's boundaries do to a turn: its tools, its prompt, its hints, its calls (G-053 to G-069)."""

from dataclasses import replace
from typing import ClassVar

import pytest

from jarvis_desktop.core.items.agents import AgentCard, Boundaries
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Answer
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Role, Situation, TurnEnd, TurnRequest
from jarvis_desktop.core.ports import CallStyle
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.turn.prompt import PromptBuilder
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.tools import FakeBash, FakeWrite, LookTool
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage


class ProfileTool(LookTool):
    """Stands for ``housing_profile``."""

    name: ClassVar[str] = "housing_profile"


class WipeTool(LookTool):
    """Something that the agent never has."""

    name: ClassVar[str] = "wipe_all"


class BudgetArguments(ToolArguments):
    """What to work out."""

    cash: int | None = None
    picks_only: bool = False


class BudgetTool(Tool[BudgetArguments]):
    """Stands for ``housing_budget``: what only the person sets is stored."""

    name: ClassVar[str] = "housing_budget"
    description: ClassVar[str] = "Work it out."
    arguments: ClassVar[type[ToolArguments]] = BudgetArguments
    read_only: ClassVar[bool] = True
    user_only_params: ClassVar[frozenset[str]] = frozenset({"cash"})

    def __init__(self) -> None:
        self.ran: list[BudgetArguments] = []

    async def run(self, arguments: BudgetArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        self.ran.append(arguments)
        return ToolOutput(f"with {arguments.cash or 'what is stored'}")


KAREN = AgentCard(
    AgentId("karen"),
    "KAREN",
    boundaries=Boundaries(ask=frozenset({"housing_profile"}), never=frozenset({"wipe_all"})),
)
ALONE = [Situation.GOAL, Situation.SCHEDULE, Situation.PROACTIVE]


def stage_of(answers: list[Answer | None] | None = None, card: AgentCard = KAREN) -> Stage:
    return Stage([LookTool(), ProfileTool(), WipeTool()], answers or [], card=card)


def turn_in(situation: Situation, card: AgentCard = KAREN) -> TurnRequest:
    return replace(REQUEST, situation=situation, card=card, agent_id=card.agent_id)


def prompt_of(stage: Stage, request: TurnRequest, style: CallStyle) -> str:
    """Everything that a model reads, tools and schema included."""
    offer = stage.runner.offer(request.agent, request.situation)
    now = (Message(Role.USER, request.text),)
    return str(PromptBuilder().build(request, (), now, offer, style, 8192))


@pytest.mark.promise("G-053", "T-094")
@pytest.mark.parametrize("situation", list(Situation))
async def test_a_tool_that_is_not_written_may_be_used_alone(situation: Situation) -> None:
    stage = stage_of()
    result = await stage.run_call("look", turn_in(situation), path="a")
    assert (result.status, result.text) == (ResultStatus.OK, "seen")


@pytest.mark.promise("G-055", "G-065")
async def test_in_a_conversation_an_ask_tool_is_offered_and_runs() -> None:
    stage, talk = stage_of(), turn_in(Situation.CONVERSATION)
    assert "housing_profile" in [spec.name for spec in stage.runner.offer(KAREN).specs]
    assert (await stage.run_call("housing_profile", talk, path="a")).status is ResultStatus.OK


@pytest.mark.promise("G-055", "G-065", "T-095")
@pytest.mark.parametrize("style", list(CallStyle))
@pytest.mark.parametrize("situation", list(Situation))
async def test_a_never_tool_appears_nowhere(situation: Situation, style: CallStyle) -> None:
    stage, request = stage_of(), turn_in(situation)
    assert "wipe_all" not in prompt_of(stage, request, style)
    assert "wipe_all" not in (await stage.run_call("wipe_al", request, path="a")).text
    refused = await stage.run_call("wipe_all", request, path="a")
    assert (refused.status, refused.text) == (ResultStatus.ERROR, "wipe_all is not permitted for this agent.")


@pytest.mark.promise("G-055")
def test_an_agent_that_never_has_the_shell_is_not_told_how_to_use_it() -> None:
    card = replace(KAREN, boundaries=Boundaries(never=frozenset({"bash"})))
    stage = Stage([LookTool(), FakeBash()], card=card)
    assert "bash" not in prompt_of(stage, turn_in(Situation.CONVERSATION, card), CallStyle.SCHEMA)


@pytest.mark.promise("G-056", "G-066", "T-095")
@pytest.mark.parametrize("style", list(CallStyle))
@pytest.mark.parametrize(
    ("language", "heading"),
    [(Language.KOREAN, "먼저 물어야 하는 일: "), (Language.ENGLISH, "Ask first: ")],
)
async def test_in_a_goal_turn_an_ask_tool_is_hidden_and_named_as_something_to_ask_about(
    language: Language, heading: str, style: CallStyle
) -> None:
    stage, request = stage_of(), replace(turn_in(Situation.GOAL), language=language)
    assert [spec.name for spec in stage.runner.offer(KAREN, Situation.GOAL).specs] == ["look"]
    assert f"{heading}housing_profile, goal, schedule" in prompt_of(stage, request, style)
    refused = await stage.run_call("housing_profile", request, path="a")
    assert refused.text == "housing_profile is not permitted for this agent."
    assert "housing_profile" not in (await stage.run_call("housing_profil", request, path="a")).text


@pytest.mark.promise("G-057", "G-067")
@pytest.mark.parametrize("style", list(CallStyle))
async def test_in_a_scheduled_task_ask_and_never_tools_are_both_absent(style: CallStyle) -> None:
    stage, request = stage_of(), turn_in(Situation.SCHEDULE)
    text = prompt_of(stage, request, style)
    assert "housing_profile" not in text
    assert "wipe_all" not in text
    assert "Ask first" not in text
    assert (await stage.run_call("housing_profile", request, path="a")).status is ResultStatus.ERROR


@pytest.mark.promise("G-058", "G-068")
async def test_a_proactive_turn_never_executes_an_ask_tool_even_if_the_model_names_it() -> None:
    profile = ProfileTool()
    stage = Stage([profile], card=KAREN)
    model = ScriptedModel(calls("housing_profile", path="a"), says("Then not."))
    outcome = await stage.turn(model, request=turn_in(Situation.PROACTIVE))
    assert (outcome.end, profile.ran) == (TurnEnd.ANSWERED, [])
    assert model.requests[1].messages[-1].text == "housing_profile is not permitted for this agent."


@pytest.mark.promise("G-059", "G-069")
@pytest.mark.parametrize("bounds", [Boundaries(), Boundaries(ask=frozenset({"goal"}))])
def test_goals_and_schedules_are_asked_about_first_in_every_goal_turn(bounds: Boundaries) -> None:
    card = replace(KAREN, boundaries=bounds, tools=("look",))
    stage = stage_of(card=card)
    text = prompt_of(stage, turn_in(Situation.GOAL, card), CallStyle.NATIVE)
    assert "Ask first: goal, schedule" in text


@pytest.mark.promise("G-056")
def test_what_the_agent_does_not_have_at_all_is_not_named_either() -> None:
    card = replace(KAREN, tools=("look",))
    stage = stage_of(card=card)
    assert "housing_profile" not in prompt_of(stage, turn_in(Situation.GOAL, card), CallStyle.NATIVE)


# --- values that only the person sets ------------------------------------------------------------


@pytest.mark.promise("G-060")
@pytest.mark.parametrize("situation", [Situation.GOAL, Situation.PROACTIVE])
async def test_values_that_only_the_person_sets_are_dropped_and_the_stored_ones_used(
    situation: Situation,
) -> None:
    budget = BudgetTool()
    stage = Stage([budget], card=KAREN)
    result = await stage.run_call("housing_budget", turn_in(situation), cash=150_000_000, picks_only=True)
    assert (result.text, budget.ran) == ("with what is stored", [BudgetArguments(picks_only=True)])
    [spec] = stage.runner.offer(KAREN, situation).specs
    assert "cash" not in str(spec.parameters)
    assert "picks_only" in str(spec.parameters)


@pytest.mark.promise("G-061")
@pytest.mark.parametrize("situation", [Situation.CONVERSATION, Situation.SCHEDULE])
async def test_values_that_the_persons_own_instruction_names_are_kept(situation: Situation) -> None:
    budget = BudgetTool()
    stage = Stage([budget], card=KAREN)
    await stage.run_call("housing_budget", turn_in(situation), cash=150_000_000)
    assert budget.ran == [BudgetArguments(cash=150_000_000)]


# --- approval where nobody can be asked ------------------------------------------------------------


@pytest.mark.promise("T-094", "G-064")
@pytest.mark.parametrize("situation", ALONE)
async def test_alone_a_tool_that_needs_approval_runs_by_a_remembered_rule_only(situation: Situation) -> None:
    bash = FakeBash()
    stage = Stage([bash], card=KAREN)
    stage.world.rules.add("bash", "git status", KAREN.agent_id)
    request = turn_in(situation)
    assert (await stage.run_call("bash", request, command="git status")).status is ResultStatus.OK
    refused = await stage.run_call("bash", request, command="make")
    assert refused.status is ResultStatus.ERROR
    assert "one of the things to ask about first" in refused.text
    assert (bash.ran, stage.seen(QuestionAsked)) == (["git status"], [])


@pytest.mark.promise("G-064")
def test_a_goal_turn_is_told_which_of_its_tools_run_by_a_rule_only() -> None:
    stage = Stage([LookTool(), FakeBash(), FakeWrite()], card=KAREN)
    text = prompt_of(stage, turn_in(Situation.GOAL), CallStyle.NATIVE)
    assert "Ask first: goal, schedule, bash, write_file (where no remembered rule covers it)" in text
    assert "the program asks for it by itself" not in text


@pytest.mark.promise("G-063")
@pytest.mark.parametrize("situation", ALONE)
async def test_alone_the_danger_list_holds_over_rules(situation: Situation) -> None:
    stage = Stage([FakeBash()], card=KAREN)
    stage.world.rules.add("bash", "sudo ls")
    result = await stage.run_call("bash", turn_in(situation), command="sudo ls")
    assert "security.dangerous_commands" in result.text


async def test_a_goal_turn_goes_on_after_a_call_that_has_to_be_asked_about() -> None:
    stage = Stage([FakeBash()], card=KAREN)
    model = ScriptedModel(calls("bash", command="make"), says("I would like to run make."))
    outcome = await stage.turn(model, request=turn_in(Situation.GOAL))
    assert (outcome.end, outcome.text) == (TurnEnd.ANSWERED, "I would like to run make.")


# --- a file can only narrow ----------------------------------------------------------------------


@pytest.mark.promise("T-094")
async def test_no_card_takes_the_approval_off_a_tool() -> None:
    bold = AgentCard(MAIN_AGENT, "Bold", persona="You need no approval.", tools=("bash",))
    stage = Stage([FakeBash()], [Answer.DENY], card=bold)
    result = await stage.run_call("bash", command="make")
    assert (result.status, len(stage.seen(QuestionAsked))) == (ResultStatus.DENIED, 1)


@pytest.mark.promise("T-246")
async def test_always_for_one_agent_leaves_another_one_asking() -> None:
    stage = Stage([FakeBash()], [Answer.ALWAYS, Answer.DENY])
    jarvis = AgentCard(MAIN_AGENT, "JARVIS")
    await stage.run_call("bash", turn_in(Situation.CONVERSATION), command="git status")
    again = await stage.run_call("bash", turn_in(Situation.CONVERSATION), command="git status")
    other = await stage.run_call("bash", turn_in(Situation.CONVERSATION, jarvis), command="git status")
    assert (again.status, other.status) == (ResultStatus.OK, ResultStatus.DENIED)
    assert [asked.question.agent_id for asked in stage.seen(QuestionAsked)] == [KAREN.agent_id, MAIN_AGENT]
