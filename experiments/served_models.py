"""The model server that experiments ask."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.parts.ollama import serving


@contextmanager
def served(host: str, models: Sequence[str]) -> Iterator[str]:
    """The server at ``host``, or one of our own that has the recipe's models."""
    if host:
        yield host
        return
    with serving() as server:
        for model in models:
            server.model(model)
        yield server.host
