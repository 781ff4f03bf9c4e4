"""The house as ARCHITECTURE.md draws it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "jarvis_desktop"

# Everything that touches a screen, a device, a network, a database, a process or a thread.
IMPORT_THE_CORE_WITHOUT_EDGES = """
import importlib, sys
from pathlib import Path
EDGES = {"PySide6", "sounddevice", "soxr", "numpy", "onnxruntime", "faster_whisper", "ctranslate2", "av",
         "ollama", "httpx", "sqlite3", "watchdog", "psutil", "ruamel", "yaml", "rich", "typer", "filelock"}
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EDGES:
            raise ImportError("an edge library: " + name)
sys.meta_path.insert(0, Hidden())
root = Path(sys.argv[1])
modules = [".".join(path.relative_to(root).with_suffix("").parts)
           for path in sorted((root / "jarvis_desktop" / "core").rglob("*.py"))]
for module in modules:
    importlib.import_module(module.removesuffix(".__init__"))
outside = [name for name in sys.modules if name.startswith("jarvis_desktop.") and ".core" not in name]
print(len(modules), outside)
"""


def test_every_module_of_the_core_can_be_imported_without_the_edge_libraries() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_THE_CORE_WITHOUT_EDGES, str(ROOT)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    count, _, outside = done.stdout.strip().partition(" ")
    assert (done.returncode, outside) == (0, "[]"), done.stderr
    assert int(count) > 20


@pytest.mark.parametrize("page", ["map.py", "settings_page.py", "commands_page.py"])
def test_a_written_page_says_what_the_code_says(page: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / page, "--check"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_no_module_is_longer_than_300_lines(module: Path) -> None:
    assert len(module.read_text("utf-8").splitlines()) <= 300
