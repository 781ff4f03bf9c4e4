"""Fetches the speech models that are missing: ``python -m jarvis_desktop.app.fetch_models [FOLDER]``."""

import asyncio
import sys
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.download_room import size_words
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.app.options import MODELS_NAME
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.fetching import FetchState
from jarvis_desktop.core.ports import Texts

MODELS_FOLDER = MODELS_NAME


async def fetch_all(models: ModelFiles, texts: Texts) -> int:
    """Every model that is needed is there, or it was said why not; the exit status says which."""
    status = 0
    for name in models.needed:
        title = texts("Fetching the speech model {name}").format(name=name)
        if not await fetch_one(models, name, title):
            status = 1
    return status


async def fetch_one(models: ModelFiles, name: str, title: str) -> bool:
    """Whether the model is there now; progress and trouble were shown in this terminal."""
    if not await asyncio.to_thread(models.missing, name):
        return True
    line = _ProgressLine(title)
    try:
        await models.fetch(name, line.show)
    except JarvisError as error:
        line.end()
        print(f"{name}: {error}", file=sys.stderr)  # noqa: T201 - run by ./run, in a terminal
        return False
    line.end()
    return True


class _ProgressLine:
    """One line that grows in place on a terminal; elsewhere its beginning and its troubles are printed."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._live = sys.stderr.isatty()
        self._shown = ""
        self._trouble = ""
        sys.stderr.write(title if self._live else f"{title}\n")

    def show(self, state: FetchState) -> None:
        """Where the download is now."""
        if state.trouble and state.trouble != self._trouble:
            sys.stderr.write(f"{chr(10) if self._live else ''}{state.trouble}\n")
            self._trouble = state.trouble
        rate = f" ({size_words(state.bytes_per_s)}/s)" if state.bytes_per_s else ""
        shown = f"{size_words(state.done_bytes)} / {size_words(state.total_bytes)}{rate}"
        if self._live and shown != self._shown:
            sys.stderr.write(f"\r\033[K{self._title}: {shown}")
            sys.stderr.flush()
        self._shown = shown

    def end(self) -> None:
        """The next output begins on a line of its own."""
        if self._live:
            sys.stderr.write("\n")


def main(arguments: list[str]) -> int:
    """Fetch into the folder that is named, or into the home folder's own."""
    texts = Catalog(system_language())
    try:
        folder = Path(arguments[0]) if arguments else home_dir(texts) / MODELS_NAME
        return asyncio.run(fetch_all(ModelFiles(folder, texts=texts), texts))
    except JarvisError as error:
        print(error, file=sys.stderr)  # noqa: T201 - run by ./run, in a terminal
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
