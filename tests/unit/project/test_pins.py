"""What is installed is pinned, by hash, without saying from where."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]
PINS = [ROOT / "requirements" / "app.txt", ROOT / "requirements" / "dev.txt"]
EMBEDDED = ROOT / "requirements" / "embedded.txt"


def canonical(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[ \[<>=!~;]", name.strip())[0]).lower()


def pinned(path: Path) -> dict[str, str]:
    """Each requirement with everything up to the next one."""
    whole = re.sub(r"\\\n\s*", " ", path.read_text("utf-8"))
    lines = [line for line in whole.splitlines() if line and not line.lstrip().startswith("#")]
    return {canonical(line): line for line in lines}


@pytest.mark.parametrize("path", [*PINS, EMBEDDED], ids=lambda path: path.name)
def test_every_package_has_one_version_and_hashes(path: Path) -> None:
    bad = [
        line
        for line in pinned(path).values()
        if not re.match(r"[\w.-]+==\S+ ", line) or not re.search(r"--hash=sha256:[0-9a-f]{64}", line)
    ]

    assert bad == []


@pytest.mark.parametrize("path", [*PINS, EMBEDDED], ids=lambda path: path.name)
def test_no_address_of_a_package_index_is_written_down(path: Path) -> None:
    assert not re.search(r"://|--(extra-)?index-url|--find-links|file:", path.read_text("utf-8"))


def test_every_dependency_is_pinned_to_a_version_that_is_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pins = pinned(PINS[0])

    for requirement in map(Requirement, project["dependencies"]):
        version = pins[canonical(requirement.name)].split("==")[1].split()[0]
        assert requirement.specifier.contains(version), requirement


def test_app_and_tests_agree_on_versions() -> None:
    app, dev = (dict(re.findall(r"^([\w.-]+)==(\S+) \\$", path.read_text("utf-8"), re.M)) for path in PINS)

    assert {name: version for name, version in dev.items() if app.get(name, version) != version} == {}


def test_the_engine_for_chat_models_is_the_same_in_all_lists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = project["optional-dependencies"]["embedded"]
    engine, tested = pinned(EMBEDDED)["xllamacpp"], pinned(PINS[1])["xllamacpp"]
    hashes = [set(re.findall(r"--hash=\S+", line)) for line in (engine, tested)]

    assert hashes[0] == hashes[1]
    assert Requirement(wanted).specifier.contains(engine.split("==")[1].split()[0])


def test_every_dependency_is_used_by_the_app() -> None:
    """What nothing imports is downloaded by everybody for nothing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    called = {
        "pyside6-essentials": "PySide6",
        "pyyaml": "yaml",
        "ruamel-yaml": "ruamel.yaml",
        "python-xlib": "Xlib",
    }
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "jarvis_desktop").rglob("*.py"))

    unused = [
        name
        for name in map(canonical, project["dependencies"])
        if not re.search(rf"^\s*(import|from) {called.get(name, name.replace('-', '_'))}\b", code, re.M)
    ]
    assert unused == []


def test_what_tests_and_experiments_import_is_declared() -> None:
    """Or they would fail on a machine that was set up by ./test."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    dev = (ROOT / "requirements" / "dev.in").read_text("utf-8").splitlines()
    declared = {canonical(line) for line in [*project["dependencies"], *dev] if line and line[0] != "#"}
    names = {
        "PySide6": "pyside6-essentials",
        "ruamel": "ruamel-yaml",
        "yaml": "pyyaml",
        "Xlib": "python-xlib",
        "pytestqt": "pytest-qt",
    }
    own = {"jarvis_desktop", "tests", "experiments", "packaging"}  # pytest brings packaging

    files = [path for folder in ("tests", "experiments") for path in (ROOT / folder).rglob("*.py")]
    found = {name.split(".")[0] for path in files for name in imported(path)}
    thirds = {names.get(name, canonical(name)) for name in found - own - sys.stdlib_module_names}
    assert thirds - declared == set()


def imported(path: Path) -> Iterator[str]:
    """Modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
