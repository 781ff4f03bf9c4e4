"""What a tool is: a name, checked arguments, and a run that needs an ``Allow``."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from jarvis_desktop.core.items.calls import Json, ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Shown
from jarvis_desktop.core.items.delegation import CallContext
from jarvis_desktop.core.items.extensions import Added
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import ToolSpec


class ToolArguments(BaseModel):
    """Base of all tool arguments. Unknown names are refused; numbers written as text are read."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=200_000)


SELDOM: JsonDict = {"seldom": True}
"""``json_schema_extra`` of an optional argument that a small model fills in with nonsense when it may."""

A = TypeVar("A", bound=ToolArguments)


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool came to."""

    text: str
    status: ResultStatus = ResultStatus.OK
    final: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What a person is shown before the call runs, and the files it would change."""

    shown: Shown
    detail: str
    """The command in full, the unified diff, or the arguments as text."""
    snapshot: str = ""
    """Digest over the present content of the files that would change."""
    impossible: str = ""
    """Why the call cannot work at all (e.g. nothing to replace): the model may be told without asking."""


class Tool(ABC, Generic[A]):
    """One tool. Instances hold ports, never state of a call."""

    name: ClassVar[str]
    description: ClassVar[str]
    """One or two sentences for the model, in English."""
    arguments: ClassVar[type[ToolArguments]]
    read_only: ClassVar[bool] = False
    """Calling it twice changes nothing."""
    added: ClassVar[Added | None] = None
    """Where it comes from when it is none of ours."""
    needs_approval: ClassVar[bool] = False
    """A person is asked before it runs, whatever the settings list."""
    user_only_params: ClassVar[frozenset[str]] = frozenset()
    """Optional arguments whose values only the person may set, such as money and conditions. A turn that
    no person ordered leaves them out, and the tool uses what is stored (G-060)."""

    @property
    def spec(self) -> ToolSpec:
        """The tool as the model sees it."""
        return ToolSpec(self.name, self.description, self.arguments.model_json_schema())

    def parse(self, raw: Mapping[str, Json]) -> A:
        """Checked arguments.

        Raises:
            pydantic.ValidationError: they do not fit the schema.
        """
        return self.arguments.model_validate(dict(raw))  # type: ignore[return-value]  # arguments is type[A]

    async def preview(self, arguments: A, cwd: Path) -> Preview:
        """What to show when this call is asked about; tools that change files override it."""
        del cwd
        return Preview(Shown.TEXT, arguments.model_dump_json(indent=2))

    @abstractmethod
    async def run(self, arguments: A, allow: Allow, request: TurnRequest) -> ToolOutput:
        """Do it. An expected failure is a ``ToolOutput`` with status ERROR, not an exception."""

    async def run_within(
        self, arguments: A, allow: Allow, request: TurnRequest, context: CallContext
    ) -> ToolOutput:
        """As ``run``; tools that have to know what was read before the call override it."""
        del context
        return await self.run(arguments, allow, request)
