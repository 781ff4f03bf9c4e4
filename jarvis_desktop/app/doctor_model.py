"""The doctor asks Ollama."""

from collections.abc import Sequence

from jarvis_desktop.adapters.ollama_errors import Troubles
from jarvis_desktop.adapters.ollama_host import server_address
from jarvis_desktop.adapters.ollama_status import model_status, new_asker
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient


async def check_ollama(patient: Patient) -> Sequence[Finding]:
    """Server and model."""
    texts, wanted = patient.texts, patient.settings.model
    troubles = Troubles(wanted.name, wanted.host, texts)
    server_title = texts("Ollama")
    model_title = texts("Chat model")
    try:
        async with new_asker(server_address(wanted.host)) as asker:
            status = await model_status(asker, wanted.name, troubles)
    except ValueError:
        todo = str(troubles.bad_address())
        return (
            Finding("ollama", server_title, found=False, todo=todo),
            Finding("model", model_title, found=False, version=wanted.name),
        )
    trouble = str(status.trouble or "")
    has_server = status.server_version is not None
    return (
        Finding(
            "ollama",
            server_title,
            found=has_server,
            version=status.server_version or "",
            todo="" if has_server else trouble,
        ),
        Finding(
            "model",
            model_title,
            found=status.model_found,
            version=wanted.name,
            # Without a server nobody knows about the model; one thing to do at a time.
            todo=trouble if has_server else "",
        ),
    )


MODEL_CHECKS: tuple[Check, ...] = (check_ollama,)
