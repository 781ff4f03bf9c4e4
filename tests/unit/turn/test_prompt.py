"""What never changes comes first, clock and folder last."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from jarvis_desktop.adapters.person_folders import HOME_WORDS
from jarvis_desktop.adapters.team_files import SHIPPED
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.ids import CallId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnRequest
from jarvis_desktop.core.ports import CallStyle, ChatRequest
from jarvis_desktop.core.turn.history import total_tokens
from jarvis_desktop.core.turn.prompt import (
    APPROVAL_RULE,
    HOUSE_RULES,
    LANGUAGE_RULE,
    PERSONA,
    PromptBuilder,
    ToolOffer,
)
from jarvis_desktop.core.turn.schema_calls import choice_schema
from tests.fakes.team import KAREN
from tests.fakes.tools import FakeBash, LookTool
from tests.unit.policy.asking import REQUEST

OFFER = ToolOffer((LookTool().spec, FakeBash().spec), some_need_approval=True)
SYSTEM = f"{PERSONA}\n{LANGUAGE_RULE[None]}\n{HOUSE_RULES}"
LATER = replace(REQUEST, text="and now?", asked_at=REQUEST.asked_at + timedelta(hours=3), cwd=Path("/other"))


def build(
    request: TurnRequest = REQUEST,
    past: tuple[Message, ...] = (),
    style: CallStyle = CallStyle.NATIVE,
    offer: ToolOffer = OFFER,
    more: tuple[Message, ...] = (),
) -> ChatRequest:
    now = (Message(Role.USER, request.text), *more)
    return PromptBuilder().build(request, past, now, offer, style, 4096)


def test_clock_and_folder_stand_in_the_last_request() -> None:
    assert build().messages[-1] == Message(
        Role.USER, "run ls\n\n[Tuesday 2026-12-01 09:00 +0000; folder /home/u/Jarvis]"
    )


@pytest.mark.parametrize("style", list(CallStyle))
@pytest.mark.voice_bug("llm", "Slow prompt each turn")
def test_two_requests_share_everything_up_to_the_last_user_turn(style: CallStyle) -> None:
    past = (Message(Role.USER, "hi"), Message(Role.ASSISTANT, "Hello."))
    first = build(past=past, style=style)
    turn = (*past, Message(Role.USER, "run ls"), Message(Role.ASSISTANT, "Done."))
    second = build(LATER, turn, style)
    assert second.messages[:3] == first.messages[:3]
    assert (second.tools, second.schema) == (first.tools, first.schema)
    assert not any("2026" in message.text for message in second.messages[:-1])


def test_the_requests_of_one_turn_begin_alike() -> None:
    call = ToolCall(CallId("c"), "look", {"path": "a"})
    more = (Message(Role.ASSISTANT, "", (call,)), Message(Role.TOOL, "seen", call_id=call.call_id))
    assert build(more=more).messages[:2] == build().messages


@pytest.mark.promise("T-022", "T-257")
def test_the_rule_about_approval_is_there_on_every_turn_while_something_needs_it() -> None:
    korean = replace(REQUEST, language=Language.KOREAN)
    assert build().messages[0].text == f"{SYSTEM}\n\n{APPROVAL_RULE[Language.ENGLISH]}"
    assert build(korean).messages[0].text == f"{SYSTEM}\n\n{APPROVAL_RULE[Language.KOREAN]}"
    assert (
        "승인이 필요한 도구도 직접 호출하라, 거부됐어도 새 요청이면 다시 호출하라"
        in build(korean).messages[0].text
    )
    free = ToolOffer((LookTool().spec,), some_need_approval=False)
    assert build(offer=free).messages[0].text == SYSTEM


def test_native_requests_carry_tools_without_titles_and_lengths() -> None:
    request = build()
    assert request.schema is None
    assert request.tools[0].parameters == {
        "type": "object",
        "required": ["path"],
        "additionalProperties": False,
        "properties": {"path": {"type": "string"}, "count": {"type": "integer", "default": 1}},
    }


def test_schema_bound_requests_carry_the_schema_and_list_the_tools_in_words() -> None:
    request = build(style=CallStyle.SCHEMA)
    assert (request.tools, request.schema) == ((), choice_schema(OFFER.specs))
    assert "- bash: Run a command." in request.messages[0].text


def test_a_spoken_request_asks_for_a_short_answer() -> None:
    spoken = build(replace(REQUEST, origin=Origin.SPOKEN))
    assert "listening" in spoken.messages[-1].text
    assert spoken.messages[0] == build().messages[0]


@pytest.mark.parametrize("style", list(CallStyle))
@pytest.mark.voice_bug("llm", "System prompt dropped when the context is full")
def test_prompt_and_answer_share_the_context_and_the_system_prompt_stays(style: CallStyle) -> None:
    past = tuple(
        message
        for n in range(60)
        for message in (Message(Role.USER, f"{n} 질문" * 30), Message(Role.ASSISTANT, "답" * 60))
    )
    request = build(past=past, style=style)
    assert request.max_tokens == 1024
    assert request.messages[0].role is Role.SYSTEM
    assert request.messages[-1].text.startswith("run ls")
    assert total_tokens(request.messages) + 1024 <= 4096
    assert len(request.messages) > 10


def test_a_korean_request_is_asked_to_be_answered_in_korean_right_beside_it() -> None:
    text = build(replace(REQUEST, text="뭐가 있어?")).messages[-1].text
    assert text.endswith("; folder /home/u/Jarvis; answer in Korean]")


def test_a_folder_of_the_person_that_the_request_names_stands_beside_the_working_directory() -> None:
    request, places = (
        replace(REQUEST, text="List my Downloads"),
        {
            "downloads": Path("/home/u/Downloads"),
            "music": Path("/home/u/Music"),
        },
    )
    now = (Message(Role.USER, request.text),)
    text = (
        PromptBuilder(places=places).build(request, (), now, OFFER, CallStyle.SCHEMA, 4096).messages[-1].text
    )
    assert text.endswith("; folder /home/u/Jarvis; downloads folder is /home/u/Downloads]")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("What is in my home folder?", "; home folder is /home/u]"),
        ("홈 폴더에 뭐가 있어?", "; 홈 폴더 folder is /home/u; answer in Korean]"),
        ("I am going home", "]"),
    ],
)
def test_the_home_folder_stands_there_where_the_request_names_it(text: str, note: str) -> None:
    request = replace(REQUEST, text=text)
    places = dict.fromkeys(HOME_WORDS, Path("/home/u"))
    now = (Message(Role.USER, text),)
    built = PromptBuilder(places=places).build(request, (), now, OFFER, CallStyle.SCHEMA, 4096)
    assert built.messages[-1].text.endswith(f"; folder /home/u/Jarvis{note}")


def test_a_model_held_to_a_schema_is_reminded_of_korean_behind_the_result() -> None:
    call = ToolCall(CallId("c"), "look", {"path": "a"})
    more = (
        Message(Role.ASSISTANT, "", (call,)),
        Message(Role.TOOL, "seen", call_id=call.call_id, tool_name="look"),
    )
    korean = replace(REQUEST, text="뭐가 있어?")
    assert (
        build(korean, style=CallStyle.SCHEMA, more=more)
        .messages[-1]
        .text.endswith("seen\n\n[answer in Korean]")
    )
    assert build(style=CallStyle.SCHEMA, more=more).messages[-1].text.endswith("seen")


def test_an_agent_is_who_its_card_says_under_the_rules_that_hold_for_all() -> None:
    karen = replace(REQUEST, card=KAREN)
    text = build(karen).messages[0].text
    assert text.startswith("You are Karen.\n- Answer in the language of the person's last request.\n")
    assert HOUSE_RULES in text
    assert PERSONA not in text


@pytest.mark.parametrize(
    ("language", "request_text", "rule", "note"),
    [
        (Language.KOREAN, "what is there?", "- Answer in Korean", "; answer in Korean]"),
        (Language.KOREAN, "뭐가 있어?", "- Answer in Korean", "; answer in Korean]"),
        (Language.ENGLISH, "뭐가 있어?", "- Answer in English", "; answer in English]"),
        (Language.ENGLISH, "what is there?", "- Answer in English", "; folder /home/u/Jarvis]"),
    ],
)
def test_an_agent_with_a_language_of_its_own_answers_in_it(
    language: Language, request_text: str, rule: str, note: str
) -> None:
    card = replace(KAREN, language=language)
    built = build(replace(REQUEST, text=request_text, card=card))
    assert rule in built.messages[0].text
    assert built.messages[-1].text.endswith(note)


def test_the_agent_that_comes_with_the_app_reads_the_words_that_were_measured() -> None:
    with (SHIPPED / "main.yaml").open(encoding="utf-8") as file:
        assert yaml.safe_load(file)["persona"].strip() == PERSONA
