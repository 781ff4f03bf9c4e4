"""Commands about what people added: ``extensions list``, ``enable``, ``disable``."""

# ruff: noqa: FBT002 - flags of the command line are booleans with defaults

from typing import Annotated

import typer

extensions = typer.Typer(help="Tools and plugins of your own, and whether they run.", no_args_is_help=True)

_Name = Annotated[
    str, typer.Argument(help="Its file's name without .py; tool/NAME or plugin/NAME says which.")
]


@extensions.command("list")
def list_extensions(
    json: Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")] = False,
) -> None:
    """Every tool and plugin file, whether it runs, and what is wrong with it."""
    from jarvis_desktop.app.extensions_cmd import list_extensions

    raise typer.Exit(list_extensions(as_json=json))


@extensions.command("enable")
def enable(name: _Name) -> None:
    """Show its code, or what changed in it, and let it run when you say so."""
    from jarvis_desktop.app.extensions_cmd import enable_extension

    raise typer.Exit(enable_extension(name))


@extensions.command("disable")
def disable(name: _Name) -> None:
    """Let it run no more; its file stays."""
    from jarvis_desktop.app.extensions_cmd import disable_extension

    raise typer.Exit(disable_extension(name))
