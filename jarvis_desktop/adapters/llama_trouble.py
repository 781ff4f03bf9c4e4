"""What went wrong with the model inside Jarvis, as a kind and a text that says what to do."""

import signal
import sys

from jarvis_desktop.adapters.typed_command import typed_command
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.ports import Texts

REASON_CHARS = 200


class LlamaTroubles:
    """Words for every trouble with the engine and one model."""

    def __init__(self, model: str, texts: Texts) -> None:
        self._model = model
        self._texts = texts

    def not_installed(self) -> ModelUnavailableError:
        """The package is absent."""
        text = self._texts(
            "The engine for models inside Jarvis (the package xllamacpp) is not installed. Install it with: "
            '{python} -m pip install "jarvis-desktop[embedded]"; from a checkout, ./run does it where there '
            "is no Ollama."
        )
        return ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(python=sys.executable))

    def no_file(self, reason: str) -> ModelUnavailableError:
        """The weights are absent, or not those that the manifest names."""
        text = self._texts(
            'The model "{model}" cannot be used: {reason}. Fetch it in Set up, or with: '
            "{command} models fetch {model}"
        )
        filled = text.format(model=self._model, reason=reason, command=typed_command())
        return ModelUnavailableError(ModelTrouble.NO_MODEL, filled)

    def too_little_memory(self, needed_bytes: int, free_bytes: int) -> ModelUnavailableError:
        """It was not even tried."""
        text = self._texts(
            'There is too little memory for the model "{model}": it needs {needed} GB, {free} GB are free. '
            "Close other programs, or choose a smaller model."
        )
        filled = text.format(model=self._model, needed=_gigabytes(needed_bytes), free=_gigabytes(free_bytes))
        return ModelUnavailableError(ModelTrouble.SERVER_ERROR, filled)

    def not_loaded(self) -> ModelUnavailableError:
        """The engine refused the file."""
        text = self._texts(
            'The engine inside Jarvis could not load the model "{model}". Usually memory was too short: '
            "close other programs and ask again. If it happens again, remove the model in Set up and fetch "
            "it anew."
        )
        return ModelUnavailableError(ModelTrouble.SERVER_ERROR, text.format(model=self._model))

    def too_slow(self) -> ModelUnavailableError:
        """It was loading for minutes."""
        text = self._texts(
            'The model "{model}" did not finish loading. Close other programs and ask again, or choose a '
            "smaller model."
        )
        return ModelUnavailableError(ModelTrouble.SERVER_ERROR, text.format(model=self._model))

    def died(self, status: int | None) -> ModelUnavailableError:
        """The engine's process ended. status: as ``Process.returncode``; None when it is not known."""
        if status == -signal.SIGILL:
            text = self._texts(
                "The engine for models inside Jarvis needs a newer processor (with AVX2). Use Ollama "
                "instead: https://ollama.com/download"
            )
        elif status == -signal.SIGKILL:
            text = self._texts(
                'The system ended the model "{model}", probably because memory ran out. Ask again; it starts '
                "anew. If it happens again, close other programs or choose a smaller model."
            )
        else:
            text = self._texts(
                'The model "{model}" broke off in the middle of the answer. Ask again; it starts anew.'
            )
        return ModelUnavailableError(ModelTrouble.LOST, text.format(model=self._model))

    def refused(self, reason: str) -> ModelUnavailableError:
        """The engine's own words."""
        text = self._texts(
            'The engine inside Jarvis failed with the model "{model}": {reason}. Ask again; if it happens '
            "again, begin a new conversation."
        )
        filled = text.format(model=self._model, reason=reason[:REASON_CHARS].rstrip(" .") or "?")
        return ModelUnavailableError(ModelTrouble.SERVER_ERROR, filled)

    def strange(self) -> ModelUnavailableError:
        """What came is not an answer."""
        text = self._texts('The model "{model}" answered something that cannot be read. Ask again.')
        return ModelUnavailableError(ModelTrouble.BAD_ANSWER, text.format(model=self._model))


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f}"
