"""The settings' desk over a real file, on a loop that the test drives."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.live_settings import LiveSettings, dotted
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.rule_parts import shared_out
from jarvis_desktop.app.settings_desk import SettingsDesk, SettingsDeskParts
from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.setup import ChangeSetting
from jarvis_desktop.core.items.speech import Language


@dataclass
class SettingsRoom:
    """A home with settings; ``ask`` does what a window asks for and gives back what it is told."""

    home: Path
    language: Language = Language.ENGLISH
    told: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.file = self.home / "settings.yaml"
        self.texts = Catalog(self.language)
        self._runner = asyncio.Runner()
        self._runner.run(self._open())

    async def _open(self) -> None:
        settings, problems = load_settings(self.home)
        self.live = LiveSettings(Start(self.home, settings, self.texts, problems), self._emit)
        await self.live.announce()
        self.desk = SettingsDesk(SettingsDeskParts(self.home, self.live, self.texts, self._emit))

        def nobody(_: object) -> None:
            """No other desk is there."""

        self._obey = shared_out(
            *(nobody, nobody, nobody, self.desk.obey, nobody, nobody, nobody, nobody, nobody)
        )

    async def _emit(self, event: Event) -> None:
        self.told.append(event)

    @property
    def values(self) -> dict[str, object]:
        """In force."""
        return dotted(self.live.now)

    @property
    def text(self) -> str:
        """Of the file; empty while there is none."""
        return self.file.read_text("utf-8") if self.file.exists() else ""

    def ask(self, *commands: Command) -> list[Event]:
        """What is told about these, in order. Commands to other desks are left alone."""
        self.told.clear()

        async def done() -> None:
            for command in commands:
                if isinstance(command, ChangeSetting):
                    await self.live.change(command)
                else:
                    self._obey(command)  # type: ignore[arg-type] # what is for others goes nowhere
            await self.desk.close()

        self._runner.run(done())
        return list(self.told)

    def close(self) -> None:
        """The loop is gone."""
        self._runner.close()
