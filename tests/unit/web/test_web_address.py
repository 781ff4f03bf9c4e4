"""An address has one reading; what others read differently is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.core.items.web_address import LONGEST, WebAddressError, web_address


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("example.org", "https://example.org/"),
        (" HTTP://Example.ORG:80/a?b=c#d ", "http://example.org/a?b=c"),
        ("https://example.org:8443", "https://example.org:8443/"),
        ("example.org:8080/x", "https://example.org:8080/x"),
        ("https://example.org./", "https://example.org/"),
        ("https://example.org?q=1", "https://example.org/?q=1"),
        (
            "https://bücher.example/über uns".replace(" ", "%20"),
            "https://xn--bcher-kva.example/%C3%BCber%20uns",
        ),
        ("https://예시.한국/", "https://xn--vv4b11d.xn--3e0b707e/"),
        ("http://93.184.215.14/", "http://93.184.215.14/"),
        ("http://[2606:2800:0220:1::1]:8080/", "http://[2606:2800:220:1::1]:8080/"),
        ("http://１２７。０。０。１/", "http://127.0.0.1/"),
        ("https://a_b.example.org/{x}", "https://a_b.example.org/%7Bx%7D"),
    ],
)
def test_an_address_comes_in_one_spelling(written: str, url: str) -> None:
    assert web_address(written).url == url


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("file:///etc/passwd", "Only http"),
        ("javascript:alert(1)", "Only http"),
        ("data:text/html,x", "Only http"),
        ("ftp://example.org/", "Only http"),
        ("gopher://example.org/", "Only http"),
        ("://example.org", "Only http"),
        ("https://user:pass@example.org/", "before an @"),
        ("https://example.org\\@evil.example/", "backslashes"),
        ("https://exa mple.org/", "spaces"),
        ("https://example.org/\x00", "cannot be seen"),
        ("https://example.org/\u202e", "cannot be seen"),
        ("https://example.org:22/", "Port 22"),
        ("https://example.org:99999/", "Port 99999"),
        ("https://example.org:x/", "no readable host"),
        ("https://[::1/", "no readable host"),
        ("https://[::g]/", "no readable host"),
        ("https://[1:2]/", "no IPv6"),
        ("https://localhost/", "this computer"),
        ("http://LOCALHOST.:8080/", "this computer"),
        ("http://a.localhost/", "this computer"),
        ("http://printer.local/", "this computer"),
        ("http://metadata.google.internal/", "this computer"),
        ("http://router/", "this computer"),
        ("http://nas.home.arpa/", "this computer"),
        ("http://2130706433/", "usual IPv4"),
        ("http://0x7f000001/", "usual IPv4"),
        ("http://0177.0.0.1/", "usual IPv4"),
        ("http://127.1/", "usual IPv4"),
        ("http://127.0.0.0x1/", "usual IPv4"),
        ("http://-a.example/", "no name"),
        ("http://a..example/", "no name"),
        ("http://a%2eexample/", "no name"),
        ("http:///x", "no name"),
        ("", "no name"),
        ("http://" + "a" * 64 + ".example/", "no name"),
        ("http://\u2488example.org/", "no name"),
        ("https://example.org/" + "a" * LONGEST, "longer than"),
    ],
)
def test_what_is_no_address_of_the_web_is_refused_with_a_reason(written: str, why: str) -> None:
    with pytest.raises(WebAddressError, match=why):
        web_address(written)


@given(st.text(max_size=60) | st.from_regex(r"https?://[^\s]{1,40}", fullmatch=True))
def test_an_address_read_again_is_the_same_address(written: str) -> None:
    try:
        once = web_address(written)
    except WebAddressError:
        return
    assert once.url.isascii()
    assert web_address(once.url) == once
