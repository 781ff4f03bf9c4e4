"""The commands ``jarvis-desktop schedule …``. Each imports what it needs when it runs."""

from typing import Annotated

import typer

schedule = typer.Typer(help="What is due by the clock.", no_args_is_help=True)

_Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
_Cron = Annotated[str, typer.Option("--cron", help='Five fields, e.g. "0 8 * * 1-5", or @daily.')]
_Zone = Annotated[str, typer.Option("--zone", help="Time zone, e.g. Asia/Seoul; else the machine's.")]


@schedule.command("list")
def list_jobs(json: _Json = False) -> None:
    """Every job: when it is due, when next, and what it does."""
    from jarvis_desktop.app.schedule_cmd import list_jobs

    raise typer.Exit(list_jobs(as_json=json))


@schedule.command("add")
def add_job(
    text: Annotated[
        list[str], typer.Argument(help="What is to be done; without --cron and --at behind a time.")
    ],
    cron: _Cron = "",
    at: Annotated[str, typer.Option("--at", help="Once, at this ISO time.")] = "",
    zone: _Zone = "",
    agent: Annotated[str, typer.Option("--agent", help="The agent that does it.")] = "",
) -> None:
    """Have something done: "daily 08:00 …", "in 20 minutes …", "tomorrow 18:00 …", "0 8 * * 1-5 …"."""
    from jarvis_desktop.app.schedule_cmd import Wish, add_job

    if cron and at:
        raise typer.BadParameter("give --cron or --at, not both")
    raise typer.Exit(add_job(Wish(" ".join(text), cron, at, zone, agent)))


@schedule.command("remove")
def remove_job(name: Annotated[str, typer.Argument(help="Its name, as list shows it.")]) -> None:
    """Take a job away, also for a Jarvis that is running."""
    from jarvis_desktop.app.schedule_cmd import remove_job

    raise typer.Exit(remove_job(name))


@schedule.command("next")
def next_times(
    count: Annotated[int, typer.Argument(min=1, max=10_000, help="How many times.")] = 5,
    cron: _Cron = "",
    zone: _Zone = "",
    start: Annotated[str, typer.Option("--from", help="ISO time after which is looked; else now.")] = "",
    json: _Json = False,
) -> None:
    """When a cron expression is due next; without --cron, what is scheduled."""
    from jarvis_desktop.app.schedule_cmd import next_times

    raise typer.Exit(next_times(count, cron, zone, start, as_json=json))
