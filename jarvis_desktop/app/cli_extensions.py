"""Commands about what people added: ``extensions list``, ``enable``, ``disable``."""

# ruff: noqa: FBT002 - flags of the command line are booleans with defaults

from typing import Annotated

import typer

extensions = typer.Typer(
    help="Tools, plugins and MCP servers that you added, and whether they run.", no_args_is_help=True
)

_Name = Annotated[str, typer.Argument(help="Its name; tool/NAME, plugin/NAME or server/NAME says which.")]


@extensions.command("list")
def list_extensions(
    json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")] = False,
) -> None:
    """Every tool, plugin, MCP server and skill, whether it runs, and what is wrong with it."""
    from jarvis_desktop.app.extensions_cmd import list_extensions

    raise typer.Exit(list_extensions(as_json=json))


@extensions.command("enable")
def enable(name: _Name) -> None:
    """Show its code, or what changed in it, and let it run when you say so."""
    from jarvis_desktop.app.extensions_cmd import enable_extension

    raise typer.Exit(enable_extension(name))


@extensions.command("disable")
def disable(name: _Name) -> None:
    """Let it run no more; its file stays. What is gone is forgotten."""
    from jarvis_desktop.app.extensions_cmd import disable_extension

    raise typer.Exit(disable_extension(name))
