"""The models that an Ollama server has."""

from dataclasses import dataclass

from pydantic import BaseModel

from jarvis_desktop.adapters.ollama_consent import server_allowed
from jarvis_desktop.adapters.ollama_host import server_address
from jarvis_desktop.adapters.ollama_status import new_asker
from jarvis_desktop.core.settings import ModelSettings

TALKS_NOT = "bert"
"""Part of the families whose models only turn text into numbers."""


@dataclass(frozen=True, slots=True)
class ShelvedModel:
    """One model."""

    name: str
    """With its tag."""
    size_bytes: int = 0


class _Details(BaseModel):
    family: str = ""


class _Model(BaseModel):
    name: str
    size: int = 0
    details: _Details = _Details()


class _Models(BaseModel):
    models: list[_Model] | None = None


async def shelved_models(settings: ModelSettings) -> tuple[ShelvedModel, ...] | None:
    """The models that can talk, None when the server does not answer or must not be asked."""
    import httpx  # 0.14 s

    try:
        if not server_allowed(settings):
            return None
        async with new_asker(server_address(settings.host)) as asker:
            answer = await asker.get("/api/tags")
        found = _Models.model_validate_json(answer.content).models or []
    except (httpx.HTTPError, ValueError):
        return None
    return tuple(ShelvedModel(one.name, one.size) for one in found if TALKS_NOT not in one.details.family)
