"""Settings that change while the program runs: through the window's command, and by hand in the file."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.live_settings import LiveSettings, dotted
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.setting_takers import takes_language, takes_model, takes_voice
from jarvis_desktop.core.items.events import Event, TroubleCleared, TroubleNoted
from jarvis_desktop.core.items.setup import ChangeSetting, SettingRefused, SettingsChanged
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.settings import ModelSettings, Settings, VoiceSettings

VALUES: dict[str, object] = {
    "ui.language": "ko",
    "ui.theme": "dark",
    "ui.hotkey": "Ctrl+Alt+J",
    "model.backend": "embedded",
    "model.name": "qwen3:4b",
    "model.host": "http://127.0.0.1:11999",
    "model.allowed_host": "http://gpu:11434",
    "model.context_tokens": 4096,
    "model.keep_alive_minutes": 5,
    "model.temperature": 0.5,
    "model.think": True,
    "model.calls": "schema",
    "voice.enabled": False,
    "voice.speak": False,
    "voice.input_device": "USB",
    "voice.output_device": "HDMI",
    "voice.languages": ("ko",),
    "voice.wake_threshold": 0.7,
    "voice.request_silence_s": 1.0,
    "voice.answer_silence_s": 0.8,
    "voice.earcon": False,
    "notify.quiet_hours": "22:00-07:00",
    "notify.read_aloud": True,
    "notify.push_to": "ntfys://secret-topic json://10.0.0.2",
    "security.require_approval_for": ("bash",),
    "security.dangerous_commands": ("sudo",),
    "security.input_max_length": 500,
    "security.sandbox_network": "off",
    "agent.working_directory": "/srv/work",
    "web.enabled": False,
    "web.brave_key": "BSA-0815",
    "web.page_timeout_s": 5.0,
    "web.page_max_kb": 100,
    "memory.enabled": False,
    "memory.retention_days": 30,
    "plugin.watch_files": False,
    "schedule.enabled": False,
    "goal.turn_tokens": 5000,
    "goal.turn_steps": 4,
    "goal.turn_minutes": 3,
    "goal.day_tokens": 0,
    "goal.day_turns": 13,
    "goal.all_day_tokens": 70_000,
    "goal.all_day_turns": 0,
}
"""Another value than the default for each setting."""


@dataclass
class Part:
    """A part that takes settings over."""

    taken: list[object] = field(default_factory=list)

    def configure(self, settings: VoiceSettings | ModelSettings) -> None:
        self.taken.append(settings)


class Run:
    """A running program, as far as settings go."""

    def __init__(self, home: Path) -> None:
        self.home, self.file = home, home / "settings.yaml"
        settings, problems = load_settings(home, {})
        self.texts = Catalog(Language.ENGLISH)
        self.events: list[Event] = []
        self.voice, self.model = Part(), Part()
        self.live = LiveSettings(Start(home, settings, self.texts, problems), self._emit)
        for taker in (takes_language(self.texts), takes_voice(self.voice), takes_model(self.model)):
            self.live.add_taker(taker)

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    def take(self) -> list[Event]:
        """What was told since the last look."""
        events, self.events = self.events, []
        return events

    @property
    def values(self) -> dict[str, object]:
        return dotted(self.live.now)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_the_table_names_every_setting() -> None:
    defaults = dotted(Settings.model_validate({}))
    assert set(VALUES) == set(defaults)
    assert all(VALUES[name] != value for name, value in defaults.items())


@pytest.mark.parametrize("name", VALUES)
async def test_a_wish_of_the_window_stands_in_the_file_and_counts_at_once(run: Run, name: str) -> None:
    await run.live.change(ChangeSetting(name, VALUES[name]))
    assert run.take() == [SettingsChanged({name: VALUES[name]})]
    assert run.values[name] == VALUES[name]
    assert dotted(load_settings(run.home, {})[0])[name] == VALUES[name]
    assert run.voice.taken == ([run.live.now.voice] if name.startswith("voice.") else [])
    assert run.model.taken == ([run.live.now.model] if name.startswith("model.") else [])


@pytest.mark.parametrize("name", VALUES)
async def test_an_edit_by_hand_counts_at_the_next_look(run: Run, name: str) -> None:
    section, _, key = name.partition(".")
    value = VALUES[name]
    run.file.write_text(f"{section}:\n  {key}: {list(value) if isinstance(value, tuple) else value}\n")
    await run.live.look()
    assert run.take() == [SettingsChanged({name: value})]
    assert run.values[name] == value
    assert run.voice.taken == ([run.live.now.voice] if section == "voice" else [])
    assert run.model.taken == ([run.live.now.model] if section == "model" else [])
    await run.live.look()
    assert run.take() == []


async def test_another_language_is_spoken_by_all_who_hold_the_texts(run: Run) -> None:
    hello = run.texts("Hello, this is how I sound.")
    await run.live.change(ChangeSetting("ui.language", "ko"))
    assert (run.texts.language, run.texts("Hello, this is how I sound.")) == (
        Language.KOREAN,
        "안녕하세요, 제 목소리는 이렇게 들려요.",
    )
    await run.live.change(ChangeSetting("ui.language", "en"))
    assert run.texts("Hello, this is how I sound.") == hello


async def test_a_refused_wish_changes_nothing_and_says_why(run: Run) -> None:
    await run.live.change(ChangeSetting("voice.request_silence_s", 30))
    reason = "voice.request_silence_s is 30, the most allowed is 5 (seconds)."
    assert run.take() == [SettingRefused("voice.request_silence_s", reason)]
    assert not run.file.exists()


async def test_a_wish_for_what_is_already_so_is_confirmed(run: Run) -> None:
    await run.live.change(ChangeSetting("voice.speak", True))
    assert run.take() == [SettingsChanged({"voice.speak": True})]
    assert run.voice.taken == []


@pytest.mark.parametrize("broken", ["voice: [\n", "- 3\n", "voice: {speak: [}\n"])
async def test_a_file_broken_by_hand_keeps_the_last_values_and_the_strictest_security(
    run: Run, broken: str
) -> None:
    run.file.write_text("voice: {speak: false}\nsecurity: {input_max_length: 500}\n")
    await run.live.look()
    run.take()
    run.file.write_text(broken)
    security = await run.live.fresh()
    assert run.live.now.voice.speak is False
    assert security.require_approval_for == ("*",)
    texts = [event.text for event in run.take() if isinstance(event, TroubleNoted)]
    assert texts[0].startswith("settings.yaml, line ")
    assert "What held before goes on, and the strictest for security." in texts[0]
    run.file.write_text("voice: {speak: true}\n")
    await run.live.look()
    assert run.live.now == Settings.model_validate({})
    assert any(isinstance(event, TroubleCleared) for event in run.take())


async def test_a_value_broken_by_hand_keeps_the_last_one(run: Run) -> None:
    run.file.write_text("voice: {wake_threshold: 0.7}\n")
    await run.live.look()
    run.take()
    run.file.write_text("voice: {wake_threshold: 7}\nui: {theme: dark}\n")
    await run.live.look()
    assert (run.live.now.voice.wake_threshold, run.live.now.ui.theme) == (0.7, "dark")
    changed, trouble = run.take()
    assert changed == SettingsChanged({"ui.theme": "dark"})
    assert isinstance(trouble, TroubleNoted)
    assert trouble.text == (
        "settings.yaml, line 1: voice.wake_threshold is 7, the most allowed is 0.99. Using 0.7 as before."
    )


async def test_a_section_that_is_none_keeps_what_it_said(run: Run) -> None:
    run.file.write_text("voice: {wake_threshold: 0.7}\n")
    await run.live.look()
    run.file.write_text("voice: loud\n")
    await run.live.look()
    assert run.live.now.voice.wake_threshold == 0.7


async def test_a_part_that_fails_keeps_no_other_from_taking_over(run: Run) -> None:
    def fail(settings: Settings, changed: frozenset[str]) -> None:
        raise RuntimeError(settings.ui.theme, changed)

    run.live.add_taker(fail)
    later = Part()
    run.live.add_taker(takes_voice(later))
    await run.live.change(ChangeSetting("voice.earcon", False))
    assert later.taken == [run.live.now.voice]
