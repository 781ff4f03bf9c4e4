"""./run: quick when nothing is to be done, clear when something is."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Stands in for Python in .venv: "fetches" one speech model, and the chat model where the test needs one.
FETCHES = """case "$*" in
*fetch_starter*--needed) [ -e needs-model ] ;;
*fetch_starter*)
    [ ! -e no-network ] || exit 1
    mkdir -p "$JARVIS_HOME/models/qwen2.5-coder-1.5b"
    echo weights >"$JARVIS_HOME/models/qwen2.5-coder-1.5b/a.gguf"
    echo fetched the chat model >&2 ;;
*pip*install*) echo "pip $*" >>pip.log ;;
*fetch_models*)
    mkdir -p "$JARVIS_HOME/models/wake"
    echo weights >"$JARVIS_HOME/models/wake/a.onnx"
    echo fetched >&2 ;;
*) exec python3 "$@" ;;
esac"""
PREPARED = "run requirements/setup.bash requirements/apt-app.txt requirements/app.txt pyproject.toml"


def bash(script: str, cwd: Path, **environ: str) -> "subprocess.CompletedProcess[str]":
    """A piece of bash with the functions of setup.bash."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"source requirements/setup.bash; {script}"],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def program(folder: Path, name: str, script: str) -> None:
    """A stand-in for a program of the system."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/bash\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files of a start in a folder with a space and Hangul."""
    folder = tmp_path / "새 폴더"
    (folder / "requirements").mkdir(parents=True)
    for name in (*PREPARED.split(), "requirements/embedded.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def prepared(checkout: Path) -> Path:
    """A checkout that was prepared before; its program prints what it was given."""
    (checkout / "models").mkdir()
    (checkout / "models" / "manifest.yaml").write_text("models: {}")
    program(checkout / ".venv", "python", "")
    (checkout / ".venv" / "bin").mkdir()
    program(checkout / ".venv" / "bin", "python", FETCHES)
    program(checkout / ".venv" / "bin", "jarvis-desktop", 'printf "%s|" "$PWD" "$@"')
    assert bash(f"stamp app {PREPARED}", checkout).returncode == 0
    assert "fetched" in started(checkout).stderr
    return checkout


def started(
    checkout: Path, *arguments: str, link: Path | None = None, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """What ./run does, started through ``link`` from its folder when there is one."""
    return subprocess.run(
        [link or checkout / "run", *arguments],
        cwd=link.parent if link else checkout,
        env={**os.environ, "JARVIS_HOME": str(checkout / "home"), **environ},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_a_prepared_start_hands_over_arguments_and_folder_untouched(prepared: Path, tmp_path: Path) -> None:
    link = tmp_path / "jarvis"
    link.symlink_to(prepared / "run")

    done = started(prepared, "ask", "두 단어", "*", link=link)

    assert (done.stdout, done.stderr) == (f"{tmp_path}|ask|두 단어|*|", "")


def test_the_program_knows_how_it_was_called_to_name_commands_that_work(prepared: Path) -> None:
    program(prepared / ".venv" / "bin", "jarvis-desktop", 'printf "%s" "$JARVIS_COMMAND"')

    assert started(prepared, "--version").stdout == str(prepared / "run")
    link = prepared / ".local/bin/jarvis-desktop"  # as install-command makes it
    link.parent.mkdir(parents=True)
    link.symlink_to(prepared / "run")
    assert started(prepared, "--version", link=link).stdout == "jarvis-desktop"


@pytest.mark.parametrize("change", ["nothing", "deleted", "cut short"])
def test_only_a_model_that_is_missing_or_cut_short_is_fetched_again(prepared: Path, change: str) -> None:
    model = prepared / "home" / "models" / "wake" / "a.onnx"
    if change == "deleted":
        model.unlink()
    if change == "cut short":
        model.write_text("wei")

    assert started(prepared).stderr == ("" if change == "nothing" else "fetched\n")


@pytest.fixture
def without_ollama(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A prepared checkout on a machine that has no program called ollama, and needs a chat model."""
    kept = [folder for folder in os.environ["PATH"].split(":") if not (Path(folder) / "ollama").exists()]
    monkeypatch.setenv("PATH", ":".join(kept))
    (prepared / "needs-model").touch()
    return prepared


def test_without_ollama_engine_and_chat_model_are_fetched_once(without_ollama: Path) -> None:
    first, second = started(without_ollama, "ask"), started(without_ollama, "ask")

    assert first.stderr == "Installing the engine for the chat model (34 MB)\nfetched the chat model\n"
    pip = (without_ollama / "pip.log").read_text()
    assert pip.count("\n") == 1
    assert "--require-hashes -r requirements/embedded.txt --only-binary :all:" in pip
    assert (first.stdout, second.stdout, second.stderr) == (first.stdout, first.stdout, "")


def test_a_chat_model_that_cannot_be_fetched_does_not_stop_the_start(without_ollama: Path) -> None:
    (without_ollama / "no-network").touch()
    done = started(without_ollama, "ask")
    (without_ollama / "no-network").unlink()
    again = started(without_ollama, "ask")

    assert done.stdout == f"{without_ollama}|ask|"
    assert done.stderr.splitlines()[-1].startswith("The chat model is not there yet.")
    assert again.stderr == "fetched the chat model\n"


def test_the_chat_model_is_left_out_when_asked(without_ollama: Path) -> None:
    assert started(without_ollama, "ask", JARVIS_RUN_NO_LLM="1").stderr == ""


def test_where_ollama_is_installed_no_chat_model_is_fetched(without_ollama: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin", "ollama", "")

    assert started(without_ollama, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}").stderr == ""


@pytest.mark.parametrize(
    "command",
    [
        *("uninstall --dry-run", "doctor", "report", "--help", "ask --help", "models list", "rules list"),
        *("audit", "reply", "desktop-entry install", "say hello"),
    ],
)
def test_a_command_that_neither_listens_nor_thinks_fetches_nothing(
    without_ollama: Path, command: str
) -> None:
    shutil.rmtree(without_ollama / "home")

    done = started(without_ollama, *command.split())

    assert (done.stdout, done.stderr) == (f"{without_ollama}|{command.replace(' ', '|')}|", "")
    assert not (without_ollama / "home").exists()


@pytest.mark.parametrize("command", ["", "--hidden", "setup", "ask hello", "hear a.wav"])
def test_a_start_that_listens_or_thinks_fetches_what_is_missing(without_ollama: Path, command: str) -> None:
    shutil.rmtree(without_ollama / "home")

    done = started(without_ollama, *command.split())

    assert done.stderr.splitlines()[0] == "fetched"
    assert done.stderr.splitlines()[-1] == "fetched the chat model"


@pytest.mark.parametrize("outcome", ["succeeds", "fails"])
def test_what_pip_warns_of_is_shown_only_when_it_fails(checkout: Path, outcome: str) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    status = 0 if outcome == "succeeds" else 3
    program(checkout / ".venv" / "bin", "python", f"echo progress; echo WARNING: odd >&2; exit {status}")

    done = bash("pip_install x || echo status $?", checkout, TMPDIR=str(checkout / "requirements"))

    told = ("", "progress\n") if outcome == "succeeds" else ("status 3\n", "progress\nWARNING: odd\n")
    assert (done.stdout, done.stderr) == told
    assert not list((checkout / "requirements").glob("tmp.*"))


@pytest.mark.parametrize("change", ["requirements/app.txt", "pyproject.toml", "folder"])
def test_a_changed_list_or_a_moved_folder_is_noticed(prepared: Path, change: str) -> None:
    folder = prepared
    if change == "folder":
        folder = prepared.rename(prepared.with_name("moved"))
    else:
        (prepared / change).write_text("changed")

    assert bash(f"stamped app {PREPARED} || echo stale", folder).stdout == "stale\n"


def test_only_missing_packages_are_installed_and_said(checkout: Path, tmp_path: Path) -> None:
    (checkout / "list.txt").write_text("here # a remark\nrenamed gone\n")
    program(
        tmp_path / "bin",
        "dpkg-query",
        'printf "installed here\\ninstalled renamedt64\\nnot-installed gone\\n"',
    )
    program(tmp_path / "bin", "apt-get", 'echo "apt-get $*" >> "$HOME/apt.log"')
    program(tmp_path / "bin", "sudo", 'echo "sudo" >> "$HOME/apt.log"; exec "$@"')

    done = bash(
        'install_packages "for a test" list.txt', checkout, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    )

    log = (checkout / "apt.log").read_text().replace("sudo\n", "").splitlines()
    assert done.stderr.splitlines()[0] == "Installing system packages (for a test): gone"
    assert [line.split()[1] for line in log] == ["update", "install"]
    assert log[1].endswith("--no-install-recommends gone")


def test_packages_that_cannot_be_installed_do_not_stop_the_start(checkout: Path, tmp_path: Path) -> None:
    (checkout / "list.txt").write_text("gone")
    for name in ("dpkg-query", "apt-get", "sudo"):
        program(tmp_path / "bin", name, "exit 100")

    done = bash(
        'install_packages "for a test" list.txt; echo on',
        checkout,
        PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}",
    )

    assert done.stdout == "on\n"
    assert "going on without them: gone" in done.stderr


def test_a_system_without_apt_is_told_what_is_needed(checkout: Path, tmp_path: Path) -> None:
    for name in ("sed", "tr", "paste", "bash"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")

    done = bash("install_packages x requirements/apt-app.txt; echo on", checkout, PATH=str(tmp_path / "bin"))

    assert done.stdout == "on\n"
    assert "This system has no apt" in done.stderr
    assert "libportaudio2" in done.stderr


def test_apt_is_left_alone_when_asked(checkout: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin", "apt-get", "touch $HOME/touched")
    (checkout / "list.txt").write_text("no-such-package")

    done = bash(
        "install_packages x list.txt",
        checkout,
        JARVIS_RUN_NO_APT="1",
        PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}",
    )

    assert (done.returncode, done.stderr, (checkout / "touched").exists()) == (0, "", False)


def test_a_python_that_fails_is_passed_over_and_none_at_all_is_said(checkout: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin", "python3", "exit 127")
    program(tmp_path / "bin", "python3.13", f'exec "{shutil.which("python3")}" "$@"')
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"

    assert bash("find_python", checkout, PATH=path).stdout == f"{tmp_path / 'bin' / 'python3.13'}\n"

    for name in ("python3.11", "python3.12", "python3.13"):
        program(tmp_path / "bin", name, "exit 1")
    none = bash("find_python || echo none", checkout, PATH=path)
    assert none.stdout == "none\n"
    assert "needs Python 3.11, 3.12 or 3.13" in none.stderr


@pytest.mark.parametrize(
    "script", ["run", "test", ".ci/run", ".ci/check", ".ci/pin", "requirements/setup.bash"]
)
def test_every_script_is_valid_bash(script: str) -> None:
    assert subprocess.run(["bash", "-n", ROOT / script], timeout=30, check=False).returncode == 0
