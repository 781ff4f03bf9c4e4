"""Why Ollama could not fetch a model, as a text that says what to do."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from jarvis_desktop.adapters.ollama_errors import Troubles, shortened
from jarvis_desktop.core.ports import Texts

NO_NETWORK = (
    r"no such host|dial tcp|i/o timeout|connection re(fused|set)|network is unreachable|no route to host"
    r"|TLS handshake|proxyconnect|certificate|max retries|deadline exceeded|\bEOF\b"
)


class PullTroubles:
    """Words for every trouble with one download."""

    def __init__(self, name: str, troubles: Troubles, texts: Texts, known: Sequence[str]) -> None:
        self._name = name
        self._troubles = troubles
        self._texts = texts
        self._known = known

    def of(self, error: Exception) -> str:
        """What to tell about an error of the client library."""
        import httpx
        import ollama

        if isinstance(error, ollama.ResponseError):
            return self.refused(str(error.error))
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError | ConnectionError):
            return str(self._troubles.no_server())
        if isinstance(error, httpx.HTTPError | httpx.StreamError | RuntimeError):
            return self.gone()
        return str(self._troubles.strange())

    def refused(self, reason: str) -> str:
        """What to tell about the server's own words."""
        known: tuple[tuple[str, Callable[[], str]], ...] = (
            (r"newer version", lambda: str(self._troubles.too_old())),
            (r"file does not exist|manifest unknown|not found", self._no_such_model),
            (r"invalid model (name|path)|name is required|unqualified name", self._no_such_model),
            (r"no space left|disk quota|not enough (disk )?space", self._disk_full),
            (r"permission denied|read-only file system", lambda: self._not_writable(reason)),
            (r"unauthorized|forbidden|authenticat|manifest: 40[13]", self._closed),
            (r"digest mismatch", self._damaged),
            (NO_NETWORK, lambda: self._no_network(reason)),
        )
        for words, told in known:
            if re.search(words, reason, re.IGNORECASE):
                return told()
        text = self._texts('Ollama could not fetch "{model}": {reason}. What has come is kept; try again.')
        return text.format(model=self._name, reason=shortened(reason))

    def gone(self) -> str:
        """The server stopped in the middle."""
        text = self._texts(
            'Ollama stopped while it was fetching "{model}". Start it and fetch again: it goes on from what '
            "it has kept."
        )
        return text.format(model=self._name)

    def stalled(self) -> str:
        """Nothing comes any more."""
        return self._texts(
            "Nothing has come for a while. Ollama tries again by itself, and what has come is kept."
        )

    def not_deletable(self) -> str:
        """Nobody can tell Ollama to delete a part of a download."""
        text = self._texts(
            'The download of "{model}" was given up. Ollama cannot be told to delete the part that has come; '
            "it deletes it when it is started the next time."
        )
        return text.format(model=self._name)

    def _no_such_model(self) -> str:
        near = get_close_matches(self._name, self._known, n=1)
        if near:
            text = self._texts('There is no model "{model}" in Ollama\'s library. Did you mean "{near}"?')
        else:
            text = self._texts(
                'There is no model "{model}" in Ollama\'s library. All of them stand at '
                "https://ollama.com/library."
            )
        return text.format(model=self._name, near="".join(near))

    def _disk_full(self) -> str:
        text = self._texts(
            'The disk on which Ollama keeps its models is full, so "{model}" could not be fetched. Make room '
            "there, or remove a model, and fetch again."
        )
        return text.format(model=self._name)

    def _not_writable(self, reason: str) -> str:
        text = self._texts(
            'Ollama may not write where it keeps its models, so "{model}" could not be fetched: {reason}.'
        )
        return text.format(model=self._name, reason=shortened(reason))

    def _closed(self) -> str:
        text = self._texts(
            'Ollama\'s library does not hand out "{model}" to everybody. Choose another model, or sign in '
            "with: ollama signin"
        )
        return text.format(model=self._name)

    def _damaged(self) -> str:
        text = self._texts(
            'What came of "{model}" is not what the library promised, so Ollama threw that part away. '
            "Fetch it again."
        )
        return text.format(model=self._name)

    def _no_network(self, reason: str) -> str:
        text = self._texts(
            'Ollama does not get through to its library for "{model}": {reason}. Check the network and fetch '
            "again; what has come is kept."
        )
        return text.format(model=self._name, reason=shortened(reason))
