"""Skills in force while the program runs: real files change, and turns and people notice."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from jarvis_desktop.app.extension_desk import ExtensionDesk
from jarvis_desktop.app.skill_desk import SkillDesk, SkillParts
from jarvis_desktop.app.skill_shelf import SkillExtensions
from jarvis_desktop.core.items.commands import SubmitTurn, Tick
from jarvis_desktop.core.items.events import (
    ActivityNoted,
    Event,
    Part,
    RequestRefused,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnQueued,
    TurnStarted,
)
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    ExtensionKind,
    ExtensionsChanged,
    ExtensionsLooked,
    ExtensionState,
    ExtensionWishRefused,
    LookAtExtensions,
)
from jarvis_desktop.core.items.setup import SettingsChanged
from jarvis_desktop.core.items.skills import SkillHint, SkillsListed
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, Role
from tests.fakes.chat_model import ScriptedModel, says
from tests.fakes.clock import FakeClock
from tests.fakes.texts import PlainTexts
from tests.unit.app.stage import Stage, playing

PATIENCE_S = 60
T = TypeVar("T")


class NoPause(FakeClock):
    """A clock on which nothing takes time."""

    async def sleep(self, seconds: float) -> None:
        del seconds
        await asyncio.sleep(0)


class House:
    """A home on disk, the desk over it, and what people were told."""

    def __init__(self, home: Path) -> None:
        self.home, self.texts = home, PlainTexts()
        self.events: list[Event] = []
        self._news = asyncio.Event()
        self.most, self.watches = 1000, True
        parts = SkillParts(
            home, lambda: self.most, lambda: self.watches, NoPause(), self.texts, self.emit, self._changed
        )
        self.desk = SkillDesk(parts)
        self.extensions = ExtensionDesk((SkillExtensions(self.desk, self.texts),), None, self.emit)

    def _changed(self) -> None:
        self.extensions.changed()

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    def write(self, text: str, name: str = "sum.md") -> Path:
        """As editors save: whole, in one step."""
        path = self.home / "skills" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.home / "draft"
        draft.write_text(text, "utf-8")
        return draft.replace(path)

    async def names(self) -> list[str]:
        return [one.name for one in (await self.desk.look()).skills]

    def seen(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait for news until ``what`` holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not what():
                self._news.clear()
                await self._news.wait()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    await house.desk.look()
    yield house
    await house.extensions.close()


# --- looks ----------------------------------------------------------------------------------------


@pytest.mark.promise("T-171")
async def test_a_folder_that_is_made_after_the_start_counts(house: House) -> None:
    assert await house.names() == []
    house.write("Sum up.")
    assert await house.names() == ["sum"]
    house.write("Review.", "review/SKILL.md")
    assert await house.names() == ["review", "sum"]


@pytest.mark.promise("T-170")
async def test_a_deleted_skill_is_gone_without_a_restart(house: House) -> None:
    path = house.write("Sum up.")
    house.write("Review.", "review/SKILL.md")
    assert await house.names() == ["review", "sum"]
    path.unlink()
    shutil.rmtree(house.home / "skills" / "review")
    assert await house.names() == []
    assert await house.desk.called("sum", "") is None


async def test_who_offers_skills_is_told_when_there_are_others(house: House) -> None:
    house.write("Sum up.")
    await house.desk.look()
    await house.desk.look()
    assert house.seen(SkillsListed) == [SkillsListed((SkillHint("sum", "Sum up."),))]
    await house.until(lambda: bool(house.seen(ExtensionsChanged)))
    house.write("---\ndescription: Sums.\n---\nSum up.")
    await house.desk.look()
    assert house.seen(SkillsListed)[-1] == SkillsListed((SkillHint("sum", "Sums."),))


async def test_a_broken_file_is_told_once_and_told_as_over_when_it_is_mended(house: House) -> None:
    house.write("---\nname: [\n")
    await house.desk.look()
    await house.desk.look()
    [trouble], [line] = house.seen(TroubleNoted), house.seen(ActivityNoted)
    assert trouble.part is Part.SKILLS
    assert trouble.text == line.text
    assert trouble.text.startswith("skills/sum.md, line 1: the front matter begins with ---")
    house.write("Sum up.")
    await house.desk.look()
    assert house.seen(TroubleCleared) == [TroubleCleared(Part.SKILLS)]


async def test_in_another_language_what_is_wrong_is_told_again(house: House) -> None:
    house.write("")
    await house.desk.look()
    house.texts.speak(Language.KOREAN)
    house.desk.on_event(SettingsChanged({"ui.language": "ko"}))
    await house.desk.look()
    assert len(house.seen(TroubleNoted)) == 2


# --- calls ----------------------------------------------------------------------------------------


async def test_a_broken_skill_that_is_called_says_what_is_wrong_with_it(house: House) -> None:
    house.write("", "요약.md")
    called = await house.desk.called("요약", "x")
    assert called is not None
    assert (called.text, called.trouble) == (
        "",
        "skills/요약.md: there is no text in it. Write what is to be asked.",
    )


@pytest.mark.promise("T-173")
async def test_a_skill_and_what_was_typed_are_no_longer_than_a_request_may_be(house: House) -> None:
    house.most = 20
    house.write("$1$1")
    whole = await house.desk.called("sum", "x" * 10)
    assert whole is not None
    assert (whole.text, whole.trouble) == ("x" * 20, "")
    longer = await house.desk.called("sum", "x" * 11)
    assert longer is not None
    assert (longer.text, longer.trouble) == (
        "",
        "skills/sum.md and what you typed make a request of 22 characters; the most allowed is 20. Type "
        "less, shorten the file, or raise security.input_max_length in settings.yaml.",
    )


async def test_a_command_goes_before_a_skill_of_its_name(house: House) -> None:
    house.write("Help me.", "help.md")
    assert await house.names() == []
    assert await house.desk.called("help", "") is None
    assert await house.desk.called("", "") is None
    assert "/help is a command of Jarvis, which goes first" in house.seen(TroubleNoted)[0].text


# --- as extensions ----------------------------------------------------------------------------------


async def test_a_skill_is_enabled_as_soon_as_it_is_there(house: House) -> None:
    path = house.write("---\ndescription: Sums.\n---\nSum up.")
    house.write("", "bad.md")
    house.extensions.obey(LookAtExtensions(1))
    await house.until(lambda: bool(house.seen(ExtensionsLooked)))
    [looked] = house.seen(ExtensionsLooked)
    assert looked.folders == {ExtensionKind.SKILL: house.home / "skills"}
    good, bad = looked.extensions
    assert (good.name, good.path, good.state, good.source, good.trouble) == (
        "sum",
        path,
        ExtensionState.ENABLED,
        "Sum up.",
        "",
    )
    assert (bad.name, bad.state, bad.trouble) == (
        "bad",
        ExtensionState.BROKEN,
        "skills/bad.md: there is no text in it. Write what is to be asked.",
    )


async def test_a_skill_is_neither_enabled_nor_disabled(house: House) -> None:
    house.write("Sum up.")
    house.extensions.obey(EnableExtension(ExtensionKind.SKILL, "sum", ""))
    house.extensions.obey(DisableExtension(ExtensionKind.SKILL, "sum"))
    await house.until(lambda: len(house.seen(ExtensionWishRefused)) == 2)
    assert "it is a text that only you call" in house.seen(ExtensionWishRefused)[0].reason
    assert await house.names() == ["sum"]


# --- the watcher, which needs no turn ---------------------------------------------------------------


@pytest.mark.promise("T-168")
@pytest.mark.promise("T-159")
@pytest.mark.parametrize("name", ["sum.md", "sum/SKILL.md"])
async def test_without_a_turn_an_edit_is_noticed_at_once(house: House, name: str) -> None:
    house.write("---\ndescription: first\n---\nSum up.", name)
    await house.desk.look()  # a folder that was made after the start is found by a look
    watching = asyncio.create_task(house.desk.run())

    def says(purpose: str) -> bool:
        return [one.purpose for one in house.desk.listed().skills] == [purpose]

    # The watch begins a moment later, so the first edits may come before it.
    async with asyncio.timeout(PATIENCE_S):
        number = 0
        while not says(f"edit {number}"):
            number += 1
            house.write(f"---\ndescription: edit {number}\n---\nSum up.", name)
            try:
                async with asyncio.timeout(0.5):
                    await house.until(lambda number=number: says(f"edit {number}"))  # type: ignore[misc]
            except TimeoutError:
                continue
    house.write("---\ndescription: last\n---\nSum up.", name)
    await house.until(lambda: says("last"))
    (house.home / "skills" / name).unlink()
    await house.until(lambda: not house.desk.listed().skills)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def test_a_folder_that_nobody_wants_watched_is_looked_at_when_somebody_types(house: House) -> None:
    house.watches = False
    house.write("Sum up.")
    await house.desk.look()
    watching = asyncio.create_task(house.desk.run())
    house.write("Other.", "other.md")
    assert await house.names() == ["other", "sum"]
    called = await house.desk.called("other", "")
    assert called is not None
    assert called.text == "Other."
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


# --- turns --------------------------------------------------------------------------------------------


def asked(model: ScriptedModel) -> list[str]:
    """The last thing that each request of the model says as the person's, without our own note."""
    return [
        [one.text for one in request.messages if one.role is Role.USER][-1].rpartition("\n\n[")[0]
        for request in model.requests
    ]


async def while_a_turn_runs(house: House, change: Callable[[], object], typed: str = "/sum two") -> Stage:
    """A stage that has seen one turn, ``change`` while it ran, and ``typed`` behind it."""
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One.")), says("Two.")), skills=house.desk)
    async with playing(stage):
        stage.post(SubmitTurn("/sum one", Origin.TYPED))
        await stage.until(TurnStarted)
        change()
        stage.post(SubmitTurn(typed, Origin.TYPED))
        await stage.until(TurnQueued)
        hold.set()
        await stage.until(TurnEnded, 2)
    return stage


@pytest.mark.promise("T-169")
async def test_an_edit_while_a_turn_runs_counts_from_the_next_turn(house: House) -> None:
    house.write("First $1.")
    stage = await while_a_turn_runs(house, lambda: house.write("Second $1."))
    assert asked(stage.model) == ["First one.", "Second two."]


async def test_a_skill_that_is_added_while_a_turn_runs_can_be_called_next(house: House) -> None:
    house.write("First $1.")
    stage = await while_a_turn_runs(house, lambda: house.write("New.", "newer/SKILL.md"), "/newer")
    assert asked(stage.model) == ["First one.", "New."]


async def refused(house: House, *changes: Callable[[], object]) -> list[str]:
    """Why each next call of the skill was refused, after changes while a turn ran."""
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One."))), skills=house.desk)
    async with playing(stage):
        stage.post(SubmitTurn("/sum one", Origin.TYPED))
        await stage.until(TurnStarted)
        for number, change in enumerate(changes, 1):
            change()
            stage.post(SubmitTurn("/sum again", Origin.TYPED))
            await stage.until(RequestRefused, number)
        hold.set()
        await stage.until(TurnEnded)
    assert asked(stage.model) == ["First one."]
    return [one.reason for one in stage.seen(RequestRefused)]


async def test_a_skill_that_breaks_while_a_turn_runs_says_so_and_the_turn_goes_on(house: House) -> None:
    house.write("First $1.")
    assert await refused(house, lambda: house.write("---\n"), lambda: house.write(" ")) == [
        "skills/sum.md, line 1: the front matter begins with --- and never ends. Put a line with --- behind "
        "it.",
        "skills/sum.md: there is no text in it. Write what is to be asked.",
    ]


async def test_a_skill_that_is_mended_while_a_turn_runs_can_be_called_next(house: House) -> None:
    house.write("First $1.")

    def breaks_and_mends() -> None:
        house.write("")
        house.write("Mended $1.")

    stage = await while_a_turn_runs(house, breaks_and_mends)
    assert asked(stage.model) == ["First one.", "Mended two."]


async def test_a_skill_that_is_deleted_while_a_turn_runs_is_no_more(house: House) -> None:
    path = house.write("First $1.")
    hold = asyncio.Event()
    stage = Stage(ScriptedModel((hold, *says("One."))), skills=house.desk)
    async with playing(stage):
        stage.post(SubmitTurn("/sum one", Origin.TYPED))
        await stage.until(TurnStarted)
        path.unlink()
        stage.post(SubmitTurn("/sum again", Origin.TYPED))
        await stage.until_slash(1)  # it is nothing now but a command that does not exist
        hold.set()
        await stage.until(TurnEnded)


async def test_the_tick_looks_too(house: House) -> None:
    stage = Stage(ScriptedModel(), skills=house.desk)
    house.write("Sum up.")
    async with playing(stage):
        stage.post(Tick(stage.clock.now(), 0))
        await house.until(lambda: bool(house.desk.listed().skills))
