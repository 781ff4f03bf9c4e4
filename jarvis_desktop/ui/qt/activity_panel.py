"""The activity list: what Jarvis did, one line each, with a filter by kind."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QIcon, QKeySequence
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted, Event
from jarvis_desktop.core.items.memory_desk import Erased
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.picture import KEPT_ACTIVITY
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.visible_text import Care, visible

_ICONS = {
    ActivityKind.TURN: "check",
    ActivityKind.TOOL: "tool",
    ActivityKind.APPROVAL: "shield",
    ActivityKind.VOICE: "mic",
    ActivityKind.TROUBLE: "warning",
}
_KIND, _TURN = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class ActivityPanel(QWidget):
    """Newest line at the end; stays where the person scrolled to."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.setObjectName("activity")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._last = ""
        self.filter = QComboBox()
        self.filter.setAccessibleName(texts("Show only"))
        self.filter.setAccessibleIdentifier("activity.filter")
        for text, kind in (
            (texts("Everything"), None),
            (texts("Requests"), ActivityKind.TURN),
            (texts("Tools"), ActivityKind.TOOL),
            (texts("Permissions"), ActivityKind.APPROVAL),
            (texts("Microphone and voice"), ActivityKind.VOICE),
            (texts("Trouble"), ActivityKind.TROUBLE),
        ):
            self.filter.addItem(text, kind)
        self.filter.currentIndexChanged.connect(self._filter_all)
        self.lines = QListWidget()
        self.lines.setAccessibleName(texts("Activity"))
        self.lines.setWordWrap(True)
        self.lines.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.lines.setIconSize(QSize(16, 16))
        self.lines.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        copy = QAction(texts("Copy"), self.lines)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        self.lines.addAction(copy)
        self.lines.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        top = QHBoxLayout()
        top.setContentsMargins(16, 12, 12, 6)
        top.addWidget(plain_label(texts("Activity"), "panelTitle"), 1)
        top.addWidget(self.filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.lines, 1)

    def take(self, event: Event) -> None:
        """Show what happened, and show no more what was forgotten."""
        if isinstance(event, ActivityNoted):
            self.add(event)
        elif isinstance(event, Erased):
            for index in reversed(range(self.lines.count())):
                if event.everything or self.lines.item(index).data(_TURN) in event.turn_ids:
                    self.lines.takeItem(index)

    def add(self, line: ActivityNoted) -> None:
        """One more line; the oldest goes when there are too many. Trouble told twice running is one line."""
        if line.kind is ActivityKind.TROUBLE and line.text == self._last:
            return
        self._last = line.text
        bar = self.lines.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        item = QListWidgetItem(self._icon(line.kind), f"{line.at:%H:%M}  {visible(line.text, Care.SOURCE)}")
        item.setData(_KIND, line.kind)
        item.setData(_TURN, line.turn_id)
        item.setToolTip("")
        self.lines.addItem(item)
        if self.lines.count() > KEPT_ACTIVITY:
            self.lines.takeItem(0)
        self._filter(item)
        if at_end:
            self.lines.scrollToBottom()

    def _icon(self, kind: ActivityKind) -> QIcon:
        colours = self._theme.colours
        tint = {ActivityKind.TROUBLE: colours.warning, ActivityKind.APPROVAL: colours.accent}
        return line_icon(_ICONS[kind], tint.get(kind, colours.muted))

    def _filter(self, item: QListWidgetItem) -> None:
        wanted = self.filter.currentData()
        item.setHidden(wanted is not None and item.data(_KIND) != wanted)

    def _filter_all(self) -> None:
        for index in range(self.lines.count()):
            self._filter(self.lines.item(index))
        self.lines.scrollToBottom()

    def _copy(self) -> None:
        texts = [item.text() for item in self.lines.selectedItems()]
        QGuiApplication.clipboard().setText("\n".join(texts))

    def restyle(self) -> None:
        """Draw the icons in the theme's colours."""
        for index in range(self.lines.count()):
            item = self.lines.item(index)
            item.setIcon(self._icon(ActivityKind(item.data(_KIND))))
            item.setForeground(QColor(self._theme.colours.text))

    @property
    def shown(self) -> tuple[str, ...]:
        """The texts of the lines that the filter lets through, oldest first."""
        items = (self.lines.item(index) for index in range(self.lines.count()))
        return tuple(item.text() for item in items if not item.isHidden())
