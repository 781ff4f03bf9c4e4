"""Sentences about the files and processes of extensions: what happened, where, what to do."""

import shlex
from collections.abc import Mapping

from jarvis_desktop.adapters.extension_files import MOST_BYTES, FileTrouble, FoundFile, Function
from jarvis_desktop.adapters.extension_process import WorkerError, WorkerTrouble
from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState
from jarvis_desktop.core.ports import Texts

MOST_NAMED = 8
"""Functions that are left out and named; the rest is counted."""


def file_sentence(file: FoundFile, texts: Texts) -> str:
    """Why the file can be no extension."""
    wording: Mapping[FileTrouble, str] = {
        FileTrouble.BAD_NAME: texts(
            "Its name cannot be used. Rename it: letters, digits, - and _ are allowed, 60 at most."
        ),
        FileTrouble.UNREADABLE: texts("It cannot be read ({reason})."),
        FileTrouble.LEADS_NOWHERE: texts("It is a link that leads nowhere. Delete it, or mend the link."),
        FileTrouble.TOO_LARGE: texts("It is too large to be read before it runs; {most} bytes are allowed."),
        FileTrouble.NO_TEXT: texts("It is no text in UTF-8, so what is shown would not be what runs."),
        FileTrouble.NO_PYTHON: texts("It cannot be read as Python ({reason}).")
        if not file.line
        else texts("Line {line} cannot be read as Python ({reason})."),
        FileTrouble.EMPTY: texts(
            "Nothing in it can be called. A tool is a function with a docstring and a type hint for each "
            "parameter, whose name does not begin with _."
        ),
    }
    assert file.trouble is not None
    most = f"{MOST_BYTES:,}"
    said = wording[file.trouble].format(reason=file.detail, line=file.line, most=most)
    return f"{said} {left_out(file, texts)}".rstrip() if file.trouble is FileTrouble.EMPTY else said


def left_out(file: FoundFile, texts: Texts) -> str:
    """Its functions that are no tools, each with what it lacks; empty when there are none.

    What others in the file use and nobody described is a helper, and named only where there is nothing else.
    """
    lacking = [one for one in file.functions if not one.tool]
    meant = [one for one in lacking if not one.is_helper]
    if not meant and not any(one.tool for one in file.functions):
        meant = lacking
    said = [_lacking(one, texts) for one in meant[:MOST_NAMED]]
    if len(meant) > MOST_NAMED:
        more = len(meant) - MOST_NAMED
        said.append(
            texts.plural("{count} more is left out.", "{count} more are left out.", more).format(count=more)
        )
    return " ".join(said)


def _lacking(one: Function, texts: Texts) -> str:
    lacks = []
    if not one.described:
        lacks.append(texts("no docstring"))
    if one.bare:
        lacks.append(texts("no type hint for {names}").format(names=", ".join(one.bare)))
    if one.nameless:
        lacks.append(texts("parameters that no agent can name (*args, **kwargs or positional-only)"))
    text = texts("{name} (line {line}) is no tool: {lacks}.")
    return text.format(name=one.name, line=one.line, lacks=", ".join(lacks))


def worker_sentence(error: WorkerError, texts: Texts) -> str:
    """Why an enabled extension does not work."""
    wording: Mapping[WorkerTrouble, str] = {
        WorkerTrouble.ENDED: texts("Its process ended by itself while it was loaded ({detail})."),
        WorkerTrouble.TIMED_OUT: texts("It was not loaded within {detail} s, so it was ended."),
        WorkerTrouble.NONSENSE: texts("It wrote where only answers belong, so it was ended."),
        WorkerTrouble.TOO_LARGE: texts("It answered with more than {detail} bytes, so it was ended."),
        WorkerTrouble.TOO_OFTEN: texts("It failed {detail} times in a row and is not started again."),
        WorkerTrouble.RAISED: texts("It cannot be loaded: {detail}."),
    }
    # The reason why there is no room for it is worded already.
    return wording.get(error.kind, "{detail}").format(detail=error.detail)


def enabling(kind: ExtensionKind, name: str) -> str:
    """What a person types in a terminal to enable it."""
    return f"jarvis-desktop extensions enable {shlex.quote(f'{kind}/{name}')}"


def waiting_line(one: Extension, texts: Texts) -> str:
    """That it waits for a person, and where it can be enabled; empty when it does not wait."""
    new, server = one.state is ExtensionState.WAITING, one.kind is ExtensionKind.SERVER
    if not new and one.state is not ExtensionState.CHANGED:
        return ""
    if server and new:
        text = texts("The MCP server {name} is new and does not run yet. It waits in Settings → MCP servers.")
    elif server:
        text = texts(
            "The MCP server {name} has changed and does not run now. It waits in Settings → MCP servers."
        )
    elif new:
        text = texts("{file} is new and does not run yet. It waits in Settings → Extensions.")
    else:
        text = texts("{file} has changed and does not run now. It waits in Settings → Extensions.")
    file = f"{one.path.parent.name}/{one.name}{one.path.suffix}"
    where = texts("In a terminal: {command}").format(command=enabling(one.kind, one.name))
    return f"{text.format(file=file, name=one.name)} {where}"
