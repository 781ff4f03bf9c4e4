"""The list of docs/commands.md, from the docstrings of the slash commands.

``python .ci/commands_page.py``          write it
``python .ci/commands_page.py --check``  fail when it is not what the commands say
"""

import sys
from pathlib import Path

from written_part import written_part

from jarvis_desktop.core.slash.command import doc_lines
from jarvis_desktop.core.slash.registry import COMMANDS

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"


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


if __name__ == "__main__":
    sys.exit(written_part(PAGE, "commands", listed()))
