"""How the check chooses between native calls and a schema."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.turn import Role
from jarvis_desktop.core.ports import (
    CallPiece,
    CallStyle,
    ChatPiece,
    ChatRequest,
    DonePiece,
    TextPiece,
    ToolSpec,
)
from jarvis_desktop.core.tools.bash import Bash
from jarvis_desktop.core.tools.list_dir import ListDir
from jarvis_desktop.core.tools.read_file import ReadFile
from jarvis_desktop.core.tools.write_file import WriteFile
from jarvis_desktop.core.turn.model_check import (
    LIMIT_S,
    CheckEnd,
    ModelCheck,
    check_line,
    check_model,
    chosen,
    read_check,
)
from tests.fakes.clock import FakeClock, settle
from tests.fakes.texts import PlainTexts

SPECS = tuple(
    ToolSpec(tool.name, tool.description, tool.arguments.model_json_schema())
    for tool in (ListDir, ReadFile, Bash, WriteFile)
)
GOOD: Mapping[str, ChatPiece] = {
    "What files are in this folder?": CallPiece("list_dir", {"path": "."}),
    "exp_probe.md 권한을 000 으로 바꿔 줘": CallPiece("bash", {"command": "chmod 000 exp_probe.md"}),
    "안녕, 너는 누구야?": TextPiece("저는 Jarvis예요."),
    "README.md 읽어 줘": CallPiece("read_file", {"path": "README.md"}),
    "Run git status": CallPiece("bash", {"command": "git status"}),
    "What is two plus two?": TextPiece("Four."),
}
CHMOD, WHO, SUM = list(GOOD)[1], list(GOOD)[2], list(GOOD)[5]


class ScriptedModel:
    """Fills ``ChatModel`` with one piece per request; ``error`` is raised instead, None waits."""

    name = "scripted"
    context_tokens = 4096

    def __init__(self, pieces: Mapping[str, ChatPiece | None], error: ModelTrouble | None = None) -> None:
        self.pieces = pieces
        self.error = error
        self.requests: list[ChatRequest] = []
        self.open = 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatPiece]:
        self.requests.append(request)
        self.open += 1
        try:
            if self.error is not None:
                raise ModelUnavailableError(self.error, "no")
            piece = self.pieces[request.messages[-1].text]
            if piece is None:
                await asyncio.Event().wait()
                return
            yield piece
            yield DonePiece("stop")
        finally:
            self.open -= 1

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to close."""


async def check(model: ScriptedModel) -> ModelCheck:
    return await check_model(model, SPECS, FakeClock(), frozenset({"completion", "tools"}))


async def test_a_model_that_calls_well_keeps_its_own_calls() -> None:
    assert await check(ScriptedModel(GOOD)) == ModelCheck(CallStyle.NATIVE, CheckEnd.GOOD, 6, 6)


async def test_one_miss_is_forgiven_two_are_not() -> None:
    one = await check(ScriptedModel({**GOOD, CHMOD: TextPiece("Use chmod.")}))
    two = await check(ScriptedModel({**GOOD, CHMOD: TextPiece("Use chmod."), WHO: TextPiece(" ")}))
    assert one == ModelCheck(CallStyle.NATIVE, CheckEnd.GOOD, 5, 6)
    assert two == ModelCheck(CallStyle.SCHEMA, CheckEnd.POOR, 1, 3)


@pytest.mark.parametrize(
    ("request_text", "piece"),
    [
        (CHMOD, TextPiece('{"name": "bash", "arguments": {"command": "chmod 000 exp_probe.md"}}')),
        (CHMOD, CallPiece("bash", {"command": "chmod 644 exp_probe.md"})),
        (CHMOD, CallPiece("write_file", {"path": "exp_probe.md", "content": ""})),
        (CHMOD, CallPiece("chmod", {"command": "chmod 000 exp_probe.md"})),
        (CHMOD, CallPiece("bash", {})),
        (WHO, CallPiece("bash", {"command": "whoami"})),
        (WHO, TextPiece('{"name": "bash", "arguments": {"command": "whoami"}}')),
        (SUM, TextPiece("Three.")),
    ],
)
async def test_each_of_these_is_a_miss(request_text: str, piece: ChatPiece) -> None:
    assert (await check(ScriptedModel({**GOOD, request_text: piece}))).right == 5


async def test_only_a_few_real_tools_are_offered_and_the_reply_is_bounded() -> None:
    model = ScriptedModel(GOOD)
    await check(model)
    assert {tuple(tool.name for tool in r.tools) for r in model.requests} == {
        ("list_dir", "read_file", "bash")
    }
    assert {tuple(m.role for m in r.messages) for r in model.requests} == {(Role.SYSTEM, Role.USER)}
    assert {r.max_tokens for r in model.requests} == {400}
    assert {r.schema for r in model.requests} == {None}


async def test_a_model_without_tools_is_not_even_asked() -> None:
    model = ScriptedModel(GOOD)
    found = await check_model(model, SPECS, FakeClock(), frozenset({"completion"}))
    assert found == ModelCheck(CallStyle.SCHEMA, CheckEnd.NO_TOOLS)
    assert model.requests == []


async def test_a_server_that_says_nothing_about_tools_is_asked() -> None:
    refusing = ScriptedModel(GOOD, ModelTrouble.TOO_OLD)
    found = await check_model(refusing, SPECS, FakeClock())
    assert found == ModelCheck(CallStyle.SCHEMA, CheckEnd.NO_TOOLS)
    assert len(refusing.requests) == 1


@pytest.mark.parametrize("trouble", [kind for kind in ModelTrouble if kind is not ModelTrouble.TOO_OLD])
async def test_a_model_that_cannot_be_asked_is_not_judged(trouble: ModelTrouble) -> None:
    with pytest.raises(ModelUnavailableError):
        await check(ScriptedModel(GOOD, trouble))


async def test_the_check_ends_in_time_and_lets_go_of_the_model() -> None:
    model, clock = ScriptedModel({**GOOD, WHO: None}), FakeClock()
    checking = asyncio.ensure_future(check_model(model, SPECS, clock))
    await clock.advance(LIMIT_S)
    assert await checking == ModelCheck(CallStyle.SCHEMA, CheckEnd.TIME_UP, 2, 2, LIMIT_S)
    assert model.open == 0


async def test_a_cancelled_check_lets_go_of_the_model() -> None:
    model = ScriptedModel({**GOOD, WHO: None})
    checking = asyncio.ensure_future(check_model(model, SPECS, FakeClock()))
    await settle()
    assert model.open == 1
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert model.open == 0


def test_the_persons_setting_wins_over_any_check() -> None:
    assert chosen("auto") is None
    assert chosen("native") == ModelCheck(CallStyle.NATIVE, CheckEnd.CHOSEN)
    assert chosen("schema") == ModelCheck(CallStyle.SCHEMA, CheckEnd.CHOSEN)


@given(
    st.builds(
        ModelCheck,
        st.sampled_from(CallStyle),
        st.sampled_from(CheckEnd),
        st.integers(0, 6),
        st.integers(0, 6),
        st.floats(0, 100),
    )
)
def test_a_result_survives_being_stored(found: ModelCheck) -> None:
    assert read_check(found.as_mapping()) == found


@pytest.mark.parametrize(
    "change", [{"edition": 0}, {"style": "other"}, {"end": None}, {"right": "6"}, {"took_s": None}]
)
def test_a_result_that_is_broken_or_of_another_edition_is_not_believed(change: dict[str, object]) -> None:
    stored = ModelCheck(CallStyle.NATIVE, CheckEnd.GOOD, 6, 6, 3.0).as_mapping()
    assert read_check({**stored, **change}) is None
    assert read_check({}) is None


@pytest.mark.parametrize("end", CheckEnd)
@pytest.mark.parametrize("style", CallStyle)
def test_every_result_has_a_sentence_with_the_model_in_it(end: CheckEnd, style: CallStyle) -> None:
    line = check_line(ModelCheck(style, end, 3, 5, 12.4), "gemma4:e2b", PlainTexts())
    assert line.startswith("gemma4:e2b ")
    assert "{" not in line
    assert "schema" not in line


def test_the_numbers_are_shown() -> None:
    good = ModelCheck(CallStyle.NATIVE, CheckEnd.GOOD, 5, 6, 12.4)
    assert check_line(good, "m", PlainTexts()) == (
        "m uses tools by itself: in a short test it got 5 of 6 requests right."
    )
