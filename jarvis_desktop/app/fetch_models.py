"""Fetches the speech models that are missing: ``python -m jarvis_desktop.app.fetch_models [FOLDER]``."""

import asyncio
import sys
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.ports import Texts

MODELS_FOLDER = "models"


async def fetch_all(models: ModelFiles, texts: Texts) -> int:
    """Every model of the manifest is there, or it was said why not; the exit status says which."""
    status = 0
    for name in models.needed:
        if not models.missing(name):
            continue
        line = _ProgressLine(texts("Fetching the speech model {name}").format(name=name))
        try:
            await models.fetch(name, line.show)
        except JarvisError as error:
            line.end()
            print(f"{name}: {error}", file=sys.stderr)  # noqa: T201 - run by ./run, in a terminal
            status = 1
        else:
            line.end()
    return status


class _ProgressLine:
    """One line that grows old in place on a terminal; elsewhere only its beginning is printed."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._live = sys.stderr.isatty()
        self._shown = -1
        sys.stderr.write(title if self._live else f"{title}\n")

    def show(self, done: int, total: int) -> None:
        """``done`` of ``total`` bytes have come."""
        megabytes = done // 1_000_000
        if self._live and megabytes != self._shown:
            self._shown = megabytes
            sys.stderr.write(f"\r{self._title}: {megabytes} / {total // 1_000_000} MB")
            sys.stderr.flush()

    def end(self) -> None:
        """The next output begins on a line of its own."""
        if self._live:
            sys.stderr.write("\n")


def main(arguments: list[str]) -> int:
    """Fetch into the folder that is named, or into the home folder's own."""
    texts = Catalog(system_language())
    try:
        folder = Path(arguments[0]) if arguments else home_dir(texts) / MODELS_FOLDER
        return asyncio.run(fetch_all(ModelFiles(folder), texts))
    except JarvisError as error:
        print(error, file=sys.stderr)  # noqa: T201 - run by ./run, in a terminal
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
