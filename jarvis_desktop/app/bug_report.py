"""What a bug report holds: the machine, the versions and what happened; nothing that was said."""

import importlib.metadata
import json
import os
import platform
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import jarvis_desktop
from jarvis_desktop.adapters.rule_files import AGENT_FOLDER, SHARED_FILE
from jarvis_desktop.adapters.rule_text import MOST_BYTES, read_rules
from jarvis_desktop.adapters.settings_problem import SettingsProblem
from jarvis_desktop.adapters.sqlite_file import verdict_on
from jarvis_desktop.adapters.sqlite_schema import STEPS, migrate
from jarvis_desktop.app.doctor_finding import Finding
from jarvis_desktop.app.home_inventory import inventory
from jarvis_desktop.app.options import DATABASE_NAME
from jarvis_desktop.app.report_redaction import Redaction, told_log, told_settings
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings

MOST_LOG_BYTES = 2_000_000
SESSION_VARIABLES = ("XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "DESKTOP_SESSION", "LANG", "LC_ALL")

README = """\
A bug report of Jarvis Desktop. It was written on this machine and sent to nobody; look through it before you
hand it on.

doctor.json     what "jarvis-desktop doctor --json" found
versions.json   Jarvis, Python, its packages, the system and the kind of desktop
settings.json   the settings in force, without addresses, folders and patterns of your own; what is wrong
database.json   tables, and how many rows each has; no row
counts.json     how many rules there are, and how big each kind of file is
log/            what happened and when: fixed sentences, names of errors, numbers

Not in it: what was said, typed or answered, tool calls and their results, names and contents of your files,
rules, addresses of other machines, the names of this machine and of its user.
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the report is about."""

    home: Path
    settings: Settings
    problems: Sequence[SettingsProblem]
    findings: Sequence[Finding]
    texts: Texts


def report_files(scene: Scene) -> Iterator[tuple[str, str]]:
    """Name and text of each file of the report."""
    redaction = Redaction(scene.home, scene.settings)
    parts: Mapping[str, object] = {
        "doctor.json": [_told_finding(finding) for finding in scene.findings],
        "versions.json": _versions(),
        "settings.json": {
            "in_force": told_settings(scene.settings),
            "problems": [_told_problem(problem) for problem in scene.problems],
        },
        "database.json": database_facts(scene.home / DATABASE_NAME),
        "counts.json": _counts(scene),
    }
    yield "README.txt", README
    for name, part in parts.items():
        yield name, json.dumps(redaction.deep(part), indent=2, ensure_ascii=False) + "\n"
    for path in sorted((scene.home / "logs").glob("*.log*")):
        if not path.is_symlink() and path.is_file():
            yield f"log/{_log_name(path)}", redaction.text("\n".join(told_log(_end_of(path))) + "\n")


def _log_name(path: Path) -> str:
    name, _, number = path.name.rpartition(".")
    known = path.name == "jarvis.log" or (name == "jarvis.log" and number.isdigit())
    return path.name if known else f"other-{path.stat().st_ino}.log"


def _end_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MOST_LOG_BYTES))
            content = file.read(MOST_LOG_BYTES)
    except OSError:
        return ""
    return content.decode("utf-8", "replace")


def _told_finding(finding: Finding) -> dict[str, object]:
    # What stands wrongly in the settings is quoted there; settings.json says it without the value.
    told = (
        replace(finding, todo="see settings.json") if finding.name == "settings" and finding.todo else finding
    )
    return told.as_json()


def _told_problem(problem: SettingsProblem) -> dict[str, object]:
    known = (
        problem.path.partition(".")[0] in Settings.model_fields and problem.kind.value != "extra_forbidden"
    )
    place = problem.place if problem.place == "settings.yaml" else "environment"
    return {
        "place": place,
        "line": problem.line,
        "setting": problem.path if known else "",
        "kind": problem.kind.value,
        "counts_instead": problem.fallback.value,
    }


def _versions() -> dict[str, object]:
    packages = {
        str(one.metadata["Name"]): one.version for one in importlib.metadata.distributions() if one.metadata
    }
    return {
        "jarvis_desktop": jarvis_desktop.__version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "in_a_virtual_environment": sys.prefix != sys.base_prefix,
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "distribution": _distribution(),
        "session": {name: os.environ[name] for name in SESSION_VARIABLES if os.environ.get(name)},
        "packages": dict(sorted(packages.items())),
    }


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        return ""


def database_facts(path: Path) -> dict[str, object]:
    """Tables of ours and how many rows each has. The file is left as it is."""
    if not path.is_file():
        return {"there": False}
    facts: dict[str, object] = {"there": True, "bytes": path.stat().st_size}
    verdict = verdict_on(path)
    if verdict != "ok":
        return facts | {"whole": False}
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        present = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        ours = _our_schema(version)
        rows = {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - a name of ours
            for name, sql in ours.items()
            if name in present and sql.startswith("CREATE TABLE")
        }
    return facts | {
        "whole": True,
        "version": version,
        "newest_version": len(STEPS),
        "schema_as_we_made_it": present == ours,
        "schema": {name: sql for name, sql in ours.items() if present.get(name) == sql},
        "rows": rows,
    }


def _our_schema(version: int) -> dict[str, str]:
    """Tables, indexes and triggers of a version, as SQLite keeps them."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, STEPS[:version])
        return dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def _beginning(path: Path) -> bytes:
    """As much as a rule file may have, and a byte more."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _counts(scene: Scene) -> dict[str, object]:
    home = scene.home
    files = [home / SHARED_FILE, *sorted((home / AGENT_FOLDER).glob("*.yaml"))]
    found = [
        read_rules(_beginning(path), path.name)
        for path in files
        if path.is_file() and os.access(path, os.R_OK)
    ]
    there = inventory(home, scene.texts)
    return {
        "rule_files": len(found),
        "rules": sum(len(read.rules) for read in found),
        "rule_problems": sum(len(read.problems) for read in found),
        "kept": {one.name: {"files": one.files, "bytes": one.size_bytes} for one in there.kept},
        "unknown_entries": len(there.unknown),
    }
