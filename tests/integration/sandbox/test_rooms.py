"""What a command sees from its room."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters import bwrap_sandbox, sandbox_plan
from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.bwrap_sandbox import AGAIN_AFTER_S, BwrapSandbox
from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room, RoomKind
from jarvis_desktop.core.policy.paths import Place
from tests.integration.shell.processes import with_word

CLOSED = Room(RoomKind.CLOSED, network=False)
ONLINE = Room(RoomKind.CLOSED)
SESSION = ("sound/native", "bus", "other-bus", "tmux")
ROOMS = pytest.mark.parametrize("room", [CLOSED, ONLINE, PERSONS_ROOM], ids=["closed", "online", "person"])


class House:
    """A person's files and a shell with rooms."""

    def __init__(self, root: Path, **more: str) -> None:
        self.home = root / "person"
        self.ours = self.home / ".jarvis"
        self.work = self.home / "work"
        for folder in (self.ours / "approvals", self.work, self.home / ".ssh", root / "runtime"):
            folder.mkdir(parents=True)
        (self.ours / "approvals.yaml").write_text("rules: []\n")
        (self.home / ".ssh" / "id_ed25519").write_text("a secret\n")
        (self.home / "diary.txt").write_text("dear diary\n")
        (root / "runtime" / "bus").write_text("stands for the session bus\n")
        session = {
            "XDG_RUNTIME_DIR": str(root / "runtime"),
            "HOME": str(self.home),
            "PULSE_SERVER": f"unix:{root}/sound/native",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={root}/bus,guid=12;unix:path={root}/other-bus",
            "TMUX": f"{root}/tmux,1234,0",
            "KITTY_LISTEN_ON": f"unix:/{'long' * 99}",  # nobody can even look whether it is there
        }
        for name in SESSION:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("stands for a way to the session\n")
        environ = {**os.environ, **session, **more}
        place = Place("/", str(self.home), str(self.ours))
        self.sandbox = BwrapSandbox(place, environ)
        self.shell = BashShell(environ, self.sandbox)

    async def run(self, command: str, room: Room, timeout_s: float = 20) -> str:
        """What the command printed."""
        return (await self.shell.run(command, self.work, timeout_s, 10_000, None, room)).output


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    await house.sandbox.try_out()
    assert (house.sandbox.rooms, house.sandbox.network) == (True, True), "bubblewrap and passt must work here"
    yield house
    await house.sandbox.close()


@pytest.fixture
def listener() -> Iterator[int]:
    """A service on this machine's loopback, and on every other address of it."""
    with socket.create_server(("", 0)) as server:
        yield server.getsockname()[1]


async def test_a_closed_room_writes_only_in_its_working_directory(house: House) -> None:
    said = await house.run(
        "touch here; touch ~/there; touch /etc/there; touch /tmp/there && echo tmp", CLOSED
    )
    assert (house.work / "here").exists()
    assert not (house.home / "there").exists()
    assert not Path("/tmp/there").exists()
    assert "Read-only file system" in said
    assert said.endswith("tmp\n")


async def test_a_persons_room_has_the_persons_files(house: House) -> None:
    assert await house.run("cat ~/diary.txt && touch ~/there", PERSONS_ROOM) == "dear diary\n"
    assert (house.home / "there").exists()


async def test_secrets_are_hidden_from_a_closed_room(house: House) -> None:
    (house.work / ".env").write_text("TOKEN=1\n")
    said = await house.run("cat ~/.ssh/id_ed25519 .env", CLOSED)
    assert "a secret" not in said
    assert "TOKEN" not in said


@ROOMS
async def test_no_room_sees_our_own_files_or_the_session(house: House, room: Room) -> None:
    said = await house.run("ls -A ~/.jarvis; cat $XDG_RUNTIME_DIR/bus ../../runtime/bus; ls /dev/snd", room)
    assert "approvals" not in said
    assert "session bus" not in said
    said = await house.run(f"cat {' '.join(f'../../{name}' for name in SESSION)}", room)
    assert "way to the session" not in said
    assert (house.ours / "approvals.yaml").read_text() == "rules: []\n"
    said = await house.run("echo 'rules: [all]' > ~/.jarvis/approvals.yaml", room)
    assert "Read-only file system" in said
    assert (house.ours / "approvals.yaml").read_text() == "rules: []\n"


@ROOMS
async def test_no_room_reaches_this_machines_services(house: House, room: Room, listener: int) -> None:
    hosts = {"127.0.0.1", *socket.gethostbyname_ex(socket.gethostname())[2]}
    for host in hosts:
        said = await house.run(f"timeout 2 bash -c '</dev/tcp/{host}/{listener}' && echo reached", room)
        assert "reached" not in said


@pytest.mark.parametrize(("room", "has_network"), [(CLOSED, False), (ONLINE, True), (PERSONS_ROOM, True)])
async def test_a_room_with_network_has_more_than_a_loopback(
    house: House, room: Room, *, has_network: bool
) -> None:
    names = (await house.run("cut -d: -f1 -s /proc/net/dev", room)).split()
    assert (len(names) > 1) is has_network


@ROOMS
async def test_no_room_sees_or_reaches_processes_outside(house: House, room: Room) -> None:
    said = await house.run(f"kill -0 {os.getpid()}; ls /proc | grep -c '^[0-9]'", room)
    assert "No such process" in said
    assert int(said.split()[-1]) < 10


@ROOMS
async def test_nothing_outlives_a_call(house: House, room: Room) -> None:
    stays = "setsid nohup sleep 4242 >/dev/null 2>&1 & disown; sleep 4243"
    await house.run(stays, room, timeout_s=0.5)
    assert not running(house, "sleep\x004242", "pasta")


def running(house: House, *marks: str) -> list[str]:
    """Command lines that hold one of ``marks``, of processes that came from a command of this house."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if any(mark in line for mark in marks) and _is_of(house, folder):
                found.append(line)
    return found


def _is_of(house: House, process: Path) -> bool:
    try:
        return f"HOME={house.home}".encode() in (process / "environ").read_bytes().split(b"\0")
    except PermissionError:  # the network helper hides its own
        return process.stat().st_uid == os.getuid()
    except OSError:
        return False


async def test_git_hooks_cannot_be_planted_and_git_itself_works(house: House) -> None:
    git = Room(RoomKind.CLOSED, network=False, git=True)
    await house.run("git init -q . && git config user.email a@b.c && git config user.name A", PERSONS_ROOM)
    said = await house.run(
        "echo 'touch owned' > .git/hooks/pre-commit; echo x >> .git/config; mkdir .vscode", CLOSED
    )
    assert said.count("Read-only file system") == 2
    await house.run("touch a && git add a && git commit -q -m first && git branch -m trunk", git)
    assert (await house.run("git log --format=%s", git)).strip() == "first"


async def test_nothing_is_closed_at_home_or_among_our_files(house: House) -> None:
    holds = house.sandbox.holds
    assert [
        await holds(str(folder), CLOSED) for folder in (house.work, house.home, house.ours, Path("/"))
    ] == [
        True,
        False,
        False,
        False,
    ]
    with pytest.raises(SandboxError):
        await house.shell.run("true", house.home, 5, 1000, None, CLOSED)


async def test_a_command_that_comes_before_the_trial_is_over_waits_for_it(tmp_path: Path) -> None:
    house = House(tmp_path)
    ended = await house.run("ls -A ~/.jarvis; cut -d: -f1 -s /proc/net/dev", PERSONS_ROOM)
    assert "approvals" not in ended
    assert house.sandbox.rooms
    await house.sandbox.close()


@pytest.mark.parametrize("times", [1, 2])
@ROOMS
async def test_what_vanishes_while_a_room_is_built_costs_a_second_attempt_at_most(
    house: House, room: Room, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [times]

    def hides_too_much(*_: object) -> tuple[str, ...]:
        left[0] -= 1
        return ("/sys/vanished",) if left[0] >= 0 else ()

    monkeypatch.setattr(sandbox_plan, "session_places", hides_too_much)
    monkeypatch.setattr(sandbox_plan, "is_there", lambda _: True)
    if times > 1:
        with pytest.raises(SandboxError):
            await house.run("echo ran > ran", room)
    else:
        await house.run("echo ran > ran", room)
    assert (house.work / "ran").exists() is (times == 1)


async def test_nothing_runs_while_nobody_knows_whether_there_are_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(bwrap_sandbox, "TRIAL_WITHIN_S", 0)
        for room in (CLOSED, PERSONS_ROOM):
            with pytest.raises(SandboxError):
                await house.run("touch ran", room)
    assert not (house.work / "ran").exists()
    said = await house.run("touch ran", PERSONS_ROOM)
    assert (house.work / "ran").exists(), said
    await house.sandbox.close()


async def test_what_is_installed_while_we_run_is_found_a_minute_later(tmp_path: Path) -> None:
    programs, now = tmp_path / "bin", [0.0]
    programs.mkdir()
    sandbox = BwrapSandbox(Place("/", "/home/x", "/home/x/.jarvis"), {"PATH": str(programs)}, lambda: now[0])
    await sandbox.try_out()
    for name in ("bwrap", "pasta"):
        (programs / name).symlink_to(shutil.which(name) or "")
    await sandbox.try_out()
    assert not sandbox.rooms
    now[0] = AGAIN_AFTER_S
    await sandbox.try_out()
    assert (sandbox.rooms, sandbox.network) == (True, True)
    await sandbox.close()


async def test_without_the_programs_nothing_is_closed(tmp_path: Path) -> None:
    place = Place("/", str(tmp_path), str(tmp_path / ".jarvis"))
    sandbox = BwrapSandbox(place, {"PATH": str(tmp_path)})
    await sandbox.try_out()
    assert (sandbox.rooms, sandbox.network, await sandbox.holds("/srv", CLOSED)) == (False, False, False)
    end = await BashShell(sandbox=sandbox).run("echo open", tmp_path, 5, 1000)
    assert (end.output, end.offline) == ("open\n", False)
    await sandbox.close()


async def test_a_link_that_leads_to_itself_keeps_no_room_shut(house: House) -> None:
    (house.home / ".gnupg").symlink_to(".gnupg")
    (house.work / ".git").symlink_to(".git")
    assert await house.run("echo open", CLOSED) == "open\n"


async def test_a_session_that_names_dev_null_keeps_no_room_shut(tmp_path: Path) -> None:
    house = House(tmp_path, XAUTHORITY="/dev/null", ICEAUTHORITY="/proc/self/status")
    await house.sandbox.try_out()
    assert await house.run("echo open </dev/null", CLOSED) == "open\n"
    await house.sandbox.close()


async def test_a_trial_that_is_broken_off_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / ".jarvis").mkdir()  # it is hidden, so its name is in the command lines
    place = Place("/", str(tmp_path), str(tmp_path / ".jarvis"))
    for number in range(24):
        sandbox = BwrapSandbox(place, os.environ)
        trial = asyncio.create_task(sandbox.try_out())
        await asyncio.sleep(number * 0.02)  # into each step of making a room
        await sandbox.close()
        await trial
        assert with_word(str(tmp_path)) == []
