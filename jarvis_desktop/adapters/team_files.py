"""The agents' files: those that come with the app, and the person's own in ``~/.jarvis/team``."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from jarvis_desktop.adapters.team_problem import Instead, TeamProblem, TeamTrouble
from jarvis_desktop.adapters.team_text import ReadAgent, read_agent
from jarvis_desktop.core.agents.roster import names_of
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.ids import AgentId

log = logging.getLogger(__name__)

SHIPPED = Path(__file__).parent.parent / "team"
FOLDER = "team"
_Stamp: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class TeamRead:
    """All agents as the files say, and what is wrong with the files."""

    cards: tuple[AgentCard, ...]
    problems: tuple[TeamProblem, ...]
    files: tuple["TeamFile", ...] = ()


@dataclass(frozen=True, slots=True)
class TeamFile:
    """A file of a person's own, or one that comes with the app and counts."""

    path: Path
    card: AgentCard | None
    """What counts of it now."""
    own: bool


@dataclass(slots=True)
class _Known:
    """A file as it was last seen."""

    stamp: _Stamp
    tools: frozenset[str]
    """Tools that there were when it was read."""
    read: ReadAgent
    good: AgentCard | None
    """The last card that it gave."""


class TeamFiles:
    """Looks at every file each time it is asked; reads those that changed. One thread at a time."""

    def __init__(self, home: Path, tools: Callable[[], Collection[str]], shipped: Path = SHIPPED) -> None:
        """tools: names of all tools that there are now."""
        self._own = home / FOLDER
        self._shipped = shipped
        self._tools = tools
        self._known: dict[Path, _Known] = {}
        self._last: TeamRead | None = None

    @property
    def folder(self) -> Path:
        """Where the person's own files lie; it need not be there."""
        return self._own

    @property
    def tools(self) -> frozenset[str]:
        """Names of all tools that there are now."""
        return frozenset(self._tools())

    def look(self) -> TeamRead:
        """As the files say now; the very same object as before while nothing changed. Never raises."""
        tools = self.tools
        shipped, own = self._folder(self._shipped, tools), self._folder(self._own, tools)
        gone = self._known.keys() - {*shipped, *own}
        for path in gone:
            del self._known[path]
        if self._last is None or gone or any(fresh for fresh in (*shipped.values(), *own.values())):
            self._last = self._joined(list(shipped), list(own))
        return self._last

    def _folder(self, folder: Path, tools: frozenset[str]) -> dict[Path, bool]:
        """The files of a folder, and which of them were read anew."""
        return {path: self._fresh(path, stamp, tools) for path, stamp in sorted(_files(folder))}

    def _fresh(self, path: Path, stamp: _Stamp, tools: frozenset[str]) -> bool:
        known = self._known.get(path)
        if known is not None and known.stamp == stamp and known.tools == tools:
            return False
        read = read_agent(path, f"{FOLDER}/{path.name}", tools)
        good = read.card or (known.good if known is not None else None)
        self._known[path] = _Known(stamp, tools, read, good)
        if read.card is None:
            log.warning("an agent's file has mistakes", extra={"count": len(read.problems)})
        return True

    def _joined(self, shipped: list[Path], own: list[Path]) -> TeamRead:
        shipped_cards = [card for path in shipped if (card := self._known[path].good) is not None]
        ids = {card.agent_id for card in shipped_cards}
        cards: dict[AgentId, AgentCard] = {}
        problems: list[TeamProblem] = []
        for path in own:
            known = self._known[path]
            problems += (_with_instead(one, known, path, ids) for one in known.read.problems)
            if known.good is None:
                continue
            if known.good.agent_id in cards:
                problems.append(_id_taken(known.good, known.read, path))
            cards.setdefault(known.good.agent_id, known.good)
        for card in shipped_cards:
            cards.setdefault(card.agent_id, card)
        for path in own:
            known = self._known[path]
            if known.good is not None and cards[known.good.agent_id] is known.good:
                problems += _names_taken(known.good, known.read, path, cards.values())
        files = (*self._told(own, cards, own=True), *self._told(shipped, cards, own=False))
        return TeamRead(tuple(cards.values()), tuple(problems), files)

    def _told(
        self, paths: list[Path], cards: Mapping[AgentId, AgentCard], *, own: bool
    ) -> Iterator[TeamFile]:
        for path in paths:
            good = self._known[path].good
            counts = good is not None and cards[good.agent_id] is good
            if own or counts:
                yield TeamFile(path, good if counts else None, own)


def _with_instead(
    problem: TeamProblem, known: _Known, path: Path, shipped: Collection[AgentId]
) -> TeamProblem:
    if not problem.breaks:
        return problem
    if known.good is not None:
        return replace(problem, instead=Instead.LAST_GOOD)
    # Which agent a file means that cannot be read, its name says best.
    said = known.read.tree.values["id"] if known.read.tree is not None else path.stem
    return replace(problem, instead=Instead.SHIPPED if said in shipped else Instead.NOTHING)


def _id_taken(card: AgentCard, read: ReadAgent, path: Path) -> TeamProblem:
    file, line = f"{FOLDER}/{path.name}", read.line("id")
    return TeamProblem(file, line, TeamTrouble.ID_TAKEN, "id", card.agent_id, instead=Instead.NOTHING)


def _names_taken(
    card: AgentCard, read: ReadAgent, path: Path, cards: Iterable[AgentCard]
) -> Iterator[TeamProblem]:
    file, line = f"{FOLDER}/{path.name}", read.line("answers_to") or read.line("name")
    for other in cards:
        for name in sorted(names_of(card) & names_of(other)) if other is not card else ():
            yield TeamProblem(file, line, TeamTrouble.NAME_TAKEN, "answers_to", name)


def _files(folder: Path) -> Iterator[tuple[Path, _Stamp]]:
    try:
        paths = [path for path in folder.iterdir() if path.suffix == ".yaml" and path.name[0] != "."]
    except OSError:
        return  # no such folder, as on most machines
    for path in paths:
        try:
            state = path.stat()
        except OSError:
            continue  # it went between two looks, or leads nowhere
        yield path, (state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns)
