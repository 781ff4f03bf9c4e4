"""Where a conversation would go besides this machine, and whether a person agreed to that (decision 39)."""

from jarvis_desktop.adapters.ollama_host import runs_elsewhere, server_address
from jarvis_desktop.core.settings import ModelSettings

CLOUD = "https://ollama.com:443"
"""Where Ollama sends what is asked of a model whose tag ends in ``cloud``."""


def consent_needed(settings: ModelSettings) -> str:
    """What ``model.allowed_host`` has to hold before anything is sent; empty when all stays here.

    Two addresses with a space between them when a server on another machine hands on to a third.

    Raises:
        ValueError: ``model.host`` is no address.
    """
    address = server_address(settings.host)
    far = () if address.is_loopback else (address.url,)
    cloud = (CLOUD,) if runs_elsewhere(settings.name) else ()
    return " ".join(far + cloud)


def consented(settings: ModelSettings) -> bool:
    """Nothing leaves this machine, or a person agreed to every place that the conversation goes to.

    Raises:
        ValueError: ``model.host`` is no address.
    """
    allowed = {_normal(word) for word in settings.allowed_host.split()}
    return set(consent_needed(settings).split()) <= allowed


def server_allowed(settings: ModelSettings) -> bool:
    """The server itself may be contacted: for questions and downloads that hold no conversation.

    Raises:
        ValueError: ``model.host`` is no address.
    """
    address = server_address(settings.host)
    return address.is_loopback or address.url in {_normal(word) for word in settings.allowed_host.split()}


def _normal(written: str) -> str:
    """``written`` as ``consent_needed`` writes it; empty, which agrees to nothing, when it is no address."""
    try:
        return server_address(written).url
    except ValueError:
        return ""
