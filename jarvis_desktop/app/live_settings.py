"""The settings in force: the file is watched, changes count at once, and whoever uses them is told."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

from jarvis_desktop.adapters.settings_file import FILE_NAME, load_settings
from jarvis_desktop.adapters.settings_problem import SettingsProblem, sentence
from jarvis_desktop.app.hotkey_care import SETTING as HOTKEY
from jarvis_desktop.app.hotkey_care import hotkey_problem
from jarvis_desktop.app.options import Start
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.items.events import Part, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.setup import ChangeSetting, SettingRefused, SettingsChanged
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.ports import Emit
from jarvis_desktop.core.settings import SecuritySettings, Settings

log = logging.getLogger(__name__)

Taker: TypeAlias = Callable[[Settings, frozenset[str]], None]
"""Takes over settings that changed, by dotted name; called on the loop, returns at once."""
DANGER = "security.dangerous_commands"
Written = TypeVar("Written")
_Stamp: TypeAlias = tuple[int, int, int, int] | None


class LiveSettings:
    """Fills ``SecuritySource`` too: the file is looked at before every decision (decision 4)."""

    def __init__(self, start: Start, emit: Emit) -> None:
        self._home, self._texts, self._emit = start.home, start.texts, emit
        self._now = start.settings
        self._stamp = _stamp(start.home / FILE_NAME)
        self._problems = start.problems
        self._told: tuple[SettingsProblem | str, ...] = start.problems
        self._takers: list[Taker] = []
        self._readers: list[Callable[[], Awaitable[object]]] = []
        self._changing = asyncio.Lock()

    @property
    def now(self) -> Settings:
        """As last read."""
        return self._now

    def known(self) -> SecuritySettings:
        """Security as last read."""
        return self._now.security

    async def fresh(self) -> SecuritySettings:
        """Security as the file says now."""
        return (await self.look()).security

    @property
    def problems(self) -> tuple[SettingsProblem | str, ...]:
        """What is wrong with the settings as last read; texts are about the list of dangerous commands."""
        return self._told

    def add_taker(self, taker: Taker) -> None:
        """``taker`` is told of every change, before people are."""
        self._takers.append(taker)

    def add_reader(self, reader: Callable[[], Awaitable[object]]) -> None:
        """``reader`` reads what else stands in the file, whenever the file has changed."""
        self._readers.append(reader)

    async def announce(self) -> None:
        """Say at the start what the list of dangerous commands cannot mean (T-183)."""
        await self._tell(self._problems)

    async def look(self) -> Settings:
        """As the file says now; what changed counts when this returns."""
        async with self._changing:
            await self._look()
        return self._now

    async def change(self, wish: ChangeSetting) -> None:
        """Write one setting; it counts when this returns, or it was said why not."""
        reason = await self.changed(wish)
        if reason:
            await self._emit(SettingRefused(wish.name, reason))

    async def changed(self, wish: ChangeSetting) -> str:
        """Why a setting could not be written; empty when it counts."""
        # 60 ms of pure Python, which a start does not need.
        from jarvis_desktop.adapters.settings_write import write_setting

        async with self._changing:
            try:
                self._require_usable(wish)
                await asyncio.to_thread(write_setting, self._home, wish.name, wish.value, self._texts)
            except UserFixableError as error:
                return str(error)
            await self._look(asked=wish.name)
        return ""

    async def why_not(self, wish: ChangeSetting) -> str:
        """Why a value could not be one; empty when it could. Nothing is written."""
        from jarvis_desktop.adapters.settings_write import require_allowed

        try:
            self._require_usable(wish)
            await asyncio.to_thread(require_allowed, wish.name, wish.value, self._texts)
        except UserFixableError as error:
            return str(error)
        return ""

    async def rewrite(self, work: Callable[[], Written]) -> Written:
        """What ``work`` came to, which may change the file: in a thread, and between other changes.

        What it wrote counts when this returns. Raises whatever ``work`` raises.
        """
        async with self._changing:
            made = await asyncio.to_thread(work)
            await self._look()
        return made

    def _require_usable(self, wish: ChangeSetting) -> None:
        """What the declaration of a setting cannot check.

        Raises:
            UserFixableError: the value would mean nothing here.
        """
        if wish.name == HOTKEY:
            problem = hotkey_problem(str(wish.value), self._texts)
            if problem:
                raise UserFixableError(problem)
        if wish.name == DANGER and isinstance(wish.value, tuple | list):
            for problem in danger_list(tuple(map(str, wish.value))).problems:
                raise UserFixableError(self._texts("This cannot be used: {problem}").format(problem=problem))

    async def _look(self, asked: str = "") -> None:
        stamp = await asyncio.to_thread(_stamp, self._home / FILE_NAME)
        if stamp == self._stamp and not asked:
            return
        before = self._now
        # The stamp is older than what is read, so a change in between is seen at the next look.
        settings, problems = await asyncio.to_thread(load_settings, self._home, last=before)
        self._stamp, self._now = stamp, settings
        old, new = dotted(before), dotted(settings)
        changed = frozenset(name for name, value in new.items() if value != old[name])
        if changed:
            log.info("settings changed", extra={"names": ", ".join(sorted(changed))})
            self._hand_over(settings, changed)
        if "ui.language" in changed and problems:
            self._told = ()  # they are told in that language
        if changed or asked:
            told = changed | ({asked} if asked else frozenset())
            await self._emit(SettingsChanged({name: new[name] for name in sorted(told)}))
        await self._tell(problems)
        for reader in self._readers:
            await reader()

    def _hand_over(self, settings: Settings, changed: frozenset[str]) -> None:
        for taker in self._takers:
            try:
                taker(settings, changed)
            except Exception as error:  # rim: the loop. One part that fails must not keep the others back.
                log.error("a part did not take over a setting", exc_info=error)

    async def _tell(self, problems: tuple[SettingsProblem, ...]) -> None:
        """Told once for each state of the file; told as over when nothing is wrong any more."""
        unknown = danger_list(self._now.security.dangerous_commands).problems
        found: tuple[SettingsProblem | str, ...] = (*problems, *unknown)
        news = tuple(one for one in found if one not in self._told)
        if self._told and not found:
            await self._emit(TroubleCleared(Part.SETTINGS))
        self._told = found
        for one in news:
            await self._emit(TroubleNoted(Part.SETTINGS, self.worded(one)))

    def worded(self, problem: SettingsProblem | str) -> str:
        """One of ``problems`` as a sentence."""
        if isinstance(problem, SettingsProblem):
            return sentence(problem, self._texts)
        return self._texts(
            "security.dangerous_commands in settings.yaml: {problem}. "
            "Every shell command is asked about until it is mended."
        ).format(problem=problem)


def dotted(settings: Settings) -> dict[str, object]:
    """Every value by its dotted name, as plain values."""
    return {
        f"{section}.{field}": str(value) if isinstance(value, Path) else value
        for section in type(settings).model_fields
        for field, value in getattr(settings, section)
    }


def _stamp(path: Path) -> _Stamp:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns
