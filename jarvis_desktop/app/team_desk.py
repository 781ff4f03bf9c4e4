"""The agents' desk: tells windows whose files there are, edits their text, gets folders ready."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from jarvis_desktop.adapters.files_write import write_whole
from jarvis_desktop.adapters.team_files import TeamFile, TeamRead
from jarvis_desktop.adapters.team_problem import TeamProblem, team_words
from jarvis_desktop.app.agent_registry import AgentRegistry
from jarvis_desktop.app.edited_text import EditedText
from jarvis_desktop.app.task_desk import TaskDesk
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.rule_desk import (
    CheckRuleText,
    ReadRuleFile,
    RuleFileRead,
    RuleTextChecked,
    RuleTextSaved,
    RuleWish,
    RuleWishRefused,
    SaveRuleText,
    TextCommand,
)
from jarvis_desktop.core.items.rule_facts import TextProblem
from jarvis_desktop.core.items.team_desk import (
    FOLDER,
    AgentCopied,
    AgentFact,
    CopyAgent,
    Folder,
    FolderReady,
    LookAtTeam,
    PrepareFolder,
    TeamDeskCommand,
    TeamLooked,
    TeamWishRefused,
)
from jarvis_desktop.core.ports import Emit, Texts

log = logging.getLogger(__name__)

_NAME = re.compile(rf"{FOLDER}/(?P<stem>[^/.\0][^/\0]*)\.yaml")


class TeamDesk(TaskDesk[TeamDeskCommand | TextCommand]):
    """Obeys ``TeamDeskCommand``s."""

    def __init__(self, home: Path, team: AgentRegistry, texts: Texts, emit: Emit) -> None:
        super().__init__()
        self._home, self._team, self._texts, self._emit = home, team, texts, emit

    async def _do(self, command: TeamDeskCommand | TextCommand) -> None:
        async with self._changing:
            match command:
                case LookAtTeam():
                    await self._look()
                case CopyAgent(file):
                    await self._told(self._copy(file), TeamWishRefused)
                case PrepareFolder(folder):
                    await self._told(self._prepare(folder), TeamWishRefused)
                case ReadRuleFile(file):
                    await self._told(self._read(file), lambda why: RuleWishRefused(RuleWish.READ, why))
                case SaveRuleText():
                    await self._told(self._save(command), lambda why: RuleWishRefused(RuleWish.SAVE, why))
                case CheckRuleText():
                    await self._emit(await asyncio.to_thread(self._checked, command))

    async def _told(
        self, work: Awaitable[None], refused: Callable[[str], TeamWishRefused | RuleWishRefused]
    ) -> None:
        """Do it, or tell why it was not done."""
        try:
            await work
        except UserFixableError as error:
            await self._emit(refused(str(error)))
        except OSError as error:
            await self._emit(refused(f"{error.filename}: {error.strerror}."))

    # --- looking ------------------------------------------------------------------------------

    async def _look(self) -> None:
        read = await self._team.read()
        await self._emit(TeamLooked(await asyncio.to_thread(self._facts, read)))

    def _facts(self, read: TeamRead) -> tuple[AgentFact, ...]:
        return tuple(self._fact(one, read.problems) for one in read.files)

    def _fact(self, one: TeamFile, problems: tuple[TeamProblem, ...]) -> AgentFact:
        file = f"{FOLDER}/{one.path.name}"
        if not one.own:
            return AgentFact(file, one.card, own=False)
        wrong = tuple(self._problem(problem) for problem in problems if problem.file == file)
        digest = EditedText(one.path, file, self._texts).digest()
        return AgentFact(file, one.card, own=True, problems=wrong, digest=digest)

    def _problem(self, problem: TeamProblem) -> TextProblem:
        return TextProblem(problem.line or 0, team_words(problem, self._texts), not problem.breaks)

    # --- texts --------------------------------------------------------------------------------

    def _text(self, file: str) -> EditedText:
        """Raises UserFixableError: no file of the folder is called like that."""
        if not _NAME.fullmatch(file):
            raise UserFixableError(
                self._texts("{file} is no agent's file: those are called {folder}/NAME.yaml.").format(
                    file=file, folder=FOLDER
                )
            )
        return EditedText(self._home / file, file, self._texts)

    async def _read(self, file: str) -> None:
        await self._emit(await asyncio.to_thread(self._text(file).read))

    async def _save(self, wish: SaveRuleText) -> None:
        made = await asyncio.to_thread(self._text(wish.file).write, wish.text, wish.digest)
        if isinstance(made, RuleFileRead):
            # Nothing is lost: the person sees what is there now, and decides.
            await self._emit(made)
            return
        log.info("the text of an agent's file was saved")
        await self._emit(RuleTextSaved(wish.file, made))
        await self._look()

    def _checked(self, wish: CheckRuleText) -> RuleTextChecked:
        # 60 ms of pure Python, which a start does not need.
        from jarvis_desktop.adapters.team_text import read_agent_text

        stem = Path(wish.file).stem
        found = read_agent_text(wish.text, stem, wish.file, self._team.tools) if wish.text.strip() else None
        return RuleTextChecked(
            wish.number, tuple(self._problem(one) for one in found.problems) if found else ()
        )

    # --- doing --------------------------------------------------------------------------------

    async def _copy(self, file: str) -> None:
        read = await self._team.read()
        shipped = next((one for one in read.files if not one.own and one.path.name == Path(file).name), None)
        target = self._home / FOLDER / Path(file).name
        if shipped is None or await asyncio.to_thread(target.exists):
            # What is there is the person's, and stays.
            raise UserFixableError(
                self._texts("{file} is in your folder already. Change it there.").format(file=file)
            )
        content = await asyncio.to_thread(shipped.path.read_bytes)
        await asyncio.to_thread(write_whole, target, content)
        log.info("an agent's file was copied to be changed")
        await self._emit(AgentCopied(f"{FOLDER}/{target.name}"))
        await self._look()

    async def _prepare(self, folder: Folder) -> None:
        path = (self._home / folder.value).resolve()
        await asyncio.to_thread(path.mkdir, parents=True, exist_ok=True)
        await self._emit(FolderReady(folder, str(path)))
