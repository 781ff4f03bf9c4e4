"""What people write as the address of their Ollama server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.ollama_errors import Troubles
from jarvis_desktop.adapters.ollama_host import ServerAddress, runs_elsewhere, server_address, shown_address
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.core.settings import ModelSettings
from tests.fakes.texts import PlainTexts


@pytest.mark.parametrize(
    ("written", "url", "is_loopback"),
    [
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434", True),
        ("127.0.0.1:11434", "http://127.0.0.1:11434", True),
        (" 127.0.0.1 ", "http://127.0.0.1:11434", True),
        ("", "http://127.0.0.1:11434", True),
        (":11500", "http://127.0.0.1:11500", True),
        ("0.0.0.0", "http://127.0.0.1:11434", True),
        ("http://0.0.0.0:11500/", "http://127.0.0.1:11500", True),
        ("[::]:11434", "http://[::1]:11434", True),
        ("[::1]", "http://[::1]:11434", True),
        ("[::ffff:127.0.0.1]:1", "http://[::ffff:7f00:1]:1", True),
        ("127.1.2.3", "http://127.1.2.3:11434", True),
        ("localhost", "http://localhost:11434", True),
        ("LOCALHOST:80", "http://localhost:80", True),
        ("http://localhost", "http://localhost:80", True),
        ("https://ollama.lan", "https://ollama.lan:443", False),
        ("HTTPS://ollama.lan:8443/behind/a/proxy/", "https://ollama.lan:8443/behind/a/proxy", False),
        ("ollama.lan", "http://ollama.lan:11434", False),
        ("192.168.0.7", "http://192.168.0.7:11434", False),
        ("localhost.example.org", "http://localhost.example.org:11434", False),
        ("127.0.0.1.example.org", "http://127.0.0.1.example.org:11434", False),
        ("[::ffff:192.168.0.7]", "http://[::ffff:c0a8:7]:11434", False),
    ],
)
def test_an_address_is_read_as_ollama_reads_it(
    written: str,
    url: str,
    is_loopback: bool,  # noqa: FBT001 - pytest hands it in by name
) -> None:
    assert server_address(written) == ServerAddress(url, is_loopback=is_loopback)


@pytest.mark.parametrize(
    "written", ["ftp://127.0.0.1", "http://a b", "127.0.0.1:99999", "http://127.0.0.1@evil.example", "[::1"]
)
def test_what_is_no_address_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        server_address(written)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_a_value_error(written: str) -> None:
    try:
        address = server_address(written)
    except ValueError:
        return
    assert server_address(address.url) == address


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [("gemma4:e2b", False), ("gpt-oss:120b-cloud", True), ("qwen3-coder:cloud", True), ("cloud", False),
     ("clouds:7b", False)],
)  # fmt: skip
def test_a_model_that_ollama_sends_on_does_not_count_as_local(
    name: str,
    elsewhere: bool,  # noqa: FBT001 - pytest hands it in by name
) -> None:
    assert runs_elsewhere(name) is elsewhere
    model = OllamaModel(ModelSettings.model_validate({"name": name}), PlainTexts())
    assert model.is_local is not elsewhere


def test_a_server_on_another_machine_does_not_count_as_local() -> None:
    settings = ModelSettings.model_validate({"host": "http://192.168.0.7:11434"})
    assert not OllamaModel(settings, PlainTexts()).is_local


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("http://me:se/c#ret@10.0.0.7:11434", "http://…@10.0.0.7:11434"),
        ("me:se@cret@box", "…@box"),
        ("me:http://secret@box", "…@box"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434"),
    ],
)
def test_a_password_in_the_address_is_never_shown(written: str, shown: str) -> None:
    troubles = Troubles("gemma", written, PlainTexts())
    texts = [str(trouble()) for trouble in (troubles.bad_address, troubles.no_server, troubles.lost)]
    assert shown_address(written) == shown
    assert all(shown in text and "cret" not in text for text in texts)
