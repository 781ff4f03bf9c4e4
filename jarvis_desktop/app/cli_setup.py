"""The command ``jarvis-desktop setup``."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """``app`` has the command of this module."""
    app.command()(setup)


def setup(
    terminal: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--terminal", help="Ask here, without a window.")
    ] = False,
) -> None:
    """Language, devices, models, Ollama, start: in a window, or step by step in this terminal."""
    from jarvis_desktop.app.setup_cmd import set_up

    raise typer.Exit(set_up(terminal=terminal))
