"""Gets the small chat model for a machine without Ollama: ``python -m jarvis_desktop.app.fetch_starter``.

``--needed`` only looks: it says what would be fetched and ends with 0 where it is needed, with 1 where not.
"""

import asyncio
import sys
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog, app_language, system_language
from jarvis_desktop.adapters.download_room import size_words
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.llama_engine import installed
from jarvis_desktop.adapters.machine_facts import memory_bytes
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.ollama_program import OllamaProgram
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.chat_models import STARTERS, starter_for
from jarvis_desktop.app.fetch_models import fetch_one
from jarvis_desktop.app.options import MODELS_NAME
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.setup import OllamaPresence
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import ModelSettings

ENGINE_BYTES = 34_000_000
"""The engine's package, to be downloaded (its wheel for Linux on x86-64); ./run says so by itself."""


def wanted_starter(settings: ModelSettings, presence: OllamaPresence, memory: int) -> str:
    """The model inside Jarvis that is to answer; empty when Ollama is."""
    if settings.backend != "ollama" and settings.name in STARTERS:
        return settings.name
    alone = settings.backend == "auto" and presence is OllamaPresence.ABSENT
    return starter_for(memory) if alone or settings.backend == "embedded" else ""


async def starter_missing(settings: ModelSettings, home: Path, models: ModelFiles, texts: Texts) -> str:
    """The starter that is needed and not there, engine included; empty when nothing is to be done."""
    presence, _ = await OllamaProgram(settings, home, texts).presence()
    name = wanted_starter(settings, presence, memory_bytes())
    if not name or (installed() and not await asyncio.to_thread(models.missing, name)):
        return ""
    return name


def plan_line(models: ModelFiles, name: str, texts: Texts) -> str:
    """What is about to be fetched, how much that is, and how to leave it out."""
    # The model's own size, as every other place says it; the engine alone where the model is there.
    size = sum(file.size for file in models.missing(name)) or ENGINE_BYTES
    text = texts(
        "There is no Ollama here, so Jarvis gets a small chat model of its own: {name}, {size} to download. "
        "Ctrl+C leaves it for the next start, JARVIS_RUN_NO_LLM=1 leaves it out. With Ollama and Gemma the "
        "answers are better: https://ollama.com/download"
    )
    return text.format(name=name, size=size_words(size))


async def run(home: Path, settings: ModelSettings, texts: Texts, *, only_look: bool) -> int:
    """The exit status of the program."""
    models = ModelFiles(home / MODELS_NAME, texts=texts)
    name = await starter_missing(settings, home, models, texts)
    if only_look:
        if name:
            print(plan_line(models, name, texts), file=sys.stderr)  # noqa: T201 - run by ./run, in a terminal
        return 0 if name else 1
    if not name:
        return 0
    title = texts("Fetching the chat model {name}").format(name=name)
    return 0 if await fetch_one(models, name, title) else 1


def main(arguments: list[str]) -> int:
    """Look or fetch, for the home and the settings that are in force."""
    try:
        home = home_dir(Catalog(system_language()))
        settings, _ = load_settings(home)
        texts = Catalog(app_language(settings.ui.language))
        return asyncio.run(run(home, settings.model, texts, only_look="--needed" in arguments))
    except JarvisError as error:
        print(error, file=sys.stderr)  # noqa: T201 - run by ./run, in a terminal
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
