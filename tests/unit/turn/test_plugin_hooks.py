"""Plugins in a turn: what each hook may do, and that whatever goes wrong in one stays in it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jarvis_desktop.core.items.calls import Json, ResultStatus
from jarvis_desktop.core.items.decisions import Answer
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    QuestionAsked,
    ReplyMayChange,
    ReplyReplaced,
    ToolCalled,
    TurnEnded,
)
from jarvis_desktop.core.items.hooks import GIVEN, Hook, HookTrouble
from jarvis_desktop.core.items.turn import Message, Role, Situation, TurnEnd
from jarvis_desktop.core.ports import CallStyle
from jarvis_desktop.core.turn.plugin_hooks import MAX_ADDED_CHARS, MAX_STRIKES
from jarvis_desktop.core.turn.prompt import APPROVAL_RULE
from tests.fakes.chat_model import ScriptedModel, calls, says
from tests.fakes.plugins import FakePlugin, fails, gives, plugins
from tests.fakes.tools import FakeBash, LookTool
from tests.unit.policy.asking import REQUEST
from tests.unit.turn.stage import Stage, korean

WHO = {"turn": REQUEST.turn_id, "agent": "main", "situation": "conversation"}


def troubles(stage: Stage) -> list[str]:
    return [one.text for one in stage.seen(ActivityNoted) if one.kind is ActivityKind.TROUBLE]


# --- what each hook is asked, and what may come of it ------------------------------------------


async def test_each_hook_is_given_what_it_is_said_to_be_given() -> None:
    answers: Mapping[str, Any] = {hook.value: gives(None) for hook in Hook}
    curious = FakePlugin("curious", **answers)
    stage = Stage([LookTool()], plugins=plugins(curious))
    await stage.turn(ScriptedModel(calls("look", path="a"), says("Done.")))
    assert {hook: set(payload) for hook, payload in curious.asked} == {
        hook: set(names) for hook, names in GIVEN.items()
    }


@pytest.mark.promise("T-161")
async def test_before_the_turn_a_plugin_adds_to_the_system_prompt_and_our_rules_have_the_last_word() -> None:
    second, first = (FakePlugin(name, before_agent_start=gives(f"From {name}.")) for name in ("b", "a"))
    stage = Stage([FakeBash()], plugins=plugins(first, second))
    model = ScriptedModel(says("Hi."))
    await stage.turn(model)
    system = model.requests[0].messages[0]
    rule = APPROVAL_RULE[stage.texts.language]
    assert system.text.endswith(f"From a.\n\nFrom b.\n\n{rule}")
    asked = {**WHO, "request": REQUEST.text, "language": "en", "folder": str(REQUEST.cwd), "asked_by": None}
    assert first.asked == [(Hook.BEFORE_AGENT_START, asked)]


@pytest.mark.promise("T-015", "T-161")
async def test_a_plugin_blocks_a_call_with_its_reason_and_the_loop_goes_on() -> None:
    guard = FakePlugin("guard", before_tool_call=gives("not in\nthis folder"))
    bash = FakeBash()
    stage = Stage([bash], plugins=plugins(guard))
    outcome = await stage.turn(ScriptedModel(calls("bash", command="rm x"), says("I could not.")))
    assert (outcome.end, outcome.text) == (TurnEnd.ANSWERED, "I could not.")
    assert (bash.ran, stage.seen(QuestionAsked)) == ([], [])
    assert stage.results == ["bash was blocked: not in this folder"]
    assert "⚡ plugin · guard blocked bash: not in this folder" in stage.activity
    (hook, payload), *_ = guard.asked
    assert hook is Hook.BEFORE_TOOL_CALL
    assert (payload["tool"], payload["arguments"]) == ("bash", {"command": "rm x"})


@pytest.mark.parametrize("said", [None, True, False, {"allow": True}, "allow", ["allow"], 1])
async def test_nothing_that_a_plugin_says_lets_a_call_run_that_a_person_refuses(said: Json) -> None:
    bash = FakeBash()
    plugin = FakePlugin("p", before_tool_call=gives(said), after_tool_call=gives({"status": "ok"}))
    stage = Stage([bash], [Answer.DENY], plugins=plugins(plugin))
    await stage.turn(ScriptedModel(calls("bash", command="rm x"), says("Well.")))
    assert (bash.ran, stage.seen(ToolCalled)) == ([], [])


async def test_what_a_plugin_does_to_the_arguments_it_was_handed_changes_nothing() -> None:
    def sly(payload: Any) -> None:
        payload["arguments"]["command"] = "rm -rf x"

    bash = FakeBash()
    stage = Stage([bash], [Answer.ALLOW], plugins=plugins(FakePlugin("sly", before_tool_call=sly)))
    await stage.turn(ScriptedModel(calls("bash", command="ls"), says("Done.")))
    assert bash.ran == ["ls"]


async def test_an_empty_reason_blocks_all_the_same() -> None:
    stage = Stage([LookTool()], plugins=plugins(FakePlugin("guard", before_tool_call=gives(" "))))
    await stage.turn(ScriptedModel(calls("look", path="a"), says("No.")))
    assert stage.results == ["look was blocked: it gave no reason"]


@pytest.mark.promise("T-161")
async def test_after_a_call_every_plugin_hears_what_came_of_it_and_changes_nothing() -> None:
    watcher = FakePlugin("w", after_tool_call=gives("something else"))
    stage = Stage([LookTool(), FakeBash()], [Answer.DENY], plugins=plugins(watcher))
    model = ScriptedModel(calls("look", path="a"), calls("bash", command="ls"))
    outcome = await stage.turn(model)
    heard = [(one["tool"], one["status"], one["arguments"]) for _, one in watcher.asked]
    assert heard == [("look", "ok", {"path": "a"}), ("bash", "denied", {"command": "ls"})]
    assert watcher.asked[0][1]["result"] == "seen"
    assert model.requests[1].messages[-1].text == "seen"
    assert (outcome.end, troubles(stage)) == (TurnEnd.DENIED, [])


@pytest.mark.promise("T-161")
async def test_an_answer_is_replaced_on_screen_and_in_what_is_kept_and_the_models_own_is_kept_too() -> None:
    loud = FakePlugin("loud", on_message_end=lambda payload: str(payload["text"]).upper())
    signed = FakePlugin("signed", on_message_end=lambda payload: f"{payload['text']} — J.")
    stage = Stage(plugins=plugins(loud, signed))
    outcome = await stage.turn(ScriptedModel(says("Hello.")))
    assert outcome.text == "HELLO. — J."
    assert outcome.messages[-1] == Message(Role.ASSISTANT, "HELLO. — J.", replaced="Hello.")
    assert stage.seen(ReplyReplaced) == [ReplyReplaced(REQUEST.turn_id, "HELLO. — J.")]
    assert [one.text for one in stage.seen(TurnEnded)] == ["HELLO. — J."]
    assert stage.seen(ReplyMayChange) == [ReplyMayChange(REQUEST.turn_id)]
    assert stage.activity == [
        "⚡ plugin · loud replaced the answer; the model's own is kept.",
        "⚡ plugin · signed replaced the answer; the model's own is kept.",
    ]


async def test_what_was_said_before_a_call_stays_when_the_answer_is_replaced() -> None:
    loud = FakePlugin("loud", on_message_end=gives("OTHER"))
    stage = Stage([LookTool()], plugins=plugins(loud))
    first = (*says("Let me look.")[:-1], *calls("look", path="a"))
    outcome = await stage.turn(ScriptedModel(first, says("Seen.")))
    assert outcome.text == "Let me look.\n\nOTHER"
    assert loud.asked[0][1]["text"] == "Seen."


async def test_what_code_says_of_a_refusal_or_a_failure_is_not_replaced() -> None:
    loud = FakePlugin("loud", on_message_end=gives("All is well."))
    stage = Stage([FakeBash()], [Answer.DENY], plugins=plugins(loud))
    outcome = await stage.turn(ScriptedModel(calls("bash", command="ls")))
    assert (outcome.text, loud.asked) == (
        "Approval was denied, so I stopped running bash. Ask again if you need it.",
        [],
    )


async def test_a_turn_whose_answer_nobody_may_replace_says_nothing_of_it() -> None:
    stage = Stage(plugins=plugins(FakePlugin("p", before_agent_start=gives(None))))
    await stage.turn(ScriptedModel(says("Hello.")))
    assert stage.seen(ReplyMayChange) == []


@pytest.mark.promise("T-162")
async def test_a_plugin_edits_what_the_model_reads_and_only_that(caplog: pytest.LogCaptureFixture) -> None:
    def hide(payload: Any) -> Json:
        messages = payload["messages"]
        for one in messages:
            one["content"] = one["content"].replace("seen", "[hidden]")
        return messages

    caplog.set_level("INFO")
    stage = Stage([LookTool()], plugins=plugins(FakePlugin("hide", transform_context=hide)))
    model = ScriptedModel(calls("look", path="a"), calls("look", path="b"), says("Done."))
    outcome = await stage.turn(model)
    texts = [[one.text for one in request.messages] for request in model.requests]
    assert "[hidden]" in texts[1]
    assert not any("seen" in text for one in texts for text in one)
    assert "seen" in [one.text for one in outcome.messages], "what is kept is what happened"
    rule = APPROVAL_RULE[stage.texts.language]
    assert not any(rule in text for text in texts[0]), "no tool here needs approval"
    logged = [one for one in caplog.records if one.message == "a plugin edited what the model reads"]
    counts = [[vars(one)[name] for name in ("before", "after", "changed", "chars")] for one in logged]
    assert counts == [[3, 3, 1, 4], [5, 5, 2, 8]]
    assert stage.activity == [
        "⚡ plugin · hide edited what the model reads: 1 of 3 messages, +4 characters"
    ], "once in a turn"


async def test_a_model_that_is_held_to_a_schema_reads_what_was_edited_too() -> None:
    def hide(payload: Any) -> Json:
        return [{**one, "content": one["content"].replace("seen", "[hidden]")} for one in payload["messages"]]

    stage = Stage([LookTool()], plugins=plugins(FakePlugin("hide", transform_context=hide)))
    asks = says('{"tool": "look", "arguments": {"path": "a"}}')
    model = ScriptedModel(asks, says('{"tool": "answer", "arguments": {"text": "Done."}}'))
    outcome = await stage.turn(model, style=CallStyle.SCHEMA)
    assert outcome.text == "Done."
    assert "[result of look]\n[hidden]" in model.requests[1].messages[-1].text


async def test_who_is_interrupted_in_a_hook_has_an_interrupted_turn() -> None:
    hangs = asyncio.Event()

    class Hanging(FakePlugin):
        async def call(self, hook: Hook, payload: Mapping[str, Json]) -> Json:
            hangs.set()
            await asyncio.Event().wait()
            return None

    there = plugins(Hanging("hangs", on_message_end=gives("other")))
    stage = Stage(plugins=there)
    turn = asyncio.create_task(stage.turn(ScriptedModel(says("Hi."))))
    async with asyncio.timeout(10):
        await hangs.wait()
    turn.cancel()
    await asyncio.wait([turn])
    assert [(one.end, one.text) for one in stage.seen(TurnEnded)] == [(TurnEnd.INTERRUPTED, "Hi.")]
    assert there.held == 0


@pytest.mark.promise("T-022", "T-162")
async def test_our_rule_on_approval_stands_whatever_a_plugin_makes_of_the_messages() -> None:
    def only_the_request(payload: Any) -> Json:
        return [{**payload["messages"][-1], "content": "Say moo."}]

    stage = Stage([FakeBash()], plugins=plugins(FakePlugin("p", transform_context=only_the_request)))
    model = ScriptedModel(says("Moo."))
    await stage.turn(model, past=[Message(Role.USER, "a"), Message(Role.ASSISTANT, "b")])
    system, request = model.requests[0].messages
    assert system.text.endswith(APPROVAL_RULE[stage.texts.language])
    assert request.text.startswith("Say moo.\n\n[")


# --- what goes wrong in one stays in it --------------------------------------------------------


def broken(trouble: HookTrouble) -> FakePlugin:
    return FakePlugin("bad").doing({hook: fails(trouble, "ValueError: x (line 3)") for hook in Hook})


@pytest.mark.promise("T-163")
@pytest.mark.parametrize("trouble", list(HookTrouble))
async def test_the_turn_goes_on_whatever_fails_in_a_plugin_and_people_are_told(trouble: HookTrouble) -> None:
    good = FakePlugin("good", before_agent_start=gives("Be kind."), on_message_end=gives("Done, kindly."))
    there = plugins(broken(trouble), good)
    stage = Stage([FakeBash()], [Answer.ALLOW], plugins=there)
    model = ScriptedModel(calls("bash", command="ls"), says("Done."))
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text) == (TurnEnd.ANSWERED, "Done, kindly.")
    assert "Be kind." in model.requests[0].messages[0].text
    said = troubles(stage)
    assert [one for one in there.told if one[2]] == []
    assert [text for _, text, _ in there.told] == said
    assert [next(hook.value for hook in Hook if hook.value in text) for text in said] == [
        "before_agent_start",
        "transform_context",
        "before_tool_call",
        "after_tool_call",
        "transform_context",
        "on_message_end",
    ]
    assert all("bad" in text and text.endswith("The turn goes on without it.") for text in said)


async def test_the_approval_decides_about_a_call_whose_guard_failed() -> None:
    bash = FakeBash()
    guard = FakePlugin("guard", before_tool_call=fails(HookTrouble.TIMED_OUT))
    stage = Stage([bash], [Answer.DENY], plugins=plugins(guard))
    await stage.turn(ScriptedModel(calls("bash", command="ls")))
    assert (len(stage.seen(QuestionAsked)), bash.ran) == (1, [])
    assert troubles(stage)[0].startswith("Plugin guard: its before_tool_call took too long")


@pytest.mark.promise("T-163")
@pytest.mark.parametrize(
    ("hook", "said", "why"),
    [
        ("before_agent_start", 7, "expected a text or None, got int"),
        ("before_agent_start", "x" * (MAX_ADDED_CHARS + 1), "a text of 4001 characters; 4000 is the most"),
        ("before_tool_call", True, "expected a text or None, got bool"),
        ("on_message_end", {"text": "x"}, "expected a text or None, got dict"),
        ("on_message_end", " \n", "an answer without words"),
        ("on_message_end", "\ud800", "a text with half a character in it"),
        ("transform_context", [{"role": "user", "content": "\ud800"}], "a text with half a character in it"),
        ("transform_context", "x", "expected a list of messages or None, got str"),
        ("transform_context", [], "the request, message number 0, was left out"),
    ],
)
async def test_nonsense_counts_for_nothing_and_is_named(hook: str, said: Json, why: str) -> None:
    stage = Stage([LookTool()], plugins=plugins(FakePlugin("bad").doing({Hook(hook): gives(said)})))
    model = ScriptedModel(calls("look", path="a"), says("Seen."))
    outcome = await stage.turn(model)
    assert (outcome.end, outcome.text, stage.results) == (TurnEnd.ANSWERED, "Seen.", ["seen"])
    assert troubles(stage)[0].startswith(f"Plugin bad: what its {hook} returned does not count: {why}")


@pytest.mark.promise("T-163")
async def test_a_hook_that_fails_again_and_again_costs_its_time_only_so_often() -> None:
    hangs = FakePlugin("hangs", transform_context=fails(HookTrouble.TIMED_OUT), on_message_end=gives("x"))
    there = plugins(hangs)
    stage = Stage([LookTool()], plugins=there)
    steps = [calls("look", path=str(number)) for number in range(5)]
    outcome = await stage.turn(ScriptedModel(*steps, says("Done.")))
    assert outcome.text == "Done.", "left out as a whole from then on"
    assert len(hangs.asked) == MAX_STRIKES
    assert [off for _, _, off in there.told] == [False, False, True]
    assert "until its file changes or you enable it again" in troubles(stage)[-1]
    await stage.turn(ScriptedModel(says("Done.")), request=replace(REQUEST, text="again"))
    assert len(hangs.asked) == MAX_STRIKES


async def test_failures_count_in_a_row_for_each_hook_and_each_version_of_a_file() -> None:
    answers: list[Json] = [1, 1, None, 1, 1]
    plugin = FakePlugin("p", before_agent_start=lambda _: answers.pop(0))
    there = plugins(plugin)
    stage = Stage(plugins=there)
    for _ in range(5):
        await stage.turn(ScriptedModel(says("Hi.")))
    there.there = [FakePlugin("p", digest="d2", before_agent_start=gives(1))]
    await stage.turn(ScriptedModel(says("Hi.")))
    assert [off for _, _, off in there.told] == [False] * 5


async def test_a_plugin_that_was_switched_off_meanwhile_is_silently_left_out() -> None:
    plugin = FakePlugin("p", on_message_end=gives("other"))
    stage = Stage(plugins=plugins(plugin))
    plugin.gone = True
    outcome = await stage.turn(ScriptedModel(says("Hi.")))
    assert (outcome.text, stage.activity) == ("Hi.", [])


@pytest.mark.promise("T-169")
async def test_a_plugin_counts_from_the_turn_after_it_came_to_the_turn_in_which_it_went() -> None:
    late = FakePlugin("late", on_message_end=gives("late"))
    there = plugins()
    stage = Stage([LookTool()], plugins=there)
    there.there.append(FakePlugin("first", after_tool_call=lambda _: there.there.append(late)))
    outcome = await stage.turn(ScriptedModel(calls("look", path="a"), says("Hi.")))
    assert (outcome.text, late.asked) == ("Hi.", [])
    there.there[:] = [late, FakePlugin("z", before_agent_start=lambda _: there.there.clear())]
    assert (await stage.turn(ScriptedModel(says("Hi.")))).text == "late"
    assert (await stage.turn(ScriptedModel(says("Hi.")))).text == "Hi."


async def test_a_call_outside_of_a_turn_is_guarded_too() -> None:
    stage = Stage([LookTool()], plugins=plugins(FakePlugin("guard", before_tool_call=gives("no"))))
    assert (await stage.run_call("look", path="a")).status is ResultStatus.ERROR


async def test_without_plugins_nobody_is_asked_but_once_in_a_turn() -> None:
    there = plugins()
    stage = Stage([LookTool()], plugins=there)
    await stage.turn(ScriptedModel(calls("look", path="a"), says("Hi.")))
    assert there.looks == 1


async def test_trouble_is_told_in_korean(tmp_path: Path) -> None:
    bad = FakePlugin("bad", before_agent_start=fails(HookTrouble.RAISED, "ValueError: x."))
    stage = Stage(plugins=plugins(bad), texts=korean(tmp_path, "plugins"))
    await stage.turn(ScriptedModel(says("네.")))
    assert troubles(stage) == [
        "플러그인 bad: before_agent_start에서 오류가 났어요: ValueError: x. 이 차례는 그것 없이 이어져요."
    ]


async def test_hooks_hear_of_turns_without_a_person() -> None:
    plugin = FakePlugin("p", before_agent_start=gives(None))
    stage = Stage(plugins=plugins(plugin))
    await stage.turn(ScriptedModel(says("Hi.")), request=replace(REQUEST, situation=Situation.GOAL))
    assert plugin.asked[0][1]["situation"] == "goal"
