"""The name in the header: who is talked with, and a way to choose another one."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QSizePolicy, QToolButton

from jarvis_desktop.core.items.commands import Command
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.agent_picture import AgentsPicture, shown_name
from jarvis_desktop.ui.qt.agent_menu import AgentMenu
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import one_line

KEYS = "Ctrl+K"
MOST_OF_A_NAME = 20
"""The window may be 460 pixels wide, and the buttons beside the name stay."""
LEAST_PX = 60
_OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Space)


class AgentPicker(QToolButton):
    """A name; where there are several agents, a button that lists them."""

    def __init__(self, theme: Theme, texts: Texts, send: Callable[[Command], None]) -> None:
        super().__init__()
        self._theme = theme
        self._texts = texts
        self._picture = AgentsPicture()
        self.list = AgentMenu(texts, send)
        self.setObjectName("agent")
        self.setAccessibleIdentifier("header.agent")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        # The arrow stands behind the name.
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setIconSize(QSize(14, 14))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open)
        # An action of the button's own would make Qt draw a second arrow.
        self.keys = QShortcut(QKeySequence(KEYS), self)
        self.keys.activated.connect(self.open)
        self.show_agents(self._picture)

    def show_agents(self, picture: AgentsPicture) -> None:
        """Who is talked with, and whom one could talk with."""
        self._picture = picture
        texts, name = self._texts, shown_name(picture.card, self._texts)
        several = len(picture.listed) > 1
        self.list.show_agents(picture)
        self.setText(one_line(name, MOST_OF_A_NAME).replace("&", "&&"))
        self.setIcon(line_icon("choose", self._theme.colours.muted if several else "transparent"))
        self.setEnabled(several)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if several else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(texts("You talk with {agent}. Choose another agent").format(agent=name))
        tip = texts("Choose whom you talk with ({keys})").format(keys=KEYS)
        # "<" would make a tool tip rich text.
        self.setToolTip(f"{name}\n{tip}".replace("<", "‹") if several else "")
        self.keys.setEnabled(several)

    def open(self) -> None:
        """Show the list below the name."""
        if len(self._picture.listed) > 1:
            self.list.popup(self.mapToGlobal(QPoint(0, self.height())))
            chosen = next((one for one in self.list.actions() if one.isChecked()), None)
            if chosen is not None:
                self.list.setActiveAction(chosen)

    def minimumSizeHint(self) -> QSize:
        """A narrow window cuts the name rather than the buttons beside it."""
        return QSize(LEAST_PX, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys that open lists elsewhere open this one."""
        if event.key() in _OPENING:
            self.open()
        else:
            super().keyPressEvent(event)

    def restyle(self) -> None:
        """Draw the arrow in the theme's colours."""
        self.show_agents(self._picture)
