"""``/tools``: what the agent may use now."""

from collections.abc import Mapping

from jarvis_desktop.core.items.extensions import Added, ExtensionKind
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.command import Said, SlashCommand
from jarvis_desktop.core.slash.markup import code, listed, plain
from jarvis_desktop.core.slash.world import World

LONGEST_PURPOSE = 160
AGENT_TOOL = "agent_"


class ToolsCommand(SlashCommand):
    """Show which tools the agent may use now, and which of them ask you first."""

    name = "tools"
    also = ("도구",)
    waits = True

    async def run(self, rest: str, world: World) -> Said:
        """One line each."""
        del rest
        texts = world.texts
        tools = world.tools(world.conversation().agent_id)
        if not tools:
            return Said(texts("This agent may use no tools now."))
        known = _purposes(texts)
        lines = []
        for tool in tools:
            mark = f" · **{texts('asks first')}**" if tool.asks else ""
            purpose = (
                (known.get(tool.name) if tool.added is None else "")
                or _of_agent(tool.name, world)
                or plain(tool.purpose, LONGEST_PURPOSE)
            )
            whose = f" ({_origin(tool.added, texts)})" if tool.added is not None else ""
            lines.append(f"{code(tool.name)} — {purpose}{whose}{mark}")
        if not any(tool.asks for tool in tools):
            return Said(listed(lines))
        hint = texts(
            "“Asks first” holds unless a remembered rule covers the call; {command} lists the rules."
        )
        return Said(f"{listed(lines)}\n\n{hint.format(command=code('/rules'))}")


def _origin(added: Added, texts: Texts) -> str:
    if added.kind is ExtensionKind.SERVER:
        return texts("MCP server {name}").format(name=code(added.name))
    return code(added.path)


def _of_agent(tool: str, world: World) -> str:
    """The purpose of a tool by which another agent is asked; empty for all others."""
    card = world.team.find(AgentId(tool.removeprefix(AGENT_TOOL))) if tool.startswith(AGENT_TOOL) else None
    return world.texts("gives {agent} a task").format(agent=plain(card.name)) if card is not None else ""


def _purposes(texts: Texts) -> Mapping[str, str]:
    """What people read of the built-in tools; what the model reads is written for models."""
    return {
        "read_file": texts("reads a file"),
        "write_file": texts("writes a file"),
        "edit_file": texts("changes a part of a file"),
        "list_dir": texts("lists a folder"),
        "glob": texts("finds files by name"),
        "grep": texts("searches in files"),
        "bash": texts("runs a command"),
        "web_fetch": texts("reads a page of the web"),
        "web_search": texts("searches the web"),
        "ask_agent": texts("asks another agent"),
        "orchestrate": texts("lets several agents work on a task"),
        "goal": texts("looks after something for good"),
        "schedule": texts("does something at a time"),
        "recall_episodes": texts("looks for earlier conversations"),
        "remember_task_pattern": texts("remembers how a kind of task is done"),
    }
