"""The command line's help and errors, in the language of the person's settings."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer import rich_utils
from typer.core import TyperArgument, TyperOption
from typer.main import get_command

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.app.cli_commands import app, run_command
from jarvis_desktop.app.cli_words import PANEL_WORDS, every_command, help_texts, show_abort, translated
from jarvis_desktop.core.items.speech import Language

ROOT = Path(__file__).parents[3]
HANGUL = re.compile("[가-힣]")
PARSERS_ENGLISH = re.compile(
    r"Usage|OPTIONS|COMMAND|Options|Arguments|Commands|Error|Try|Show this|default:|required|No such|Missing"
    r"|Did you mean|Possible|Invalid|Input should"
)
ASKED = (
    ["--help"],
    ["goal", "--help"],
    ["schedule", "next", "--help"],
    ["rules", "test", "--help"],
    ["goal"],
    ["goals"],
    ["say"],
    ["say", "one", "two"],
    ["--foo"],
    ["ask", "--lisen"],
    ["ask"],
    ["ask", "--listen=3"],
    ["audit", "--since"],
    ["audit", "--since", "nope"],
    ["goal", "run", "news", "--at", "nope"],
    ["schedule", "next", "x"],
    ["schedule", "next", "0"],
    ["schedule", "next", "99999"],
    ["desktop-entry", "autostart"],
    ["desktop-entry", "autostart", "maybe"],
    ["models", "fetch"],
    ["reply", "classify", "--no-model", "--model", "some"],
    ["schedule", "add", "--cron", "@daily", "--at", "2026-12-01", "work"],
)


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on which each error is one line."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def korean(wide: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JARVIS_UI__LANGUAGE", "ko")


def said(tmp_path: Path, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """What the real command says to a person whose settings are Korean on a machine that is English."""
    (tmp_path / "settings.yaml").write_text("ui: {language: ko}\n", "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "jarvis_desktop", *arguments],
        env={
            **os.environ,
            "JARVIS_HOME": str(tmp_path),
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            "LANGUAGE": "en",
            "COLUMNS": "100",
            **env,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_the_help_of_the_program_is_in_korean(tmp_path: Path) -> None:
    done = said(tmp_path, "--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert "명령 없이 쓰면 시작해요." in done.stdout
    assert [word for word in ("사용법: ", "─ 옵션 ─", "─ 명령 ─") if word not in done.stdout] == []
    assert PARSERS_ENGLISH.findall(done.stdout) == []


def test_the_help_of_a_command_is_in_korean(tmp_path: Path) -> None:
    done = said(tmp_path, "goal", "--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert "에이전트가 계속 챙기는 일이에요." in done.stdout
    assert "이 도움말을 보여 주고 끝내요." in done.stdout
    assert PARSERS_ENGLISH.findall(done.stdout) == []


def test_a_mistyped_command_is_answered_in_korean_with_the_near_one(tmp_path: Path) -> None:
    done = said(tmp_path, "goals")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'goals'라는 명령은 없어요. 혹시 'goal'인가요?" in done.stderr
    assert re.search("도움말은 '.* --help' 명령으로 볼 수 있어요.", done.stderr)
    assert PARSERS_ENGLISH.findall(done.stderr) == []


def test_a_missing_argument_is_told_in_korean(tmp_path: Path) -> None:
    done = said(tmp_path, "say")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'text' 인자가 빠졌어요." in done.stderr
    assert PARSERS_ENGLISH.findall(done.stderr) == []


def test_a_terminal_without_hangul_is_spoken_to_in_english(tmp_path: Path) -> None:
    done = said(tmp_path, "goals", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert "No such command 'goals'. Did you mean 'goal'?" in done.stderr


def test_a_program_that_is_started_afterwards_has_the_environment_as_it_was(tmp_path: Path) -> None:
    given = {"JARVIS_HOME": str(tmp_path), "JARVIS_UI__LANGUAGE": "ko", "PYTHONPATH": str(ROOT)}
    given |= {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}
    program = (
        "import subprocess, sys\n"
        "from jarvis_desktop.app.cli_commands import run_command\n"
        "assert [run_command(['goal', '--help']), run_command(['goals'])] == [0, 2]\n"
        "child = 'import os; print(\"child:\", dict(os.environ))'\n"
        "sys.exit(subprocess.run([sys.executable, '-c', child], check=False).returncode)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=given, capture_output=True, text=True, timeout=100, check=True
    )

    said, _, child = done.stdout.partition("child: ")
    assert HANGUL.search(said)
    assert ast.literal_eval(child) == given


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_in_english_the_command_line_speaks_as_its_parser_does(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JARVIS_UI__LANGUAGE", "en")
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # the parser puts one of its own there
    with pytest.raises(SystemExit) as end:
        app(arguments)
    parsers = capsys.readouterr()

    assert run_command(arguments) == end.value.code
    assert capsys.readouterr() == parsers


@pytest.mark.usefixtures("korean")
@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_in_korean_no_word_of_the_parser_stays_english(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(arguments)

    both = "".join(capsys.readouterr())
    assert HANGUL.search(both)
    assert PARSERS_ENGLISH.findall(both) == []


@pytest.mark.usefixtures("korean")
def test_one_commands_korean_leaves_the_next_ones_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["goal", "--help"])
    assert HANGUL.search(capsys.readouterr().out)
    monkeypatch.setenv("JARVIS_UI__LANGUAGE", "en")

    run_command(["goal", "--help"])

    assert HANGUL.findall(capsys.readouterr().out) == []


@pytest.mark.usefixtures("korean")
def test_what_stops_halfway_says_so_in_korean(capsys: pytest.CaptureFixture[str]) -> None:
    show_abort()

    assert capsys.readouterr().err == "멈췄어요.\n"


@pytest.mark.usefixtures("korean")
def test_no_letter_is_lost_at_any_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for columns in range(70, 110):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run_command(["--help"]) == 0

    assert "…" not in capsys.readouterr().out


def test_every_command_argument_and_option_says_what_it_is_for_in_korean() -> None:
    root, texts = get_command(app), Catalog(Language.KOREAN)
    silent = [command.name for command in every_command(root) if not command.help] + [
        f"{command.name} {param.name}"
        for command in every_command(root)
        for param in command.params
        if isinstance(param, TyperOption | TyperArgument) and not param.help
    ]

    assert silent == []
    assert [text for text in help_texts(root) if not HANGUL.search(texts(text))] == []


def test_the_words_around_help_are_those_of_the_installed_parser() -> None:
    assert {name: vars(rich_utils)[name] for name in PANEL_WORDS} == dict(PANEL_WORDS)


def test_what_a_person_typed_stays_as_it_is_in_the_error() -> None:
    texts = Catalog(Language.KOREAN)

    assert translated("No such command '{name}'.", texts) == "'{name}'이라는 명령은 없어요."
    assert translated("a sentence that nobody knows", texts) == "a sentence that nobody knows"
