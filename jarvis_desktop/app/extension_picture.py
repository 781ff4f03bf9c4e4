"""A file of tools as people see it among their extensions."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.extension_files import FileTrouble, FoundFile
from jarvis_desktop.adapters.extension_ledger import Enabled, changes_of, state_of
from jarvis_desktop.app.extension_running import Running
from jarvis_desktop.app.extension_words import file_sentence, left_out, worker_sentence
from jarvis_desktop.core.items.delegation import AGENT_TOOL
from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.turn.schema_calls import ANSWER

MOST_NAMED = 5
_RESERVED = frozenset({ANSWER, "ask_agent", "orchestrate"})


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that is known about one file."""

    file: FoundFile
    entry: Enabled | None
    """What a person said about it."""
    running: Running | None
    ledger_problem: str
    """Why nobody knows what people said."""
    others: Mapping[str, FoundFile]
    """Files that bring a tool, by its name, but this one."""
    builtin: frozenset[str]
    left_out: tuple[str, ...] = ()
    """Its tools for which the context has no room."""


def picture(look: Look, texts: Texts) -> Extension:
    """As it is now."""
    file, entry = look.file, look.entry
    state, trouble = _state(look, texts)
    return Extension(
        kind=ExtensionKind.TOOL,
        name=file.name,
        path=file.path,
        digest=file.digest,
        state=state,
        trouble=trouble,
        advice="" if file.trouble is not None else left_out(file, texts),
        offers=_offers(look),
        source=file.text,
        changes=changes_of(entry, file.digest, file.text, file.path.name) if file.text else "",
    )


def is_reserved(tool: str) -> bool:
    """A name that no tool of a person's may have: Jarvis speaks or asks agents through it."""
    return tool in _RESERVED or tool.startswith(AGENT_TOOL)


def as_written(path: Path) -> str:
    """A path with the home folder as ``~``."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def _state(look: Look, texts: Texts) -> tuple[ExtensionState, str]:
    if look.file.trouble is not None:
        return ExtensionState.BROKEN, file_sentence(look.file, texts)
    state, running = state_of(look.entry, look.file.digest), look.running
    if look.ledger_problem or state is not ExtensionState.ENABLED:
        return state, look.ledger_problem
    if running is None or (running.described is None and running.failure is None):
        return ExtensionState.STARTING, ""
    if running.failure is not None:
        return ExtensionState.BROKEN, worker_sentence(running.failure, texts)
    clash = _clash(look, texts)
    return (ExtensionState.BROKEN, clash) if clash else (ExtensionState.ENABLED, _no_room(look, texts))


def _no_room(look: Look, texts: Texts) -> str:
    """Which of its tools are not offered; empty when all are."""
    if not look.left_out:
        return ""
    names = ", ".join(look.left_out[:MOST_NAMED])
    more = f" … (+{len(look.left_out) - MOST_NAMED})" if len(look.left_out) > MOST_NAMED else ""
    why = texts("the model's context is too small for so many tools: model.context_tokens")
    return texts("Not offered: {names}: {why}.").format(names=names + more, why=why)


def _clash(look: Look, texts: Texts) -> str:
    for one in look.file.functions:
        if one.tool and is_reserved(one.name):
            text = texts("No tool can be called {name}: Jarvis needs that name itself. Give it another one.")
            return text.format(name=one.name)
        if one.tool and one.name in look.others:
            text = texts(
                "{file} and {other} both bring a tool called {name}; the one of {other} counts. "
                "Rename one of them."
            )
            other = look.others[one.name].path
            return text.format(file=look.file.path, other=other, name=one.name)
    return ""


def _offers(look: Look) -> tuple[Offered, ...]:
    file = look.file
    if file.trouble not in (None, FileTrouble.EMPTY):
        return ()
    return tuple(
        Offered(one.name, one.purpose, one.read_only, one.name in look.builtin)
        for one in file.functions
        if one.tool
    )
