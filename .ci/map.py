"""The module map of ARCHITECTURE.md: the first docstring line of every module.

``python .ci/map.py``          write it into jarvis_desktop/ARCHITECTURE.md
``python .ci/map.py --check``  fail when it is not what the modules say
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "jarvis_desktop"
PAGE = PACKAGE / "ARCHITECTURE.md"
BEGIN, END = "<!-- map: written by .ci/map.py -->\n", "<!-- end of map -->\n"


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


def page_with_map() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{printed_map()}\n{END}{after}"


def main() -> int:
    """Write or check; the exit status says whether the page is in step."""
    fresh = page_with_map()
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, "utf-8")
        return 0
    if PAGE.read_text("utf-8") == fresh:
        return 0
    print("The module map is stale: run python .ci/map.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
