"""Servers that are addresses: one that we did not write, over both ways, and one that is all wrong."""

import asyncio
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator

import pytest

from jarvis_desktop.adapters import mcp_client
from jarvis_desktop.core.ports.servers import ServerAnswer, ServerTrouble
from tests.integration.servers.conftest import BROKEN, ENABLED, WITHIN_S, Bench, said
from tests.parts.evil_site import EvilSite
from tests.parts.mcp_servers import free_port, program


@pytest.fixture
async def proxy() -> AsyncIterator[str]:
    """mcp-proxy, which serves mcp-server-time over streamable HTTP and over SSE."""
    port = free_port()
    words = ("--port", str(port), "--", program("mcp-server-time"), "--local-timezone", "UTC")
    process = await asyncio.create_subprocess_exec(
        program("mcp-proxy"), *words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        async with asyncio.timeout(WITHIN_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    break
                except OSError:
                    assert process.returncode is None
                    await asyncio.sleep(0.05)
        writer.close()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


@pytest.fixture
async def site() -> AsyncIterator[EvilSite]:
    async with EvilSite().opened() as opened:
        yield opened


@pytest.mark.promise("T-165")
@pytest.mark.parametrize("way", [{"path": "/mcp"}, {"path": "/sse", "transport": "sse"}])
async def test_a_server_of_the_package_index_is_asked_over_http(
    bench: Bench, proxy: str, way: dict[str, str]
) -> None:
    path = way["path"]
    bench.write(time={"url": proxy + path, **{key: one for key, one in way.items() if key != "path"}})
    await bench.enable("time")
    found = await bench.until("time", lambda one: one.state is ENABLED)
    assert [one.name for one in found.offers] == ["time_get_current_time", "time_convert_time"]
    assert said(await bench.call("time_get_current_time", timezone="Asia/Seoul"))["timezone"] == "Asia/Seoul"


async def test_headers_and_their_variables_reach_the_server_and_nobody_else(
    bench: Bench, site: EvilSite
) -> None:
    bench.environ["BOX_KEY"] = "s3cret"
    bench.write(box={"url": site.url("well"), "headers": {"Authorization": "Bearer ${BOX_KEY}"}})
    await bench.enable("box")
    found = await bench.until("box", lambda one: one.state is ENABLED)
    assert await bench.call("box_echo", text="a") == ServerAnswer("a")
    assert {headers["authorization"] for _, headers in site.asked} == {"Bearer s3cret"}
    assert "s3cret" not in repr((found, bench.events))


async def test_fifty_megabytes_over_http_are_refused_before_they_are_read(
    bench: Bench, site: EvilSite
) -> None:
    bench.write(box={"url": site.url("huge")})
    await bench.enable("box")
    await bench.until("box", lambda one: one.state is ENABLED)
    assert await bench.call("box_echo", text="a") == ServerTrouble(
        "The answer of the MCP server box was larger than 4 MB and was refused. Ask for less."
    )


@pytest.mark.parametrize(
    ("path", "trouble"),
    [
        ("refused", "wants to know who asks"),
        ("elsewhere", "Redirect to http://localhost:1/well not followed"),
        ("packed", "cannot be reached"),
        ("nonsense", "refuses to connect"),
    ],
)
async def test_what_is_wrong_with_an_address_is_said(
    bench: Bench, site: EvilSite, path: str, trouble: str
) -> None:
    bench.write(box={"url": site.url(path)})
    await bench.enable("box")
    assert trouble in (await bench.until("box", lambda one: one.state is BROKEN)).trouble
    assert {asked for asked, _ in site.asked} == {f"/{path}"}


async def test_an_address_where_nobody_is_and_one_that_hangs_keep_nobody_waiting(
    bench: Bench, site: EvilSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_client, "READY_WITHIN_S", 3.0)
    nobody = f"http://127.0.0.1:{free_port()}/mcp"
    bench.write(none={"url": nobody}, hangs={"url": site.url("hangs")}, box={"url": site.url("well")})
    for name in ("none", "hangs", "box"):
        await bench.enable(name)
    assert (await bench.until("box", lambda one: one.state is ENABLED)).offers
    assert "cannot be reached" in (await bench.until("none", lambda one: one.state is BROKEN)).trouble
    assert "in time" in (await bench.until("hangs", lambda one: one.state is BROKEN)).trouble


async def test_an_address_elsewhere_says_so_before_it_is_enabled(bench: Bench, site: EvilSite) -> None:
    bench.write(far={"url": "https://me:pw@mcp.example/x?key=abc"}, near={"url": site.url("well")})
    far = await bench.seen("far")
    assert "not this machine" in far.source
    assert "https://…@mcp.example/x?key=…" in far.source
    assert "pw" not in far.source
    assert "not this machine" not in (await bench.seen("near")).source
