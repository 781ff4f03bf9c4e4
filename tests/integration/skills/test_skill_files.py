"""The skills' files as they lie on a disk: good ones, odd ones, and what people are told of them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.skill_files import SkillFiles, SkillsRead
from jarvis_desktop.adapters.skill_problem import SkillTrouble, skill_sentence
from jarvis_desktop.adapters.skill_text import MOST_BYTES
from jarvis_desktop.core.items.skills import Skill
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.slash.registry import command_names

MOST = 1000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "skills").mkdir()
    return tmp_path / "skills"


def looked(folder: Path) -> SkillsRead:
    return SkillFiles(folder.parent, command_names()).look(MOST)


def told(folder: Path, language: Language = Language.ENGLISH) -> list[str]:
    return [skill_sentence(one, Catalog(language)) for one in looked(folder).problems]


@pytest.mark.promise("T-158")
def test_a_file_and_a_folder_are_skills(folder: Path) -> None:
    (folder / "sum.md").write_text("---\ndescription: Sums up.\n---\nSum up $1.\n")
    (folder / "Review").mkdir()
    (folder / "Review" / "SKILL.md").write_text("---\nname: review\nlicense: MIT\n---\n# Look at it\n")
    (folder / "Review" / "style.md").write_text("Be kind.")
    assert looked(folder) == SkillsRead(
        (
            Skill(
                name="review",
                purpose="Look at it",
                body="# Look at it",
                file="skills/Review/SKILL.md",
                path=folder / "Review" / "SKILL.md",
                beside=folder / "Review",
            ),
            Skill("sum", "Sums up.", "Sum up $1.", "skills/sum.md", folder / "sum.md"),
        ),
        (),
    )


def test_without_a_folder_there_is_nothing_and_nothing_is_wrong(tmp_path: Path) -> None:
    assert looked(tmp_path / "skills") == SkillsRead((), ())


def test_the_name_in_the_front_matter_counts_before_the_file_s(folder: Path) -> None:
    (folder / "a.md").write_text("---\nname: 요약\n---\nSum up.\n", "utf-8")
    assert [one.name for one in looked(folder).skills] == ["요약"]


def test_what_editors_leave_behind_is_passed_over(folder: Path) -> None:
    for name in (".sum.md.swp", "sum.md~", "4913", ".#sum.md", "sum.md.orig"):
        (folder / name).write_text("x")
    assert looked(folder) == SkillsRead((), ())


def test_a_byte_order_mark_is_no_part_of_the_text(folder: Path) -> None:
    (folder / "sum.md").write_text("---\ndescription: Sums.\n---\r\nSum up.", "utf-8-sig")
    assert [(one.purpose, one.body) for one in looked(folder).skills] == [("Sums.", "Sum up.")]


def make_pipe(folder: Path) -> None:
    os.mkfifo(folder / "sum.md")


def link_out(folder: Path) -> None:
    outside = folder.parent / "outside.md"
    outside.write_text("secret")
    (folder / "sum.md").symlink_to(outside)


def link_folder_out(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text("secret")
    (folder / "sum").symlink_to(outside)


def link_inner_out(folder: Path) -> None:
    outside = folder.parent / "outside.md"
    outside.write_text("secret")
    (folder / "sum").mkdir()
    (folder / "sum" / "SKILL.md").symlink_to(outside)


def circle(folder: Path) -> None:
    (folder / "sum.md").symlink_to(folder / "sum.md")


def written(name: str, content: bytes | str) -> Callable[[Path], object]:
    data = content.encode() if isinstance(content, str) else content

    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)

    return write


ODD = {
    "no UTF-8": (
        written("sum.md", b"one\ntwo \xff\n"),
        "skills/sum.md, line 2: this is not UTF-8 text. Save the file as UTF-8.",
    ),
    "5 MB": (
        written("sum.md", b"x" * 5_000_000),
        "skills/sum.md: the file is larger than 256 kB. A skill is a short text: shorten it.",
    ),
    "no end": (
        written("sum.md", "---\nname: sum\nSum up."),
        "skills/sum.md, line 1: the front matter begins with --- and never ends. Put a line with --- behind "
        "it.",
    ),
    "a list": (
        written("sum.md", "---\n- sum\n---\nSum up."),
        "skills/sum.md, line 2: the front matter is no YAML (name: value). Mend it or leave it out.",
    ),
    "a number": (
        written("sum.md", "---\ndescription: Sums.\nname: 12\n---\nSum up."),
        "skills/sum.md, line 3: “name” is no text. Put it into quotes.",
    ),
    "nothing": (
        written("sum.md", "---\nname: sum\n---\n \n"),
        "skills/sum.md: there is no text in it. Write what is to be asked.",
    ),
    "too long": (
        written("sum.md", "x" * (MOST + 1)),
        "skills/sum.md: its text has 1,001 characters; the longest request has 1,000. Shorten it, or raise "
        "security.input_max_length in settings.yaml.",
    ),
    "a blank": (
        written("sum up.md", "Sum up."),
        "skills/sum up.md: “sum up” cannot be typed behind a slash. A name begins with a letter, has "
        "letters, digits, - and _ only, and is no top folder such as etc or home: rename it.",
    ),
    "a blank in the front matter": (
        written("sum.md", "---\nname: Sum Up\n---\nSum up."),
        "skills/sum.md, line 2: “Sum Up” cannot be typed behind a slash. A name begins with a letter, has "
        "letters, digits, - and _ only, and is no top folder such as etc or home: rename it.",
    ),
    "a command": (
        written("help.md", "Help me."),
        "skills/help.md: /help is a command of Jarvis, which goes first. Give the skill another name.",
    ),
    "a command in Korean": (
        written("도움말.md", "Help me."),
        "skills/도움말.md: /도움말 is a command of Jarvis, which goes first. Give the skill another name.",
    ),
    "an empty folder": (
        lambda folder: (folder / "sum").mkdir(),
        "skills/sum: there is no SKILL.md in this folder. Put one there, or take the folder away.",
    ),
    "another ending": (
        written("sum.txt", "Sum up."),
        "skills/sum.txt: this is no skill: its file ends in .md, or is called SKILL.md in a folder of its "
        "own.",
    ),
    "a pipe": (make_pipe, "skills/sum.md: the file cannot be read (not a regular file)."),
    "a link out": (
        link_out,
        "skills/sum.md: this is a link that leads out of the skills' folder, or nowhere. Put the file itself "
        "here.",
    ),
    "a linked folder": (
        link_folder_out,
        "skills/sum: this is a link that leads out of the skills' folder, or nowhere. Put the file itself "
        "here.",
    ),
    "a link inside": (
        link_inner_out,
        "skills/sum/SKILL.md: this is a link that leads out of the skills' folder, or nowhere. Put the file "
        "itself here.",
    ),
    "a circle": (
        circle,
        "skills/sum.md: this is a link that leads out of the skills' folder, or nowhere. Put the file itself "
        "here.",
    ),
    "a folder that ends in .md": (
        lambda folder: (folder / "sum.md").mkdir(),
        "skills/sum.md: there is no SKILL.md in this folder. Put one there, or take the folder away.",
    ),
}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_file_is_no_skill_and_says_so(folder: Path, odd: str) -> None:
    make, sentence = ODD[odd]
    make(folder)
    assert (looked(folder).skills, told(folder)) == ((), [sentence])
    [korean] = told(folder, Language.KOREAN)
    assert korean != sentence
    assert any("가" <= sign <= "힣" for sign in korean)


def test_of_two_of_one_name_the_first_counts_and_the_other_is_told(folder: Path) -> None:
    (folder / "sum.md").write_text("File.")
    (folder / "sum").mkdir()
    (folder / "sum" / "SKILL.md").write_text("Folder.")
    (folder / "zz.md").write_text("---\nname: SUM\n---\nThird.")
    read = looked(folder)
    assert [(one.name, one.body) for one in read.skills] == [("sum", "Folder.")]
    assert told(folder) == [
        "skills/sum.md: the name /sum belongs to skills/sum/SKILL.md already. Rename one of them.",
        "skills/zz.md: the name /sum belongs to skills/sum/SKILL.md already. Rename one of them.",
    ]
    assert [one.name for one in read.problems] == ["skills/sum.md", "skills/zz.md"]


def test_one_broken_file_takes_no_other_along(folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"\xff")
    (folder / "good.md").write_text("Good.")
    assert [one.name for one in looked(folder).skills] == ["good"]


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "skills").write_text("x")
    assert told(tmp_path / "skills") == [
        "skills: the skills' folder cannot be looked into (Not a directory)."
    ]


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "sum.md").write_text("Sum up.")
    (tmp_path / "skills").symlink_to(tmp_path / "dotfiles")
    assert [one.name for one in looked(tmp_path / "skills").skills] == ["sum"]


def test_the_largest_file_that_is_read_is_read(folder: Path) -> None:
    (folder / "sum.md").write_text("x" * MOST_BYTES)
    [problem] = looked(folder).problems
    assert problem.trouble is SkillTrouble.TOO_LONG


def test_a_longer_request_that_becomes_allowed_makes_a_skill_of_it(folder: Path) -> None:
    (folder / "sum.md").write_text("x" * (MOST + 1))
    files = SkillFiles(folder.parent, command_names())
    assert not files.look(MOST).skills
    assert [one.name for one in files.look(MOST + 1).skills] == ["sum"]
