"""Commands about goals: ``goal add``, ``list``, ``stop``, ``pause``, ``resume``, ``log`` and ``run``."""

# ruff: noqa: FBT002 - flags of the command line are booleans with defaults

from datetime import datetime
from typing import Annotated

import typer

from jarvis_desktop.core.items.errors import UserFixableError

goal = typer.Typer(help="What agents look after for good.", no_args_is_help=True)
_Part = Annotated[list[str], typer.Argument(help="Its id, or a part of its sentence.")]


@goal.command("add")
def add(sentence: Annotated[list[str], typer.Argument(help="What to look after.")]) -> None:
    """Give the agent of the last conversation a goal; people only."""
    from jarvis_desktop.core.goals.naming import one_line
    from jarvis_desktop.core.slash.goal_cmd import giving

    said = one_line(" ".join(sentence))
    if not said:
        from jarvis_desktop.app.cli_home import cli_home

        raise UserFixableError(cli_home().texts("Say what is to be looked after; no goal was added."))
    _say_line(giving(said))


@goal.command("list")
def list_goals() -> None:
    """Every goal, whose it is and how it stands."""
    _typed("")


@goal.command("stop")
def stop(part: _Part) -> None:
    """End the goal that has that part; of several none."""
    _typed(f"stop {' '.join(part)}")


@goal.command("pause")
def pause(part: _Part) -> None:
    """No turn until it is resumed."""
    _typed(f"pause {' '.join(part)}")


@goal.command("resume")
def resume(part: _Part) -> None:
    """Go on with it."""
    _typed(f"resume {' '.join(part)}")


@goal.command("log")
def log(part: _Part) -> None:
    """What its last turns came to."""
    _typed(f"log {' '.join(part)}")


@goal.command("run")
def run(
    part: _Part,
    at: Annotated[str, typer.Option("--at", help="As if it were then: 2026-12-01T09:00+09:00.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Advance a goal by one turn, here and without a window: what was called, told and held back, and why."""
    from jarvis_desktop.app.goal_run_cmd import run_goal

    moment = _moment(at) if at else None
    if at and moment is None:
        raise typer.BadParameter(f"{at!r} is no time; say 2026-12-01T09:00", param_hint="--at")
    raise typer.Exit(run_goal(" ".join(part), moment, as_json=json))


def _moment(text: str) -> datetime | None:
    from jarvis_desktop.core.scheduler.moments import is_countable

    try:
        said = datetime.fromisoformat(text)
    except ValueError:
        return None
    return said.astimezone() if is_countable(said) else None


def _typed(rest: str) -> None:
    _say_line(f"/goal {rest}".rstrip())


def _say_line(line: str) -> None:
    """As if it had been typed as a slash command: the running program obeys, or else this one."""
    from jarvis_desktop.app.ask_cmd import ask_once

    raise typer.Exit(ask_once(line, deny_all=True))
