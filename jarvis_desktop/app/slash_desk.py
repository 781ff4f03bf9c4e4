"""Carries out slash commands: beside the running turn, without the model, each answer stored and shown."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from jarvis_desktop.core.items.commands import Command, SubmitTurn
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.items.events import (
    ActivityKind,
    ActivityNoted,
    Event,
    RequestRefused,
    VoiceStateChanged,
)
from jarvis_desktop.core.items.ids import SessionId, TurnId, WindowId, fresh_id
from jarvis_desktop.core.items.slash import AskChoices, SlashAnswered, SlashChoices
from jarvis_desktop.core.slash.command import Said, SlashCommand
from jarvis_desktop.core.slash.completing import value_choices
from jarvis_desktop.core.slash.markup import code
from jarvis_desktop.core.slash.parsing import Slash, read
from jarvis_desktop.core.slash.registry import Registry
from jarvis_desktop.core.slash.world import World

log = logging.getLogger(__name__)

LONGEST_S = 30.0
"""A server on another machine may take its time; a person is told when it takes longer."""


class SlashDesk:
    """Every command is a task of its own: nobody waits for it, and none waits for another."""

    def __init__(self, world: World, post: Callable[[Command], None]) -> None:
        self._world, self._post = world, post
        self._registry = Registry()
        self._tasks: set[asyncio.Future[None]] = set()
        self._suggesting: dict[WindowId, asyncio.Future[None]] = {}

    def obey(self, slash: Slash, asked: SubmitTurn) -> None:
        """Do it; returns at once."""
        command = self._registry.find(slash.word)
        if command is None:
            self._spawn(self._refuse(slash, asked))
        else:
            self._spawn(self._carry_out(command, slash, asked, self._world.conversation().session_id))

    def suggest(self, asked: AskChoices) -> None:
        """Tell what may follow; returns at once."""
        line = read(asked.text)
        command = self._registry.find(line.word) if isinstance(line, Slash) else None
        if command is not None:
            # Only the last line counts: what is being looked up for the one before is given up.
            before = self._suggesting.pop(asked.window_id, None)
            if before is not None:
                before.cancel()
            self._suggesting[asked.window_id] = self._spawn(self._suggest(asked, command))

    async def close(self) -> None:
        """Everything that was asked for is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _refuse(self, slash: Slash, asked: SubmitTurn) -> None:
        """Say what was probably meant; the text goes back to where it was typed."""
        skills = (one.name for one in (await self._world.skills.look()).skills)
        texts, near = self._world.texts, self._registry.near(slash.word, skills)
        text = texts("There is no command and no skill /{name}.").format(name=slash.word)
        if near:
            text += " " + texts("Did you mean /{name}?").format(name=near)
        text += " " + texts("/help lists them all. To send it as a request, put a blank before it.")
        if not asked.errand:
            await self._world.emit(ActivityNoted(ActivityKind.TROUBLE, text, self._world.clock.now()))
        await self._world.emit(RequestRefused(slash.typed, text, asked.errand))

    async def _carry_out(
        self, command: SlashCommand, slash: Slash, asked: SubmitTurn, session_id: SessionId
    ) -> None:
        said = await self._said(command, slash)
        log.info("slash command", extra={"command": command.name, "well": said.well})
        await self._world.emit(
            SlashAnswered(
                TurnId(fresh_id()),
                session_id,
                slash.typed,
                said.text,
                asked.origin,
                self._world.clock.now(),
                said.well,
                said.aloud,
                asked.errand,
                self._not_kept(command) if said.quotes else "",
            )
        )
        if said.tell is not None:
            await self._world.emit(said.tell)
        if said.then is not None:
            self._post(said.then)

    def _not_kept(self, command: SlashCommand) -> str:
        text = self._world.texts(
            "What was shown here is not kept, since it repeats what you may want forgotten. {command} shows "
            "it anew."
        )
        return text.format(command=code(f"/{command.name}"))

    async def _said(self, command: SlashCommand, slash: Slash) -> Said:
        texts = self._world.texts
        try:
            async with asyncio.timeout(LONGEST_S):
                if command.waits:
                    await self._world.ready()
                return await command.run(slash.rest, self._world)
        except JarvisError as error:
            return Said(str(error), well=False)
        except TimeoutError:
            text = texts("{command} took longer than {seconds} s and was given up. Try again later.")
            return Said(text.format(command=code(f"/{command.name}"), seconds=round(LONGEST_S)), well=False)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return Said(f"{where}{error.strerror or type(error).__name__}.", well=False)
        except Exception as error:  # rim: the loop. A bug in a command ends that command, not the program.
            log.error("a slash command broke", exc_info=error)
            text = texts("Something in Jarvis itself broke in {command}; the details are in the log.")
            return Said(text.format(command=code(f"/{command.name}")), well=False)

    async def _suggest(self, asked: AskChoices, command: SlashCommand) -> None:
        try:
            async with asyncio.timeout(LONGEST_S):
                choices = await value_choices(asked.text, command, self._world)
        except (JarvisError, TimeoutError, OSError) as error:
            log.info("no suggestions", extra={"command": command.name, "error": type(error).__name__})
            choices = ()
        await self._world.emit(SlashChoices(asked.window_id, asked.text, choices))

    def _spawn(self, work: Awaitable[None]) -> "asyncio.Future[None]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Future[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a slash command could not be answered", exc_info=task.exception())


class Muted:
    """Whether the microphone is off, as the events tell it."""

    def __init__(self) -> None:
        self.now = False

    def on_event(self, event: Event) -> None:
        """Keep it in mind."""
        if isinstance(event, VoiceStateChanged):
            self.now = event.muted
