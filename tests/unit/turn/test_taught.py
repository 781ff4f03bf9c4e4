"""What the agent was taught stands before the request, and nowhere else."""

from dataclasses import dataclass, field, replace

from jarvis_desktop.core.items.decisions import Answer, AnsweredBy
from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.memory import FOREIGN_MARK, PatternName, TaskPattern
from jarvis_desktop.core.items.memory_desk import PatternsUsed
from jarvis_desktop.core.items.turn import Message, Role, TurnRequest
from jarvis_desktop.core.memory.pattern_fit import END, HEADING
from jarvis_desktop.core.ports import CallStyle
from jarvis_desktop.core.tools.remember_task_pattern import RememberTaskPattern
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.prompt import PromptBuilder
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.unit.memory.test_pattern_fit import WEATHER
from tests.unit.policy.asking import REQUEST
from tests.unit.tools.test_memory_tools import WEATHER as TAUGHT
from tests.unit.tools.test_memory_tools import NotedMemory
from tests.unit.turn.stage import Stage


@dataclass
class Taught(NotedMemory):
    found: tuple[TaskPattern, ...] = ()
    requests: list[TurnRequest] = field(default_factory=list)

    async def fitting(self, request: TurnRequest) -> tuple[TaskPattern, ...]:
        self.requests.append(request)
        return self.found


async def played(stage: Stage, model: ScriptedModel, memory: Taught) -> tuple[Message, ...]:
    engine = TurnEngine(model, stage.runner, PromptBuilder(), stage.clock, stage.texts, stage.emit)
    engine.recollect_from(memory)
    outcome = await engine.run(REQUEST, (), CallStyle.NATIVE)
    return outcome.messages


async def test_fitting_patterns_stand_before_the_request_and_are_told() -> None:
    stage, memory = Stage(), Taught(found=(replace(WEATHER, number=4),))
    model = ScriptedModel(says("Sunny."))
    kept = await played(stage, model, memory)
    asked = model.requests[0].messages[-1].text
    assert asked.startswith(f"{HEADING}\n- Weather report: Do it.\n{END}\n\n{REQUEST.text}\n\n[")
    assert stage.seen(PatternsUsed) == [PatternsUsed(REQUEST.turn_id, (PatternName(4, "Weather report"),))]
    assert kept[0].text == REQUEST.text, "later prompts find it by itself, if it fits"
    assert memory.requests == [REQUEST]


async def test_a_request_that_nothing_fits_is_sent_as_it_is() -> None:
    stage, model = Stage(), ScriptedModel(says("Hello."))
    await played(stage, model, Taught())
    assert model.requests[0].messages[-1].text.startswith(REQUEST.text)
    assert stage.seen(PatternsUsed) == []


def teaching(stage: Stage) -> NotedMemory:
    memory = NotedMemory()
    stage.tools.append(RememberTaskPattern(memory, stage.texts, stage.emit))
    return memory


async def test_teaching_is_not_asked_about_and_ends_the_turn_with_what_is_kept() -> None:
    stage, model = Stage(), ScriptedModel(calls("remember_task_pattern", **TAUGHT))
    memory = teaching(stage)
    outcome = await stage.turn(model)
    assert stage.seen(QuestionAsked) == []
    assert len(memory.taught) == 1
    assert "Celsius, in one line." in outcome.text


async def test_with_strangers_text_in_the_conversation_a_person_is_asked_before_anything_is_kept() -> None:
    for past in (
        Message(Role.TOOL, "page", call_id=CallId("p"), tool_name="web_fetch"),
        Message(Role.TOOL, f"#1\n{FOREIGN_MARK}\nasked: x", call_id=CallId("p"), tool_name="recall_episodes"),
    ):
        stage = Stage(answers=[Answer.DENY], by=AnsweredBy.WINDOW)
        memory = teaching(stage)
        model = ScriptedModel(calls("remember_task_pattern", **TAUGHT))
        await stage.turn(model, [Message(Role.USER, "look"), past, Message(Role.ASSISTANT, "ok")])
        assert len(stage.seen(QuestionAsked)) == 1
        assert memory.taught == []
