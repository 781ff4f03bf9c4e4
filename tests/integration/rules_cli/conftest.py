"""The real command line in a home of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Cli:
    """Runs ``jarvis-desktop`` for one person."""

    home: Path
    """Home folder of the person."""

    @property
    def app_home(self) -> Path:
        return self.home / ".jarvis"

    def __call__(self, *arguments: str, given: str = "", **env: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "jarvis_desktop", *arguments],
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
            cwd=self.home,
            env={
                **os.environ,
                "HOME": str(self.home),
                "PYTHONPATH": str(ROOT),
                "JARVIS_HOME": "",
                "LANG": "C.UTF-8",
                "LC_ALL": "",
                "LANGUAGE": "",
                "TZ": "UTC",
                "COLUMNS": "100",
                **env,
            },
        )


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


@pytest.fixture
def put(cli: Cli) -> Callable[[str, str], Path]:
    """Writes a file of the app's folder."""

    def write(name: str, text: str) -> Path:
        path = cli.app_home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write
