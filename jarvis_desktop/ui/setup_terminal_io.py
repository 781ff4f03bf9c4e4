"""The terminal that the setup is asked on: colours and a line that grows old in place."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TextIO

import rich.console
import rich.progress
import rich.text

from jarvis_desktop.core.items.fetching import FetchStage, FetchState
from jarvis_desktop.ui.setup_terminal import NoMoreAnswersError
from jarvis_desktop.ui.visible_text import visible

ReadLine = Callable[[], Awaitable[str]]
"""Waits for a line, with its end; empty when there are no more."""


class RichTerminal:
    """Fills ``Terminal``."""

    def __init__(self, out: TextIO, read_line: ReadLine) -> None:
        self._console = rich.console.Console(file=out, highlight=False)
        self._read_line = read_line
        self._progress: rich.progress.Progress | None = None
        self._bar: rich.progress.TaskID | None = None

    def say(self, text: str, style: str = "") -> None:
        """One or more lines; nothing in them is markup."""
        self.end_fetch()
        self._console.print(rich.text.Text(visible(text), style=style))

    async def ask(self, prompt: str) -> str:
        """What was typed.

        Raises:
            NoMoreAnswersError: the input has ended.
        """
        self.end_fetch()
        self._console.print(rich.text.Text(visible(prompt)), end="")
        line = await self._read_line()
        if not line:
            raise NoMoreAnswersError
        return line

    def show_fetch(self, name: str, state: FetchState) -> None:
        """A bar that moves; why it stands still beside it."""
        if self._progress is None:
            columns = (
                rich.progress.TextColumn("  {task.description}"),
                rich.progress.BarColumn(),
                rich.progress.DownloadColumn(),
                rich.progress.TimeRemainingColumn(),
                rich.progress.TextColumn("{task.fields[trouble]}"),
            )
            self._progress = rich.progress.Progress(*columns, console=self._console)
            self._bar = self._progress.add_task(name, total=None, trouble="")
            self._progress.start()
        if self._bar is not None:
            trouble = state.trouble if state.stage is not FetchStage.FAILED else ""
            total = state.total_bytes or None
            self._progress.update(self._bar, completed=state.done_bytes, total=total, trouble=trouble)

    def end_fetch(self) -> None:
        """The bar stays as it is now, and the next output begins below it."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = self._bar = None


def reading(stream: TextIO, in_background: Callable[[Callable[[], str]], "asyncio.Future[str]"]) -> ReadLine:
    """Lines of ``stream``; waiting for one keeps neither the loop nor the end of the program."""

    async def read_line() -> str:
        return await in_background(stream.readline)

    return read_line
