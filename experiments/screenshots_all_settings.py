"""Pictures of the page with all settings; ``screenshots_settings`` takes them in each look and language."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.live_settings import LiveSettings
from jarvis_desktop.app.options import Start, SwitchedTexts
from jarvis_desktop.app.settings_desk import SettingsDesk, SettingsDeskParts
from jarvis_desktop.core.items.settings_desk import FILE
from jarvis_desktop.core.ports import Emit
from jarvis_desktop.ui.qt.settings_all_page import AllPage
from jarvis_desktop.ui.qt.settings_page import Place
from jarvis_desktop.ui.qt.settings_values_typed import LinesControl
from jarvis_desktop.ui.qt.settings_window import SettingsWindow

SETTINGS = """# How I like it.
voice:
  request_silence_s: 30
  output_device: Loudspeaker with a name that is longer than a window is wide (Analog Stereo Surround 7.1)
web: {enabled: false, brave_key: BSA-0815}
security: {sandbox_network: of}
modle: {name: gemma4:e2b}
"""


async def open_settings(home: Path, texts: SwitchedTexts, emit: Emit) -> tuple[LiveSettings, SettingsDesk]:
    """What is behind the page, over a file with good and bad values."""
    (home / FILE).write_text(SETTINGS, "utf-8")
    settings, problems = load_settings(home)
    live = LiveSettings(Start(home, settings, texts, problems), emit)
    return live, SettingsDesk(SettingsDeskParts(home, live, texts, emit))


def shoot_all(window: SettingsWindow, settle: Callable[[], None], save: Callable[[str], None]) -> None:
    """Its beginning, some of its rows, a change that protects less, what is found, and the file's text."""
    page = window.pages[Place.ALL]
    assert isinstance(page, AllPage)

    def scroll_to(part: QWidget) -> None:
        bar = window._areas[Place.ALL].verticalScrollBar()  # noqa: SLF001 - to scroll it
        bar.setValue(part.mapTo(page, part.rect().topLeft()).y() - 16)

    save("all")
    for name in ("model.context_tokens", "voice.output_device", "web.enabled"):
        scroll_to(page.rows[name])
        save(f"all-{name}")
    asks = page.rows["security.require_approval_for"].control
    assert isinstance(asks, LinesControl)
    asks.edit.setPlainText("write_file")
    asks.save.click()
    settle()
    save("all-weaker")
    page.search.setText("마이크")
    scroll_to(page.search)
    save("all-found")
    page.search.clear()
    page.text.click()
    settle()
    save("all-text")
