"""The commands of ``jarvis-desktop``. Each imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from jarvis_desktop.app.cli_care import register as register_care
from jarvis_desktop.app.cli_desktop import desktop_entry, install_command
from jarvis_desktop.app.cli_extensions import extensions
from jarvis_desktop.app.cli_goal import goal
from jarvis_desktop.app.cli_mcp import mcp
from jarvis_desktop.app.cli_models import models
from jarvis_desktop.app.cli_reply import reply
from jarvis_desktop.app.cli_schedule import schedule
from jarvis_desktop.app.cli_setup import register as register_setup
from jarvis_desktop.app.cli_words import show_abort, show_error, translatable

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
        status = translatable(get_command(app)).main(arguments, standalone_mode=False)
    except typer.TyperException as error:
        show_error(error)
        return error.exit_code
    except typer.Abort:
        show_abort()
        return 1
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return status if isinstance(status, int) else 0


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


app.command("install-command")(install_command)
register_care(app)
register_setup(app)

rules = typer.Typer(help="What Jarvis may do without asking.", no_args_is_help=True)
app.add_typer(rules, name="rules")
app.add_typer(extensions, name="extensions")
app.add_typer(models, name="models")
app.add_typer(mcp, name="mcp")
app.add_typer(reply, name="reply")
app.add_typer(goal, name="goal")
app.add_typer(schedule, name="schedule")
app.add_typer(desktop_entry, name="desktop-entry")

_Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
_Cwd = Annotated[Path | None, typer.Option("--cwd", help="Folder in which the commands would run.")]


@rules.command("list")
def list_rules(json: _Json = False) -> None:
    """Every remembered rule: its file, since when, and how often it was used."""
    from jarvis_desktop.app.rules_list import list_rules

    raise typer.Exit(list_rules(as_json=json))


@rules.command("revoke")
def revoke_rule(
    rule: Annotated[list[str], typer.Argument(help='Its number, or its exact line ("bash: git status").')],
) -> None:
    """Forget a rule; it stops counting at once, also for a Jarvis that is running."""
    from jarvis_desktop.app.rules_list import revoke_rule

    raise typer.Exit(revoke_rule(" ".join(rule)))


@rules.command("test")
def try_rules(
    files: Annotated[list[Path] | None, typer.Option("--rules", help="Use these rule files.")] = None,
    cwd: _Cwd = None,
    home: Annotated[Path | None, typer.Option("--home", help="Home folder of the person.")] = None,
    json: _Json = False,
) -> None:
    """Say for each command on standard input whether it runs, asks or is blocked, and why.

    A line is a command, or a JSON object with "command" and, if wanted, "tool" and "rules".
    """
    from jarvis_desktop.app.rules_cmd import run_lines, verdict_lines

    del json  # it never prints anything else
    raise typer.Exit(run_lines(verdict_lines, rule_files=files or (), cwd=cwd, home=home))


@rules.command("propose")
def propose_rules(
    cwd: _Cwd = None,
    home: Annotated[Path | None, typer.Option("--home", help="Home folder of the person.")] = None,
    json: _Json = False,
) -> None:
    """Say for each command on standard input which rules "Always allow" would save."""
    from jarvis_desktop.app.rules_cmd import proposal_lines, run_lines

    del json  # it never prints anything else
    raise typer.Exit(run_lines(proposal_lines, cwd=cwd, home=home))


@app.command()
def audit(
    since: Annotated[str, typer.Option(help="Only from then on: 2h, 7d, 2026-12-01, 2026-12-01T09:00.")] = "",
    json: _Json = False,
) -> None:
    """Every decision about a tool call: what, who, which rule or answer, when, and what came of it."""
    from jarvis_desktop.app.audit_cmd import now, print_audit, since_when

    try:
        start = since_when(since, now()) if since else None
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(
            f"{since!r} is no time; say 2h, 7d or 2026-12-01", param_hint="--since"
        ) from error
    raise typer.Exit(print_audit(start, as_json=json))
