"""What an Ollama server has and does, asked without loading anything."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from jarvis_desktop.adapters.ollama_errors import Troubles
from jarvis_desktop.adapters.ollama_features import lacking, needed
from jarvis_desktop.adapters.ollama_host import ServerAddress
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.settings import ModelSettings

if TYPE_CHECKING:
    import httpx

STATUS_S = 3.0
"""Longest wait for one answer; a server that loads a model answers these in milliseconds."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What is there of server and model."""

    server_version: str | None = None
    """None: no Ollama answered."""
    somebody: bool = False
    """Something takes connections there, but it is no Ollama that works."""
    model_found: bool = False
    capabilities: frozenset[str] | None = None
    """``completion``, ``tools``, ``thinking`` …; None: the server does not say (before 0.6.4)."""
    loaded: bool = False
    """The model is in memory now."""
    digest: str = ""
    """Changes when the model behind the name does."""
    trouble: ModelUnavailableError | None = None
    """Why the model cannot be used, with what to do; None when it can."""


class _Version(BaseModel):
    version: str


class _Model(BaseModel):
    name: str
    digest: str = ""


class _Models(BaseModel):
    models: list[_Model] | None = None

    def digest_of(self, name: str) -> str | None:
        """Digest of the model called ``name``; None when it is not in the list."""
        found = {full_name(one.name): one.digest for one in self.models or ()}
        return found.get(full_name(name))


class _Shown(BaseModel):
    capabilities: list[str] | None = Field(default=None)


def full_name(name: str) -> str:
    """A name as the server compares it: with its tag, in lower case."""
    tagged = name if ":" in name.rpartition("/")[2] else f"{name}:latest"
    return tagged.lower()


def new_asker(address: ServerAddress) -> "httpx.AsyncClient":
    """A client for short questions to the server."""
    import httpx  # 0.14 s

    return httpx.AsyncClient(
        base_url=address.url,
        timeout=STATUS_S,
        trust_env=not address.is_loopback,
        limits=httpx.Limits(max_keepalive_connections=0),
    )


async def model_status(
    asker: "httpx.AsyncClient", settings: ModelSettings, troubles: Troubles
) -> ModelStatus:
    """What the server behind ``asker`` says about itself and the model."""
    import httpx

    try:
        return await _asked(asker, settings, troubles)
    except httpx.HTTPError as error:
        trouble = troubles.of(error)
        assert isinstance(trouble, ModelUnavailableError)  # nothing was said about thinking
        nobody = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError)
        return ModelStatus(somebody=not nobody, trouble=trouble)
    except ValueError:
        return ModelStatus(somebody=True, trouble=troubles.strange())


async def server_version(asker: "httpx.AsyncClient") -> str:
    """The version of the server behind ``asker``.

    Raises:
        httpx.HTTPError: nobody answers, or not in time.
        ValueError: what answers is not Ollama.
    """
    return _Version.model_validate_json(await _body(asker, "/api/version")).version


async def _asked(client: "httpx.AsyncClient", settings: ModelSettings, troubles: Troubles) -> ModelStatus:
    version = troubles.version = await server_version(client)
    digest = _Models.model_validate_json(await _body(client, "/api/tags")).digest_of(settings.name)
    feature = needed(settings)
    if feature in lacking(version):
        return ModelStatus(version, model_found=digest is not None, trouble=troubles.too_old_for(feature))
    if digest is None:
        return ModelStatus(server_version=version, trouble=troubles.no_model())
    shown = await client.post("/api/show", json={"model": settings.name})
    able = _Shown.model_validate_json(shown.content).capabilities
    running = _Models.model_validate_json(await _body(client, "/api/ps"))
    return ModelStatus(
        server_version=version,
        model_found=True,
        capabilities=None if able is None else frozenset(able),
        loaded=running.digest_of(settings.name) is not None,
        digest=digest,
    )


async def _body(client: "httpx.AsyncClient", path: str) -> bytes:
    answer = await client.get(path)
    if answer.status_code != 200:
        raise ValueError(path)
    return answer.content
