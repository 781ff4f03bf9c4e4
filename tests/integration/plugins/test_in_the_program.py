"""Plugins where the program has them: real files, real processes, real turns."""

import pytest

from jarvis_desktop.core.items.events import QuestionAsked
from jarvis_desktop.core.items.extensions import ExtensionState
from jarvis_desktop.core.items.turn import TurnEnd
from tests.fakes.ollama_script import call, say
from tests.integration.plugins.conftest import Program

GUARD = """
def before_tool_call(tool, arguments):
    if tool == "bash" and "rm" in arguments["command"].split():
        return "nothing is removed here"
"""


@pytest.mark.promise("T-160", "T-161")
async def test_a_guard_blocks_a_call_before_anybody_is_asked(program: Program) -> None:
    shown = await program.enable("guard", GUARD)
    assert (shown.state, [one.name for one in shown.offers]) == (ExtensionState.ENABLED, ["before_tool_call"])
    ended = await program.say("Tidy up.", call("bash", {"command": "rm -r old"}), say("It is not allowed."))
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "It is not allowed.")
    result = program.ollama.chats[-1].body["messages"][-1]["content"]
    assert "bash was blocked: nothing is removed here" in result
    assert not [one for one in program.seen if isinstance(one, QuestionAsked)]
    assert "⚡ plugin · guard blocked bash: nothing is removed here" in program.activity
