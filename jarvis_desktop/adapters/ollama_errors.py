"""What went wrong with Ollama, as a kind and a text that says what to do."""

import re
from collections.abc import Callable

from jarvis_desktop.adapters.ollama_features import SINCE, Feature, feature_text, model_since, shown
from jarvis_desktop.adapters.ollama_host import shown_address
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.ports import Texts

REASON_CHARS = 200
SPOKEN_STATUSES = (400, 401, 403, 429)
"""Refusals that Ollama explains in words; any other below 500 means that it is not Ollama."""

NO_WORD, BROKE_OFF = "Server disconnected", "peer closed connection"
"""How httpx begins to say that a server is gone, before its answer began and within it; its other protocol
errors mean bytes that are no HTTP."""


class ThinkingRefusedError(Exception):
    """The model cannot be told to think, or not to: ask again without saying so."""


class StillLoadingError(ModelUnavailableError):
    """The model is on its way into memory, but for somebody who no longer waits: ask again in a moment."""


class Troubles:
    """Words for every trouble with one model on one server."""

    def __init__(self, model: str, host: str, texts: Texts) -> None:
        self.version = ""
        """What the server said it is, as soon as that is known; only for the words."""
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
        if isinstance(error, httpx.TimeoutException):
            return self.hangs()
        if isinstance(error, httpx.RemoteProtocolError) and not str(error).startswith(BROKE_OFF):
            return self.no_word() if str(error).startswith(NO_WORD) else self.strange()
        if isinstance(error, httpx.HTTPError | httpx.StreamError | RuntimeError):
            return self.lost()
        return self.strange()

    def refused(self, reason: str, status: int) -> ModelUnavailableError | ThinkingRefusedError:
        """The trouble behind the server's own words. status: -1 for an error amid a stream."""
        known: tuple[tuple[str, Callable[[], ModelUnavailableError | ThinkingRefusedError]], ...] = (
            (r"does not support thinking|think value .* not supported", ThinkingRefusedError),
            (r"model .*not found", self.no_model),
            (r"does not support tools", self._no_tools),
            (r"cannot unmarshal", lambda: self.too_old_for(Feature.SCHEMA)),
            (r"unknown model architecture|newer version", self.too_old),
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
            'No Ollama answers at {host}. Start it in the setup window or with "ollama serve"; if it is not '
            "installed, get it from https://ollama.com/download."
        )
        return ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(host=self._host))

    def hangs(self) -> ModelUnavailableError:
        """Somebody takes the connection and says nothing."""
        text = self._texts(
            "What runs at {host} takes connections but does not answer. Wait a moment; if it stays so, "
            "restart Ollama."
        )
        return ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(host=self._host))

    def remote_unasked(self, consent: str) -> ModelUnavailableError:
        """The conversation would leave this machine, and nobody has agreed to that.

        consent: what ``model.allowed_host`` has to hold.
        """
        text = self._texts(
            'With the model "{model}" at {host} everything you say or type would leave this machine for '
            "{consent}, so nothing was sent. If you want that, agree in the setup window, or write "
            "model.allowed_host: {consent} into settings.yaml."
        )
        filled = text.format(model=self._model, host=self._host, consent=consent)
        return ModelUnavailableError(ModelTrouble.REMOTE_UNASKED, filled)

    def bad_address(self) -> ModelUnavailableError:
        """The setting holds no address."""
        text = self._texts(
            'settings.yaml: model.host is "{host}", which is no address. Write it like http://127.0.0.1:11434.'
        )
        return ModelUnavailableError(ModelTrouble.NO_SERVER, text.format(host=self._host))

    def no_model(self) -> ModelUnavailableError:
        """The server does not have the model."""
        text = self._texts(
            'Ollama has no model "{model}". Fetch it in the setup window, or with: ollama pull {model}'
        )
        return ModelUnavailableError(ModelTrouble.NO_MODEL, text.format(model=self._model))

    def lost(self) -> ModelUnavailableError:
        """The connection broke before the answer was complete."""
        text = self._texts(
            "The connection to Ollama at {host} broke off in the middle of the answer. Ask again; "
            "if it happens again, restart Ollama."
        )
        return ModelUnavailableError(ModelTrouble.LOST, text.format(host=self._host))

    def no_word(self) -> ModelUnavailableError:
        """The connection was closed before any answer: the server crashed, or it is no Ollama."""
        text = self._texts(
            "What runs at {host} closed the connection without an answer. Ask again; if it happens again, "
            "restart Ollama, or check model.host in settings.yaml."
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

    def too_old(self) -> ModelUnavailableError:
        """The server does not know this kind of model yet."""
        since = model_since(self._model)
        if since:
            text = self._texts(
                '{ollama} at {host} is too old for the model "{model}": {since} or later is needed. '
                "Update it from https://ollama.com/download."
            )
        else:
            text = self._texts(
                '{ollama} at {host} is too old for the model "{model}". Update it from '
                "https://ollama.com/download."
            )
        return self._old(text, since=since, model=self._model)

    def too_old_for(self, feature: Feature) -> ModelUnavailableError:
        """The server lacks a feature that we cannot do without."""
        text = self._texts(
            "{ollama} at {host} is too old for {feature}: {since} or later is needed. Update it from "
            "https://ollama.com/download."
        )
        return self._old(text, since=shown(SINCE[feature]), feature=feature_text(feature, self._texts))

    def _old(self, text: str, **words: str) -> ModelUnavailableError:
        ollama = f"Ollama {shortened(self.version)}" if self.version else "Ollama"
        filled = text.format(ollama=ollama, host=self._host, **words)
        return ModelUnavailableError(ModelTrouble.TOO_OLD, filled)

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
