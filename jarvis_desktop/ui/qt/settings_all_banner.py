"""The bar over the settings window's pages: what is wrong in the file of the settings."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout

from jarvis_desktop.core.items.settings_desk import FILE
from jarvis_desktop.ui.qt.page import say, wrapped
from jarvis_desktop.ui.qt.settings_page import SettingsParts, push
from jarvis_desktop.ui.visible_text import visible

MOST_SHOWN = 1
"""A small window has no room for more."""


class SettingsBanner(QFrame):
    """Hidden while nothing is wrong."""

    def __init__(self, parts: SettingsParts, to_file: Callable[[str, int], None]) -> None:
        super().__init__()
        self._texts = parts.texts
        self.problems: tuple[str, ...] = ()
        self.setObjectName("settingsBanner")
        self.setAccessibleName(self._texts("What is wrong with the settings"))
        self.said = wrapped("", "")
        self.open = push(self._texts("Edit as YAML"), "banner.text", lambda: to_file(FILE, 0), "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(26, 8, 18, 8)
        row.addWidget(self.said, 1)
        row.addWidget(self.open, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_problems(self, problems: tuple[str, ...]) -> None:
        """All that is wrong; the rows and the file's text say the rest."""
        self.problems = problems
        said = [visible(one) for one in problems[:MOST_SHOWN]]
        more = len(problems) - MOST_SHOWN
        if more > 0:
            text = self._texts.plural("And {count} more problem.", "And {count} more problems.", more)
            said.append(text.format(count=more))
        say(self.said, "\n".join(said))
        self.setVisible(bool(problems))
