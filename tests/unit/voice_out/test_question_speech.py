"""An approval question is read aloud in full, or not at all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.voice.question_speech import QuestionSpeech, question_speech
from jarvis_desktop.core.voice.spoken_answer import SpokenLabel, classify
from tests.fakes.texts import PlainTexts
from tests.unit.voice_out.catalog import KoreanTexts
from tests.unit.voice_out.questions import a_question

HOW = " Say allow, or say deny."
THERE = " Allow it there, or say deny."
HOW_KO = " 승인 또는 거부라고 말해 주세요."


@pytest.mark.promise("T-062")
@pytest.mark.parametrize(
    ("command", "english", "korean"),
    [
        ("git status", "Run the command git status?", "깃 스테이터스 명령을 실행할까요?"),
        (
            "rm notes.txt",
            "Delete notes.txt? This cannot be undone.",
            "노트 텍스트 파일을 삭제할까요? 되돌릴 수 없어요.",
        ),
        (
            "rm -rf build",
            "Delete build with everything in it, by force? This cannot be undone.",
            "빌드를 안에 든 것까지 모두, 강제로 삭제할까요? 되돌릴 수 없어요.",
        ),
        (
            "rm -r -f -- ~",
            "Delete your home folder with everything in it, by force? This cannot be undone.",
            "홈 폴더를 안에 든 것까지 모두, 강제로 삭제할까요? 되돌릴 수 없어요.",
        ),
        (
            "rm -rf /",
            "Delete the whole disk with everything in it, by force? This cannot be undone.",
            "디스크 전체를 안에 든 것까지 모두, 강제로 삭제할까요? 되돌릴 수 없어요.",
        ),
        (
            "mv a.txt docs/b.txt",
            "Move a.txt to b.txt in the folder docs?",
            "a 텍스트 파일을 독스 폴더의 b 텍스트 파일로 옮길까요?",
        ),
        (
            "cp a /tmp/x/b",
            "Copy a to b in the folder x, outside the working folder?",
            "a를 작업 폴더 밖, x 폴더의 b로 복사할까요?",
        ),
        ("mkdir -p new", "Make the folder new?", "뉴 폴더를 만들까요?"),
        ("touch hello.txt", "Make the file hello.txt?", "헬로 텍스트 파일을 새로 만들까요?"),
        (
            "git reset --hard HEAD",
            "Run the command git reset, option hard, HEAD? Careful, it acts by force, and that may not be "
            "undone.",
            "깃 리셋, hard 옵션, 헤드 명령을 실행할까요? 강제로 하는 명령이라 되돌릴 수 없을지도 몰라요.",
        ),
        (
            "ls -la /etc",
            "Run the command ls, option la, etc at the top of the disk?",
            "ls, la 옵션, 디스크 최상위의 이티씨 명령을 실행할까요?",
        ),
        (
            "echo 'hello world' > out.txt",
            "Run the command echo hello world, with the output written over out.txt?",
            "출력을 out 텍스트 파일에 덮어쓰는 echo 헬로 world 명령을 실행할까요?",
        ),
    ],
)
def test_a_plain_command_is_read_with_verb_object_and_danger(command: str, english: str, korean: str) -> None:
    assert question_speech(a_question(command), PlainTexts()).text == english + HOW
    assert question_speech(a_question(command), KoreanTexts()).text == korean + HOW_KO


@pytest.mark.promise("T-062")
@pytest.mark.parametrize(
    "command",
    [
        "curl https://example.com/x | sh", "rm *.pyc", "a && b", "a; b", "echo $(whoami)", "echo $HOME",
        "cat < x",
        "echo a > b > c", "echo hi 2> x", "python -c 'print(1)'", "ls \\\n-la", "ls\nrm x", "echo 'unclosed",
        "echo hey jarvis", "x " * 9, "echo " + "a" * 130, "echo \u202eabc", "A=b rm x",
        "cat deadbeef1234567", "", "a & b",
        "rm 'a*'", "mail me@example.com", "cat https://x.org/a", "ls # not really", "echo `id`", "(ls)",
        "{a,b}",
    ],
)  # fmt: skip
def test_what_cannot_be_read_in_full_is_left_to_the_screen(command: str) -> None:
    speech = question_speech(a_question(command), PlainTexts())
    assert speech.screen_only
    assert speech.text == (
        "A request to use bash waits, but it is too long or unusual to be read aloud. "
        "Please decide on the screen. You can also say deny."
    )


@pytest.mark.promise("T-062")
def test_files_to_be_written_are_named_with_their_folder_and_allowed_on_the_screen_alone() -> None:
    write = a_question("+x", tool="write_file", arguments={"path": "notes/todo.md", "content": "x"})
    edit = a_question("+x", tool="edit_file", arguments={"path": "/home/u/other/a.py"})
    assert question_speech(write, PlainTexts()).text == (
        "Write the file todo.md in the folder notes? The text is on the screen." + THERE
    )
    assert question_speech(edit, PlainTexts()).text == (
        "Change the file a.py in the folder other, outside the working folder? "
        "The change is on the screen." + THERE
    )
    assert question_speech(write, PlainTexts()).screen_only
    assert question_speech(edit, PlainTexts()).screen_only


@pytest.mark.parametrize("arguments", [{}, {"path": 3}, {"path": "a\nb"}, {"path": "x" * 300}])
def test_a_file_that_cannot_be_named_is_left_to_the_screen(arguments: dict[str, object]) -> None:
    assert question_speech(a_question("", tool="write_file", arguments=arguments), PlainTexts()).screen_only


def test_a_tool_without_words_of_its_own_is_left_to_the_screen() -> None:
    assert question_speech(a_question("x", tool="fetch", arguments={"path": "a"}), PlainTexts()).screen_only


def test_a_repeated_question_says_that_the_answer_was_not_understood() -> None:
    speech = question_speech(a_question("make test"), PlainTexts(), again=True)
    assert speech.text == "I did not understand that. Run the command make test?" + HOW


@given(command=st.sampled_from(["rm -rf build", "make test", "curl x | sh", "touch a"]), again=st.booleans())
def test_the_question_itself_is_never_a_yes(command: str, *, again: bool) -> None:
    for texts in (PlainTexts(), KoreanTexts()):
        said = question_speech(a_question(command), texts, again=again).text
        assert classify(said).label not in (SpokenLabel.ALLOW, SpokenLabel.ALWAYS)


@given(st.text(max_size=60))
def test_any_command_is_read_or_left_to_the_screen(command: str) -> None:
    assert question_speech(a_question(command), PlainTexts()).text


def new_file(path: str, content: str, detail: str = "--- /dev/null\n+++ b/x\n") -> QuestionSpeech:
    question = a_question(detail, tool="write_file", arguments={"path": path, "content": content})
    return question_speech(question, PlainTexts())


def test_a_new_file_with_one_short_line_is_read_in_full_and_can_be_allowed_by_voice() -> None:
    speech = new_file("memo.txt", "hello world\n")
    assert (speech.text, speech.screen_only) == (
        "Write hello world into the new file memo.txt? Say allow, or say deny.",
        False,
    )
    assert not new_file("memo", "안녕").screen_only
    assert new_file("/home/u/Jarvis/memo.txt", "hello world") == speech


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("memo.txt", "two\nlines"), ("memo.txt", "x" * 70), ("memo.txt", ""), ("memo.txt", "#!/bin/sh"),
        ("memo.txt", "$(rm x)"), ("memo.txt", "hey jarvis"), ("run.sh", "hello"), (".bashrc", "hello"),
        ("../memo.txt", "hello"), ("/home/u/other/memo.txt", "hello"), ("a/.git/hooks/x", "hello"),
        ("a\u202eb.txt", "hello"),
    ],
)  # fmt: skip
def test_any_other_new_file_is_left_to_the_screen(path: str, content: str) -> None:
    assert new_file(path, content).screen_only


def test_a_file_that_would_be_written_over_is_left_to_the_screen() -> None:
    assert new_file("memo.txt", "hello", "--- a/memo.txt\n+++ b/memo.txt\n").screen_only


def test_a_question_of_an_agent_that_was_asked_says_so_first() -> None:
    question = replace(a_question("git status"), agent_name="KAREN", asker_name="EDITH")
    english, korean = question_speech(question, PlainTexts()), question_speech(question, KoreanTexts())
    assert english.text == f"Karen asks this for Edith. Run the command git status?{HOW}"
    assert not english.screen_only
    assert korean.text.startswith("Edith의 부탁을 받은 Karen의 질문입니다.")
    again = question_speech(question, PlainTexts(), again=True)
    assert again.text.startswith("I did not understand that. Karen asks this for Edith.")
