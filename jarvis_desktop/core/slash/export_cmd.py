"""``/export``: this conversation as a file of one's own."""

from pathlib import Path, PurePosixPath

from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.slash import StoredTurn
from jarvis_desktop.core.slash.chat_file import as_json, as_markdown
from jarvis_desktop.core.slash.command import Said, SlashCommand
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.world import World
from jarvis_desktop.core.tool_text import absolute, readable

MARKDOWN = frozenset({".md", ".markdown", ".txt"})
JSON = ".json"


class ExportCommand(SlashCommand):
    """Write this conversation into a file, as Markdown or JSON.

    /export: a Markdown file in the working folder
    /export PATH: that file; its ending says how: .md or .json
    """

    name = "export"
    also = ("내보내기",)

    async def run(self, rest: str, world: World) -> Said:
        """A new file; none that is there is written over."""
        texts, here = world.texts, world.conversation()
        turns = await world.chats.turns_of(here.session_id)
        if not turns:
            return Said(texts("There is nothing in this conversation to write yet."), well=False)
        path = await _path(rest, world)
        if path.suffix.lower() not in {*MARKDOWN, JSON}:
            text = texts("{path} says nothing about how to write it. End the name with .md or .json.")
            return Said(text.format(path=code(readable(path))), well=False)
        await world.exports.write(path, _written(path, turns, world))
        count = texts.plural("{count} request", "{count} requests", len(turns)).format(count=len(turns))
        text = texts("Written to {path} ({count}).")
        return Said(text.format(path=code(readable(path)), count=count))


async def _path(rest: str, world: World) -> Path:
    folder = world.conversation().cwd
    if not rest:
        return await world.exports.free(folder / f"jarvis-{world.clock.now():%Y-%m-%d-%H%M}.md")
    wanted = _unquoted(rest)
    if "\0" in wanted:
        raise UserFixableError(world.texts("A file's name cannot hold that."))
    path = absolute(wanted, folder)
    if wanted.endswith("/"):
        return await world.exports.free(path / f"jarvis-{world.clock.now():%Y-%m-%d-%H%M}.md")
    return path if PurePosixPath(wanted).suffix else path.with_name(f"{path.name}.md")


def _unquoted(text: str) -> str:
    """Quotes around the whole are a habit from shells, and no part of the name."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _written(path: Path, turns: tuple[StoredTurn, ...], world: World) -> str:
    card = world.team.find(world.conversation().agent_id)
    name = card.name if card is not None else "Jarvis"
    return as_json(turns, name) if path.suffix.lower() == JSON else as_markdown(turns, name, world.texts)
