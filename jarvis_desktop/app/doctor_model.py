"""The doctor looks at what thinks: Ollama, and the engine inside."""

import shlex
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.adapters.llama_engine import installed
from jarvis_desktop.adapters.llama_trouble import LlamaTroubles
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.model_manifest import Manifest, ModelKind, read_manifest
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_places import usual_places
from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.doctor_machine import printed_version
from jarvis_desktop.app.options import MODELS_NAME
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError


async def check_inside(patient: Patient) -> Sequence[Finding]:
    """The engine for models inside Jarvis, and the models that it could run."""
    texts, backend = patient.texts, patient.settings.model.backend
    here = installed()
    absent = str(LlamaTroubles(patient.settings.model.name, texts).not_installed())
    models = await _models_inside(patient)
    # Whoever chose it needs it; elsewhere it stands in for an Ollama that is not there.
    chosen = backend == "embedded"
    no_model = texts('No chat model was fetched for the engine inside; choose one in "Set up".')
    return (
        Finding(
            "engine",
            texts("Engine for models inside Jarvis"),
            found=here,
            todo="" if here or not chosen else absent,
        ),
        Finding(
            "model-inside",
            texts("Chat models inside Jarvis"),
            found=bool(models),
            version=", ".join(models),
            todo="" if models or not chosen else no_model,
        ),
    )


@cache
def _manifest() -> Manifest:
    return read_manifest()


async def model_files(patient: Patient) -> ModelFiles:
    """The model files of this home; the manifest is read once, and not on the loop."""
    return await in_daemon(lambda: ModelFiles(patient.home / MODELS_NAME, _manifest()), "doctor-models")


async def _models_inside(patient: Patient) -> tuple[str, ...]:
    """Chat models of the manifest that are there, each by its digest."""
    files = await model_files(patient)
    chat = [name for name in files.names if files.entry(name).kind is ModelKind.CHAT]
    missing = [await in_daemon(partial(files.missing, name), "doctor-models") for name in chat]
    return tuple(name for name, gone in zip(chat, missing, strict=True) if not gone)


async def check_ollama(patient: Patient) -> Sequence[Finding]:
    """Program, server and model."""
    texts, wanted = patient.texts, patient.settings.model
    places = usual_places()
    program = places.program()
    # Its libraries take half a second, in which the other checks go on.
    await in_daemon(partial(import_module, "ollama"), "doctor-ollama")
    model = OllamaModel(wanted, texts)
    # Through the model's own door: a machine that nobody agreed to is not asked (decision 39).
    status = await model.status()
    await model.close()
    stands_in = wanted.backend == "auto" and installed() and bool(await _models_inside(patient))
    optional = wanted.backend == "embedded" or stands_in
    if not model.is_local:
        # Whether the program is here says nothing about a server that is elsewhere.
        return _findings(status, "", patient, optional=optional)
    version = await printed_version(str(program)) if program else None
    start = "sudo systemctl start ollama" if places.is_service() else "ollama serve" if program else ""
    return (
        Finding(
            "ollama-program",
            texts("Ollama on this machine"),
            found=program is not None,
            version=version or "",
        ),
        *_findings(status, start, patient, optional=optional),
    )


def _findings(
    status: ModelStatus, start: str, patient: Patient, *, optional: bool
) -> tuple[Finding, Finding]:
    """Server and model. start: the command that starts the Ollama that is installed here."""
    texts, wanted = patient.texts, patient.settings.model
    trouble, has_server = status.trouble, status.server_version is not None
    # Without a server nobody knows about the model; one thing to do at a time.
    server_todo, model_todo = ("", str(trouble or "")) if has_server else (str(trouble or ""), "")
    pull = shlex.join(("ollama", "pull", wanted.name))
    return (
        Finding(
            "ollama",
            texts("Ollama"),
            found=has_server,
            version=status.server_version or "",
            todo=server_todo,
            command=start if server_todo and not status.somebody else "",
            optional=optional,
        ),
        Finding(
            "model",
            texts("Chat model"),
            found=status.model_found,
            version=wanted.name,
            todo=model_todo,
            command=pull if model_todo and _is_absent(trouble) else "",
            optional=optional,
        ),
    )


def _is_absent(trouble: ModelUnavailableError | None) -> bool:
    return trouble is not None and trouble.kind is ModelTrouble.NO_MODEL


MODEL_CHECKS: tuple[Check, ...] = (check_ollama, check_inside)
