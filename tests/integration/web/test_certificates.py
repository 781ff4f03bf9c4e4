"""Encrypted pages: the certificate is that of the name, although the connection goes to an address."""

import ssl
import subprocess
from pathlib import Path

import pytest

from jarvis_desktop.adapters.web_answer import Way, trusted_certificates
from jarvis_desktop.adapters.web_pages import WebPages
from jarvis_desktop.core.items.web_address import web_address
from jarvis_desktop.core.ports import WebPage, WebTrouble
from jarvis_desktop.core.settings import WebSettings
from tests.parts.web_site import HERE, Names, only, reply, site

SETTINGS = WebSettings.model_validate({})


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Certificate and key of ``site.example``, which nobody but these tests trusts."""
    folder = tmp_path_factory.mktemp("certificate")
    made, key = folder / "site.pem", folder / "site.key"
    name = ["-subj", "/CN=site.example", "-addext", "subjectAltName=DNS:site.example"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subprocess.run([*command, *name, "-keyout", key, "-out", made], check=True, capture_output=True)
    return made, key


def server_side(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


def reader(certificate: tuple[Path, Path] | None, host: str) -> WebPages:
    def trusting() -> ssl.SSLContext:
        return (
            ssl.create_default_context(cafile=str(certificate[0])) if certificate else trusted_certificates()
        )

    return WebPages(lambda: SETTINGS, Way(Names({host: [(HERE,)]}).lookup, only(HERE), trusting))


async def test_the_name_is_what_the_certificate_is_checked_for(certificate: tuple[Path, Path]) -> None:
    async with site({"/": reply("safe", "text/plain")}, certificates=server_side(certificate)) as there:
        address = web_address(f"https://site.example:{there.port}/")
        found = await reader(certificate, "site.example").fetch(address)
    assert isinstance(found, WebPage)
    assert found.text == "safe"


@pytest.mark.parametrize(("host", "trusted"), [("other.example", True), ("site.example", False)])
async def test_a_certificate_of_another_name_or_of_nobody_ends_it(
    certificate: tuple[Path, Path], host: str, *, trusted: bool
) -> None:
    async with site({"/": reply("unsafe", "text/plain")}, certificates=server_side(certificate)) as there:
        address = web_address(f"https://{host}:{there.port}/")
        found = await reader(certificate if trusted else None, host).fetch(address)
        assert found == WebTrouble(f"The certificate of {host} is not valid, so nothing was read.")
        assert there.heads == []
