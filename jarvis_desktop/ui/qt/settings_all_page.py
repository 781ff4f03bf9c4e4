"""The page with every declared setting: found by a word, changed in place, and reset."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.settings_desk import (
    FILE,
    LookAtSettings,
    SettingNow,
    SettingsLooked,
    SettingTried,
    TrySetting,
)
from jarvis_desktop.core.items.setup import ChangeSetting, SettingRefused, SettingsChanged
from jarvis_desktop.core.setting_fields import SettingField, sections
from jarvis_desktop.ui import setting_words
from jarvis_desktop.ui.qt.page import Card, fill, say, wrapped
from jarvis_desktop.ui.qt.settings_page import Place, SettingsPage, SettingsParts, Ways, choice, line, push
from jarvis_desktop.ui.qt.settings_values_row import RowWays, SettingRow

DEBOUNCE_MS = 200
EVERYTHING = ""
_HEADING_SCALE = 1.2
_SERVER_WORDS = "mcp servers mcp_servers mcp 서버"


class AllPage(SettingsPage):
    """A card for each section, a row for each setting."""

    def __init__(self, parts: SettingsParts, ways: Ways) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            ways,
            texts("All settings"),
            texts("Everything counts at once and stands in settings.yaml, where your comments stay."),
        )
        self.looked: SettingsLooked | None = None
        self._number = 0
        self._trying: dict[str, int] = {}
        self._titles = {
            field.name: setting_words.title(field, texts) for one in sections() for field in one.fields
        }
        self._local = {
            field.name: _own_words(field, texts(field.title), texts(field.what), texts(one.title))
            for one in sections()
            for field in one.fields
        }
        self._words = dict(self._local)
        self._build_head()
        self.rows: dict[str, SettingRow] = {}
        self.cards: dict[str, Card] = {}
        for section in sections():
            self._build_section(section.name, setting_words.section_title(section, texts), section.fields)
        # Servers are a list of their own kind: this page only leads to theirs.
        self.servers = push(texts("MCP servers"), "all.servers", lambda: ways.to_place(Place.SERVERS), "link")
        self.column.addWidget(self.servers, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._try)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self).activated.connect(self._find)
        self._filter()

    def _build_head(self) -> None:
        texts = self.parts.texts
        self.search = line(texts("Find a setting"), "all.search", texts("Find a setting"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.section = choice(texts("Section"), "all.section", self._filter)
        names = [(setting_words.section_title(one, texts), one.name) for one in sections()]
        fill(self.section, ((texts("All sections"), EVERYTHING), *names), EVERYTHING)
        self.folder = push(texts("Open the folder"), "all.folder", self._open_folder)
        self.text = push(texts("Edit as YAML"), "all.text", lambda: self.ways.to_file(FILE, 0))
        for widgets in ((self.search, self.section), (self.folder, self.text)):
            row = QHBoxLayout()
            row.setSpacing(8)
            for widget in widgets:
                row.addWidget(widget, 1 if widget is self.search else 0)
            if widgets[0] is self.folder:
                row.addStretch(1)
                self.count = wrapped("", "cardFacts")
                self.count.setWordWrap(False)
                row.addWidget(self.count)
            self.column.addLayout(row)
        self.folder.setEnabled(False)
        self.nothing = wrapped("", "setupHint")
        self.column.addWidget(self.nothing)

    def _build_section(self, name: str, title: str, fields: tuple[SettingField, ...]) -> None:
        card = Card()
        card.setAccessibleName(title)
        heading = wrapped(title, "setupTitle")
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * _HEADING_SCALE)
        heading.setFont(font)
        card.column.addWidget(heading)
        ways = RowWays(self._change, self._soon, self._uncover, lambda at: self.ways.to_file(FILE, at))
        for field in fields:
            self.rows[field.name] = SettingRow(field, self.parts.texts, ways)
            card.column.addWidget(self.rows[field.name])
        self.cards[name] = card
        self.column.addWidget(card)

    # --- events -------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case SettingsLooked():
                self._show(event)
            case SettingTried(number, name, problem) if number == self._trying.get(name):
                self.rows[name].show_tried(problem)
            case SettingsChanged(changed):
                for name in changed.keys() & self.rows.keys():
                    self.rows[name].show_changed()
                if self.isVisible():
                    self.parts.look(LookAtSettings())
            case SettingRefused(name, reason) if name in self.rows:
                self.rows[name].show_refused(reason)
            case _:
                pass

    def entered(self) -> None:
        """Look anew."""
        self.parts.look(LookAtSettings())

    def typed(self) -> Mapping[str, object]:
        """What is looked for, and what is not saved yet."""
        return {
            "search": self.search.text(),
            "section": self.section.currentData(),
            "looked": self.looked,
            "written": {name: row.control.value() for name, row in self.rows.items() if row.dirty},
        }

    def take_over(self, typed: Mapping[str, object]) -> None:
        """It is here again."""
        looked, written = typed.get("looked"), typed.get("written")
        if isinstance(looked, SettingsLooked):
            self._show(looked)
        if isinstance(written, Mapping):
            for name, value in written.items():
                self.rows[name].write(value)
        self.section.setCurrentIndex(max(0, self.section.findData(typed.get("section"))))
        self.search.setText(str(typed.get("search", "")))
        self._filter()

    # --- showing ------------------------------------------------------------------------------

    def _show(self, looked: SettingsLooked) -> None:
        self.looked = looked
        self.folder.setEnabled(True)
        values = {now.name: now.value for now in looked.settings}
        for now in looked.settings:
            self._words[now.name] = f"{self._local[now.name]} {_found_by(now)}"
            self.rows[now.name].show_now(now, values, self._titles)

    def _filter(self) -> None:
        texts = self.parts.texts
        wanted = self.search.text().casefold().split()
        section = self.section.currentData()
        shown = 0
        for name, row in self.rows.items():
            fits = section in (EVERYTHING, name.partition(".")[0])
            fits = fits and all(word in self._words[name] for word in wanted)
            row.setVisible(fits)
            shown += fits
        for name, card in self.cards.items():
            card.setVisible(
                any(not r.isHidden() for n, r in self.rows.items() if n.partition(".")[0] == name)
            )
        leads = section == EVERYTHING and all(word in _SERVER_WORDS for word in wanted)
        self.servers.setVisible(leads)
        counted = texts.plural("{count} setting", "{count} settings", shown).format(count=shown)
        say(self.count, counted)
        say(
            self.nothing, "" if shown or leads else texts("No setting is called like that. Try another word.")
        )

    # --- doing --------------------------------------------------------------------------------

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _change(self, name: str, value: object) -> None:
        self._trying.pop(name, None)
        self.parts.send(ChangeSetting(name, value))

    def _soon(self, name: str) -> None:
        self._number += 1
        self._trying[name] = self._number
        self._timer.start()

    def _try(self) -> None:
        for name, number in self._trying.items():
            row = self.rows[name]
            if row.dirty:
                self.parts.send(TrySetting(number, name, row.control.value()))

    def _uncover(self, part: QWidget) -> None:
        inner = self.parentWidget()
        frame = inner.parentWidget() if inner is not None else None
        if isinstance(frame, QScrollArea):
            # Once the layout has made room for it.
            QTimer.singleShot(0, part, lambda: frame.ensureWidgetVisible(part))

    def _open_folder(self) -> None:
        if self.looked is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(self.looked.folder))


def _own_words(field: SettingField, *texts: str) -> str:
    return " ".join((field.name, field.name.replace("_", " "), *field.choices, *texts)).casefold()


def _found_by(now: SettingNow) -> str:
    return f"{now.words} {now.variable}".casefold()
