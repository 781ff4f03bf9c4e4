"""Every slash command: what it says, what it does, and what it leaves alone."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.team_files import TeamFiles
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.commands import NewConversation, SwitchAgent
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId
from jarvis_desktop.core.items.rules import Rule, RuleLine
from jarvis_desktop.core.items.setup import Backend, ChatChoice
from jarvis_desktop.core.items.slash import (
    OfferedTool,
    OpenStored,
    QuitAsked,
    StoredConversation,
    StoredTurn,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash import tools_cmd
from jarvis_desktop.core.slash.agent_cmd import AgentCommand
from jarvis_desktop.core.slash.command import Said
from jarvis_desktop.core.slash.markup import readable
from jarvis_desktop.core.slash.registry import COMMANDS, Registry
from tests.fakes.clock import START
from tests.fakes.slash import HERE, FakeRules, Fakes, switched
from tests.fakes.team import FakeTeam
from tests.fakes.texts import PlainTexts

GIT = Rule(RuleLine("bash", "git status"), "approvals.yaml", 3)
NOTES = Rule(RuleLine("write_file", "/home/u/notes/**"), "approvals/main.yaml", 2)


class Desk:
    """Types commands one after another, as a person does."""

    def __init__(self, fakes: Fakes, *, stays: bool = True, texts: Texts | None = None) -> None:
        self.fakes, self.registry = fakes, Registry()
        self.world = fakes.world(texts, stays=stays)

    async def type(self, line: str) -> Said:
        name, _, rest = line[1:].partition(" ")
        command = self.registry.find(name)
        assert command is not None
        return await command.run(rest, self.world)


# --- help -------------------------------------------------------------------------------------


async def test_help_lists_every_command_and_how_to_send_a_slash_to_the_model() -> None:
    said = await Desk(Fakes()).type("/help")
    assert [f"`/{command.name}`" in said.text for command in COMMANDS] == [True] * len(COMMANDS)
    assert "`//help`" in said.text


@pytest.mark.parametrize("name", ["rules", "/rules", "규칙", "／rules"])
async def test_help_about_one_command_says_every_way_to_type_it(name: str) -> None:
    said = await Desk(Fakes()).type(f"/help {name}")
    assert said.well
    assert "`/rules revoke N` — rule N counts no longer" in said.text
    assert "`/규칙`" in said.text


async def test_help_about_nothing_that_exists_says_so() -> None:
    said = await Desk(Fakes()).type("/help zzz")
    assert (said.well, "`/zzz`" in said.text) == (False, True)


async def test_every_command_can_be_had_help_for_in_korean() -> None:
    desk = Desk(Fakes(), texts=Catalog(Language.KOREAN))
    for command in COMMANDS:
        said = await desk.type(f"/help {command.name}")
        assert any("가" <= char <= "힣" for char in said.text), command.name


# --- new, quit, mute --------------------------------------------------------------------------


async def test_new_begins_another_conversation_after_it_was_answered() -> None:
    said = await Desk(Fakes()).type("/new")
    assert (said.well, said.then) == (True, NewConversation())
    assert "stopped" not in said.text


async def test_new_says_that_a_running_request_stops() -> None:
    assert "stopped" in (await Desk(Fakes(running=True)).type("/new")).text


async def test_quit_tells_the_front_ends_and_stops_nothing_by_itself() -> None:
    said = await Desk(Fakes()).type("/quit")
    assert (said.tell, said.then) == (QuitAsked(), None)


@pytest.mark.parametrize("line", ["/quit", "/mute", "/focus on"])
async def test_a_single_request_of_the_command_line_has_no_program_to_steer(line: str) -> None:
    fakes = Fakes()
    said = await Desk(fakes, stays=False).type(line)
    assert (said.well, said.tell, fakes.muted, fakes.focus.on) == (False, None, False, False)


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("/mute", False, True),
        ("/mute", True, True),
        ("/mute on", False, True),
        ("/mute off", True, False),
        ("/mute OFF", True, False),
        ("/음소거 해제", True, False),
        ("/mute off", False, False),
    ],
)
async def test_mute_turns_the_microphone_off_and_on(line: str, *, before: bool, after: bool) -> None:
    fakes = Fakes(muted=before)
    said = await Desk(fakes).type(line)
    assert (said.well, fakes.muted) == (True, after)


async def test_a_word_that_mute_does_not_know_changes_nothing() -> None:
    fakes = Fakes()
    said = await Desk(fakes).type("/mute loudly")
    assert (said.well, fakes.muted) == (False, False)


async def test_mute_does_not_pretend_where_voice_is_off_altogether() -> None:
    fakes = Fakes()
    fakes.settings.now = switched(fakes.settings.now, enabled=False)
    assert not (await Desk(fakes).type("/mute")).well


# --- focus ------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["/focus 25", "/focus on 25", "/focus 25분", "/집중 켜기 25m"])
async def test_focus_for_minutes_ends_then(line: str) -> None:
    fakes = Fakes()
    said = await Desk(fakes).type(line)
    assert (said.well, fakes.focus.on, fakes.focus.until) == (True, True, START + timedelta(minutes=25))
    assert "wake word" in said.text


async def test_focus_without_minutes_lasts_until_it_is_turned_off() -> None:
    fakes = Fakes()
    desk = Desk(fakes)
    await desk.type("/focus on")
    assert (fakes.focus.on, fakes.focus.until) == (True, None)
    await desk.type("/focus off")
    assert not fakes.focus.on


@pytest.mark.parametrize("line", ["/focus 0", "/focus 99999", "/focus on and on", "/focus -5"])
async def test_a_time_that_is_none_does_not_begin_focus(line: str) -> None:
    fakes = Fakes()
    said = await Desk(fakes).type(line)
    assert (said.well, fakes.focus.on) == (False, False)


async def test_focus_alone_says_how_it_stands() -> None:
    fakes = Fakes()
    desk = Desk(fakes)
    assert "off" in (await desk.type("/focus")).text
    await desk.type("/focus 30")
    assert f"{(START + timedelta(minutes=30)).astimezone():%H:%M}" in (await desk.type("/focus")).text


# --- voice ------------------------------------------------------------------------------------


async def test_voice_off_keeps_listening_and_stops_reading_aloud() -> None:
    fakes = Fakes()
    said = await Desk(fakes).type("/voice off")
    assert (said.well, fakes.settings.changed) == (True, [("voice.speak", False)])


async def test_voice_on_switches_on_whatever_was_off_and_lets_itself_be_heard() -> None:
    fakes = Fakes()
    fakes.settings.now = switched(fakes.settings.now, enabled=False, speak=False)
    said = await Desk(fakes).type("/voice on")
    assert fakes.settings.changed == [("voice.enabled", True), ("voice.speak", True)]
    assert said.aloud != ""


async def test_voice_says_why_a_setting_cannot_be_written() -> None:
    fakes = Fakes()
    fakes.settings.trouble = "settings.yaml cannot be written"
    said = await Desk(fakes).type("/voice off")
    assert (said.well, said.text) == (False, "settings.yaml cannot be written")


async def test_voice_does_not_promise_voices_by_name() -> None:
    fakes = Fakes()
    said = await Desk(fakes).type("/voice Anna")
    assert (said.well, fakes.settings.changed) == (False, [])


# --- tools and agents -------------------------------------------------------------------------


async def test_tools_says_which_of_them_ask_first() -> None:
    tools = (OfferedTool("bash", "Runs", asks=True), OfferedTool("mine", "Does *things*", asks=False))
    text = (await Desk(Fakes(tools=tools)).type("/tools")).text
    lines = text.splitlines()
    assert lines[0] == "- `bash` — runs a command · **asks first**"
    assert lines[1] == r"- `mine` — Does \*things\*"


@pytest.mark.parametrize("name", ["tools", "agent", "model"])
async def test_marks_are_told_apart_where_nothing_is_bold(name: str) -> None:
    fakes = with_models()
    fakes.tools, fakes.team = (OfferedTool("bash", "Runs", asks=True),), team()
    said = readable((await Desk(fakes).type(f"/{name}")).text)
    mark = {"tools": "asks first", "agent": "you talk with this one", "model": "answers now"}[name]
    assert f" · {mark}" in said


def test_people_read_their_own_words_about_each_tool_of_ours() -> None:
    ours = {path.stem for path in Path(tools_cmd.__file__).parents[1].joinpath("tools").glob("[a-z]*.py")}
    assert ours - tools_cmd._purposes(PlainTexts()).keys() == {"agent_tool"}


async def test_the_tool_of_another_agent_names_that_agent() -> None:
    tools = (OfferedTool("agent_karen", "Give x", asks=False), OfferedTool("agent_gone", "Gone", asks=False))
    text = (await Desk(Fakes(tools=tools)).type("/tools")).text
    assert text == "- `agent_karen` — gives KAREN a task\n- `agent_gone` — Gone"


async def test_an_agent_without_tools_is_no_empty_list() -> None:
    assert (await Desk(Fakes()).type("/tools")).text != ""


def team() -> FakeTeam:
    scribe = AgentCard(AgentId("scribe"), "Scribe", ("Scribe", "서기"), purpose="writes things down")
    silent = AgentCard(AgentId("inner"), "Inner", ("Inner",), top_level=False)
    return FakeTeam(AgentCard(MAIN_AGENT, "Jarvis", ("Jarvis",)), scribe, silent)


async def test_agent_lists_those_that_people_talk_with() -> None:
    text = (await Desk(Fakes(team=team())).type("/agent")).text
    assert "Scribe — writes things down" in text
    assert "Jarvis · **you talk with this one**" in text
    assert "Inner" not in text


async def test_what_comes_with_jarvis_says_what_it_is_for_in_the_language_of_the_window() -> None:
    cards = TeamFiles(Path("/nowhere"), tuple).look().cards
    purposes = [card.purpose for card in cards]
    korean = Catalog(Language.KOREAN)
    desk = Desk(Fakes(team=FakeTeam(*cards)), texts=korean)
    said = (await desk.type("/agent")).text
    values = await AgentCommand().values("", desk.world)
    for text in purposes:
        assert korean(text) != text
        assert korean(text) in said
        assert text not in said
        assert korean(text) in [one.help for one in values]


@pytest.mark.parametrize("name", ["Scribe", "scribe", "서기"])
async def test_agent_goes_on_with_the_one_that_is_named(name: str) -> None:
    assert (await Desk(Fakes(team=team())).type(f"/agent {name}")).then == SwitchAgent(AgentId("scribe"))


@pytest.mark.parametrize("name", ["Scrib", "Inner", "nobody"])
async def test_an_agent_that_is_not_there_switches_nothing(name: str) -> None:
    said = await Desk(Fakes(team=team())).type(f"/agent {name}")
    assert (said.well, said.then) == (False, None)
    assert ("`/agent Scribe`" in said.text) == (name == "Scrib")


async def test_the_agent_that_is_there_already_is_left_in_peace() -> None:
    said = await Desk(Fakes(team=team())).type("/agent Jarvis")
    assert (said.well, said.then) == (True, None)


# --- rules ------------------------------------------------------------------------------------


async def test_rules_lists_both_layers_with_running_numbers() -> None:
    text = (await Desk(Fakes(rules=FakeRules(GIT, NOTES))).type("/rules")).text
    assert text.index("For every agent") < text.index("1. `bash: git status`") < text.index("For Jarvis")
    assert "2. `write_file: /home/u/notes/**`" in text


async def test_a_revoked_rule_can_be_put_back() -> None:
    rules = FakeRules(GIT, NOTES)
    desk = Desk(Fakes(rules=rules))
    await desk.type("/rules")
    said = await desk.type("/rules revoke 1")
    assert (rules.rules, "`/rules undo`" in said.text) == ([NOTES], True)
    assert (await desk.type("/rules undo")).well
    assert rules.rules == [NOTES, GIT]
    assert not (await desk.type("/rules undo")).well


async def test_a_number_means_the_list_that_was_read_even_when_the_file_has_changed_since() -> None:
    rules = FakeRules(GIT, NOTES)
    desk = Desk(Fakes(rules=rules))
    await desk.type("/rules")
    rules.rules.insert(0, replace(GIT, line=RuleLine("bash", "new one")))
    await desk.type("/rules revoke 2")
    assert NOTES not in rules.rules


@pytest.mark.parametrize("line", ["/rules revoke", "/rules revoke 0", "/rules revoke 3", "/rules revoke x"])
async def test_a_number_that_no_rule_has_forgets_nothing(line: str) -> None:
    rules = FakeRules(GIT, NOTES)
    said = await Desk(Fakes(rules=rules)).type(line)
    assert (said.well, rules.rules) == (False, [GIT, NOTES])


async def test_another_word_behind_rules_says_what_it_takes() -> None:
    rules = FakeRules(GIT)
    said = await Desk(Fakes(rules=rules)).type("/rules delete 1")
    assert (said.well, rules.rules) == (False, [GIT])


# --- models -----------------------------------------------------------------------------------

GEMMA = ChatChoice(
    Backend.OLLAMA, "gemma4:e2b", 7_200_000_000, "", present=True, fits=True, tokens_per_s=11.6
)
SMALL = ChatChoice(Backend.EMBEDDED, "qwen3-0.6b", 500_000_000, "", present=True, fits=True)
BIG = ChatChoice(Backend.OLLAMA, "gemma4:31b", 20_000_000_000, "", present=False, fits=False)


def with_models() -> Fakes:
    fakes = Fakes()
    fakes.models.choices, fakes.models.current = (GEMMA, SMALL, BIG), GEMMA
    return fakes


async def test_model_lists_what_is_there_and_names_what_could_be_fetched() -> None:
    text = (await Desk(with_models()).type("/model")).text
    assert "- `gemma4:e2b` — 7.2 GB, 12 tokens a second here · **answers now**" in text
    assert "- `qwen3-0.6b` — 0.5 GB, inside Jarvis" in text
    assert text.endswith("`gemma4:31b`")


async def test_choosing_a_model_writes_the_settings_as_the_setup_does() -> None:
    fakes = with_models()
    said = await Desk(fakes).type("/model QWEN3-0.6B")
    assert said.well
    assert fakes.settings.changed == [("model.name", "qwen3-0.6b"), ("model.backend", "embedded")]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("/model gemma4:31b", "Fetch it"),
        ("/model gemma", "`/model gemma4:e2b`"),
        ("/model nothing-like-it", "no chat model"),
    ],
)
async def test_a_model_that_is_not_there_is_not_chosen(line: str, hint: str) -> None:
    fakes = with_models()
    said = await Desk(fakes).type(line)
    assert (said.well, fakes.settings.changed) == (False, [])
    assert hint in said.text


async def test_the_model_that_answers_already_is_not_written_anew() -> None:
    fakes = with_models()
    assert (await Desk(fakes).type("/model gemma4:e2b")).well
    assert fakes.settings.changed == []


async def test_without_any_model_the_setup_is_named() -> None:
    assert "Ctrl+," in (await Desk(Fakes()).type("/model")).text


# --- history ----------------------------------------------------------------------------------


def talk(name: str, title: str) -> StoredConversation:
    return StoredConversation(SessionId(name), MAIN_AGENT, title, START, 2)


TALKS = (talk("here", "what time is it"), talk("old", "the *bold* plan"), talk("older", "hello"))


async def test_history_lists_with_numbers_and_marks_the_open_one() -> None:
    fakes = Fakes()
    fakes.chats.stored = TALKS
    lines = (await Desk(fakes).type("/history")).text.splitlines()
    assert fakes.chats.asked == [("", 10)]
    assert lines[0].startswith("1. what time is it — ")
    assert lines[0].endswith(" · **open**")
    assert lines[1].startswith(r"2. the \*bold\* plan — ")


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("/history 30", ("", 30)),
        ("/history 99999", ("", 200)),
        ("/history 세금 보고", ("세금 보고", 10)),
        ("/history 3 apples", ("3 apples", 10)),
    ],
)
async def test_history_takes_a_number_or_words(line: str, asked: tuple[str, int]) -> None:
    fakes = Fakes()
    await Desk(fakes).type(line)
    assert fakes.chats.asked == [asked]


async def test_history_opens_by_the_number_of_the_list_that_was_read() -> None:
    fakes = Fakes()
    fakes.chats.stored = TALKS
    desk = Desk(fakes)
    await desk.type("/history")
    fakes.chats.stored = (talk("newest", "came meanwhile"), *TALKS)
    assert (await desk.type("/history open 2")).then == OpenStored(SessionId("old"))


@pytest.mark.parametrize("line", ["/history open", "/history open 9", "/history open x", "/history open 0"])
async def test_a_number_that_is_not_in_the_list_opens_nothing(line: str) -> None:
    fakes = Fakes()
    fakes.chats.stored = TALKS
    said = await Desk(fakes).type(line)
    assert (said.well, said.then) == (False, None)


async def test_the_conversation_that_is_open_is_not_opened_again() -> None:
    fakes = Fakes()
    fakes.chats.stored = TALKS
    assert (await Desk(fakes).type("/history open 1")).then is None


@pytest.mark.parametrize(("agent", "stops"), [(MAIN_AGENT, True), (AgentId("karen"), False)])
async def test_history_says_that_a_request_stops_only_where_it_does(agent: AgentId, *, stops: bool) -> None:
    fakes = Fakes(running=True)
    fakes.chats.stored = (replace(TALKS[1], agent_id=agent),)
    assert ("stopped" in (await Desk(fakes).type("/history open 1")).text) is stops


# --- export -----------------------------------------------------------------------------------

TURNS = (
    StoredTurn(
        "list *my* files\nplease",
        Origin.TYPED,
        START,
        ("ls `x`",),
        "Here: **a**, b",
        datetime(2026, 12, 1, 9, 1, tzinfo=UTC),
        TurnEnd.ANSWERED,
    ),
)


def with_turns() -> Fakes:
    fakes = Fakes()
    fakes.chats.turns = TURNS
    return fakes


async def test_export_goes_into_the_working_folder_as_markdown() -> None:
    fakes = with_turns()
    said = await Desk(fakes).type("/export")
    ((path, text),) = fakes.exports.written.items()
    assert path == HERE.cwd / "jarvis-2026-12-01-0900.md"
    assert str(path) in said.text
    assert "> list *my* files\n> please" in text
    assert "- `` ls `x` ``" in text
    assert "Here: **a**, b" in text


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("notes/talk.md", HERE.cwd / "notes/talk.md"),
        ("/tmp/talk.json", Path("/tmp/talk.json")),
        ("~/talk.MD", Path.home() / "talk.MD"),
        ("talk", HERE.cwd / "talk.md"),
        ('"my talk.md"', HERE.cwd / "my talk.md"),
        ("out/", HERE.cwd / "out/jarvis-2026-12-01-0900.md"),
    ],
)
async def test_a_path_is_read_against_the_working_folder(typed: str, path: Path) -> None:
    fakes = with_turns()
    assert (await Desk(fakes).type(f"/export {typed}")).well
    assert list(fakes.exports.written) == [path]


async def test_json_holds_every_turn_as_data() -> None:
    fakes = with_turns()
    await Desk(fakes).type("/export talk.json")
    ((_, text),) = fakes.exports.written.items()
    assert json.loads(text)["turns"] == [
        {
            "asked_at": START.isoformat(),
            "origin": "typed",
            "request": "list *my* files\nplease",
            "tools": ["ls `x`"],
            "replied_at": "2026-12-01T09:01:00+00:00",
            "reply": "Here: **a**, b",
            "end": "answered",
        }
    ]


@pytest.mark.parametrize("typed", ["talk.pdf", "talk.sh"])
async def test_an_ending_that_says_no_format_writes_nothing(typed: str) -> None:
    fakes = with_turns()
    said = await Desk(fakes).type(f"/export {typed}")
    assert (said.well, fakes.exports.written) == (False, {})


async def test_a_name_with_a_null_is_refused() -> None:
    with pytest.raises(UserFixableError):
        await Desk(with_turns()).type("/export a\0b.md")


async def test_nothing_is_written_of_an_empty_conversation() -> None:
    fakes = Fakes()
    assert not (await Desk(fakes).type("/export")).well
    assert fakes.exports.written == {}
