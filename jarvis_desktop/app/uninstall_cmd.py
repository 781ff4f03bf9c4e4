"""``jarvis-desktop uninstall``: says what goes and what stays, asks, removes, and says what came of it."""

import logging
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.home_dir import home_path
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.shell_sweep import MARK
from jarvis_desktop.app.home_inventory import is_ours, size_text
from jarvis_desktop.app.instance import Instance
from jarvis_desktop.app.uninstall import (
    INSTALLED,
    Failure,
    Plan,
    plan_of,
    remove,
    remove_empty_runtime,
    remove_folder,
    trouble_with,
)
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.visible_text import Care, code, visible

WORDS = ("yes", "y", "예", "네")
"""Either language's, whatever the language of the app is: a Korean keyboard may be in either layout."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asked for."""

    keep_data: bool = False
    dry_run: bool = False
    yes: bool = False


def run_uninstall(wish: Wish) -> int:
    """Remove what Jarvis keeps; 0 when all of it is gone, 1 when not, or when nothing was done."""
    # No log: it would make a file in the very folder.
    logging.getLogger().addHandler(logging.NullHandler())
    home = home_path()
    settings, _ = load_settings(home)
    language = settings.ui.language
    texts = Catalog(system_language() if language == "system" else Language(language))
    refusal = _refusal(home, wish, texts)
    if refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 - the command line speaks here
        return 1
    working_folder = Path(os.path.abspath(settings.agent.working_directory.expanduser()))  # noqa: PTH100 - links stay as they are
    plan = plan_of(home, working_folder, texts, keep_data=wish.keep_data)
    for line in (*_goes(plan, texts), *_stays(plan, working_folder, wish, texts)):
        _say(line)
    if wish.dry_run or not plan.paths:
        return 0
    if not wish.yes and not _agreed(texts):
        _say(texts("Nothing was removed."))
        return 1
    return _carry_out(plan, wish, texts)


def _refusal(home: Path, wish: Wish, texts: Texts) -> str:
    """Why nothing is even listed; empty when there is no reason."""
    if MARK in os.environ:
        return texts("Only a person removes Jarvis, in a terminal of their own; nothing was removed.")
    precious = None if wish.keep_data else trouble_with(home)
    if precious is not None:
        return texts(
            "{folder} holds {precious}, so it is not emptied. Set JARVIS_HOME to the folder of Jarvis alone."
        ).format(folder=_shown(home), precious=_shown(precious))
    if home.exists() and not is_ours(home) and not wish.keep_data:
        return texts(
            "{folder} was never used by Jarvis, so nothing in it is removed. Set JARVIS_HOME to the folder "
            "that was, or use --keep-data to remove the menu entries only."
        ).format(folder=_shown(home))
    if Instance(home).in_use():
        return texts("Jarvis is running. Quit it from its tray icon or with Ctrl+Q, then try again.")
    if not wish.yes and not wish.dry_run and not sys.stdin.isatty():
        return texts("This asks first, and nobody can answer here. Use a terminal, or --yes in a script.")
    return ""


def _goes(plan: Plan, texts: Texts) -> Iterator[str]:
    if not plan.paths:
        yield texts("There is nothing of Jarvis to remove.")
        return
    yield texts("This is removed for good:")
    for one in plan.data:
        count = texts.plural("{count} file", "{count} files", one.files).format(count=one.files)
        yield f"  {one.title}: {count}, {size_text(one.size_bytes)}"
        yield from (f"    {_shown(path)}" for path in one.paths)
    for title, paths in (
        (texts("Menu entry, start with the session, icon"), plan.desktop),
        (texts("Socket and caches"), plan.leftovers),
    ):
        if paths:
            yield f"  {title}"
            yield from (f"    {_shown(path)}" for path in paths)


def _stays(plan: Plan, working_folder: Path, wish: Wish, texts: Texts) -> Iterator[str]:
    yield ""
    yield texts("This stays:")
    if wish.keep_data:
        yield f"  {texts('Everything in the folder of Jarvis')}: {_shown(plan.home)}"
    if working_folder.exists():
        yield f"  {texts('Your files in the working folder')}: {_shown(working_folder)}"
    yield from (f"  {texts('Not made by this Jarvis')}: {_shown(path)}" for path in plan.left)
    if shutil.which("ollama") is not None:
        yield "  " + texts(
            "Ollama and its models. One model goes with: ollama rm NAME; see ollama.com for the rest."
        )
    yield "  " + texts("System packages such as espeak-ng; other programs may use them.")
    if (INSTALLED / "pyproject.toml").exists():
        goes_with = f"rm -rf {shlex.quote(str(INSTALLED))}"
    else:
        goes_with = f"{shlex.quote(sys.executable)} -m pip uninstall jarvis-desktop"
    yield "  " + texts("The program itself. It goes with: {command}").format(command=goes_with)
    yield ""


def _agreed(texts: Texts) -> bool:
    _say(texts('To remove it, type "yes" or "y". Anything else leaves all as it is.'))
    try:
        return input("> ").strip().casefold() in WORDS
    except EOFError:
        return False


def _carry_out(plan: Plan, wish: Wish, texts: Texts) -> int:
    instance = Instance(plan.home)
    holds = plan.home.is_dir() and not wish.keep_data
    # Held while we remove, so that nobody starts in the middle of it.
    if holds and not _claimed(instance):
        text = texts("{file} cannot be locked, so nothing was removed. Quit Jarvis, or make the file yours.")
        print(text.format(file=_shown(instance.lock_path)), file=sys.stderr)  # noqa: T201 - the command line speaks here
        return 1
    failures = remove(plan.paths[:-1] if holds else plan.paths)
    if holds:
        instance.release()
        failures += remove((plan.paths[-1], instance.lock_path)) + remove_folder(plan.home)
    remove_empty_runtime()
    return _told(failures, texts)


def _claimed(instance: Instance) -> bool:
    try:
        return instance.claim()
    except OSError:
        return False


def _told(failures: tuple[Failure, ...], texts: Texts) -> int:
    if not failures:
        _say(texts("All of that is gone."))
        return 0
    for failure in failures:
        print(f"{_shown(failure.path)}: {failure.reason}", file=sys.stderr)  # noqa: T201 - the command line speaks here
    text = texts.plural(
        "{count} of it could not be removed, and the rest is gone.",
        "{count} of them could not be removed, and the rest is gone.",
        len(failures),
    )
    print(text.format(count=len(failures)), file=sys.stderr)  # noqa: T201 - the command line speaks here
    return 1


def _shown(path: Path) -> str:
    """The path on one line, without anything that would move the terminal's cursor."""
    return visible(str(path), Care.COMMAND).replace("\n", code("\n")).replace("\t", code("\t"))


def _say(text: str) -> None:
    print(text)  # noqa: T201 - the answer of the command
