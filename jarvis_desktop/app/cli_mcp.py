"""``jarvis-desktop mcp``: servers of other programs taken over into the settings."""

from typing import Annotated

import typer

mcp = typer.Typer(help="MCP servers: taken over from another program's JSON.", no_args_is_help=True)


@mcp.command("import")
def import_json(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="JSON with mcpServers; - is standard input.")],
) -> None:
    """Write the servers of a common mcpServers JSON into settings.yaml. None runs before you enable it."""
    from jarvis_desktop.app.mcp_import_cmd import import_from

    raise typer.Exit(import_from(file))
