"""Messages to other devices, over real sockets to a server of this machine."""

import json
import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from jarvis_desktop.adapters.apprise_push import ApprisePush

# The library loads all its services, and one of them a module that Python 3.13 leaves out.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

TITLE, TEXT = "💭 추천하는 공고만 알려줘", "- 마곡 행복주택\n- 고덕 & <b>행복주택</b>"


@dataclass
class Receiver:
    """A service that takes messages, refuses them, or never answers."""

    got: list[tuple[str, str, str]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    def address(self, path: str) -> str:
        return f"json://127.0.0.1:{self.port}/{path}"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            one.got.append((self.path.split("/")[1], said["title"], said["message"]))
            if self.path.startswith("/hangs"):
                one.over.wait(30)
            self.send_response(404 if self.path.startswith("/gone") else 200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    one.port = server.server_port
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    yield one
    one.over.set()
    server.shutdown()
    server.server_close()


@pytest.mark.promise("G-046", "G-048")
async def test_a_message_arrives_whole(receiver: Receiver) -> None:
    assert await ApprisePush().push([receiver.address("phone")], TITLE, TEXT) == 1
    assert receiver.got == [("phone", TITLE, TEXT)]


@pytest.mark.goal_bug("lost", "When one notification URL")
@pytest.mark.goal_bug("lost", "HTTP 404 on a")
async def test_an_address_that_fails_stops_no_other_and_is_not_taken_for_told(receiver: Receiver) -> None:
    addresses = [receiver.address("gone"), "nonsense", receiver.address("phone"), receiver.address("desk")]
    assert await ApprisePush().push(addresses, TITLE, TEXT) == 2
    assert sorted(path for path, _, _ in receiver.got) == ["desk", "gone", "phone"]
    assert await ApprisePush().push([receiver.address("gone")], TITLE, TEXT) == 0


async def test_an_address_that_never_answers_keeps_nobody_waiting(receiver: Receiver) -> None:
    addresses = [receiver.address("hangs"), receiver.address("phone")]
    assert await ApprisePush(limit_s=3).push(addresses, TITLE, TEXT) == 1


async def test_no_log_quotes_an_address(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = f"json://me:hush-hush@127.0.0.1:{receiver.port}/gone/hush-hush"
    assert await ApprisePush().push([secret, "hush-hush"], TITLE, TEXT) == 0
    ours = [one for one in caplog.records if one.name.startswith("jarvis_desktop")]
    assert [vars(one)["kind"] for one in ours] == ["json", "unknown"]
    told = [one for one in caplog.records if one.name != "urllib3.connectionpool"]
    assert not any("hush-hush" in str(vars(one)) for one in told)
