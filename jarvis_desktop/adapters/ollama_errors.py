"""What went wrong with Ollama, as a kind and a text that says what to do."""

import re
from collections.abc import Callable

from jarvis_desktop.adapters.ollama_host import shown_address
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.ports import Texts

REASON_CHARS = 200
SPOKEN_STATUSES = (400, 401, 403, 429)
"""Refusals that Ollama explains in words; any other below 500 means that it is not Ollama."""


class ThinkingRefusedError(Exception):
    """The model cannot be told to think, or not to: ask again without saying so."""


class StillLoadingError(ModelUnavailableError):
    """The model is on its way into memory, but for somebody who no longer waits: ask again in a moment."""


class Troubles:
    """Words for every trouble with one model on one server."""

    def __init__(self, model: str, host: str, texts: Texts) -> None:
        self._model = model
        self._host = shown_address(host)
        self._texts = texts

    def of(self, error: Exception) -> ModelUnavailableError | ThinkingRefusedError:
        """The trouble behind an error of the client library."""
        import httpx  # with ollama 0.4 s, so only once a request has been made
        import ollama

        if isinstance(error, ollama.ResponseError):
            return self.refused(str(error.error), error.status_code)
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError | ConnectionError):
            return self.no_server()
        if isinstance(error, httpx.HTTPError | httpx.StreamError | RuntimeError):
            return self.lost()
        return self.strange()

    def refused(self, reason: str, status: int) -> ModelUnavailableError | ThinkingRefusedError:
        """The trouble behind the server's own words. status: -1 for an error amid a stream."""
        known: tuple[tuple[str, Callable[[], ModelUnavailableError | ThinkingRefusedError]], ...] = (
            (r"does not support thinking|think value .* not supported", ThinkingRefusedError),
            (r"model .*not found", self.no_model),
            (r"does not support tools", self._no_tools),
            (r"cannot unmarshal|unknown model architecture|newer version", self._too_old),
            (r"error parsing tool call", self._unreadable_call),
        )
        if re.search(r"server loading model", reason, re.IGNORECASE):
            return StillLoadingError(ModelTrouble.SERVER_ERROR, str(self._server_error(reason)))
        for words, trouble in known:
            if re.search(words, reason, re.IGNORECASE):
                return trouble()
        if 300 <= status < 500 and status not in SPOKEN_STATUSES:
            return self.strange()
        return self._server_error(reason)

    def no_server(self) -> ModelUnavailableError:
        """Nobody answers at the address."""
        text = self._texts(
            'No Ollama answers at {host}. Start it with "ollama serve"; if it is not installed, '
            "get it from https://ollama.com/download."
        )
        return ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(host=self._host))

    def bad_address(self) -> ModelUnavailableError:
        """The setting holds no address."""
        text = self._texts(
            'settings.yaml: model.host is "{host}", which is no address. Write it like http://127.0.0.1:11434.'
        )
        return ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(host=self._host))

    def no_model(self) -> ModelUnavailableError:
        """The server does not have the model."""
        text = self._texts('Ollama has no model "{model}". Get it with: ollama pull {model}')
        return ModelUnavailableError(ModelTrouble.NO_MODEL, text.format(model=self._model))

    def lost(self) -> ModelUnavailableError:
        """The connection broke before the answer was complete."""
        text = self._texts(
            "The connection to Ollama at {host} broke off in the middle of the answer. Ask again; "
            "if it happens again, restart Ollama."
        )
        return ModelUnavailableError(ModelTrouble.LOST, text.format(host=self._host))

    def strange(self) -> ModelUnavailableError:
        """What answers there does not speak Ollama's language."""
        text = self._texts(
            "What answers at {host} does not speak like Ollama. Check model.host in settings.yaml, "
            "or restart Ollama."
        )
        return ModelUnavailableError(ModelTrouble.BAD_ANSWER, text.format(host=self._host))

    def _no_tools(self) -> ModelUnavailableError:
        text = self._texts(
            'Ollama cannot hand tools to the model "{model}". Set model.calls to "schema" in settings.yaml, '
            "or choose another model."
        )
        return ModelUnavailableError(ModelTrouble.TOO_OLD, text.format(model=self._model))

    def _too_old(self) -> ModelUnavailableError:
        text = self._texts(
            'Ollama at {host} is too old for the model "{model}". Update it from https://ollama.com/download.'
        )
        return ModelUnavailableError(ModelTrouble.TOO_OLD, text.format(host=self._host, model=self._model))

    def _unreadable_call(self) -> ModelUnavailableError:
        # The server's text quotes what the model wrote; that is a transcript and must not get on.
        text = self._texts(
            'The model "{model}" wrote a tool call that Ollama could not read. Ask again; if it happens '
            'again, set model.calls to "schema" in settings.yaml.'
        )
        return ModelUnavailableError(ModelTrouble.BAD_ANSWER, text.format(model=self._model))

    def _server_error(self, reason: str) -> ModelUnavailableError:
        if "system memory" in reason.lower():
            text = self._texts(
                'There is too little memory for the model "{model}": {reason}. Close other programs, '
                "or choose a smaller model."
            )
        else:
            text = self._texts(
                'Ollama failed with the model "{model}": {reason}. Ask again; if it happens again, '
                "restart Ollama."
            )
        filled = text.format(model=self._model, reason=shortened(reason))
        return ModelUnavailableError(ModelTrouble.SERVER_ERROR, filled)


def shortened(reason: str) -> str:
    """The first line of a server's words, control characters left out, at most ``REASON_CHARS``."""
    first = next(iter(reason.strip().splitlines()), "")
    return re.sub(r"[\x00-\x1f\x7f]", "", first)[:REASON_CHARS].rstrip(" .") or "?"
