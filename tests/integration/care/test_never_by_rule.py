"""Our own command line is a person's: no rule lets a tool call use it."""

import json

from tests.integration.care.conftest import Lived
from tests.integration.rules_cli.conftest import Cli

COMMANDS = {
    "jarvis-desktop uninstall --yes": "jarvis-desktop uninstall",
    "jarvis-desktop ask hello": "jarvis-desktop ask",
    "/usr/bin/jarvis-desktop uninstall --yes": "/usr/bin/jarvis-desktop uninstall",
    "python3 -m jarvis_desktop uninstall --yes": "python3 -m jarvis_desktop",
    "python3 -m jarvis_desktop.app.cli uninstall": "python3 -m jarvis_desktop.app.cli",
    "uv run jarvis-desktop uninstall --yes": "uv run",
    "git status && jarvis-desktop uninstall --yes": "jarvis-desktop uninstall",
}


def test_no_rule_ever_lets_a_call_run_our_own_commands(lived: Lived) -> None:
    cli: Cli = lived.cli
    lines = [
        json.dumps(
            {
                "command": command,
                "rules": [{"tool": "bash", "pattern": each} for each in (pattern, "git status")],
            }
        )
        for command, pattern in COMMANDS.items()
    ]

    done = cli("rules", "test", given="\n".join(lines) + "\n")

    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert verdicts == ["ask"] * len(COMMANDS), done.stderr
