"""Commands about model files: ``models list``, ``fetch``, ``verify`` and ``remove``."""

# ruff: noqa: FBT002 - flags of the command line are booleans with defaults

from typing import Annotated

import typer

models = typer.Typer(help="Model files: what is there, fetching, checking, removing.", no_args_is_help=True)

_Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
_Names = Annotated[list[str] | None, typer.Argument(help="Names from `models list`.")]


@models.command("list")
def list_models(json: _Json = False) -> None:
    """Every model that Jarvis knows: purpose, size, licence, and whether it is there."""
    from jarvis_desktop.app.models_cmd import list_models

    raise typer.Exit(list_models(as_json=json))


@models.command("fetch")
def fetch_models(
    names: _Names = None,
    all_needed: Annotated[
        bool, typer.Option("--all-needed", help="Everything without which Jarvis cannot listen.")
    ] = False,
) -> None:
    """Fetch models, or go on with what was begun. Ctrl+C pauses."""
    from jarvis_desktop.app.models_fetch_cmd import fetch_models

    if not names and not all_needed:
        raise typer.BadParameter("name a model, or give --all-needed")
    raise typer.Exit(fetch_models(names or [], all_needed=all_needed))


@models.command("verify")
def verify_models(names: _Names = None, json: _Json = False) -> None:
    """Read every byte and compare; a wrong file is moved aside. Exit status 1: something is wrong."""
    from jarvis_desktop.app.models_cmd import verify_models

    raise typer.Exit(verify_models(names or [], as_json=json))


@models.command("remove")
def remove_model(
    name: Annotated[str, typer.Argument(help="Name from `models list`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; for scripts.")] = False,
) -> None:
    """Delete a model and what has come of it, after saying what stops working."""
    from jarvis_desktop.app.models_cmd import remove_model

    raise typer.Exit(remove_model(name, ask=not yes))
