"""One fingerprint per exact call."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId
from jarvis_desktop.core.policy.digest import call_digest
from tests.unit.policy.asking import CALL

HERE = Path("/home/u")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_everything_that_is_shown_changes_the_digest() -> None:
    digests = {
        call_digest(CALL, HERE, MAIN_AGENT),
        call_digest(replace(CALL, name="bush"), HERE, MAIN_AGENT),
        call_digest(replace(CALL, arguments={"command": "ls "}), HERE, MAIN_AGENT),
        call_digest(CALL, HERE / "x", MAIN_AGENT),
        call_digest(CALL, HERE, AgentId("karen")),
        call_digest(CALL, HERE, MAIN_AGENT, "v2"),
    }
    assert len(digests) == 6


def test_the_id_of_a_call_does_not_count() -> None:
    assert call_digest(replace(CALL, call_id=CallId("other")), HERE, MAIN_AGENT) == call_digest(
        CALL, HERE, MAIN_AGENT
    )


def test_a_lone_surrogate_from_a_model_has_a_digest() -> None:
    assert len(call_digest(ToolCall(CallId("c"), "bash", {"command": "\ud83d"}), HERE, MAIN_AGENT)) == 64


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_the_order_of_arguments_does_not_count(arguments: dict[str, object]) -> None:
    turned = dict(reversed(arguments.items()))
    one, other = ToolCall(CallId("c"), "t", arguments), ToolCall(CallId("c"), "t", turned)
    assert call_digest(one, HERE, MAIN_AGENT) == call_digest(other, HERE, MAIN_AGENT)


@given(st.text(), st.text(), st.text(), st.text())
def test_text_cannot_move_from_one_part_into_another(
    name: str, agent: str, value: str, snapshot: str
) -> None:
    call = ToolCall(CallId("c"), name, {"a": value})
    shifted = ToolCall(CallId("c"), name + "x", {"a": value})
    assert call_digest(call, HERE, AgentId("x" + agent), snapshot) != call_digest(
        shifted, HERE, AgentId(agent), snapshot
    )
