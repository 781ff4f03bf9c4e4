"""``extensions``: code of the person's own from a terminal. A yes is a person's only, never a call's."""

import json
import os
import sys
import unicodedata
from collections.abc import Sequence

from jarvis_desktop.adapters.call_kin import came_from_a_call, is_a_persons_terminal
from jarvis_desktop.adapters.extension_ledger import ExtensionLedger, changes_of
from jarvis_desktop.app.cli_home import CliHome, cli_home
from jarvis_desktop.app.extensions_found import Found, all_found, found_by
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import ExtensionKind, ExtensionState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, one_line, visible

FAILED = 1
YES = ("yes", "예", "네")
"""In whichever language is spoken; a single letter is typed by habit, so it is asked about once more."""
NO = ("", "n", "no", "아니요", "아니오", "아뇨", "ㄴ")


def list_extensions(*, as_json: bool) -> int:
    """Print everything that was added; the exit status comes back."""
    home = cli_home()
    texts, ledger = home.texts, ExtensionLedger(home.folder, home.texts).read()
    there = all_found(home, ledger)
    for one in there:
        state = one.state(ledger)
        if as_json:
            _say(json.dumps(_row(one, state), ensure_ascii=False))
            continue
        called = f"{one.kind}/{visible(one.name, Care.COMMAND)}"
        brings = one_line(visible(one.reached, Care.COMMAND), 200) if one.reached else _offers(one)
        _say(f"{called}  {_word(one, state, texts)}  {brings}".rstrip())
        for more in filter(None, (one.trouble, one.advice)):
            _say(f"    {visible(more, Care.COMMAND)}")
    if not as_json:
        _say_more(home, there)
    if ledger.problem:
        print(ledger.problem, file=sys.stderr)  # noqa: T201 - a command's output
    return 0


def _say_more(home: CliHome, there: Sequence[Found]) -> None:
    texts = home.texts
    if not there:
        text = texts("There are no tools, plugins, MCP servers or skills of yours in {folder}.")
        _say(text.format(folder=home.folder))
    if any(one.gone for one in there):
        _say(
            texts("What is gone counts again when it comes back; {command} forgets it.").format(
                command="jarvis-desktop extensions disable NAME"
            )
        )
    if any(one.kind is ExtensionKind.SERVER for one in there):
        _say(
            texts("Whether a server is connected, and which tools it brings: {command}").format(
                command='jarvis-desktop ask "/mcp"'
            )
        )


def enable_extension(wanted: str) -> int:
    """Show it, ask, and let it run; the exit status comes back."""
    home = cli_home()
    try:
        _only_people(home.texts, asks=True)
        _enable(home, _found(home, wanted))
    except ExtensionRefusedError as error:
        return _failed(str(error))
    return 0


def disable_extension(wanted: str) -> int:
    """Let it run no more, and forget what is not there any more; the exit status comes back."""
    home = cli_home()
    ledger = ExtensionLedger(home.folder, home.texts)
    try:
        _only_people(home.texts, asks=False)
        one = _found(home, wanted)
        _not_a_skill(home, one)
        if one.gone:
            ledger.forget(one.key)
        else:
            ledger.disable(one.key)
    except ExtensionRefusedError as error:
        return _failed(str(error))
    text = (
        home.texts("{file} is forgotten: should it come back, it waits for you.")
        if one.gone
        else home.texts("{file} runs no more.")
    )
    _say(text.format(file=one.shown(home.texts)))
    return 0


def _not_a_skill(home: CliHome, one: Found) -> None:
    if one.kind is ExtensionKind.SKILL:
        text = home.texts(
            "A skill is neither enabled nor disabled: it is a text that only you call. To be rid of it, take "
            "its file out of {folder}."
        )
        raise ExtensionRefusedError(text.format(folder=one.path.parent))


def _enable(home: CliHome, one: Found) -> None:
    texts, ledger = home.texts, ExtensionLedger(home.folder, home.texts)
    _not_a_skill(home, one)
    read = ledger.read()
    if one.gone:
        raise ExtensionRefusedError(
            texts("{file} is not there any more, so it cannot be enabled.").format(file=one.shown(texts))
        )
    if one.trouble or read.problem:
        raise ExtensionRefusedError(one.trouble or read.problem)
    if one.state(read) is ExtensionState.ENABLED:
        _say(texts("{file} is enabled already.").format(file=one.shown(texts)))
        return
    _show(one, changes_of(read.entries.get(one.key), one.digest, one.text, one.path.name), texts)
    if not _yes(texts("Let this code run? Type yes: "), texts):
        raise ExtensionRefusedError(texts("Nothing was enabled."))
    read_only: frozenset[str] = frozenset()
    if one.reads_only:
        names = one_line(", ".join(one.reads_only), 200)
        _say(texts("It says that these change nothing: {names}").format(names=names))
        if _yes(texts("Let them run without asking? Type yes: "), texts):
            read_only = frozenset(one.reads_only)
    if _found(home, one.called).digest != one.digest:
        text = texts("{file} has changed since it was shown. Look at it again, then decide.")
        raise ExtensionRefusedError(text.format(file=one.shown(texts)))
    ledger.enable(one.key, one.digest, one.text, read_only)
    _say(texts("{file} is enabled; it counts from the next turn.").format(file=one.shown(texts)))


def _show(one: Found, changes: str, texts: Texts) -> None:
    """What would run, or what changed in it."""
    file = one.shown(texts)
    _say(texts("What changed in {file}:").format(file=file) if changes else f"{file}:")
    _say("")
    _say(visible(changes or one.text, Care.SOURCE).rstrip("\n"))
    _say("")
    if one.offers:
        _say(texts("It offers: {names}").format(names=_offers(one)))


def _found(home: CliHome, wanted: str) -> Found:
    ledger = ExtensionLedger(home.folder, home.texts).read()
    return found_by(wanted, all_found(home, ledger), home)


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
    """A whole yes, in either language. What is neither yes nor no is asked about once more."""
    said = _typed(question)
    if said not in (*YES, *NO):
        text = texts("“{typed}” does not count here. Type the whole word yes, or Enter for no: ")
        said = _typed(text.format(typed=one_line(said, 20)))
    return said in YES


def _typed(question: str) -> str:
    try:
        return unicodedata.normalize("NFC", input(question)).strip().casefold()
    except EOFError:
        return ""


def _offers(file: Found) -> str:
    return one_line(visible(", ".join(file.offers), Care.COMMAND), 200)


def _word(one: Found, state: ExtensionState, texts: Texts) -> str:
    if one.kind is ExtensionKind.SKILL and state is ExtensionState.ENABLED:
        return texts("you call it")
    words = {
        ExtensionState.WAITING: texts("waits for you"),
        ExtensionState.CHANGED: texts("has changed, waits for you"),
        ExtensionState.ENABLED: texts("enabled"),
        ExtensionState.OFF: texts("switched off"),
        ExtensionState.BROKEN: texts("does not work"),
        ExtensionState.GONE: texts("is gone, and would count again"),
    }
    return words[state]


def _row(file: Found, state: ExtensionState) -> dict[str, object]:
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
