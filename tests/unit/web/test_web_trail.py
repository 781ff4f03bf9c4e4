"""Who named a host, and whether a stranger can have asked for the next page (decision 38)."""

import pytest

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.turn import Message, Role
from jarvis_desktop.core.items.web_address import web_address
from jarvis_desktop.core.policy.web_trail import (
    ADDRESS_LINE,
    MOVED_LINE,
    WEB_FETCH,
    WEB_SEARCH,
    WebTrail,
    sites_in,
    trail_of,
)


def told(tool: str, text: str, status: ResultStatus = ResultStatus.OK) -> Message:
    return Message(Role.TOOL, text, tool_name=tool, status=status)


def person(text: str) -> Message:
    return Message(Role.USER, text)


@pytest.mark.parametrize(
    ("text", "sites"),
    [
        ("read https://www.example.org/a, please", {"example.org"}),
        ("example.org에서 찾아줘", {"example.org"}),
        ("https://example.org/글을 읽어줘", {"example.org"}),
        ("https://example.org에 뭐가 있어?", {"example.org"}),
        ("(see example.org).", {"example.org"}),
        ("예시.한국 읽어줘", {"xn--vv4b11d.xn--3e0b707e"}),
        ("open 93.184.215.14:8080", {"93.184.215.14"}),
        ("bücher.example", {"xn--bcher-kva.example"}),
    ],
)
def test_addresses_and_bare_names_of_a_person_count(text: str, sites: set[str]) -> None:
    assert sites <= sites_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "what is in README.md and main.py?",
        "write to anna@example.org",
        "version 1.2.3, chapter 4.5",
        "hello. world",
        "http://user@evil.example/",
        "localhost and file:///etc/passwd",
    ],
)
def test_files_mail_addresses_and_numbers_name_no_host(text: str) -> None:
    assert sites_in(text) - {"evil.example"} == frozenset()


def test_search_results_name_hosts_only_in_lines_of_ours() -> None:
    text = f"1. see {ADDRESS_LINE}https://a.example/\n{ADDRESS_LINE}https://www.b.example/x\n> {ADDRESS_LINE}https://c.example/"
    assert trail_of([told(WEB_SEARCH, text)]) == WebTrail(frozenset({"b.example"}), foreign=True)


def test_a_page_names_nothing_and_is_foreign() -> None:
    page = told(WEB_FETCH, f"{ADDRESS_LINE}https://evil.example/\nhttps://evil.example/")
    assert trail_of([page]) == WebTrail(foreign=True)


@pytest.mark.parametrize(
    "message",
    [
        told(WEB_FETCH, "There is no host", ResultStatus.ERROR),
        told(WEB_FETCH, "denied", ResultStatus.DENIED),
        told("read_file", "https://evil.example/"),
        Message(Role.ASSISTANT, "https://evil.example/"),
    ],
)
def test_what_brought_no_text_of_strangers_leaves_no_trail(message: Message) -> None:
    assert trail_of([message]) == WebTrail()


def test_without_strangers_text_every_host_is_trusted() -> None:
    assert trail_of([person("find the news")]).trusts(web_address("news.example"))


def test_with_it_only_named_hosts_are_trusted_with_www_or_without() -> None:
    trail = trail_of([person("read www.example.org"), told(WEB_FETCH, "text")])
    assert trail.trusts(web_address("http://example.org/any?page"))
    assert trail.trusts(web_address("https://www.example.org/"))
    for other in ("evil.example", "a.example.org", "example.org.evil.example"):
        assert not trail.trusts(web_address(other))


def test_a_redirect_alone_may_be_followed_to_the_letter_only() -> None:
    notice = told(WEB_FETCH, f"{MOVED_LINE}\nTo read it:\n{ADDRESS_LINE}https://new.example/a")
    trail = trail_of([person("read old.example/a"), notice])
    assert trail.trusts(web_address("https://new.example/a"))
    assert not trail.trusts(web_address("https://new.example/a?all=of-it"))
    assert trail.trusts(web_address("https://old.example/b"))


def test_x34_a_redirect_after_other_text_of_strangers_counts_as_unnamed() -> None:
    notice = told(WEB_FETCH, f"{MOVED_LINE}\n{ADDRESS_LINE}https://new.example/a")
    trail = trail_of([person("read old.example/a"), told(WEB_SEARCH, "1. x"), notice])
    assert not trail.trusts(web_address("https://new.example/a"))
