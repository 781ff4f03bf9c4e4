"""What we use of Ollama, and since which version it is there.

Source: the release notes at https://github.com/ollama/ollama/releases, version by version.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import ModelSettings

Version: TypeAlias = tuple[int, int, int]


class Feature(StrEnum):
    """Something that servers can do only from some version on."""

    TOOLS = "tools"
    SCHEMA = "schema"
    ABILITIES = "abilities"
    """``/api/show`` lists what a model can do."""
    THINKING = "thinking"


SINCE: Mapping[Feature, Version] = MappingProxyType(
    {
        Feature.TOOLS: (0, 3, 0),
        Feature.SCHEMA: (0, 5, 0),
        Feature.ABILITIES: (0, 6, 4),
        Feature.THINKING: (0, 9, 0),
    }
)

MODELS_SINCE: tuple[tuple[str, Version], ...] = (
    ("gemma4:12b", (0, 30, 3)),
    ("gemma4", (0, 20, 0)),
)
"""Only for words after the server has refused: a fork or a copied model may run in spite of this table."""


def read_version(written: str) -> Version | None:
    """The numbers at the beginning of a version; None where nobody can say how new the server is.

    ``0.5.4-ipexllm-20250407`` is a fork of 0.5.4. ``0.0.0`` is what a build without a version says.
    """
    found = re.match(r"v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?![\d.])", written.strip())
    if found is None:
        return None
    version = (int(found[1]), int(found[2]), int(found[3] or 0))
    return version if any(version) else None


def lacking(written: str) -> tuple[Feature, ...]:
    """Features that a server of this version surely lacks."""
    version = read_version(written)
    return () if version is None else tuple(one for one, since in SINCE.items() if version < since)


def needed(settings: ModelSettings) -> Feature:
    """The feature without which these settings cannot work."""
    return Feature.TOOLS if settings.calls == "native" else Feature.SCHEMA


def model_since(name: str) -> str:
    """The first version that runs the model, as people write it; empty when not known."""
    plain = name.lower().rpartition("/")[2]
    return next((shown(since) for begin, since in MODELS_SINCE if plain.startswith(begin)), "")


def shown(version: Version) -> str:
    """A version as people write it."""
    return ".".join(map(str, version))


def feature_text(feature: Feature, texts: Texts) -> str:
    """What people call the feature."""
    return {
        Feature.TOOLS: texts("handing tools to a model"),
        Feature.SCHEMA: texts("answers in a fixed form"),
        Feature.ABILITIES: texts("saying what a model can do"),
        Feature.THINKING: texts("switching a model's thinking on and off"),
    }[feature]


def lacking_text(written: str, texts: Texts) -> str:
    """One sentence that names what a server of this version lacks; empty when it lacks nothing."""
    missing = [
        texts("{feature} (from {version})").format(
            feature=feature_text(one, texts), version=shown(SINCE[one])
        )
        for one in lacking(written)
    ]
    if not missing:
        return ""
    text = texts("It is too old for: {features}. Update it from https://ollama.com/download.")
    return text.format(features=", ".join(missing))
