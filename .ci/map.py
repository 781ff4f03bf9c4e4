"""The module map of ARCHITECTURE.md: the first docstring line of every module.

``python .ci/map.py``          write it into jarvis_desktop/ARCHITECTURE.md
``python .ci/map.py --check``  fail when it is not what the modules say
"""

import ast
import sys
from pathlib import Path

from written_part import written_part

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "jarvis_desktop"
PAGE = PACKAGE / "ARCHITECTURE.md"


def printed_map() -> str:
    """One table per package, one row per module."""
    lines: list[str] = []
    for package in sorted({path.parent for path in PACKAGE.rglob("__init__.py")}):
        name = str(package.relative_to(ROOT))
        lines += [f"### {name}/", "", _first_line(package / "__init__.py"), ""]
        modules = [path for path in sorted(package.glob("*.py")) if path.name != "__init__.py"]
        if modules:
            lines += ["| module | what it is |", "|---|---|"]
            lines += [f"| `{path.stem}` | {_first_line(path)} |" for path in modules]
            lines.append("")
    return "\n".join(lines)


def _first_line(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return docstring.partition("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(written_part(PAGE, "map", printed_map()))
