"""Many files at once: few processes read them, and one that breaks the reader breaks itself alone."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from jarvis_desktop.adapters import extension_files, extension_reading
from jarvis_desktop.adapters.extension_files import ExtensionFiles, FileTrouble
from jarvis_desktop.adapters.shell_child import child_program

GOOD = "def add(a: int) -> int:\n    'Adds.'\n    return a\n"
FATAL = "x = " + "-" * 400_000 + "1\n"
"""The parser of the interpreter gives up on it, or ends with it."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every process that was started."""
    made: list[object] = []
    real = subprocess.Popen

    def popen(*words: Any, **more: Any) -> Any:
        made.append(words)
        return real(*words, **more)

    monkeypatch.setattr(subprocess, "Popen", popen)
    return made


def test_many_new_files_are_read_by_few_processes_and_known_ones_by_none(
    tmp_path: Path, started: list[object]
) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    for number in range(250):
        (folder / f"t{number:03}.py").write_text(GOOD)
    files = ExtensionFiles(tmp_path)
    assert [one.trouble for one in files.look()] == [None] * 250
    assert len(started) == 3
    (folder / "t000.py").write_text("def f(:\n")
    assert files.look()[0].trouble is FileTrouble.NO_PYTHON
    assert len(started) == 4


@pytest.mark.parametrize("text", [FATAL, "#" * 20 + "\nhang()\n"])
def test_a_text_that_ends_the_reader_takes_no_other_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    reader = tmp_path / "reader.py"
    reader.write_text(
        "import json, os, sys, time\n"
        "from jarvis_desktop.adapters.extension_reader import described\n"
        "for line in sys.stdin.buffer:\n"
        "    text = json.loads(line)\n"
        "    os._exit(9) if '----' in text else time.sleep(600) if 'hang()' in text else None\n"
        "    print(json.dumps(described(text)), flush=True)\n"
    )
    own = child_program("runpy")
    monkeypatch.setattr(extension_reading, "child_program", lambda _: (own[0], str(reader)))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.setattr(extension_files, "READ_WITHIN_S", 6.0)
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, one in (("a", GOOD), ("b", text), ("c", GOOD), ("d", text), ("e", GOOD)):
        (folder / f"{name}.py").write_text(one)
    found = ExtensionFiles(tmp_path).look()
    assert [one.trouble for one in found] == [None, FileTrouble.NO_PYTHON, None, FileTrouble.NO_PYTHON, None]


def test_the_real_reader_survives_the_text_or_only_that_text_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, one in (("a", GOOD), ("b", FATAL), ("c", GOOD)):
        (folder / f"{name}.py").write_text(one)
    found = ExtensionFiles(tmp_path).look()
    assert [one.trouble for one in found] == [None, FileTrouble.NO_PYTHON, None]
