"""What a skill's text is, and what a typed line makes of it."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.extensions.skills import (
    MOST_OF_A_PURPOSE,
    FrontMatterError,
    SkillText,
    expand,
    parted,
    purpose_of,
)
from jarvis_desktop.core.slash.parsing import called_by
from tests.fakes.skills import skill


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sum up.", SkillText(None, "Sum up.")),
        ("---\nname: sum\n---\n\nSum up.\n", SkillText("name: sum", "Sum up.")),
        ("---\r\nname: sum\r\n---\r\nSum up.\r\nNow.", SkillText("name: sum", "Sum up.\nNow.")),
        ("--- \nname: sum\n---\t\nSum up.\n---\nmore", SkillText("name: sum", "Sum up.\n---\nmore")),
        ("---\n---\nSum up.", SkillText("", "Sum up.")),
        ("\n---\nno front\n---", SkillText(None, "---\nno front\n---")),
        ("----\nno front", SkillText(None, "----\nno front")),
        ("", SkillText(None, "")),
    ],
)
def test_front_matter_stands_between_the_first_line_and_the_next_of_its_kind(
    text: str, parts: SkillText
) -> None:
    assert parted(text) == parts


def test_front_matter_that_never_ends_is_no_text() -> None:
    with pytest.raises(FrontMatterError):
        parted("---\nname: sum\nSum up.")


@pytest.mark.parametrize(
    ("described", "body", "purpose"),
    [
        ("Sums  up\n a file.", "whatever", "Sums up a file."),
        ("", "# Sum up\n\nRead …", "Sum up"),
        ("", "\n- one\n", "one"),
        ("", "---\n", ""),
        ("x" * 999, "", "x" * (MOST_OF_A_PURPOSE - 1) + "…"),
    ],
)
def test_a_skill_is_described_by_its_front_matter_or_its_first_line(
    described: str, body: str, purpose: str
) -> None:
    assert purpose_of(described, body) == purpose


@pytest.mark.promise("T-158")
@pytest.mark.parametrize(
    ("body", "rest", "request_"),
    [
        ("Sum up.", "", "Sum up."),
        ("Sum up.", "a.txt in Korean", "Sum up.\n\na.txt in Korean"),
        ("Sum up $ARGUMENTS now.", "a.txt", "Sum up a.txt now."),
        ("Sum up $ARGUMENTS now.", "", "Sum up  now."),
        ("From $1 to $2.", 'Seoul "New York" rest', "From Seoul to New York."),
        ("From $1 to $2.", "Seoul", "From Seoul to ."),
        ("'$1'", "'a b'", "'a b'"),
        (r"Costs \$1, say \$ARGUMENTS.", "x", "Costs $1, say $ARGUMENTS.\n\nx"),
        ("$10 and $ARGUMENTSX and $0 stay", "x", "$10 and $ARGUMENTSX and $0 stay\n\nx"),
        ("$1 $2", "$2 $1", "$2 $1"),
        ("한국어로: $ARGUMENTS", "이 파일", "한국어로: 이 파일"),
    ],
)
def test_what_is_typed_behind_the_name_enters_the_text(body: str, rest: str, request_: str) -> None:
    assert expand(skill("sum", body), rest) == request_


@given(rest=st.text(max_size=60).map(str.strip))
def test_what_was_typed_is_never_looked_into_for_marks(rest: str) -> None:
    assert expand(skill("sum", "<$ARGUMENTS>"), rest) == f"<{rest}>"


def test_a_skill_with_files_beside_it_says_where_they_lie() -> None:
    one = skill("sum", "Read style.md.", beside=Path("/home/u/.jarvis/skills/sum"))
    assert expand(one, "") == ("Read style.md.\n\n[files of this skill lie in /home/u/.jarvis/skills/sum]")


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Sum", "sum"),
        ("요약", "요약"),
        (unicodedata.normalize("NFD", "요약"), "요약"),  # as a Mac names its files
        ("sum-up_2", "sum-up_2"),
        ("sum up", None),
        ("v1.2", None),
        ("5whys", None),
        ("etc", None),
        ("", None),
        ("/x", None),
    ],
)
def test_a_skill_has_a_name_that_can_be_typed_behind_a_slash(name: str, word: str | None) -> None:
    assert called_by(name) == word
