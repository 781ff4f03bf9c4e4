"""The list of docs/commands.md, from the docstrings of the slash commands.

``python .ci/commands_page.py``          write it
``python .ci/commands_page.py --check``  fail when it is not what the commands say
"""

import sys
from pathlib import Path

from jarvis_desktop.core.slash.command import doc_lines
from jarvis_desktop.core.slash.registry import COMMANDS

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
BEGIN, END = "<!-- commands: written by .ci/commands_page.py -->\n", "<!-- end of commands -->\n"


def listed() -> str:
    """Each command with what it is for, the ways to type it, and its other names."""
    lines: list[str] = []
    for command in COMMANDS:
        purpose, *usages = doc_lines(command)
        lines += [f"### /{command.name}", "", purpose]
        pairs = [usage.partition(": ") for usage in usages]
        if pairs:
            lines += ["", "| typed | what it does |", "|---|---|"]
            lines += [f"| `{typed}` | {text} |" for typed, _, text in pairs]
        if command.also:
            lines += ["", f"Also {', '.join(f'`/{name}`' for name in command.also)}."]
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    """Write or check; the exit status says whether the page is in step."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    fresh = f"{before}{BEGIN}\n{listed()}\n{END}{rest.partition(END)[2]}"
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, "utf-8")
        return 0
    if PAGE.read_text("utf-8") == fresh:
        return 0
    print("docs/commands.md is stale: run python .ci/commands_page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
