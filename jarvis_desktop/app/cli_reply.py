"""Commands about spoken answers: ``reply classify``."""

# ruff: noqa: FBT002 - flags of the command line are booleans with defaults

from typing import Annotated

import typer

reply = typer.Typer(help="What spoken answers to an approval question mean.", no_args_is_help=True)


@reply.callback()
def about() -> None:
    """What spoken answers to an approval question mean."""


@reply.command("classify")
def classify(
    no_model: Annotated[bool, typer.Option("--no-model", help="Keywords alone.")] = False,
    model: Annotated[str | None, typer.Option("--model", help="Ask this model, not the set one.")] = None,
) -> None:
    """Read spoken answers from standard input, one a line, and print what each comes to as JSON."""
    from jarvis_desktop.app.reply_cmd import classify_lines

    if no_model and model is not None:
        raise typer.BadParameter("give either --no-model or --model")
    raise typer.Exit(classify_lines(use_model=not no_model, name=model))
