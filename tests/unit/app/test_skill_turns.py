"""A typed ``/name`` becomes a turn: people see what they typed, the model reads what the skill made of it."""

import asyncio

from jarvis_desktop.core.items.commands import Attach, SubmitTurn
from jarvis_desktop.core.items.events import (
    ConversationOpened,
    QuestionAsked,
    RequestRefused,
    StoredLine,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, WindowId
from jarvis_desktop.core.items.skills import SkillFault, SkillHint, SkillShow, SkillsListed
from jarvis_desktop.core.items.turn import Message, Origin, Role
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.skills import FOLDER, FakeSkills, skill
from tests.unit.app.stage import Stage, playing

SKILLS = FakeSkills(
    SkillShow(
        (skill("karen", "Karen, say hello."), skill("sum", "Sum up $1 in three lines.")),
        (SkillFault("bad", "skills/bad.md", FOLDER / "bad.md", "skills/bad.md: there is no text in it."),),
    )
)
SUM = SubmitTurn("/sum a.txt", Origin.TYPED)
WHOLE = "Sum up a.txt in three lines."


def made(*answers: object) -> Stage:
    return Stage(ScriptedModel(*answers), skills=SKILLS)  # type: ignore[arg-type]


async def test_the_conversation_shows_what_was_typed_and_keeps_what_the_model_read() -> None:
    stage = made(says("Done."))
    async with playing(stage):
        stage.post(SUM)
        started = await stage.until(TurnStarted)
        await stage.until(TurnEnded)
        stage.post(Attach(WindowId("later")))
        opened = await stage.until(ConversationOpened, 2)
    assert (started.text, started.expansion) == ("/sum a.txt", WHOLE)
    assert [message for _, message in stage.store.messages] == [
        Message(Role.USER, WHOLE, typed="/sum a.txt"),
        Message(Role.ASSISTANT, "Done."),
    ]
    assert opened.lines[0] == StoredLine(
        Role.USER, "/sum a.txt", started.at, started.turn_id, complete=True, expansion=WHOLE
    )
    [request] = stage.model.requests
    assert request.messages[-1].text.startswith(f"{WHOLE}\n\n[")
    assert "/sum" not in request.messages[-1].text


async def test_later_prompts_read_what_the_skill_made() -> None:
    stage = made(says("Done."), says("Again."))
    async with playing(stage):
        stage.post(SUM, SubmitTurn("again", Origin.TYPED))
        await stage.until(TurnEnded, 2)
    said = [message.text for message in stage.model.requests[1].messages]
    assert WHOLE in said
    assert "/sum a.txt" not in said


async def test_a_skill_that_waits_its_turn_is_shown_as_it_was_typed() -> None:
    hold = asyncio.Event()
    stage = made((hold, *says("One.")), says("Two."))
    async with playing(stage):
        stage.post(SubmitTurn("first", Origin.TYPED))
        await stage.until(TurnStarted)
        stage.post(SUM)
        queued = await stage.until(TurnQueued)
        stage.post(Attach(WindowId("later")))
        opened = await stage.until(ConversationOpened, 2)
        hold.set()
        second = await stage.until(TurnStarted, 2)
        await stage.until(TurnEnded, 2)
    assert (queued.text, opened.waiting) == ("/sum a.txt", ("/sum a.txt",))
    assert (second.text, second.expansion) == ("/sum a.txt", WHOLE)


async def test_a_skill_grants_no_tool_anything() -> None:
    stage = made(calls("bash", command="make"), says("Done."))
    async with playing(stage):
        stage.post(SUM)
        asked = await stage.until(QuestionAsked)
    assert asked.question.call.name == "bash"
    assert stage.bash.ran == []


async def test_an_agent_s_name_at_the_beginning_of_a_skill_calls_nobody() -> None:
    stage = made(says("Hello."))
    async with playing(stage):
        stage.post(SubmitTurn("/karen", Origin.TYPED))
        started = await stage.until(TurnStarted)
        await stage.until(TurnEnded)
    assert started.card is not None
    assert started.card.agent_id == MAIN_AGENT


async def test_a_broken_skill_gives_the_line_back_with_the_reason() -> None:
    stage = made()
    async with playing(stage):
        stage.post(SubmitTurn("/bad now", Origin.TYPED))
        refused = await stage.until(RequestRefused)
    assert refused == RequestRefused("/bad now", "skills/bad.md: there is no text in it.")


async def test_nobody_says_a_slash_and_two_slashes_are_sent_as_one() -> None:
    stage = made(says("One."), says("Two."))
    async with playing(stage):
        stage.post(SubmitTurn("/sum a.txt", Origin.SPOKEN), SubmitTurn("//sum a.txt", Origin.TYPED))
        await stage.until(TurnEnded, 2)
    assert [(one.text, one.expansion) for one in stage.seen(TurnStarted)] == [("/sum a.txt", "")] * 2


async def test_a_program_that_waits_for_a_command_s_answer_calls_no_skill() -> None:
    stage = made()
    async with playing(stage):
        stage.post(SubmitTurn("/sum a.txt", Origin.COMMAND_LINE, "errand"))
        await stage.until_slash(1)
    assert stage.seen(TurnStarted) == []


async def test_a_window_is_told_which_skills_there_are_when_it_opens() -> None:
    stage = made()
    async with playing(stage):
        stage.post(Attach(WindowId("later")))
        await stage.until(ConversationOpened, 2)
    hints = (SkillHint("karen", "Karen, say hello."), SkillHint("sum", "Sum up $1 in three lines."))
    assert stage.seen(SkillsListed)[1] == SkillsListed(hints, WindowId("later"))
