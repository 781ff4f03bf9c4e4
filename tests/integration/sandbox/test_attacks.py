"""Commands that want out of their room, or want to leave something behind for later."""

import asyncio
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from jarvis_desktop.core.items.errors import SandboxError
from jarvis_desktop.core.items.room import PERSONS_ROOM, Room, RoomKind
from tests.integration.sandbox.test_rooms import CLOSED, ROOMS, House, running

GIT = Room(RoomKind.CLOSED, network=False, git=True)
RULES = "rules: []\n"
ADDS_A_RULE = "echo 'rules: [all]' >"
REPOSITORY = (
    "git init -q . && git config user.email a@b.c && git config user.name A && "
    "git commit -q --allow-empty -m first"
)
EVIL = "printf '[core]\\n\\tfsmonitor = touch owned\\n'"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    await house.sandbox.try_out()
    yield house
    await house.sandbox.close()
    assert (house.ours / "approvals.yaml").read_text() == RULES


@pytest.fixture
async def short_house() -> AsyncIterator[House]:
    """A house whose paths are short enough for sockets."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        await house.sandbox.try_out()
        yield house
        await house.sandbox.close()


@pytest.fixture
def talking(short_house: House) -> Iterator[tuple[Path, Path]]:
    """A terminal program's socket at home, and one of the project in the working directory."""
    with ExitStack() as open_sockets:
        places = (short_house.home / ".screens", short_house.work / "s")
        for place in places:
            here = open_sockets.enter_context(socket.socket(socket.AF_UNIX))
            here.bind(str(place))
            here.listen()
        yield places


# --- other names for what is closed ---------------------------------------------------------------


async def test_no_second_name_can_be_made_for_a_file_outside(house: House) -> None:
    await house.run(
        "ln ~/diary.txt one; ln ../.jarvis/approvals.yaml two; ln ../.ssh/id_ed25519 three", CLOSED
    )
    assert sorted(path.name for path in house.work.iterdir()) == []


@ROOMS
async def test_a_link_to_our_files_leads_nowhere(house: House, room: Room) -> None:
    (house.work / "link").symlink_to(house.ours)
    said = await house.run(f"ls link; {ADDS_A_RULE} link/approvals.yaml; cd link && pwd -P", room)
    assert "approvals.yaml: Read-only file system" in said


async def test_a_working_directory_that_is_a_link_is_taken_for_what_it_leads_to(house: House) -> None:
    for name, target in (("a", house.work), ("b", house.ours), ("c", house.home), ("d", Path("/etc"))):
        (house.home / name).symlink_to(target)
    assert [await house.sandbox.holds(str(house.home / name), CLOSED) for name in "abcd"] == [
        True,
        False,
        False,
        False,
    ]
    await house.shell.run("touch through", house.home / "a", 10, 100, None, CLOSED)
    assert (house.work / "through").exists()
    for name in "bcd":
        with pytest.raises(SandboxError):
            await house.shell.run("touch through", house.home / name, 10, 100, None, CLOSED)


async def test_nothing_is_closed_around_what_starts_by_itself_or_is_secret(house: House) -> None:
    folders = (".ssh", ".config", ".config/autostart/more", ".local", "bin", "work/.git/x", "work/.VSCode")
    for folder in (house.home / name for name in folders):
        folder.mkdir(parents=True, exist_ok=True)
        assert not await house.sandbox.holds(str(folder), CLOSED), folder
    for folder in map(Path, ("/", "/etc", "/run", "/tmp", "/var/tmp", "/usr/share", "/dev/shm")):
        assert not await house.sandbox.holds(str(folder), CLOSED), folder


async def test_a_working_directory_may_be_called_anything(house: House) -> None:
    for name in ("-dash", "한글 폴더\n'\"$HOME\t{}[*]"):
        folder = house.work / name
        folder.mkdir()
        for room in (CLOSED, PERSONS_ROOM):
            end = await house.shell.run("touch made; pwd", folder, 10, 1000, None, room)
            assert (end.output, (folder / "made").exists()) == (f"{folder}\n", True)
            (folder / "made").unlink()


# --- walls ----------------------------------------------------------------------------------------

ESCAPES = (
    "mount -o remount,rw / ; mount -o remount,bind,rw / ; umount $OURS",
    "unshare -rm sh -c 'umount -l $OURS; mount --rbind / /mnt; umount -l /mnt$OURS; cat /mnt$GOAL'",
    "cat /proc/1/root$GOAL /proc/2/root$GOAL /proc/self/root$GOAL",
    "nsenter --target 1 --all sh -c 'cat $GOAL'",
    "mv $OURS $OURS.old; mv $ABOVE $ABOVE.old; mv $ABOVE/.. $ABOVE/../../old",
    "mkdir -p r; mount --bind / r; chroot r sh -c 'umount $OURS; cat $GOAL'",
    "mknod d b 8 0; mknod m c 1 1; ls /dev/sd* /dev/mem /dev/input /dev/uinput | grep -q . && echo SEEN",
    # Opened only, never written to: were it possible, the machine must not suffer.
    "for file in /proc/sys/kernel/core_pattern /sys/kernel/uevent_helper /proc/sysrq-trigger; do "
    "test -e $file && sh -c ': >> $1' sh $file && echo SEEN; done",
    "echo 'rules: [all]' > $OURS/approvals.yaml; mkdir -p $OURS/approvals/new",
)


@ROOMS
async def test_a_room_has_no_way_out(house: House, room: Room) -> None:
    (house.ours / "secret").write_text("SEEN\n")
    names = f"export OURS={house.ours} ABOVE={house.home} GOAL={house.ours}/secret; "
    said = await house.run(names + "; ".join(f"({escape})" for escape in ESCAPES), room)
    assert "SEEN" not in said
    assert sorted(path.name for path in house.ours.rglob("*")) == ["approvals", "approvals.yaml", "secret"]
    assert house.home.exists()


@ROOMS
async def test_programs_that_answer_on_the_disk_are_out_of_reach(
    short_house: House, room: Room, talking: tuple[Path, Path]
) -> None:
    connects = (
        "import socket, sys\n"
        "for place in sys.argv[1:]:\n"
        "    print(socket.socket(socket.AF_UNIX).connect_ex(place) == 0)"
    )
    said = await short_house.run(f"python3 -c '{connects}' {talking[0]} {talking[1]}", room)
    assert said == "False\nTrue\n"


# --- processes ------------------------------------------------------------------------------------


@ROOMS
async def test_a_command_that_kills_everything_ends_itself(house: House, room: Room) -> None:
    kills = (
        "setsid nohup sleep 4244 > /dev/null 2>&1 & "
        "for p in /proc/[0-9]*; do p=${p#/proc/}; [ $p = $$ ] || kill -9 $p; done; sleep 4245"
    )
    end = await house.shell.run(kills, house.work, 5, 1000, None, room)
    assert end.exit_code is None
    assert not running(house, "sleep\x00424", "pasta")


async def test_processes_that_never_stay_the_same_end_with_the_time(house: House) -> None:
    flees = "flee() { (flee &) }; for one in 1 2 3 4 5 6 7 8; do flee; done; sleep 4246"
    end = await house.shell.run(flees, house.work, 1, 1000, None, CLOSED)
    assert end.timed_out
    assert not running(house, "sleep\x004246", "flee()")


@ROOMS
async def test_what_is_written_to_every_open_descriptor_changes_nothing(house: House, room: Room) -> None:
    writes = 'for f in /proc/[12]/fd/*; do timeout 1 sh -c "echo 0 0 0 0 0 > $f" 2>/dev/null; done; exit 7'
    end = await asyncio.wait_for(house.shell.run(writes, house.work, 10, 1000, None, room), 30)
    assert end.survivors == 0
    assert not running(house, "pasta")


# --- git ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plants",
    [
        f"{EVIL} >> .git/config",
        "mkdir -p .git/hooks; echo 'touch owned' > .git/hooks/post-commit",
        f"mkdir evil; {EVIL} > evil/config; echo ../evil > .git/commondir",
        f"{EVIL} > .git/config.worktree",
        "mv .git away; git init -q .",
        "rm -rf .git; cp -r ../other/.git .",
    ],
)
async def test_a_command_other_than_git_leaves_nothing_in_a_repository(house: House, plants: str) -> None:
    await house.run(f"rm -rf .git/hooks; {REPOSITORY}; rm -rf .git/hooks", PERSONS_ROOM)
    before = {path: path.read_bytes() for path in (house.work / ".git").rglob("*") if path.is_file()}
    await house.run(plants, CLOSED)
    assert {path: path.read_bytes() for path in (house.work / ".git").rglob("*") if path.is_file()} == before
    assert "first" in await house.run("git log", CLOSED)


async def test_git_itself_plants_no_hooks(house: House) -> None:
    await house.run(f"{REPOSITORY}; rm -rf .git/hooks", PERSONS_ROOM)
    await house.run("mkdir -p .git/hooks; echo 'touch owned' > .git/hooks/post-commit", GIT)
    assert [*(house.work / ".git" / "hooks").iterdir()] == []


async def test_git_works_in_a_worktree_and_in_a_submodule(house: House) -> None:
    inner = "git -c protocol.file.allow=always submodule --quiet add ../other inner; git commit -q -m second"
    await house.run(f"mkdir ../other; cd ../other; {REPOSITORY}", PERSONS_ROOM)
    await house.run(f"{REPOSITORY}; git worktree add -q ../tree; {inner}", PERSONS_ROOM)
    for folder in (house.home / "tree", house.work / "inner"):
        commits = "touch new && git add new && git -c user.email=a -c user.name=A commit -q -m third"
        end = await house.shell.run(f"{commits}; git log --format=%s", folder, 20, 1000, None, GIT)
        assert end.output.split()[0] == "third", end.output
        said = (await house.shell.run(f"{EVIL} > .git", folder, 20, 1000, None, CLOSED)).output
        assert "Read-only file system" in said


@pytest.mark.parametrize("target", ["../.ssh", "../other/.git", "../.jarvis", "../other/.git/hooks"])
async def test_a_false_file_of_a_worktree_opens_no_other_folder(house: House, target: str) -> None:
    await house.run(f"mkdir ../other; cd ../other; {REPOSITORY}; mkdir -p .git/hooks", PERSONS_ROOM)
    (house.work / ".git").write_text(f"gitdir: {target}\n")
    await house.run(f"touch {target}/planted", GIT)
    assert not (house.work / target / "planted").exists()


async def test_repositories_inside_the_working_directory_keep_their_settings(house: House) -> None:
    await house.run(f"mkdir -p a/b; cd a/b; {REPOSITORY}", PERSONS_ROOM)
    said = await house.run(f"{EVIL} >> a/b/.git/config", CLOSED)
    assert "Read-only file system" in said


async def test_settings_of_editors_stay_as_they_are_however_they_are_written(house: House) -> None:
    for name in (".vscode/tasks.json", "CLAUDE.md", ".mcp.json", ".husky/pre-commit", ".gitattributes"):
        (house.work / name).parent.mkdir(exist_ok=True)
        (house.work / name).write_text("mine\n")
        said = await house.run(f"echo theirs > {name}; rm -rf {name.split('/')[0]}", CLOSED)
        assert (house.work / name).read_text() == "mine\n", said
