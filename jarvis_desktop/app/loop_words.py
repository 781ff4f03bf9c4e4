"""What a turn that could not be worked on says, and a database that could not be used."""

from pathlib import Path

from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.ports import Texts


def gone_text(agent_id: AgentId, texts: Texts) -> str:
    """The agent's file went away while the request waited."""
    return texts(
        "The agent {agent} is not there any more, so this was not worked on. Bring its file back, or "
        "ask another agent."
    ).format(agent=agent_id)


def broken_text(texts: Texts) -> str:
    """A bug of ours ended the turn."""
    return texts(
        "Something in Jarvis itself broke while it worked on this, and the request was not finished. "
        "Please ask again; the details are in the log."
    )


def set_aside_text(file: Path, texts: Texts) -> str:
    """A damaged database was put aside under the name of ``file``."""
    return texts(
        "The conversation database was damaged. It is kept as {file} in {folder}; a new one was started."
    ).format(file=file.name, folder=file.parent)
