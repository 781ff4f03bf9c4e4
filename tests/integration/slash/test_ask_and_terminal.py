"""``jarvis-desktop ask "/…"`` alone, beside the running program, and out of a command that Jarvis runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.app.ask_cmd import ask_once
from jarvis_desktop.app.instance import Instance, Obeyed, Reply
from tests.fakes.ollama_script import last_user_text, say
from tests.parts.ollama_script import StartsScript

ROOT = Path(__file__).parents[3]
START_S = 60.0


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A home of its own, without screen, voice or model."""
    own = {
        "JARVIS_HOME": str(tmp_path / "home"),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "JARVIS_UI__LANGUAGE": "en",
        "JARVIS_MODEL__HOST": "http://127.0.0.1:9",
        "JARVIS_MODEL__BACKEND": "ollama",
        "JARVIS_VOICE__ENABLED": "false",
        "JARVIS_AGENT__WORKING_DIRECTORY": str(tmp_path / "work"),
    }
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **own}


def asked(text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = ask_once(text, deny_all=False)
    out, err = capsys.readouterr()
    return status, out, err


def test_alone_a_command_answers_at_once_without_any_model(
    env: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = asked("/help", capsys)
    assert (status, "`/quit` — End Jarvis" in out) == (0, True)


def test_alone_an_unknown_command_ends_badly_and_says_what_to_do(
    env: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = asked("/hlep", capsys)
    assert (status, out) == (1, "")
    assert "Did you mean /help?" in err


def test_alone_nothing_pretends_to_steer_a_program(
    env: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = asked("/quit", capsys)
    assert (status, out, "not running" in err) == (1, "", True)


def test_a_path_is_asked_of_the_model(env: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = asked("/etc/hosts what is it?", capsys)
    assert (status, "127.0.0.1:9" in out) == (1, True)  # it was tried, and no server is there


@pytest.mark.promise("T-158")
def test_alone_a_skill_is_asked_of_the_model_and_marked(
    env: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    ollama_script: StartsScript,
) -> None:
    server = ollama_script(say("Three lines."))
    monkeypatch.setenv("JARVIS_MODEL__HOST", server.host)
    skills = tmp_path / "home" / "skills"
    skills.mkdir(parents=True)
    (skills / "sum.md").write_text("---\ndescription: Sums up.\n---\nSum up $1 in three lines.\n")
    status, out, err = asked("/sum a.txt", capsys)
    assert (status, out) == (0, "Three lines.\n")
    assert "The skill /sum made 28 characters of it; /skills sum shows its text." in err
    assert last_user_text(server.chats[-1].body).startswith("Sum up a.txt in three lines.\n")


def test_alone_a_broken_skill_ends_badly_and_says_what_to_do(
    env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skills = tmp_path / "home" / "skills"
    skills.mkdir(parents=True)
    (skills / "sum.md").write_text("")
    status, out, err = asked("/sum a.txt", capsys)
    assert (status, out) == (1, "")
    assert err.count("skills/sum.md: there is no text in it. Write what is to be asked.") == 1


def test_alone_what_is_wrong_in_files_is_said_once(
    env: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in (("team/odd.yaml", "nme: Odd\n"), ("skills/empty.md", "")):
        path = tmp_path / "home" / file
        path.parent.mkdir(parents=True)
        path.write_text(text)
    _, _, err = asked("/help", capsys)
    lines = err.splitlines()
    assert sorted(lines) == sorted(set(lines))
    assert [one.partition(":")[0].partition(",")[0] for one in lines].count("team/odd.yaml") >= 1


@pytest.fixture
def program(env: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """The program in a terminal nobody types into; it has claimed its home and listens."""
    with subprocess.Popen(
        [sys.executable, "-m", "jarvis_desktop"],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if "no screen" in line:
                break
        yield running
        running.kill()


def ask(env: dict[str, str], text: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "jarvis_desktop", "ask", text]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=START_S)


def tell(env: dict[str, str], text: str) -> Obeyed:
    """As ``ask``, without another process; the program is waited for while it starts."""
    instance = Instance(Path(env["JARVIS_HOME"]))
    gives_up_at = monotonic() + START_S
    while monotonic() < gives_up_at:
        reply, obeyed = instance.obey(text)
        if reply is Reply.TAKEN:
            return obeyed
        Event().wait(0.05)
    pytest.fail("the program never answered")


def test_the_running_program_carries_commands_out_and_both_are_told(
    env: dict[str, str], tmp_path: Path, program: "subprocess.Popen[str]"
) -> None:
    rules = tmp_path / "home" / "approvals.yaml"
    rules.write_text('rules:\n  - {tool: bash, pattern: "git status"}\n')
    whole = rules.read_bytes()
    assert "1. `bash: git status`" in tell(env, "/rules").text
    assert tell(env, "/rules revoke 1").well
    assert b"git status" not in rules.read_bytes()
    assert tell(env, "/rules undo").well
    assert rules.read_bytes() == whole
    for line, part in (
        ("/tools", "`bash` — runs a command · **asks first**"),
        ("/model", "gemma4:e2b"),
        ("/agent", "you talk with this one"),
        ("/memory", "Nothing is remembered yet."),
        ("/patterns", "no ways of working"),
        ("/voice", "Voice is off altogether"),
        ("/history", "No conversations are kept yet."),
    ):
        assert part in tell(env, line).text
    assert not tell(env, "/export").well
    assert "Focus is on until" in tell(env, "/focus 5").text
    assert "Focus is on until" in tell(env, "/집중").text
    skills = tmp_path / "home" / "skills"
    skills.mkdir()
    (skills / "sum.md").write_text("Sum up $1.")
    assert "`/sum` — Sum up" in tell(env, "/skills").text
    beside = ask(env, "/sum a.txt")  # a turn beside the running program; no server is there
    assert (beside.returncode, "127.0.0.1:9" in beside.stdout) == (1, True)
    wrong = ask(env, "/nope")
    assert (wrong.returncode, wrong.stdout, "no skill /nope" in wrong.stderr) == (1, "", True)
    assert tell(env, "/quit") == Obeyed("Jarvis ends.", well=True)
    assert program.wait(START_S) == 0
    assert program.stdout is not None
    assert "Focus is on until" in program.stdout.read()


@pytest.mark.parametrize("wiped", ["", "env -u SHELL_CALL "], ids=["marked", "mark wiped"])
async def test_a_command_that_jarvis_runs_is_refused_with_the_reason(
    env: dict[str, str], tmp_path: Path, wiped: str
) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = f'{wiped}{sys.executable} -m jarvis_desktop ask "/rules revoke 1"'
    end = await BashShell(environ).run(command, tmp_path, 60, 10_000, env)
    assert "takes no orders from a command that it runs itself" in end.output
