"""A person's home in which Jarvis has lived, with marks wherever something private could stand."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

from jarvis_desktop.adapters.desktop_entry import DesktopEntry
from jarvis_desktop.adapters.sqlite_schema import migrate
from tests.integration.rules_cli.conftest import Cli

MARK = "geheimnis"
"""Stands in everything that is private here."""


@dataclass(frozen=True, slots=True)
class Lived:
    """A home after some weeks."""

    person: Path
    cli: Cli

    @property
    def home(self) -> Path:
        """The folder of Jarvis."""
        return self.person / ".jarvis"

    @property
    def work(self) -> Path:
        """The person's own files."""
        return self.person / "Jarvis"


@pytest.fixture
def lived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lived:
    """Conversations, rules, logs, settings and files, each with marks in it."""
    person = tmp_path / "홍 길동"
    person.mkdir()
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("HOME", str(person))
    monkeypatch.setenv("JARVIS_HOME", "")
    monkeypatch.setenv("LANG", "C.UTF-8")
    one = Lived(person, Cli(person))
    _fill(one)
    return one


def _fill(one: Lived) -> None:
    for folder in ("approvals", "logs", "models/wakeword", "goals", "procedures"):
        (one.home / folder).mkdir(parents=True)
    one.work.mkdir()
    (one.work / f"{MARK}.txt").write_text(MARK)
    (one.home / "settings.yaml").write_text(_SETTINGS)
    (one.home / "approvals.yaml").write_text(f"- {{tool: bash, pattern: {MARK} push}}\n")
    (one.home / "approvals/main.yaml").write_text(f"- {{tool: write_file, pattern: /{MARK}/*}}\n")
    (one.home / f"goals/{MARK}.json").write_text(f'"{MARK}"')
    (one.home / "procedures/tidy.md").write_text(MARK)
    (one.home / "models/wakeword/a.onnx").write_bytes(b"x" * 2000)
    (one.home / "logs/jarvis.log").write_text("\n".join(_LOG) + "\n")
    (one.home / "logs/jarvis.log.1").write_text(f"{MARK} that is no JSON\n")
    (one.home / "jarvis.lock").write_text("")
    _fill_database(one.home / "jarvis.db")


_SETTINGS = f"""
ui: {{theme: {MARK}, hotkey: Ctrl+Alt+J}}
model: {{host: "http://{MARK}:{MARK}@{MARK}.example:1234", allowed_host: {MARK}.example}}
security:
  dangerous_commands: [privilege, "{MARK}.*"]
  require_approval_for: [bash, {MARK}_tool]
agent: {{working_directory: "~/Jarvis/{MARK}"}}
{MARK}: {{token: {MARK}}}
"""
_LOG = (
    json.dumps(
        {
            "at": "2026-12-01T09:00:00.000+00:00",
            "level": "warning",
            "logger": "jarvis_desktop.app.recorder",
            "event": "events cannot be stored for now",
            "error": "StorageError",
            "ms": 12,
            "private_text": MARK,
            "path": f"/home/{MARK}",
            "tool": f"bash {MARK}",
        }
    ),
    json.dumps(
        {
            "at": "2026-12-01T09:00:01.000+00:00",
            "level": "error",
            "logger": "httpx",
            "event": MARK,
            "where": "client:12",
            "error": [{"type": "ConnectError", "text": MARK, "frames": ["client.py:12 send", MARK * 2]}],
        }
    ),
    MARK,
)


def _fill_database(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection)
    connection.execute(
        f"INSERT INTO conversations VALUES ('c', 'conversation', 'main', '/{MARK}', '{MARK}', 1)"
    )
    connection.execute(
        "INSERT INTO turns (id, conversation, origin, language, text, asked_at, reply) "
        f"VALUES ('t', 'c', 'typed', 'en', '{MARK}', '{MARK}', '{MARK}')"
    )
    connection.execute(f"INSERT INTO messages (turn, role, text) VALUES ('t', 'user', '{MARK}')")
    connection.execute(f"INSERT INTO activity (kind, text, at) VALUES ('tool', '{MARK}', '{MARK}')")
    connection.execute(f"CREATE TABLE {MARK} ({MARK} TEXT)")
    connection.close()


@pytest.fixture
def entry(lived: Lived) -> DesktopEntry:
    """The person's menu and session start have Jarvis."""
    made = DesktopEntry((f"{lived.person}/jarvis-desktop",), {"HOME": str(lived.person)})
    made.install_menu()
    made.set_autostart(on=True)
    return made
