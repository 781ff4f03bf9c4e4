"""``extensions``: code of the person's own from a terminal. A yes is a person's only, never a call's."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.call_kin import came_from_a_call, is_a_persons_terminal
from jarvis_desktop.adapters.extension_files import ExtensionFiles, read_plugin
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger, LedgerRead, changes_of, state_of
from jarvis_desktop.adapters.mcp_settings import read_servers
from jarvis_desktop.adapters.settings_file import FILE_NAME as SETTINGS_NAME
from jarvis_desktop.app.cli_home import CliHome, cli_home
from jarvis_desktop.app.extension_words import file_sentence, left_out
from jarvis_desktop.app.mcp_picture import problems_text
from jarvis_desktop.app.mcp_words import definition_text, identity_of
from jarvis_desktop.app.plugin_words import FOLDER, shown
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import ExtensionKind, ExtensionState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, one_line, visible

FAILED = 1


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file of code as it is now; it was read and not run."""

    kind: ExtensionKind
    name: str
    path: Path
    digest: str
    text: str
    offers: tuple[str, ...]
    reads_only: tuple[str, ...] = ()
    """Of what it offers, what its author says changes nothing."""
    trouble: str = ""
    advice: str = ""
    """What in it does not count although its author may think so."""


def code_files(home: Path, texts: Texts) -> Iterator[CodeFile]:
    """Tools, then plugins by file name, then servers as the settings name them."""
    for file in ExtensionFiles(home).look():
        tools = [one for one in file.functions if one.tool]
        yield CodeFile(
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
    for file in ExtensionFiles(home, FOLDER, read_plugin).look():
        plugin = shown(file, LedgerRead(), None, texts)
        hooks = tuple(one.name for one in plugin.offers)
        yield CodeFile(
            plugin.kind,
            file.name,
            file.path,
            file.digest,
            file.text,
            hooks,
            trouble=plugin.trouble,
            advice=plugin.advice,
        )
    yield from _servers(home / SETTINGS_NAME, texts)


def _servers(path: Path, texts: Texts) -> Iterator[CodeFile]:
    """MCP servers; what they offer is known to the running program only."""
    read = read_servers(path)
    for name, settings in read.servers.items():
        text = definition_text(name, settings, texts)
        yield CodeFile(ExtensionKind.SERVER, name, path, identity_of(name, settings), text, ())
    for name, problems in read.problems.items():
        if name:
            yield CodeFile(
                ExtensionKind.SERVER, name, path, "", "", (), trouble=problems_text(problems, texts)
            )


def list_extensions(*, as_json: bool) -> int:
    """Print every file; the exit status comes back."""
    home = cli_home()
    read = ExtensionLedger(home.folder, home.texts).read()
    files = tuple(code_files(home.folder, home.texts))
    for file in files:
        entry = read.entries.get((file.kind, file.name))
        state = ExtensionState.BROKEN if file.trouble else state_of(entry, file.digest)
        if as_json:
            _say(json.dumps(_row(file, state), ensure_ascii=False))
            continue
        line = f"{file.kind}/{visible(file.name, Care.COMMAND)}  {_word(state, home.texts)}  {_offers(file)}"
        _say(line.rstrip())
        for more in filter(None, (file.trouble, file.advice)):
            _say(f"    {visible(more, Care.COMMAND)}")
    if not files and not as_json:
        _say(home.texts("There are no tools or plugins of yours in {folder}.").format(folder=home.folder))
    if read.problem:
        print(read.problem, file=sys.stderr)  # noqa: T201 - a command's output
    return 0


def enable_extension(wanted: str) -> int:
    """Show it, ask, and let it run; the exit status comes back."""
    home = cli_home()
    try:
        _only_people(home.texts, asks=True)
        file = _found(home, wanted)
        _enable(home, file)
    except ExtensionRefusedError as error:
        return _failed(str(error))
    return 0


def disable_extension(wanted: str) -> int:
    """Let it run no more; the exit status comes back."""
    home = cli_home()
    try:
        _only_people(home.texts, asks=False)
        file = _found(home, wanted)
        ExtensionLedger(home.folder, home.texts).disable((file.kind, file.name))
    except ExtensionRefusedError as error:
        return _failed(str(error))
    _say(home.texts("{file} runs no more.").format(file=file.path))
    return 0


def _enable(home: CliHome, file: CodeFile) -> None:
    texts, ledger = home.texts, ExtensionLedger(home.folder, home.texts)
    read, key = ledger.read(), (file.kind, file.name)
    if file.trouble or read.problem:
        raise ExtensionRefusedError(file.trouble or read.problem)
    entry = read.entries.get(key)
    if state_of(entry, file.digest) is ExtensionState.ENABLED:
        _say(texts("{file} is enabled already.").format(file=file.path))
        return
    changes = changes_of(entry, file.digest, file.text, file.path.name)
    _say(texts("What changed in {file}:").format(file=file.path) if changes else f"{file.path}:")
    _say("")
    _say(visible(changes or file.text, Care.SOURCE).rstrip("\n"))
    _say("")
    if file.offers:
        _say(texts("It offers: {names}").format(names=_offers(file)))
    if not _yes(texts("Let this code run? Type yes: "), texts):
        raise ExtensionRefusedError(texts("Nothing was enabled."))
    read_only: frozenset[str] = frozenset()
    if file.reads_only:
        names = one_line(", ".join(file.reads_only), 200)
        _say(texts("It says that these change nothing: {names}").format(names=names))
        if _yes(texts("Let them run without asking? Type yes: "), texts):
            read_only = frozenset(file.reads_only)
    now = _found(home, f"{file.kind}/{file.name}")
    if now.digest != file.digest:
        text = texts("{file} has changed since it was shown. Look at it again, then decide.")
        raise ExtensionRefusedError(text.format(file=file.path))
    ledger.enable(key, file.digest, file.text, read_only)
    _say(texts("{file} is enabled; it counts from the next turn.").format(file=file.path))


def _found(home: CliHome, wanted: str) -> CodeFile:
    kind, _, name = wanted.rpartition("/")
    name = name.removesuffix(".py")
    found = [
        one
        for one in code_files(home.folder, home.texts)
        if one.name == name and kind.removesuffix("s") in ("", one.kind)
    ]
    if not found:
        text = home.texts(
            "There is no tool or plugin called {name}. jarvis-desktop extensions list shows them."
        )
        raise ExtensionRefusedError(text.format(name=one_line(wanted, 60)))
    if len(found) > 1:
        text = home.texts("There are several called {name}: say {names}.")
        names = ", ".join(f"{one.kind}/{one.name}" for one in found)
        raise ExtensionRefusedError(text.format(name=name, names=names))
    return found[0]


def _only_people(texts: Texts, *, asks: bool) -> None:
    """Refuse whatever a command of Jarvis could have started.

    Raises:
        ExtensionRefusedError: nobody knows that a person types here.
    """
    if came_from_a_call(os.getpid()):
        raise ExtensionRefusedError(texts("A command that Jarvis runs cannot decide what code may run."))
    if asks and not (sys.stdin.isatty() and is_a_persons_terminal(sys.stdin.fileno())):
        raise ExtensionRefusedError(
            texts("Enabling asks a person, so it needs a terminal. Settings → Extensions does it, too.")
        )


def _yes(question: str, texts: Texts) -> bool:
    try:
        said = input(question)
    except EOFError:
        return False
    return said.strip().casefold() in ("yes", texts("yes"))


def _offers(file: CodeFile) -> str:
    return one_line(visible(", ".join(file.offers), Care.COMMAND), 200)


def _word(state: ExtensionState, texts: Texts) -> str:
    words = {
        ExtensionState.WAITING: texts("waits for you"),
        ExtensionState.CHANGED: texts("has changed, waits for you"),
        ExtensionState.ENABLED: texts("enabled"),
        ExtensionState.OFF: texts("switched off"),
        ExtensionState.BROKEN: texts("does not work"),
    }
    return words[state]


def _row(file: CodeFile, state: ExtensionState) -> dict[str, object]:
    return {
        "kind": file.kind.value,
        "name": file.name,
        "path": str(file.path),
        "state": state.value,
        "digest": file.digest,
        "offers": list(file.offers),
        "read_only": list(file.reads_only),
        "trouble": file.trouble,
        "advice": file.advice,
    }


def _say(text: str) -> None:
    print(text)  # noqa: T201 - a command's output


def _failed(text: str) -> int:
    print(text, file=sys.stderr)  # noqa: T201 - a command's output
    return FAILED
