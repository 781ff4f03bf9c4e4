"""What can be set of one MCP server, declared once; ``mcp_servers`` in the settings holds them by name."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from jarvis_desktop.core.settings_section import Section

SERVERS = "mcp_servers"
"""Where they stand in the settings file."""
SERVER_NAME = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9_-]{0,30}[a-zA-Z0-9])?")
"""It stands before the names of the server's tools, and is the name of its data folder."""
REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""``${NAME}`` in a text stands for a variable of the environment."""
NEITHER_NOR, BOTH, NO_ADDRESS, NOT_FOR = "server_neither", "server_both", "server_address", "server_not_for"
"""What can be wrong besides the kind of a value; the names under which errors are reported."""


def _text(value: object) -> object:
    """YAML reads ``8080`` and ``true`` as no texts, where people mean a word."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


Word = Annotated[str, BeforeValidator(_text)]


class ServerSettings(Section):
    """One MCP server: a program on this machine, or an address."""

    command: str = Field(
        "", title="Program", description="Program that is the server; it speaks through its pipes."
    )
    args: tuple[Word, ...] = Field(
        (), title="Arguments", description="Words that the program is started with."
    )
    env: Mapping[str, Word] = Field(
        {},
        repr=False,
        title="Variables",
        description="Variables that the program gets; ${NAME} is one of yours.",
    )
    cwd: str = Field(
        "", title="Folder", description="Folder in which the program starts; empty is its own data folder."
    )
    url: str = Field("", title="Address", description="Address of a server that runs already: http or https.")
    transport: Literal["http", "sse"] = Field(
        "http", title="Way of speaking", description="http is streamable HTTP; sse is for old servers."
    )
    headers: Mapping[str, Word] = Field(
        {},
        repr=False,
        title="Headers",
        description="Headers of each request; ${NAME} is one of your variables.",
    )
    timeout_s: float = Field(
        60, ge=1, le=600, title="Time for one call", description="Seconds that one call may take."
    )

    @field_validator("url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        try:
            parts = urlsplit(REFERENCE.sub("x", url))
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if url and not usable:
            raise PydanticCustomError(NO_ADDRESS, "http:// or https://")
        return url

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if bool(self.command) is bool(self.url):
            raise PydanticCustomError(BOTH if self.url else NEITHER_NOR, "command, url")
        others = ("transport", "headers") if self.command else ("args", "env", "cwd")
        for name in others:
            if name in self.model_fields_set and getattr(self, name) != type(self).model_fields[name].default:
                what = "command" if self.command else "url"
                raise PydanticCustomError(NOT_FOR, "{name} {what}", {"name": name, "what": what})
        return self


def variables(server: ServerSettings) -> tuple[str, ...]:
    """Names of the person's variables that its texts stand for, each once."""
    texts = (
        server.command,
        *server.args,
        server.cwd,
        server.url,
        *server.env.values(),
        *server.headers.values(),
    )
    return tuple(dict.fromkeys(name for text in texts for name in REFERENCE.findall(text)))


def filled(server: ServerSettings, environ: Mapping[str, str]) -> ServerSettings:
    """The server with its variables' values; all of them are there.

    Raises:
        KeyError: one is not.
        pydantic.ValidationError: with them it is no server any more.
    """

    def fill(text: str) -> str:
        return REFERENCE.sub(lambda found: environ[found.group(1)], text)

    return ServerSettings.model_validate(
        {
            name: _filled(value, fill)
            for name, value in server.model_dump().items()
            if name in server.model_fields_set
        }
    )


def _filled(value: object, fill: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return fill(value)
    if isinstance(value, tuple | list):
        return tuple(_filled(one, fill) for one in value)
    if isinstance(value, dict):
        return {name: _filled(one, fill) for name, one in value.items()}
    return value
