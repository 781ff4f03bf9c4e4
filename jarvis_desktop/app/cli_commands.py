"""The commands of ``jarvis-desktop``. Each imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="jarvis-desktop",
    help="A local-first voice assistant that asks before it acts. Without a command, it starts.",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
)


def run_command(arguments: list[str]) -> int:
    """Run one command; wrong usage is explained and gives 2."""
    try:
        app(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


@app.callback()
def start(
    hidden: Annotated[bool, typer.Option("--hidden", help="Start in the tray, without a window.")] = False,
) -> None:
    """Start on the desktop, or bring the running one to the front."""
    del hidden  # a plain start never reaches this parser


@app.command()
def ask(
    text: Annotated[str, typer.Argument(help="The request; leave it out with --listen.")] = "",
    listen: Annotated[bool, typer.Option("--listen", help="Listen for the request now.")] = False,
    deny_all: Annotated[bool, typer.Option("--deny-all", help="Answer every question with no.")] = False,
) -> None:
    """One turn in this terminal. Nothing here says yes but a person at the terminal."""
    from jarvis_desktop.app.ask_cmd import ask_once

    if bool(text.strip()) == listen:
        raise typer.BadParameter("give either a TEXT or --listen")
    raise typer.Exit(ask_once(text, deny_all=deny_all))


@app.command()
def hear(
    files: Annotated[list[Path], typer.Argument(help="WAV files.")],
    no_wake: Annotated[bool, typer.Option("--no-wake", help="Do not wait for the wake word.")] = False,
) -> None:
    """Let the real ears hear WAV files, as fast as they go; one JSON object a line."""
    from jarvis_desktop.app.hear_cmd import hear_files

    raise typer.Exit(hear_files(files, need_wake=not no_wake))


@app.command()
def say(text: Annotated[str, typer.Argument(help="What to say.")]) -> None:
    """Say a text aloud."""
    from jarvis_desktop.app.say_cmd import say_once

    raise typer.Exit(say_once(text))


@app.command()
def doctor(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """What is there, what is missing, and what to do about it."""
    from jarvis_desktop.app.doctor import run

    raise typer.Exit(run(json=json))
