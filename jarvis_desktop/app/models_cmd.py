"""``models list``, ``models verify`` and ``models remove``: what is on the disk, checked, deleted."""

import asyncio
import json
import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jarvis_desktop.adapters.model_files import ModelFiles, Presence
from jarvis_desktop.adapters.model_manifest import ModelEntry, ModelKind
from jarvis_desktop.adapters.typed_command import typed_command
from jarvis_desktop.app.cli_home import cli_home
from jarvis_desktop.app.options import MODELS_NAME
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.setup_words import size_text


def opened() -> tuple[ModelFiles, Texts]:
    """The models of this person's home; nothing is made."""
    home = cli_home()
    return ModelFiles(home.folder / MODELS_NAME, texts=home.texts), home.texts


def list_models(*, as_json: bool) -> int:
    """Print every model of the manifest; the exit status comes back."""
    files, texts = opened()
    if as_json:
        for name in files.names:
            print(json.dumps(_listed(name, files, texts), ensure_ascii=False))  # noqa: T201 - the answer of the command
        return 0
    console = Console()
    console.print(_table(files, texts))
    console.print(texts("They lie in {folder}.").format(folder=files.folder), markup=False)
    notices = {entry.notice: name for name in files.names if (entry := files.entry(name)).notice}
    for notice, name in notices.items():
        console.print(f"{name}: {texts(notice)}", markup=False, style="dim")
    return 0


def verify_models(names: Sequence[str], *, as_json: bool) -> int:
    """Hash every file of the models, or of all that are there; 1 when one is wrong.

    Raises:
        ModelFileError: no model has such a name, or a file cannot be read.
    """
    files, texts = opened()
    chosen = names or [name for name in files.names if files.presence(name) is not Presence.MISSING]
    good = True
    for name in chosen:
        for verdict in files.verify(name):
            good = good and verdict.good
            if as_json:
                told = {"model": name, "file": verdict.file, "good": verdict.good, "trouble": verdict.trouble}
                print(json.dumps(told, ensure_ascii=False))  # noqa: T201 - the answer of the command
            else:
                print(f"{name}/{verdict.file}: {verdict.trouble or texts('is right')}")  # noqa: T201 - the same
    if not chosen and not as_json:
        print(texts("No model is there yet."))  # noqa: T201 - the answer of the command
    if not good and not as_json:
        how = texts("Fetch what is missing: {command} models fetch NAME")
        print(how.format(command=typed_command()))  # noqa: T201 - the same
    return 0 if good else 1


def remove_model(name: str, *, ask: bool) -> int:
    """Delete a model after saying what stops working; 1 when the person said no.

    Raises:
        ModelFileError: no model has this name, or the disk refuses.
    """
    files, texts = opened()
    entry = files.entry(name)
    if files.presence(name) is Presence.MISSING:
        print(texts("{name} is not there.").format(name=name))  # noqa: T201 - the answer of the command
        return 0
    print(_loss(entry, texts))  # noqa: T201 - the same
    if ask and not _agreed(texts("Delete {name} ({size})?").format(name=name, size=size_text(entry.size))):
        print(texts("Nothing was deleted."))  # noqa: T201 - the same
        return 1
    asyncio.run(files.remove(name))
    print(texts("{name} is deleted.").format(name=name))  # noqa: T201 - the same
    return 0


def _agreed(question: str) -> bool:
    """A person typed yes; without a terminal nobody did."""
    if not sys.stdin.isatty():
        return False
    try:
        return input(f"{question} [y/N] ").strip().lower() in {"y", "yes", "네", "예", "ㅇ"}
    except EOFError:
        return False


def _loss(entry: ModelEntry, texts: Texts) -> str:
    """What no longer works without it."""
    match entry.kind:
        case ModelKind.WAKE_WORD:
            return texts('Without it Jarvis does not hear "Hey Jarvis"; the talk button goes on working.')
        case ModelKind.RECOGNISER if entry.needed:
            return texts("Without it Jarvis does not understand speech; typing goes on working.")
        case ModelKind.RECOGNISER:
            return texts("Without it speech is understood by the model that is left.")
        case ModelKind.VOICE:
            return texts("Without it Jarvis speaks with another voice.")
        case ModelKind.CHAT:
            return texts("Without it Jarvis answers only through Ollama or another starter model.")


def _listed(name: str, files: ModelFiles, texts: Texts) -> dict[str, object]:
    entry = files.entry(name)
    return {
        "name": name,
        "kind": entry.kind.value,
        "purpose": texts(entry.purpose),
        "languages": list(entry.languages),
        "size_bytes": entry.size,
        "licence": entry.licence,
        "notice": texts(entry.notice) if entry.notice else "",
        "presence": files.presence(name).value,
        "needed": entry.needed,
        "untested": entry.untested,
        "sources": list(files.sources(name, texts)),
    }


def _table(files: ModelFiles, texts: Texts) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for title in (texts("Name"), texts("State"), texts("Size")):
        table.add_column(title, no_wrap=True)
    table.add_column(texts("Purpose"))
    states = {
        Presence.THERE: texts("there"),
        Presence.PARTIAL: texts("partly there"),
        Presence.MISSING: texts("missing"),
    }
    for name in files.names:
        entry = files.entry(name)
        table.add_row(
            name, states[files.presence(name)], size_text(entry.size), _about(name, entry, files, texts)
        )
    return table


def _about(name: str, entry: ModelEntry, files: ModelFiles, texts: Texts) -> Text:
    """What it is for; in a second, dim line its licence and where it comes from."""
    remarks = [texts(entry.purpose)]
    if entry.needed:
        remarks.append(texts("Jarvis cannot listen without it."))
    if entry.untested:
        remarks.append(texts("Nobody has run it with this release yet."))
    origin = f"{entry.licence} · {', '.join(files.sources(name, texts))}"
    return Text.assemble(" ".join(remarks), "\n", (origin, "dim"))
