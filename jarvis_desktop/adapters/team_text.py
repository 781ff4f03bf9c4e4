"""One agent's file read: its card, or what keeps it from being one, with the line of each mistake."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from jarvis_desktop.adapters.settings_problem import Found, SettingsProblem, closest, shown
from jarvis_desktop.adapters.team_problem import TeamProblem, TeamTrouble
from jarvis_desktop.adapters.yaml_text import Place, YamlTextError, YamlTree, read_tree, tree_of
from jarvis_desktop.core.agents.schema import AgentFile
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.delegation import AGENT_TOOL

SLIP = 0.7
"""As alike are a name and a slip of the pen (bahs and bash: 0.75; shell and schedule: 0.62)."""
TOOL_LISTS: tuple[Place, ...] = (("tools",), ("boundaries", "ask"), ("boundaries", "never"))


@dataclass(frozen=True, slots=True)
class ReadAgent:
    """What one file came to."""

    card: AgentCard | None
    """None when something in it is broken: half of what was meant may be the wrong half."""
    problems: tuple[TeamProblem, ...]
    tree: YamlTree | None = None

    def line(self, *place: str | int) -> int | None:
        """The line of something in it."""
        return self.tree.line(place) if self.tree is not None else None


def read_agent(path: Path, file: str, tools: Collection[str]) -> ReadAgent:
    """What the file at ``path`` says. Never raises.

    file: its name as people write it.
    tools: names of all tools that there are.
    """
    return _read(lambda: read_tree(path), path.stem, file, tools)


def read_agent_text(text: str, stem: str, file: str, tools: Collection[str]) -> ReadAgent:
    """What a text would say as the file ``stem``.yaml. Never raises."""
    return _read(lambda: tree_of(text), stem, file, tools)


def _read(tree_there: Callable[[], YamlTree], stem: str, file: str, tools: Collection[str]) -> ReadAgent:
    try:
        tree = tree_there()
    except YamlTextError as error:
        problem = TeamProblem(file, error.line, TeamTrouble.UNREADABLE, found=str(error))
        return ReadAgent(None, (problem,))
    # A line that ends at its colon says nothing; of tools it says that there are none.
    values = {name: value for name, value in tree.values.items() if value is not None or name == "tools"}
    values.setdefault("id", stem)
    tree = YamlTree(values, tree.lines)
    try:
        card = AgentFile.model_validate(values).card()
    except ValidationError as error:
        found = _by_line(_problem(detail, tree, file) for detail in error.errors(include_url=False))
        return ReadAgent(None, found, tree)
    problems = _by_line(_unknown_tools(tree, file, tools))
    return ReadAgent(None if any(one.breaks for one in problems) else card, problems, tree)


def _by_line(problems: Iterable[TeamProblem]) -> tuple[TeamProblem, ...]:
    return tuple(sorted(problems, key=lambda one: one.line or 0))


def _problem(detail: ErrorDetails, tree: YamlTree, file: str) -> TeamProblem:
    place: Place = tuple(detail["loc"])
    line, path = tree.line(place), ".".join(str(part) for part in place)
    value = _value_at(tree.values, place)
    match detail["type"]:
        case "extra_forbidden":
            near = closest(str(place[-1]), _lines_of(place[:-1]))
            return TeamProblem(file, line, TeamTrouble.UNKNOWN_LINE, path, meant=near)
        case "missing":
            return TeamProblem(file, line, TeamTrouble.MISSING, path)
        case "model_type":
            return TeamProblem(file, line, TeamTrouble.NOT_LINES, path, shown(value))
        case "string_pattern_mismatch":
            return TeamProblem(file, line, TeamTrouble.BAD_ID, path, shown(value))
        case "value_error":
            return TeamProblem(file, tree.line(("top_level",)), TeamTrouble.MAIN_BELOW, "top_level")
    wrong = SettingsProblem.of_value(Found(value, file, line), path, detail)
    return TeamProblem(file, line, TeamTrouble.WRONG_VALUE, path, value=wrong)


def _value_at(values: Any, place: Place) -> Any:
    for part in place:
        try:
            values = values[part]
        except (KeyError, IndexError, TypeError):
            return None
    return values


def _lines_of(place: Place) -> Collection[str]:
    """Names of the lines that may stand under ``place``."""
    part: type[BaseModel] = AgentFile
    for name in place:
        inner = part.model_fields[str(name)].annotation
        assert isinstance(inner, type)
        assert issubclass(inner, BaseModel)  # only parts forbid lines
        part = inner
    return part.model_fields.keys()


def _unknown_tools(tree: YamlTree, file: str, tools: Collection[str]) -> Iterator[TeamProblem]:
    for place in TOOL_LISTS:
        names = _value_at(tree.values, place)
        for number, name in enumerate(names if isinstance(names, list) else ()):
            # Whom such a tool reaches may come later, or be called otherwise.
            if name.strip() in tools or name.strip().startswith(AGENT_TOOL):
                continue
            near = next(iter(get_close_matches(name, list(tools), n=1, cutoff=SLIP)), "")
            trouble = TeamTrouble.NO_TOOL if near else TeamTrouble.NO_TOOL_NOW
            line, path = tree.line((*place, number)), ".".join(map(str, place))
            yield TeamProblem(file, line, trouble, path, name, near)
