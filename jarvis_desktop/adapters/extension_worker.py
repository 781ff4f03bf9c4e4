"""Program that holds one extension's code and does what lines of JSON on its standard input ask.

It runs inside a room (see ``extension_room``) with the packages of this app and nothing else of it. The code
comes through the pipe: what runs is to the byte what a person enabled, whatever its file holds by now.
Each line is ``{"id", "do", …}``, each answer ``{"id", "ok": …}`` or ``{"id", "error": text}``; ``argument``
is true in errors about what was handed over. Whatever the code prints goes nowhere: its standard output is
not the one that answers are written to. The code could write there all the same, and thereby speak for
itself and nobody else: the reading side believes nothing but the form.
"""

import asyncio
import base64
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import ModuleType

MODULE = "extension"
OWN_FOLDER = os.environ.get("JARVIS_EXTENSION_DATA", "/")
REPR_CHARS = 2_000

Function = Callable[..., object]


class WrongArgumentsError(Exception):
    """What was handed over does not fit the function."""


class Extension:
    """The code, once it was loaded."""

    def __init__(self, source: bytes, path: str) -> None:
        self._path = path
        self._module = ModuleType(MODULE)
        self._module.__file__ = path
        self._models: dict[str, object] = {}
        sys.modules[MODULE] = self._module
        exec(compile(source, path, "exec", dont_inherit=True), self._module.__dict__)  # noqa: S102 - a person enabled it

    def tools(self, names: Sequence[str]) -> list[dict[str, object]]:
        """Name and JSON schema of the parameters of each of these functions.

        Raises:
            TypeError: one is no function of the module, or a hint cannot be put into a schema.
        """
        return [{"name": name, "parameters": self._model(name).schema()} for name in names]

    def hooks(self, names: Sequence[str]) -> list[str]:
        """Those of these names that are functions."""
        return [name for name in names if callable(getattr(self._module, name, None))]

    def call(self, name: str, arguments: Mapping[str, object]) -> object:
        """What the function returns.

        Raises:
            WrongArgumentsError: its hints say that these do not fit.
        """
        return self._run(self._function(name), self._model(name).checked(arguments))

    def hook(self, name: str, payload: Mapping[str, object]) -> object:
        """What the hook returns; it gets those parts of the payload that it has parameters for."""
        function = self._function(name)
        parameters = inspect.signature(function).parameters.values()
        if any(one.kind is one.VAR_KEYWORD for one in parameters):
            return self._run(function, payload)
        wanted = {one.name for one in parameters}
        return self._run(function, {name: value for name, value in payload.items() if name in wanted})

    def where(self, error: BaseException) -> str:
        """The error with the line of the extension's file in which it came up."""
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == self._path
        ]
        if isinstance(error, SyntaxError) and error.filename == self._path:
            lines.append(error.lineno)
        at = f" (line {lines[-1]})" if lines and lines[-1] else ""
        return f"{type(error).__name__}: {error}"[:REPR_CHARS] + at

    def _function(self, name: str) -> Function:
        found: Function | None = self._module.__dict__.get(name)
        if not callable(found):
            raise TypeError(f"there is no function {name} any more")
        return found

    def _run(self, function: Function, arguments: Mapping[str, object]) -> object:
        found = function(**arguments)
        if inspect.isawaitable(found):
            return asyncio.run(_awaited(found))
        return found

    def _model(self, name: str) -> "Parameters":
        if name not in self._models:
            self._models[name] = Parameters(self._function(name))
        made = self._models[name]
        assert isinstance(made, Parameters)
        return made


class Parameters:
    """A function's parameters as pydantic reads their hints."""

    def __init__(self, function: Function) -> None:
        # 0.2 s, and only tools need it.
        from typing import get_type_hints

        from pydantic import ConfigDict, Field, create_model

        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, object] = {}
        self._names: dict[str, str] = {}
        for at, one in enumerate(inspect.signature(function).parameters.values()):
            if one.kind not in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) or one.name not in hints:
                raise TypeError(f"{one.name} is no parameter with a name and a hint")
            # A parameter may be called as pydantic calls its own methods.
            self._names[f"p{at}"] = one.name
            default = ... if one.default is one.empty else one.default
            fields[f"p{at}"] = (hints[one.name], Field(default, alias=one.name))
        made = create_model(
            "Arguments", __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=False), **fields
        )  # type: ignore[call-overload]  # fields come from the signature
        self._model = made

    def schema(self) -> dict[str, object]:
        """JSON schema, by the parameters' own names."""
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a default that is no JSON is left out
            found: dict[str, object] = self._model.model_json_schema(by_alias=True)
        return found

    def checked(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments as the function wants them; what was left out stays out.

        Raises:
            WrongArgumentsError: they do not fit.
        """
        from pydantic import ValidationError

        try:
            made = self._model.model_validate(dict(arguments))
        except ValidationError as error:
            said = (
                f'"{".".join(map(str, one["loc"])) or "arguments"}": {one["msg"]}'
                for one in error.errors(include_url=False, include_input=False)[:5]
            )
            raise WrongArgumentsError("; ".join(said)) from error
        return {self._names[field]: getattr(made, field) for field in made.model_fields_set}


async def _awaited(found: object) -> object:
    return await found  # type: ignore[misc]  # the caller saw that it can be awaited


def as_text(value: object) -> str:
    """A tool's result for a model."""
    if value is None:
        return "Done."
    if isinstance(value, str):
        return value
    from pydantic_core import to_json

    try:
        return to_json(value, indent=2).decode()
    except (ValueError, TypeError):  # nothing that JSON knows
        return repr(value)


class Service:
    """Answers one line after another."""

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._extension: Extension | None = None

    def serve(self, lines: Callable[[], bytes]) -> None:
        """Until the other side has gone."""
        while line := lines():
            wish = json.loads(line)
            self._write({"id": wish["id"], **self._answer(wish)})

    def _answer(self, wish: dict[str, object]) -> dict[str, object]:
        try:
            return {"ok": self._done(wish)}
        except WrongArgumentsError as error:
            return {"error": str(error), "argument": True}
        # The rim: whatever somebody's code raises, ``SystemExit`` and ``KeyboardInterrupt`` with it.
        except BaseException as error:  # noqa: BLE001
            return {"error": _where(self._extension, error, str(wish.get("path", "")))}

    def _done(self, wish: dict[str, object]) -> object:
        if wish["do"] == "load":
            self._extension = None
            source = base64.b64decode(str(wish["source"]))
            self._extension = made = Extension(source, str(wish["path"]))
            return {"tools": made.tools(_texts(wish["tools"])), "hooks": made.hooks(_texts(wish["hooks"]))}
        if self._extension is None:
            raise RuntimeError("nothing was loaded")
        if wish["do"] == "tool":
            go_to(str(wish["cwd"]))
            return as_text(self._extension.call(str(wish["name"]), _named(wish["arguments"])))
        found = self._extension.hook(str(wish["name"]), _named(wish["payload"]))
        json.dumps(found)  # here it can still be said what is wrong with it
        return found

    def _write(self, answer: dict[str, object]) -> None:
        out = json.dumps(answer).encode() + b"\n"
        while out:
            out = out[os.write(self._answers, out) :]


def _where(extension: Extension | None, error: BaseException, path: str) -> str:
    if extension is not None:
        return extension.where(error)
    unfinished = Extension.__new__(Extension)
    unfinished._path = path  # noqa: SLF001 - the code failed while it was loaded
    return unfinished.where(error)


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _named(value: object) -> dict[str, object]:
    return {str(name): one for name, one in value.items()} if isinstance(value, dict) else {}


def go_to(folder: str) -> None:
    """Relative paths lead from ``folder`` if it can be seen from here, else from the extension's own."""
    try:
        os.chdir(folder or OWN_FOLDER)
    except OSError:
        os.chdir(OWN_FOLDER)


def give_way() -> None:
    """A machine that is short of memory ends this process before others."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123 - pathlib is slow to import
            file.write("1000")
    except OSError:
        return


def main() -> None:
    """Serve standard input, which ends with the process that asks."""
    wishes, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    give_way()
    reader = os.fdopen(wishes, "rb")
    with suppress(BrokenPipeError):
        Service(answers).serve(reader.readline)
    os._exit(0)  # threads of the code are not waited for


if __name__ == "__main__":
    main()
