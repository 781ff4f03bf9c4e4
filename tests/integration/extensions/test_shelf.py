"""Files of the person's own, edited while turns run; real files, ledger, rooms and processes."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jarvis_desktop.app.extension_notices import ExtensionNotices
from jarvis_desktop.app.extension_running import LONGEST_PURPOSE
from jarvis_desktop.app.extension_shelf import ShelfParts, ToolShelf
from jarvis_desktop.core.extensions.user_tool import UserTool
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    Event,
    Part,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionState,
    Offered,
)
from jarvis_desktop.core.items.ids import SessionId, TurnId
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.ports.extensions import CallAnswer
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.integration.extensions.conftest import Bench

PATIENCE_S = 60
TURN = TurnId("t1")
SESSION = SessionId("s1")
ADD = '''
from pathlib import Path
Path("MARKER").write_text("ran")

def add(a: int, b: int) -> int:
    """Adds two numbers.

    Args:
        a: The first one.
    """
    return a + b
add.read_only = True

def keep(text: str) -> str:
    """Keeps a text."""
    return text
'''


class House:
    """A shelf over real files, and everything that it told."""

    def __init__(self, bench: Bench) -> None:
        self.home = bench.home
        self.events: list[Event] = []
        self.changes = 0
        self.context_tokens = 8_192
        notices = ExtensionNotices(FakeClock(), PlainTexts(), self.emit)
        builtin = frozenset({"bash", "read_file"})
        self.shelf = ToolShelf(
            ShelfParts(
                *(bench.home, bench.rooms, builtin, notices),
                *(lambda: self.context_tokens, PlainTexts(), self.changed),
            )
        )

    async def emit(self, event: Event) -> None:
        self.events.append(event)

    def changed(self) -> None:
        self.changes += 1

    def write(self, name: str, text: str | bytes, folder: str = "tools") -> Path:
        """As editors do: a new file takes the old one's name."""
        path = self.home / folder / name
        path.parent.mkdir(exist_ok=True)
        draft = path.with_name(f".{name}.swp")
        draft.write_bytes(text if isinstance(text, bytes) else text.encode())
        draft.replace(path)
        return path

    async def one(self, name: str, kind: ExtensionKind = ExtensionKind.TOOL) -> Extension:
        return next(one for one in await self.shelf.look() if (one.kind, one.name) == (kind, name))

    async def enable(self, name: str, *read_only: str, kind: ExtensionKind = ExtensionKind.TOOL) -> Extension:
        """A person enables what they see, and it has started."""
        digest = (await self.one(name, kind)).digest
        await self.shelf.enable(EnableExtension(kind, name, digest, frozenset(read_only)))
        async with asyncio.timeout(PATIENCE_S):
            while (found := await self.one(name, kind)).state is ExtensionState.STARTING:
                await asyncio.sleep(0.01)
        return found

    def tool(self, name: str) -> UserTool:
        return next(one for one in self.shelf.tools() if one.name == name)

    async def call(self, name: str, **arguments: object) -> CallAnswer:
        return await self.tool(name)._worker.call(name, arguments, self.home)

    def begin(self) -> None:
        now = datetime(2026, 1, 1, tzinfo=UTC)
        self.shelf.on_event(TurnStarted(TURN, SESSION, "x", Origin.TYPED, now))

    def end(self) -> None:
        self.shelf.on_event(TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, ""))

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.shelf.tools()]


@pytest.fixture
async def house(bench: Bench) -> AsyncIterator[House]:
    made = House(bench)
    async with AsyncExitStack() as closing:
        closing.push_async_callback(made.shelf.close)
        yield made


@pytest.mark.promise("T-053")
async def test_a_new_file_is_shown_and_not_run_until_a_person_enables_it(house: House) -> None:
    marker = house.home / "extension-data" / "tool-sums" / "MARKER"
    house.write("sums.py", ADD)
    await house.shelf.begin_turn()
    seen = await house.one("sums")
    assert (seen.state, seen.trouble, seen.source, seen.changes) == (ExtensionState.WAITING, "", ADD, "")
    assert seen.offers == (
        Offered("add", "Adds two numbers.", read_only=True),
        Offered("keep", "Keeps a text."),
    )
    assert house.names == []
    assert not marker.exists()
    assert [type(one) for one in house.events] == [TroubleNoted, ActivityNoted]
    assert (await house.enable("sums", "add")).state is ExtensionState.ENABLED
    assert marker.exists()
    assert house.events[-1] == TroubleCleared(Part.EXTENSIONS)
    tools = {one.name: (one.needs_approval, one.read_only) for one in house.shelf.tools()}
    assert tools == {"add": (False, True), "keep": (True, False)}
    first = house.tool("add").spec.parameters["properties"]["a"]  # type: ignore[index]
    assert first["description"] == "The first one."
    assert await house.call("add", a=1, b=2) == CallAnswer("3")
    assert await house.call("keep", text="x") == CallAnswer("x")


async def test_without_the_persons_word_what_says_that_it_only_reads_asks(house: House) -> None:
    house.write("sums.py", ADD)
    await house.enable("sums")
    assert house.tool("add").needs_approval
    with pytest.raises(ExtensionRefusedError, match="keep only reads"):
        await house.enable("sums", "keep")


@pytest.mark.promise("T-055", "T-056", "T-169")
async def test_an_edit_in_a_turn_counts_from_the_next_one_and_only_once_enabled(house: House) -> None:
    house.write("sums.py", ADD)
    await house.enable("sums", "add")
    await house.shelf.begin_turn()
    house.begin()
    house.write("sums.py", ADD.replace("a + b", "a - b"))
    changed = await house.one("sums")
    assert changed.state is ExtensionState.CHANGED
    assert "-    return a + b\n+    return a - b" in changed.changes
    assert await house.call("add", a=1, b=2) == CallAnswer("3")  # the turn keeps what it began with
    await house.enable("sums", "add")
    assert await house.call("add", a=1, b=2) == CallAnswer("3")
    house.end()
    await house.shelf.begin_turn()
    assert await house.call("add", a=1, b=2) == CallAnswer("-1")


@pytest.mark.promise("T-170")
async def test_a_file_that_breaks_is_mended_and_deleted_counts_from_the_next_turn(house: House) -> None:
    path = house.write("sums.py", ADD)
    await house.enable("sums")
    house.write("sums.py", "def add(:\n")
    await house.shelf.begin_turn()
    broken = await house.one("sums")
    assert (broken.state, house.names) == (ExtensionState.BROKEN, [])
    assert "Line 1 cannot be read as Python" in broken.trouble
    assert house.events[-1].text.startswith("tools/sums.py: Line 1")  # type: ignore[union-attr]
    house.write("sums.py", ADD)  # as it was enabled
    await house.shelf.begin_turn()
    assert house.names == ["add", "keep"]
    house.begin()
    path.unlink()
    await house.shelf.look()
    assert await house.call("keep", text="x") == CallAnswer("x")
    house.end()
    await house.shelf.begin_turn()
    assert (house.names, [one.state for one in await house.shelf.look()]) == ([], [ExtensionState.GONE])
    await house.shelf.disable(DisableExtension(ExtensionKind.TOOL, "sums"))
    assert await house.shelf.look() == ()
    house.write("sums.py", ADD)  # the same bytes
    assert (await house.one("sums")).state is ExtensionState.WAITING


@pytest.mark.promise("T-171")
async def test_a_folder_that_is_made_later_counts_from_the_next_turn(house: House) -> None:
    await house.shelf.begin_turn()
    assert await house.shelf.look() == ()
    house.write("sums.py", ADD)
    await house.shelf.begin_turn()
    assert [one.name for one in await house.shelf.look()] == ["sums"]
    await house.enable("sums")
    await house.shelf.begin_turn()
    assert house.names == ["add", "keep"]


async def test_switching_off_ends_it_at_once_even_in_a_turn(house: House) -> None:
    house.write("sums.py", ADD)
    await house.enable("sums")
    await house.shelf.begin_turn()
    house.begin()
    await house.shelf.disable(DisableExtension(ExtensionKind.TOOL, "sums"))
    assert await house.call("keep", text="x") == CallAnswer("it was switched off", ok=False)
    assert (await house.one("sums")).state is ExtensionState.OFF
    house.end()
    await house.shelf.begin_turn()
    assert house.names == []
    assert (await house.enable("sums")).state is ExtensionState.ENABLED


async def test_switching_off_ends_what_the_file_held_when_the_turn_began_too(house: House) -> None:
    house.write("sums.py", ADD)
    await house.enable("sums")
    await house.shelf.begin_turn()
    house.begin()
    assert await house.call("keep", text="x") == CallAnswer("x")
    house.write("sums.py", ADD + "# more\n")
    assert (await house.one("sums")).state is ExtensionState.CHANGED
    await house.shelf.disable(DisableExtension(ExtensionKind.TOOL, "sums"))
    assert await house.call("keep", text="x") == CallAnswer("it was switched off", ok=False)


async def test_no_turn_waits_for_files_that_take_long_to_read(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.write("sums.py", ADD)
    await house.enable("sums")
    await house.shelf.begin_turn()
    go_on, read = threading.Event(), house.shelf._files.look
    monkeypatch.setattr(house.shelf._files, "look", lambda: (go_on.wait(PATIENCE_S), read())[1])
    monkeypatch.setattr("jarvis_desktop.app.extension_shelf.READY_WITHIN_S", 0.01)
    await house.shelf.begin_turn()
    assert house.names == ["add", "keep"]
    go_on.set()
    await house.shelf.look()


async def test_a_docstring_of_any_length_leaves_room_for_the_conversation(house: House) -> None:
    long = "word " * 10_000
    house.write(
        "sums.py", f'def add(a: int) -> int:\n    """{long}\u200b\n\n    Args:\n        a: {long}\n    """\n'
    )
    await house.enable("sums")
    await house.shelf.begin_turn()
    spec = house.tool("add").spec
    assert (len(spec.description), len(str(spec.parameters)) < 500) == (LONGEST_PURPOSE, True)


async def test_what_changed_since_it_was_shown_cannot_be_enabled(house: House) -> None:
    house.write("sums.py", ADD)
    seen = await house.one("sums")
    house.write("sums.py", ADD + "# more\n")
    wish = EnableExtension(ExtensionKind.TOOL, "sums", seen.digest)
    with pytest.raises(ExtensionRefusedError, match="has changed since it was shown"):
        await house.shelf.enable(wish)
    (house.home / "tools" / "sums.py").unlink()
    with pytest.raises(ExtensionRefusedError, match="There is no sums"):
        await house.shelf.enable(wish)
    assert not (house.home / "extensions.yaml").exists()


async def test_two_files_with_one_name_the_first_counts_and_the_other_says_so(house: House) -> None:
    house.write("a.py", "def hello() -> str:\n    'One.'\n    return 'a'\n")
    house.write("b.py", "def hello() -> str:\n    'Two.'\n    return 'b'\n\ndef bye():\n    'Bye.'\n")
    await house.enable("b")
    await house.enable("a")
    second = await house.one("b")
    assert second.state is ExtensionState.BROKEN
    assert str(house.home / "tools" / "a.py") in second.trouble
    assert str(house.home / "tools" / "b.py") in second.trouble
    await house.shelf.begin_turn()
    assert house.names == ["hello", "bye"]
    assert await house.call("hello") == CallAnswer("a")


async def test_one_that_takes_the_place_of_a_builtin_says_so(house: House) -> None:
    house.write("mine.py", "def bash(command: str) -> str:\n    'Mine.'\n    return command\n")
    await house.enable("mine")
    assert (await house.one("mine")).offers[0].overrides
    added = house.tool("bash").added
    assert added is not None
    assert (added.stands_in, added.path.endswith("tools/mine.py")) == (True, True)
    house.write("bad.py", "def answer(text: str) -> str:\n    'No.'\n    return text\n")
    taken = await house.enable("bad")
    assert "No tool can be called answer" in taken.trouble
    await house.shelf.begin_turn()
    assert house.names == ["bash"]


MIXED = '''
from json import dumps

def _own(a):
    return a

def helper(a, b):
    return dumps([_own(a), b])

def good(a: int) -> str:
    """Is a tool."""
    return helper(a, a)

def bare(a, b: int, c=1):
    return a

def undescribed(a: int) -> int:
    return a

def unhinted(a) -> int:
    """Says what it is for."""
    return a

def anything(*args, **kwargs):
    """Takes anything."""
'''


async def test_each_function_that_is_no_tool_is_named_with_its_line_and_what_it_lacks(house: House) -> None:
    house.write("mixed.py", MIXED)
    seen = await house.one("mixed")
    assert [one.name for one in seen.offers] == ["good"]
    assert (seen.state, seen.trouble) == (ExtensionState.WAITING, "")
    assert seen.advice.split(". ") == [
        "bare (line 14) is no tool: no docstring, no type hint for a, c",
        "undescribed (line 17) is no tool: no docstring",
        "unhinted (line 20) is no tool: no type hint for a",
        "anything (line 24) is no tool: parameters that no agent can name (*args, **kwargs or "
        "positional-only).",
    ]
    # It is good to know and no alarm: what waits is told, nothing else.
    (told,) = [one for one in house.events if isinstance(one, TroubleNoted)]
    assert "is no tool" not in told.text
    assert (await house.enable("mixed")).state is ExtensionState.ENABLED


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def add(a, b):\n    return a\n", "add (line 1) is no tool: no docstring, no type hint for a, b."),
        # Helpers are named where there is nothing else that could be meant.
        (
            "x = 1\ndef a():\n    return b()\ndef b():\n    return a()\n",
            "a (line 2) is no tool: no docstring. b (line 4) is no tool: no docstring.",
        ),
        ("".join(f"def f{at}(): pass\n" for at in range(10)), "2 more are left out."),
    ],
)
async def test_a_file_without_any_tool_names_its_functions(house: House, text: str, said: str) -> None:
    house.write("odd.py", text)
    seen = await house.one("odd")
    assert seen.state is ExtensionState.BROKEN
    assert seen.trouble.startswith("Nothing in it can be called. A tool is ")
    assert seen.trouble.endswith(said)


def _large(path: Path) -> None:
    path.write_text("#" * 10_000_000)


def _leads_nowhere(path: Path) -> None:
    path.symlink_to(path.parent / "gone")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_large, "too large"),
        (_leads_nowhere, "leads nowhere"),
        (os.mkfifo, "cannot be read"),
        (lambda path: path.mkdir(), "cannot be read"),
        (lambda path: path.write_bytes(b"x = '\xff'\n"), "no text in UTF-8"),
        (lambda path: path.write_bytes(b"# -*- coding: utf-7 -*-\n"), "no text in UTF-8"),
        (lambda path: path.write_bytes(b"x = 1\0\n"), "no text in UTF-8"),
        (lambda path: path.write_text("(" * 5000), "cannot be read as Python"),
        (lambda path: path.write_text("x = " + "-" * 100_000 + "1"), "cannot be read as Python"),
        (lambda path: path.write_text("def _f(): 'x'\ndef g(a): 'y'\n"), "Nothing in it can be called"),
        (lambda path: path.write_text(""), "Nothing in it can be called"),
    ],
)
async def test_a_file_that_is_none_says_why_and_cannot_be_enabled(
    house: House, make: Callable[[Path], object], said: str
) -> None:
    (house.home / "tools").mkdir()
    make(house.home / "tools" / "odd.py")
    async with asyncio.timeout(PATIENCE_S):
        seen = await house.one("odd")
        assert (seen.state, said in seen.trouble) == (ExtensionState.BROKEN, True), seen.trouble
        with pytest.raises(ExtensionRefusedError):
            await house.shelf.enable(EnableExtension(ExtensionKind.TOOL, "odd", seen.digest))
        await house.shelf.begin_turn()
    assert house.names == []


async def test_names_of_editors_are_left_alone_and_odd_ones_are_named(house: House) -> None:
    for name in (".x.py", "_helper.py", "#x.py", "x.py~", "x.txt"):
        house.write(name, ADD)
    house.write("날씨.py", ADD)
    house.write("a\nb.py", ADD)
    found = {one.name: one.state for one in await house.shelf.look()}
    assert found == {"날씨": ExtensionState.WAITING, "a\nb": ExtensionState.BROKEN}
    assert (await house.enable("날씨")).state is ExtensionState.ENABLED


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import os\nos._exit(3)\n", "Its process ended by itself while it was loaded (exit status 3)."),
        ("raise OSError('no')\n", "It cannot be loaded: OSError: no (line 1)."),
        ("import nothing_like_this\n", "No module named 'nothing_like_this' (line 1)."),
        (
            "import os\nfor d in range(3, 40):\n  try: os.write(d, b'{}\\n')\n  except OSError: pass\n",
            "It wrote",
        ),
    ],
)
async def test_what_does_not_load_says_why_and_turns_go_on(house: House, source: str, said: str) -> None:
    house.write("odd.py", f"{source}\ndef f() -> str:\n    'Doc.'\n")
    seen = await house.enable("odd")
    assert (seen.state, said in seen.trouble) == (ExtensionState.BROKEN, True), seen.trouble
    await house.shelf.begin_turn()
    assert house.names == []


async def test_a_broken_ledger_lets_nothing_run_and_says_why(house: House) -> None:
    house.write("sums.py", ADD)
    await house.enable("sums")
    await house.shelf.begin_turn()
    assert house.names == ["add", "keep"]
    (house.home / "extensions.yaml").write_text("extensions: [")
    await house.shelf.begin_turn()
    seen = await house.one("sums")
    assert (seen.state, house.names) == (ExtensionState.WAITING, [])
    assert "extensions.yaml cannot be read" in seen.trouble


async def test_a_tool_that_deletes_its_own_file_ran_once_and_is_gone(house: House) -> None:
    source = "import os\ndef leave(path: str) -> str:\n    'Goes.'\n    os.unlink(path)\n    return 'gone'\n"
    path = house.write("leave.py", source)
    await house.enable("leave")
    await house.shelf.begin_turn()
    answer = await house.call("leave", path=str(path))
    assert not answer.ok  # the folder is not there for it
    assert path.exists()


async def test_tools_for_which_the_context_has_no_room_are_left_out_and_named(house: House) -> None:
    house.write("bash.py", "def bash(command: str) -> str:\n    'Runs it.'\n    return command\n")
    house.write("sums.py", ADD)
    await house.enable("bash")
    await house.enable("sums")
    await house.shelf.begin_turn()
    weights = {one.name: one.weight for one in house.shelf.tools()}
    house.context_tokens = (weights["bash"] + weights["keep"]) // 2 + 1  # the longest of them does not fit
    await house.shelf.begin_turn()
    assert sorted(house.names) == ["bash", "keep"]
    shown = await house.one("sums")
    assert shown.state is ExtensionState.ENABLED
    assert shown.trouble.startswith("Not offered: add: the model's context is too small")
    assert any(shown.trouble in getattr(one, "text", "") for one in house.events)
    house.context_tokens = 8_192
    await house.shelf.begin_turn()
    assert {"bash", "add", "keep"} <= set(house.names)
    assert (await house.one("sums")).trouble == ""
