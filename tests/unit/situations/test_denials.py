"""What follows a denial."""

import pytest

from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.ports import CallPiece, DonePiece
from jarvis_desktop.core.turn.tool_runner import DENIED
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.tools import FakeBash
from tests.unit.turn.stage import Stage


@pytest.mark.promise("T-019", "T-241")
async def test_x44_after_all_calls_of_a_step_were_denied_no_model_is_called() -> None:
    step = (CallPiece("bash", {"command": "make"}), CallPiece("bash", {"command": "ls"}), DonePiece("stop"))
    model, stage = ScriptedModel(step), Stage([FakeBash()], [Answer.DENY, Answer.DENY])
    outcome = await stage.turn(model)
    assert (outcome.end, len(model.requests), stage.results) == (TurnEnd.DENIED, 1, [DENIED, DENIED])
    assert outcome.text == "Approval was denied, so I stopped running bash. Ask again if you need it."
