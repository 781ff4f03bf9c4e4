"""Tools of MCP servers: asked about until a person allows them, their answers marked as strangers' words."""

import json
from pathlib import Path

from jarvis_desktop.core.extensions.mcp_offer import cleaned
from jarvis_desktop.core.extensions.schema_arguments import arguments_of
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.extensions import Added, ExtensionKind
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.policy.web_trail import SERVER_MARK
from jarvis_desktop.core.ports import ToolSpec
from jarvis_desktop.core.ports.servers import Servers, ServerTool, ServerTrouble
from jarvis_desktop.core.tool import Preview, Tool, ToolArguments, ToolOutput
from jarvis_desktop.core.tool_text import MAX_RESULT_CHARS
from jarvis_desktop.core.web_text import foreign, readable_page

ROOM = MAX_RESULT_CHARS - 500
"""Characters of an answer; the rest is for our own lines."""
SETTINGS_FILE = "~/.jarvis/settings.yaml"
"""Where people name servers."""
GONE = "The MCP server {server} does not offer {tool} now. Go on without it, or say that it is missing."
CHANGED = (
    "The MCP server {server} has just changed what {tool} is. Nothing was run; call it anew if it is needed."
)


class ServerToolCall(Tool[ToolArguments]):
    """Hands a call to a server. ``server_tool`` makes the class that has this tool's name."""

    name = "server"
    description = "Call a tool of an MCP server."
    arguments = ToolArguments
    needs_approval = True

    def __init__(self, tool: ServerTool, servers: Servers) -> None:
        self._tool = tool
        self._servers = servers

    @property
    def spec(self) -> ToolSpec:
        """Whose words it is described in, before those words."""
        purpose = f'Tool "{cleaned(self._tool.theirs, 64)}" of the MCP server "{self._tool.server}".'
        said = f" It says of itself: {self._tool.description}" if self._tool.description else ""
        return ToolSpec(self.name, purpose + said, self._tool.schema)

    async def preview(self, arguments: ToolArguments, cwd: Path) -> Preview:
        """Which server gets what. The tool's definition counts as what the call would change."""
        del cwd
        given = json.dumps(arguments.model_dump(mode="json"), indent=2, ensure_ascii=False)
        now = self._servers.definition(self._tool)
        gone = "" if now else GONE.format(server=self._tool.server, tool=self.name)
        detail = f"{self._tool.server}: {self._tool.theirs}\n{given}"
        return Preview(Shown.TEXT, detail, snapshot=now, impossible=gone)

    async def run(self, arguments: ToolArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        """What the server answered, between two marks."""
        del allow, request
        tool = self._tool
        if self._servers.definition(tool) != tool.definition:
            return ToolOutput(CHANGED.format(server=tool.server, tool=self.name), ResultStatus.ERROR)
        answer = await self._servers.call(tool, arguments.model_dump(mode="json"))
        if isinstance(answer, ServerTrouble):
            return ToolOutput(answer.why, ResultStatus.ERROR)
        text = readable_page(answer.text) or "(no text)"
        lines = [SERVER_MARK, foreign(f"the MCP server {tool.server}", text[:ROOM])]
        if len(text) > ROOM:
            lines.append(f"[{len(text) - ROOM:,} more characters were left out]")
        return ToolOutput("\n".join(lines), ResultStatus.ERROR if answer.failed else ResultStatus.OK)


def server_tool(tool: ServerTool, servers: Servers) -> ServerToolCall:
    """The tool that reaches this one; name, arguments and definition are its class's."""
    own = {
        "name": tool.name,
        "description": tool.description,
        "arguments": arguments_of(tool.schema),
        "added": Added(ExtensionKind.SERVER, tool.server, SETTINGS_FILE, tool.definition),
    }
    made = type(ServerToolCall.__name__, (ServerToolCall,), own)(tool, servers)
    assert isinstance(made, ServerToolCall)
    return made
