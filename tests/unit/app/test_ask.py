"""``jarvis-desktop ask`` where no turn can start."""

from pathlib import Path

import pytest

from jarvis_desktop.app.ask_cmd import ask_once


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own."""
    monkeypatch.setenv("JARVIS_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    return tmp_path


def test_a_core_that_cannot_start_ends_ask_with_a_reason_on_stderr(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "jarvis.db").mkdir()
    status = ask_once("hello", deny_all=True)
    out, err = capsys.readouterr()
    assert (status, out) == (1, "")
    assert "jarvis.db" in err


def test_a_request_that_is_too_long_ends_ask_with_a_reason_on_stderr(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "settings.yaml").write_text("security:\n  input_max_length: 3\n")
    status = ask_once("hello", deny_all=True)
    out, err = capsys.readouterr()
    assert (status, out) == (1, "")
    assert "security.input_max_length" in err


def test_a_working_directory_that_cannot_be_made_is_named_and_the_turn_goes_on(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "file").touch()
    (home / "settings.yaml").write_text(
        f"agent:\n  working_directory: {home / 'file' / 'inside'}\nmodel:\n  host: http://127.0.0.1:9\n"
    )
    status = ask_once("hello", deny_all=True)
    out, err = capsys.readouterr()
    assert "agent.working_directory" in err
    # The turn itself was begun: it is the missing server that ended it.
    assert (status, "127.0.0.1:9" in out) == (1, True)


def test_ask_says_nothing_of_earlier_runs_and_a_missing_server_once(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "settings.yaml").write_text(
        "security:\n  input_max_length: 9\nmodel:\n  host: http://127.0.0.1:9\n"
    )
    ask_once("much too long", deny_all=True)
    assert "security.input_max_length" in capsys.readouterr().err
    status = ask_once("hello", deny_all=True)
    out, err = capsys.readouterr()
    assert (status, (out + err).count("127.0.0.1:9")) == (1, 1)
    assert "security.input_max_length" not in err
