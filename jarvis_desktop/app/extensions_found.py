"""What people added as a terminal lists and names it: everything was read, and nothing of it run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.extension_files import FOLDER as TOOLS
from jarvis_desktop.adapters.extension_files import ExtensionFiles, read_plugins
from jarvis_desktop.adapters.extension_ledger import Key, LedgerRead, state_of
from jarvis_desktop.adapters.mcp_settings import read_servers
from jarvis_desktop.adapters.settings_file import FILE_NAME as SETTINGS_NAME
from jarvis_desktop.adapters.skill_files import SkillFiles
from jarvis_desktop.adapters.skill_problem import skill_sentence
from jarvis_desktop.app.cli_home import CliHome
from jarvis_desktop.app.extension_gone import gone
from jarvis_desktop.app.extension_words import file_sentence, left_out
from jarvis_desktop.app.mcp_picture import problems_text
from jarvis_desktop.app.mcp_words import definition_text, identity_of, shown_url
from jarvis_desktop.app.plugin_words import FOLDER as PLUGINS
from jarvis_desktop.app.plugin_words import shown
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import ExtensionKind, ExtensionState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.slash.near import nearest
from jarvis_desktop.core.slash.registry import command_names
from jarvis_desktop.ui.visible_text import one_line

MOST_NAMED = 20
_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a person added, as it is now."""

    kind: ExtensionKind
    name: str
    path: Path
    digest: str = ""
    text: str = ""
    offers: tuple[str, ...] = ()
    """Names of what it brings; of a server, nothing: only the running program knows."""
    reads_only: tuple[str, ...] = ()
    """Of what it offers, what its author says changes nothing."""
    trouble: str = ""
    advice: str = ""
    """What in it does not count although its author may think so."""
    gone: bool = False
    """Its file is not there any more, and would count again as soon as it is."""
    reached: str = ""
    """Program or address of a server."""

    @property
    def key(self) -> Key:
        """Under which the ledger has it."""
        return self.kind, self.name

    @property
    def called(self) -> str:
        """What a person types for just this one."""
        return f"{self.kind}/{self.name}"

    def shown(self, texts: Texts) -> str:
        """What people call it: the file, or a server's name."""
        if self.kind is ExtensionKind.SERVER:
            return texts("The MCP server {name}").format(name=self.name)
        return str(self.path)

    def state(self, ledger: LedgerRead) -> ExtensionState:
        """Whether it counts, as far as can be said without running it."""
        if self.gone:
            return ExtensionState.GONE
        if self.trouble:
            return ExtensionState.BROKEN
        if self.kind is ExtensionKind.SKILL:
            return ExtensionState.ENABLED
        return state_of(ledger.entries.get(self.key), self.digest)


def all_found(home: CliHome, ledger: LedgerRead) -> tuple[Found, ...]:
    """Tools, plugins, servers and skills, and then what is not there any more and would count again."""
    there = (
        *_tools(home.folder, home.texts),
        *_plugins(home.folder, home.texts),
        *_servers(home.folder, home.texts),
        *_skills(home),
    )
    places = {
        ExtensionKind.TOOL: home.folder / TOOLS,
        ExtensionKind.PLUGIN: home.folder / PLUGINS,
        ExtensionKind.SERVER: home.folder / SETTINGS_NAME,
    }
    if read_servers(places[ExtensionKind.SERVER]).unreadable:  # who knows what is in it
        del places[ExtensionKind.SERVER]
    lost = (
        Found(one.kind, one.name, one.path, gone=True)
        for kind, place in places.items()
        for one in gone(kind, ledger, {each.name for each in there if each.kind is kind}, place)
    )
    return (*there, *lost)


def found_by(wanted: str, there: Sequence[Found], home: CliHome) -> Found:
    """The one that is meant: ``name``, ``kind/name`` or its file.

    Raises:
        ExtensionRefusedError: there is none, or several.
    """
    texts = home.texts
    kind, _, name = wanted.rpartition("/")
    kind, name = kind.removesuffix("s"), name.removesuffix(".py")
    found = [one for one in there if one.name == name and kind in ("", one.kind)]
    if len(found) == 1:
        return found[0]
    if found:
        text = texts("There are several called {name}: say {names}.")
        names = ", ".join(one.called for one in found)
        raise ExtensionRefusedError(text.format(name=name, names=names))
    shown_name = one_line(wanted, _NAME_CHARS)
    if not there:
        text = texts("There is nothing called {name}: nothing was added yet in {folder}.")
        raise ExtensionRefusedError(text.format(name=shown_name, folder=home.folder))
    names = ", ".join(one_line(one.called, _NAME_CHARS) for one in there[:MOST_NAMED])
    more = f" … (+{len(there) - MOST_NAMED})" if len(there) > MOST_NAMED else ""
    text = texts("There is nothing called {name}. There is: {names}.").format(
        name=shown_name, names=names + more
    )
    near = nearest(name, (one.name for one in there))
    if near:
        meant = next(one for one in there if one.name == near)
        text += " " + texts("Did you mean {name}?").format(name=one_line(meant.called, _NAME_CHARS))
    raise ExtensionRefusedError(text)


def _tools(home: Path, texts: Texts) -> Iterator[Found]:
    for file in ExtensionFiles(home).look():
        tools = [one for one in file.functions if one.tool]
        yield Found(
            ExtensionKind.TOOL,
            file.name,
            file.path,
            file.digest,
            file.text,
            tuple(one.name for one in tools),
            tuple(one.name for one in tools if one.read_only),
            "" if file.trouble is None else file_sentence(file, texts),
            left_out(file, texts) if file.trouble is None else "",
        )


def _plugins(home: Path, texts: Texts) -> Iterator[Found]:
    for file in ExtensionFiles(home, PLUGINS, read_plugins).look():
        plugin = shown(file, LedgerRead(), None, texts)
        hooks = tuple(one.name for one in plugin.offers)
        read = (file.name, file.path, file.digest, file.text, hooks)
        yield Found(plugin.kind, *read, trouble=plugin.trouble, advice=plugin.advice)


def _servers(home: Path, texts: Texts) -> Iterator[Found]:
    """MCP servers; what they offer is known to the running program only."""
    path = home / SETTINGS_NAME
    read = read_servers(path)
    for name, settings in read.servers.items():
        text = definition_text(name, settings, texts)
        reached = shown_url(settings.url) if settings.url else settings.command
        yield Found(ExtensionKind.SERVER, name, path, identity_of(name, settings), text, reached=reached)
    for name, problems in read.problems.items():
        if name:
            yield Found(ExtensionKind.SERVER, name, path, trouble=problems_text(problems, texts))


def _skills(home: CliHome) -> Iterator[Found]:
    most = home.settings.security.input_max_length
    read = SkillFiles(home.folder, command_names()).look(most)
    for skill in read.skills:
        yield Found(ExtensionKind.SKILL, skill.name, skill.path, text=skill.body, offers=(f"/{skill.name}",))
    for one in read.problems:
        yield Found(ExtensionKind.SKILL, one.name, one.path, trouble=skill_sentence(one, home.texts))
