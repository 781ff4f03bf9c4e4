"""The page of memory: what is remembered and taught, for how long; changing and forgetting it."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCheckBox, QHBoxLayout

from jarvis_desktop.core.items.events import Event, TurnEnded
from jarvis_desktop.core.items.memory_desk import (
    EpisodeChanged,
    Erased,
    ForgetBegun,
    ForgetUndone,
    LookAtMemory,
    MemoryLooked,
    MemoryWishRefused,
    PatternChanged,
    PatternTaught,
)
from jarvis_desktop.core.items.setup import ChangeSetting, SettingsChanged
from jarvis_desktop.ui import memory_words
from jarvis_desktop.ui.qt.page import fill, say, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.settings_memory_episodes import EpisodesCard
from jarvis_desktop.ui.qt.settings_memory_forget import EverythingCard
from jarvis_desktop.ui.qt.settings_memory_patterns import PatternsCard
from jarvis_desktop.ui.qt.settings_page import SettingsPage, SettingsParts, Ways, choice
from jarvis_desktop.ui.visible_text import visible

ENABLED, RETENTION = "memory.enabled", "memory.retention_days"
KEPT_DAYS = (0, 7, 30, 90, 365)
EPISODES = 100
"""Episodes of one look; "Show more" asks for the next ones."""
SETTLE_MS = 400
"""Between the end of a turn and a look: its episode is written after it."""


class MemoryPage(SettingsPage):
    """Two switches, the patterns, the episodes, and the end of everything."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("Memory"),
            texts(
                "What Jarvis remembers of your conversations, and what you taught it. Each agent remembers "
                "its own, and all of it stays on this machine."
            ),
        )
        self.looked: MemoryLooked | None = None
        self._number = 0
        self._more = False
        self._build_switches()
        self.trouble = wrapped("", "setupNotice")
        say(self.trouble, "")
        self.patterns = PatternsCard(parts)
        self.episodes = EpisodesCard(parts, self.look, self._look_further)
        self.everything = EverythingCard(parts)
        for widget in (self.trouble, self.patterns, self.episodes, self.everything):
            self.column.addWidget(widget)
        self.column.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self.look)

    def _build_switches(self) -> None:
        texts = self.parts.texts
        self.enabled = QCheckBox(texts("&Remember turns, and follow what was taught"))
        self.enabled.setAccessibleIdentifier("settings.memory.enabled")
        self.enabled.setChecked(True)
        self.enabled.clicked.connect(self._switch)
        label = plain_label(texts("Turns are kept"), "cardText")
        self.kept = choice(texts("Turns are kept"), "memory.kept", self._keep)
        self.kept_note = wrapped(
            texts("An older turn is forgotten altogether: it leaves the conversation and every file too."),
            "setupIntro",
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.kept)
        row.addStretch(1)
        self.column.addWidget(self.enabled)
        self.column.addLayout(row)
        self.column.addWidget(self.kept_note)
        self._show_kept(0)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        self.episodes.take(event)
        self.patterns.take(event)
        match event:
            case MemoryLooked() if event.number == self._number:
                self._show(event)
            case MemoryWishRefused(reason):
                say(self.trouble, visible(reason))
            case SettingsChanged(changed) if {ENABLED, RETENTION} & changed.keys() and self.isVisible():
                self.look()
            case TurnEnded() | PatternTaught() if self.isVisible():
                self._timer.start()
            case ForgetBegun() | ForgetUndone() | Erased() | EpisodeChanged() | PatternChanged():
                say(self.trouble, "")
                self.look()
            case _:
                pass

    def entered(self) -> None:
        """Look anew."""
        self.look()

    def closed(self) -> None:
        """What was asked about everything is asked anew the next time."""
        self.everything.ask_not()

    def look(self) -> None:
        """Ask for what the filters want, from the newest on."""
        self._ask(None)

    def _look_further(self, before: int) -> None:
        self._ask(before)

    def _ask(self, before: int | None) -> None:
        self._number += 1
        self._more = before is not None
        wanted = self.episodes.wanted(EPISODES + 1, before)
        self.parts.look(LookAtMemory(self._number, wanted, self.episodes.within_s))

    def _show(self, looked: MemoryLooked) -> None:
        self.looked = looked
        self.enabled.setChecked(looked.enabled)
        self._show_kept(looked.retention_days)
        self.patterns.show_patterns(looked.found.patterns, looked.names)
        self.episodes.show_episodes(looked, EPISODES, more=self._more)
        self.everything.show_agents(looked.names)

    def _show_kept(self, days: int) -> None:
        texts = self.parts.texts
        offered = sorted({*KEPT_DAYS, days}, key=lambda one: (one != 0, one))
        fill(self.kept, tuple((memory_words.kept_text(one, texts), one) for one in offered), days)
        self.kept_note.setVisible(bool(days))

    # --- doing --------------------------------------------------------------------------------

    def _switch(self) -> None:
        self.parts.send(ChangeSetting(ENABLED, self.enabled.isChecked()))

    def _keep(self) -> None:
        self.parts.send(ChangeSetting(RETENTION, int(self.kept.currentData())))
