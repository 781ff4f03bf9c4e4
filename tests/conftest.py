"""For every test: a home of its own, no settings of the machine, nothing left running afterwards."""

import logging
import os
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

# Each part of the machine that tests need has its fixtures in a module of its own.
pytest_plugins = [
    f"tests.parts.{name}"
    for name in ("audio", "ollama", "ollama_script", "engine", "screen", "sound_cards", "speech")
    if (Path(__file__).parent / "parts" / f"{name}.py").exists()
]

LONGEST_GOODBYE_S = 3.0
home_numbers = count()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests with real parts are ``real``: ./test gives them the machine for themselves."""
    for item in items:
        if any(mark.name.startswith("real_") for mark in item.iter_markers()):
            item.add_marker(pytest.mark.real)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """``JARVIS_HOME`` is a folder that no other test uses; it is not made here. Settings are the defaults."""
    for name in os.environ:
        if name.startswith("JARVIS_") and "__" in name:
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(home_numbers))
    monkeypatch.setenv("JARVIS_HOME", str(home))


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """A test ends the threads and child processes that it started; those of wider fixtures may stay."""
    threads, children = set(threading.enumerate()), child_processes()
    yield
    left = [thread for thread in threading.enumerate() if thread not in threads and not thread.daemon]
    for thread in left:
        thread.join(LONGEST_GOODBYE_S)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads still run: {alive}"
    started = {pid: command_line(pid) for pid in child_processes() - children}
    # multiprocessing keeps one helper for the life of the process.
    orphans = {pid: line for pid, line in started.items() if line and "resource_tracker" not in line}
    assert not orphans, f"child processes still run: {orphans}"


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A test that sets up the program's log leaves no level, handler or hook to the next one."""
    root, ours = logging.getLogger(), logging.getLogger("jarvis_desktop")
    before = root.handlers[:], root.level, ours.level, logging.raiseExceptions
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    yield
    for handler in root.handlers:
        if handler not in before[0]:
            handler.close()
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])
    logging.raiseExceptions = before[3]
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks


def child_processes() -> set[int]:
    """Processes whose parent is this one; nothing where the system does not list them cheaply."""
    children: set[int] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        try:
            children.update(map(int, task.read_text().split()))
        except OSError:  # that thread ended meanwhile
            continue
    return children


def command_line(pid: int) -> str:
    """How a process was started; empty for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""
