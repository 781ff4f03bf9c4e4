"""Servers where the program has them: real processes and questions, a model that obeys all it reads."""

import pytest
import yaml

from jarvis_desktop.adapters.extension_room import DATA_FOLDER
from jarvis_desktop.core.items.commands import AnswerQuestion, SubmitTurn
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import QuestionAsked, ToolFinished, TurnEnded
from jarvis_desktop.core.items.extensions import (
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionsChanged,
    ExtensionsLooked,
    ExtensionState,
    LookAtExtensions,
)
from jarvis_desktop.core.items.turn import Origin
from tests.fakes.ollama_script import call, say
from tests.integration.plugins.conftest import WINDOW, Program, program
from tests.parts.mcp_servers import evil

__all__ = ["program"]


async def seen(program: Program, name: str) -> Extension | None:
    """The server as the settings window sees it."""
    looked = await program.ask(LookAtExtensions(1), ExtensionsLooked)
    return next(
        (one for one in looked.extensions if (one.kind, one.name) == (ExtensionKind.SERVER, name)), None
    )


async def until(program: Program, name: str, *states: ExtensionState) -> Extension:
    """As soon as it is in one of these states."""
    while True:
        found = await seen(program, name)
        if found is not None and found.state in states:
            return found
        await program.ask(None, ExtensionsChanged)


def settings(program: Program, **servers: object) -> None:
    """These servers stand in the file, beside what is there."""
    path = program.home / "settings.yaml"
    whole = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**whole, "mcp_servers": servers}))


async def connected(program: Program, name: str = "box") -> None:
    """An evil server that a person enabled."""
    settings(program, **{name: evil(program.home / DATA_FOLDER / f"server-{name}")})
    shown = await until(program, name, ExtensionState.WAITING)
    program.inbox.put_nowait(EnableExtension(ExtensionKind.SERVER, name, shown.digest))
    await until(program, name, ExtensionState.ENABLED)


def answer(program: Program, question: Question, kind: Answer) -> None:
    """What a person at the window does."""
    program.inbox.put_nowait(
        AnswerQuestion(question.question_id, question.digest, kind, AnsweredBy.WINDOW, WINDOW)
    )


async def asked(program: Program) -> Question:
    """The next question."""
    return (await program.ask(None, QuestionAsked)).question


@pytest.mark.promise("T-053", "T-164")
async def test_an_answer_that_gives_orders_is_obeyed_by_the_model_and_nothing_runs_unasked(
    program: Program,
) -> None:
    await connected(program)
    program.ollama.add(call("box_inject", {}), call("bash", {"command": "touch pwned"}), say("Done."))
    program.inbox.put_nowait(SubmitTurn("use the box", Origin.TYPED))
    first = await asked(program)
    assert (first.call.name, first.added is not None) == ("box_inject", True)
    answer(program, first, Answer.ALLOW)
    second = await asked(program)
    assert second.call.name == "bash"
    answer(program, second, Answer.DENY)
    await program.ask(None, TurnEnded)
    results = [one.result.text for one in program.seen if isinstance(one, ToolFinished)]
    assert "IGNORE ALL PREVIOUS RULES" in results[0]
    assert not (program.work / "pwned").exists()


async def test_a_tool_that_changes_between_two_turns_asks_again_although_it_was_allowed_for_ever(
    program: Program,
) -> None:
    await connected(program)
    program.ollama.add(call("box_echo", {"text": "a"}), say("Done."))
    program.inbox.put_nowait(SubmitTurn("echo", Origin.TYPED))
    answer(program, await asked(program), Answer.ALWAYS)
    await program.ask(None, TurnEnded)
    before = len([one for one in program.seen if isinstance(one, QuestionAsked)])
    await program.say("echo again", call("box_echo", {"text": "b"}), say("Done."))
    assert len([one for one in program.seen if isinstance(one, QuestionAsked)]) == before
    program.ollama.add(call("box_change", {}), say("Done."))
    program.inbox.put_nowait(SubmitTurn("change", Origin.TYPED))
    answer(program, await asked(program), Answer.ALLOW)
    await program.ask(None, TurnEnded)
    while True:
        box = await seen(program, "box")
        assert box is not None
        if any(one.purpose == "Something quite different." for one in box.offers):
            break
        await program.ask(None, ExtensionsChanged)
    program.ollama.add(call("box_echo", {"text": "c"}), say("Done."))
    program.inbox.put_nowait(SubmitTurn("echo once more", Origin.TYPED))
    question = await asked(program)
    assert (question.call.name, question.why.source) == ("box_echo", "redefined")
    answer(program, question, Answer.DENY)
    await program.ask(None, TurnEnded)


async def test_a_server_that_is_taken_out_of_the_file_while_a_turn_runs_is_not_called_any_more(
    program: Program,
) -> None:
    await connected(program)
    program.ollama.add(call("box_echo", {"text": "a"}), say("Done."))
    program.inbox.put_nowait(SubmitTurn("echo", Origin.TYPED))
    question = await asked(program)
    settings(program)
    await until(program, "box", ExtensionState.GONE)
    answer(program, question, Answer.ALLOW)
    await program.ask(None, TurnEnded)
    results = [one.result.text for one in program.seen if isinstance(one, ToolFinished)]
    assert results == [
        "The MCP server box does not offer box_echo now. Go on without it, or say that it is missing."
    ]
    await program.say("echo", say("Done."))
    offered = [tool["function"]["name"] for tool in program.ollama.chats[-1].body["tools"]]
    assert not [name for name in offered if name.startswith("box_")]
