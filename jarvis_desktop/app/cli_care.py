"""Commands that look after an installation: doctor, report, uninstall."""

from pathlib import Path
from typing import Annotated

import typer

_WHERE = "Where to write it, your home folder if left out; must not be there yet."


def register(app: typer.Typer) -> None:
    """``app`` has the commands of this module."""
    app.command()(doctor)
    app.command()(report)
    app.command()(uninstall)


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what needs no root and no question.")] = False,
) -> None:
    """What is there, what is missing, and what to do about it. Exit status 1: there is a problem."""
    from jarvis_desktop.app.doctor import run

    raise typer.Exit(run(json=json, fix=fix))


def report(
    file: Annotated[Path | None, typer.Argument(help=_WHERE)] = None,
) -> None:
    """Write a file for a bug report: the machine and what happened, nothing that was said. Sends nothing."""
    from jarvis_desktop.app.report_cmd import write_report

    raise typer.Exit(write_report(file))


def uninstall(
    keep_data: Annotated[bool, typer.Option("--keep-data", help="Leave the folder of Jarvis.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be removed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; for scripts.")] = False,
) -> None:
    """Remove what Jarvis keeps on this machine, after listing it and asking; says what stays."""
    from jarvis_desktop.app.uninstall_cmd import Wish, run_uninstall

    raise typer.Exit(run_uninstall(Wish(keep_data=keep_data, dry_run=dry_run, yes=yes)))
