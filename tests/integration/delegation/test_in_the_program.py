"""One agent asks another in the program as it is put together, with the agents that come with it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jarvis_desktop.app.ask_cmd import ask_once
from jarvis_desktop.app.options import DATABASE_NAME
from tests.fakes.ollama_script import call, say
from tests.parts.ollama_script import StartsScript


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, without a screen."""
    values = {
        "JARVIS_HOME": str(tmp_path / "home"),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "HOME": str(tmp_path),
        "JARVIS_UI__LANGUAGE": "en",
        "JARVIS_MODEL__BACKEND": "ollama",
        "JARVIS_MODEL__CALLS": "native",
        "JARVIS_AGENT__WORKING_DIRECTORY": str(tmp_path / "work"),
    }
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return tmp_path / "home"


def test_jarvis_asks_karen_who_answers_as_herself_and_it_is_stored(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ollama_script: StartsScript,
) -> None:
    asks = call("ask_agent", {"agent": "KAREN", "question": "Which notices?"})
    server = ollama_script(asks, say("Two notices."), say("Karen says: two."))
    monkeypatch.setenv("JARVIS_MODEL__HOST", server.host)

    status = ask_once("Ask Karen", deny_all=False)

    out, err = capsys.readouterr()
    assert (status, out.strip()) == (0, "Karen says: two.")
    assert err.splitlines()[:2] == ["→ JARVIS asks KAREN: Which notices?", "← KAREN has answered"]
    jarvis, karen, again = (chat.body for chat in server.chats)
    assert {"ask_agent", "orchestrate", "agent_karen"} <= {
        tool["function"]["name"] for tool in jarvis["tools"]
    }
    assert "You are Karen" in karen["messages"][0]["content"]
    assert not {"ask_agent", "bash"} & {tool["function"]["name"] for tool in karen["tools"]}
    assert again["messages"][-1]["content"].endswith("Two notices.")
    with closing(sqlite3.connect(home / DATABASE_NAME)) as stored:
        kinds = stored.execute("SELECT kind, agent FROM conversations ORDER BY used").fetchall()
        (link,) = stored.execute("SELECT name, asker, task FROM delegates").fetchall()
    assert kinds == [("conversation", "main"), ("delegation", "karen")]
    assert link == ("KAREN", "JARVIS", "Which notices?")
