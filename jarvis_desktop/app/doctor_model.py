"""The doctor asks Ollama."""

from collections.abc import Sequence

from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.ollama_status import ModelStatus
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient
from jarvis_desktop.app.doctor_machine import printed_version
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError


async def check_ollama(patient: Patient) -> Sequence[Finding]:
    """Program, server and model."""
    texts, wanted = patient.texts, patient.settings.model
    program = await printed_version("ollama")
    model = OllamaModel(wanted, texts)
    # Through the model's own door: a machine that nobody agreed to is not asked (decision 39).
    status = await model.status()
    await model.close()
    if not model.is_local:
        # Whether the program is here says nothing about a server that is elsewhere.
        return _findings(status, None, patient)
    title = texts("Ollama on this machine")
    return (
        Finding("ollama-program", title, found=program is not None, version=program or ""),
        *_findings(status, program, patient),
    )


def _findings(status: ModelStatus, program: str | None, patient: Patient) -> tuple[Finding, Finding]:
    """Server and model. program: version of the Ollama that is installed here."""
    texts, wanted = patient.texts, patient.settings.model
    trouble, has_server = status.trouble, status.server_version is not None
    # Without a server nobody knows about the model; one thing to do at a time.
    server_todo, model_todo = ("", str(trouble or "")) if has_server else (str(trouble or ""), "")
    server_command = "ollama serve" if server_todo and program is not None else ""
    optional = wanted.backend == "embedded"
    return (
        Finding(
            "ollama",
            texts("Ollama"),
            found=has_server,
            version=status.server_version or "",
            todo=server_todo,
            command=server_command,
            optional=optional,
        ),
        Finding(
            "model",
            texts("Chat model"),
            found=status.model_found,
            version=wanted.name,
            todo=model_todo,
            command=f"ollama pull {wanted.name}" if model_todo and _is_absent(trouble) else "",
            optional=optional,
        ),
    )


def _is_absent(trouble: ModelUnavailableError | None) -> bool:
    return trouble is not None and trouble.kind is ModelTrouble.NO_MODEL


MODEL_CHECKS: tuple[Check, ...] = (check_ollama,)
