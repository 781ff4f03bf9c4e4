"""What a message of the desktop says about a question, and when it may carry Allow."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.decisions import Question, Shown, Verdict, VerdictKind
from jarvis_desktop.core.items.extensions import Added, ExtensionKind
from jarvis_desktop.core.items.ids import AgentId, CallId
from jarvis_desktop.core.items.notice import Notice
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.ui.question_notice import DETAIL_CHARS, FOLDER_CHARS, LINE_CHARS, question_notice
from jarvis_desktop.ui.visible_text import Care, visible
from tests.fakes.texts import PlainTexts
from tests.ui.samples import NOW, QUESTION, asks

UNTIL = QUESTION.deadline_at.astimezone().strftime("%H:%M:%S")
PLACE = "Agent: Jarvis · Tool: bash · Folder: /srv/project"
WHOLE = (("allow", "Allow"), ("deny", "Deny"), ("default", "Open"))
OPENS = (("show", "Open"),)
TOO_LONG = "A notification cannot show all of it safely. Open does."


def notice_of(question: Question) -> Notice:
    return question_notice(question, NOW + timedelta(seconds=20), PlainTexts())


def test_a_short_question_is_shown_whole_with_allow_and_deny() -> None:
    assert notice_of(asks("git status 'my notes'\n")) == Notice(
        "question",
        "Jarvis wants to run a command",
        f"git status 'my notes'\n{PLACE}\nYou can answer until {UNTIL}.",
        WHOLE,
        instead="Answer in the dialog that has opened.",
        digest="digest-of-git-status",
        lasts_s=100.0,
        urgent=True,
        fleeting=True,
    )


def test_in_korean_it_is_korean() -> None:
    notice = question_notice(asks("ls 문서"), NOW, Catalog(Language.KOREAN))
    assert notice.title == "명령을 실행해도 될까요?"
    assert (
        notice.text
        == f"ls 문서\n도우미: 자비스 · 도구: bash · 폴더: /srv/project\n{UNTIL}까지 답할 수 있어요."
    )
    assert notice.actions == (("allow", "허용"), ("deny", "거부"), ("default", "열기"))


def test_a_tool_of_ones_own_is_named_with_its_file_also_in_place_of_bash() -> None:
    added = Added(ExtensionKind.TOOL, "mine", "~/.jarvis/tools/mine.py", "ab", stands_in=True)
    why = Verdict(VerdictKind.ASK, "", "stands-in")
    notice = notice_of(replace(QUESTION, why=why, added=added))
    assert notice.title == "Jarvis wants to use the tool bash"
    assert notice.text.split("\n")[2] == (
        "This tool is yours: ~/.jarvis/tools/mine.py. "
        "It takes the place of a tool of Jarvis, which no rule covers."
    )
    server = Added(ExtensionKind.SERVER, "files", "", "ab")
    plain = Verdict(VerdictKind.ASK, "", "no-rule")
    assert (
        "This tool comes from the MCP server files."
        in notice_of(replace(QUESTION, why=plain, added=server)).text
    )


def test_a_special_reason_to_ask_belongs_to_the_question() -> None:
    why = Verdict(VerdictKind.ASK, "", "secret")
    lines = notice_of(replace(QUESTION, why=why)).text.split("\n")
    assert lines[2] == "What is in there may be a secret, and the model would read it."


def test_who_would_act_for_whom_belongs_to_the_question() -> None:
    question = replace(QUESTION, agent_id=AgentId("scout"), agent_name="KAREN", asker_name="Max")
    notice = notice_of(question)
    assert notice.title == "KAREN, asked by Max, wants to run a command"
    assert notice.text.split("\n")[1] == "Agent: KAREN, asked by Max · Tool: bash · Folder: /srv/project"


AN_EDIT = ToolCall(CallId("call"), "write_file", {"path": "a", "content": "b"})


@pytest.mark.parametrize(
    "question",
    [
        asks("x" * (DETAIL_CHARS + 1)),
        asks("ls\nrm notes.txt"),
        asks("ls\trm"),
        asks('rm "a  b"'),
        asks(" ls"),
        asks(r"printf 'a\nb'"),
        asks("rm \u202ecod.exe"),
        asks("ls\u200b"),
        asks("l\u0455"),
        asks("rm 'שלום'"),
        asks("rm é"),
        asks("rm ⟨U+202E⟩"),
        asks(""),
        asks("-old\n+new", Shown.DIFF),
        replace(QUESTION, call=AN_EDIT, shown=Shown.TEXT, detail="b"),
        replace(QUESTION, cwd=Path("/srv") / ("x" * FOLDER_CHARS)),
        replace(QUESTION, cwd=Path("/srv/\u202ex")),
        replace(QUESTION, agent_id=AgentId("a" * LINE_CHARS)),
        replace(QUESTION, agent_id=AgentId("scout"), agent_name="KАREN"),
        replace(QUESTION, asker_name="K\u200bAREN"),
        replace(QUESTION, call=ToolCall(CallId("call"), "to\u200bol", {}), shown=Shown.TEXT, detail="x"),
        replace(QUESTION, why=Verdict(VerdictKind.ASK, "", "web:" + "long.example." * 12)),
    ],
)
def test_what_does_not_fit_or_could_deceive_has_one_button_that_opens_the_dialog(question: Question) -> None:
    notice = notice_of(question)
    assert notice.actions == OPENS
    assert notice.text == f"{TOO_LONG}\nYou can answer until {UNTIL}."


@given(st.text(max_size=200))
def test_allow_stands_only_beside_a_detail_that_is_there_sign_by_sign(detail: str) -> None:
    notice = notice_of(asks(detail))
    if notice.actions == WHOLE:
        shown = notice.text.split("\n")[0]
        assert shown == detail.removesuffix("\n") == visible(shown, Care.COMMAND)
        assert "\\" not in shown
        assert " ".join(shown.split()) == shown
    else:
        assert notice.actions == OPENS
