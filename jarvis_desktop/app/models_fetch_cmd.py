"""``models fetch``: downloads in a terminal, with bytes, rate and time left; Ctrl+C pauses."""

import asyncio
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.typed_command import typed_command
from jarvis_desktop.app.models_cmd import opened
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.fetching import FetchState
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.setup_words import fetch_text, size_text

INTERRUPTED = 130
"""Exit status after Ctrl+C, as shells have it."""


def fetch_models(names: Sequence[str], *, all_needed: bool) -> int:
    """Every named model is there, or it was said why not; the exit status comes back.

    Raises:
        ModelFileError: no model has such a name.
        StorageError: the home folder cannot be used.
    """
    files, texts = opened()
    wanted = tuple(dict.fromkeys((*(files.needed if all_needed else ()), *names)))
    for name in wanted:
        files.entry(name)
    home_dir(texts)
    fetching = _Fetching(files, texts, Console(stderr=True))
    try:
        return asyncio.run(fetching.all(wanted))
    except KeyboardInterrupt:
        again = texts("Paused; what has come is kept. Go on: {command} models fetch {names}")
        fetching.print(again.format(names=" ".join(fetching.left), command=typed_command()))
        return INTERRUPTED


class _Fetching:
    """One model after the other, each with a line that moves."""

    def __init__(self, files: ModelFiles, texts: Texts, console: Console) -> None:
        self._files = files
        self._texts = texts
        self._console = console
        self.left: list[str] = []
        """Models that are not there yet."""

    def print(self, text: str) -> None:
        """A line that stays."""
        self._console.print(text, markup=False, highlight=False)

    async def all(self, names: Sequence[str]) -> int:
        """The exit status: 1 when one of them could not be fetched."""
        self.left = list(names)
        failed = False
        for name in names:
            try:
                await self._one(name)
            except JarvisError as error:
                self.print(str(error) if name in str(error) else f"{name}: {error}")
                failed = True
            else:
                self.left.remove(name)
        return 1 if failed else 0

    async def _one(self, name: str) -> None:
        entry, texts = self._files.entry(name), self._texts
        if not await asyncio.to_thread(self._files.missing, name):
            self.print(texts("{name} is there already.").format(name=name))
            return
        self.print(f"{name}: {texts(entry.purpose)} {size_text(entry.size)}, {entry.licence}")
        if entry.notice:
            self.print(f"  {texts(entry.notice)}")
        if entry.untested:
            self.print(f"  {texts('Nobody has run it with this release yet.')}")
        with _Line(name, texts, self._console) as line:
            await self._files.fetch(name, line.show)
        self.print(texts("{name} is there, and checked.").format(name=name))


class _Line(Progress):
    """A progress line; where no terminal is, only what goes wrong is printed."""

    def __init__(self, name: str, texts: Texts, console: Console) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[words]}"),
            console=console,
            transient=True,
        )
        self._texts = texts
        self._trouble = ""
        self._task: TaskID = self.add_task(name, total=None, words="")

    def show(self, state: FetchState) -> None:
        """Where the download is now."""
        words = fetch_text(state, self._texts)
        if state.source:
            words = f"{words} · {state.source}"
        self.update(self._task, total=state.total_bytes or None, completed=state.done_bytes, words=words)
        if state.trouble and state.trouble != self._trouble:
            self.console.print(state.trouble, markup=False, highlight=False)
        self._trouble = state.trouble
