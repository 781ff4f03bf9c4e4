"""The settings' desk: tells windows what is set and what is wrong, tries values out, edits the text."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.secret_variables import whole_environment
from jarvis_desktop.adapters.settings_file import SECURITY, variable_of
from jarvis_desktop.adapters.settings_problem import SettingsProblem
from jarvis_desktop.app.live_settings import DANGER, LiveSettings, dotted
from jarvis_desktop.app.settings_text import SettingsText
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
from jarvis_desktop.core.items.settings_desk import (
    FILE,
    HIDDEN,
    LookAtSettings,
    SettingNow,
    SettingsCommand,
    SettingsLooked,
    SettingTried,
    TrySetting,
)
from jarvis_desktop.core.items.setup import ChangeSetting
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Emit, Texts
from jarvis_desktop.core.setting_fields import ValueKind, all_fields, sections

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SettingsDeskParts:
    """What the desk works with."""

    home: Path
    live: LiveSettings
    texts: Texts
    emit: Emit


@dataclass(slots=True)
class _Wrong:
    texts: list[str] = field(default_factory=list)
    line: int = 0


class SettingsDesk(TaskDesk[SettingsCommand | TextCommand]):
    """Obeys ``SettingsCommand``s."""

    def __init__(self, parts: SettingsDeskParts) -> None:
        super().__init__()
        self._parts = parts
        self._text = SettingsText(parts.home, parts.texts)
        self._words: dict[str, str] = {}

    async def _do(self, command: SettingsCommand | TextCommand) -> None:
        match command:
            case LookAtSettings():
                await self._look()
            case TrySetting(number, name, value):
                problem = await self._parts.live.why_not(ChangeSetting(name, value))
                await self._parts.emit(SettingTried(number, name, problem))
            case ReadRuleFile():
                await self._told(RuleWish.READ, self._read)
            case CheckRuleText(number, _, text):
                found = await asyncio.to_thread(self._text.problems, text, self._parts.live.now)
                await self._parts.emit(RuleTextChecked(number, found))
            case SaveRuleText():
                await self._told(RuleWish.SAVE, lambda: self._save(command))

    async def _told(self, wish: RuleWish, work: Callable[[], Awaitable[None]]) -> None:
        """Do it, or tell why it was not done."""
        try:
            await work()
        except (UserFixableError, OSError) as error:
            reason = f"{FILE}: {error.strerror}." if isinstance(error, OSError) else str(error)
            await self._parts.emit(RuleWishRefused(wish, reason))

    async def _read(self) -> None:
        await self._parts.emit(await asyncio.to_thread(self._text.read))

    async def _save(self, wish: SaveRuleText) -> None:
        made = await self._parts.live.rewrite(lambda: self._text.write(wish.text, wish.digest))
        if isinstance(made, RuleFileRead):
            # Nothing is lost: the person sees what is there now, and decides.
            await self._parts.emit(made)
            return
        log.info("the text of the settings was saved")
        await self._parts.emit(RuleTextSaved(FILE, made))
        await self._look()

    # --- looking ------------------------------------------------------------------------------

    async def _look(self) -> None:
        live = self._parts.live
        now = dotted(await live.look())
        digest = await asyncio.to_thread(self._text.digest)
        if not self._words:
            self._words = await asyncio.to_thread(_words_of_all)
        wrong: dict[str, _Wrong] = {}
        for problem in live.problems:
            name = problem.path if isinstance(problem, SettingsProblem) else DANGER
            about = wrong.setdefault(name, _Wrong())
            about.texts.append(live.worded(problem))
            if isinstance(problem, SettingsProblem):
                about.line = about.line or problem.line or 0
        environ = whole_environment()
        settings: list[SettingNow] = []
        for one in all_fields():
            section, _, key = one.name.partition(".")
            value, about = now[one.name], wrong.get(one.name, _Wrong())
            settings.append(
                SettingNow(
                    one.name,
                    HIDDEN if one.kind is ValueKind.SECRET and value else value,
                    "\n".join(about.texts),
                    about.line,
                    variable_of((section, key), environ) or "",
                    self._words[one.name],
                )
            )
        # What is wrong with protection comes first: a small window shows one sentence.
        ordered = sorted(live.problems, key=lambda one: not _about_security(one))
        problems = tuple(live.worded(problem) for problem in ordered)
        await self._parts.emit(SettingsLooked(tuple(settings), problems, str(self._parts.home), digest))


def _about_security(problem: SettingsProblem | str) -> bool:
    return isinstance(problem, str) or problem.hides(SECURITY) or problem.path.startswith(f"{SECURITY}.")


def _words_of_all() -> dict[str, str]:
    """By setting, what it is called and does in both languages: a person may search in either."""
    korean = Catalog(Language.KOREAN)
    return {
        one.name: " ".join(
            text for english in (one.title, one.what, section.title) for text in (english, korean(english))
        )
        for section in sections()
        for one in section.fields
    }
