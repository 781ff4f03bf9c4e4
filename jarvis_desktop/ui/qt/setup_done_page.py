"""The last page: what is ready, what is left, and what to say first."""

from functools import partial

from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton

from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.qt.icons import line_icon
from jarvis_desktop.ui.qt.page import Card, push, rename, wrapped
from jarvis_desktop.ui.qt.rows import plain_label
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts
from jarvis_desktop.ui.qt.theme import Colours
from jarvis_desktop.ui.setup_steps import Progress, Step, progress

_TOLD = (Step.SPEECH, Step.SOUND, Step.WAKE, Step.CHAT, Step.START)
_ICON_PX = 18


class DonePage(SetupPage):
    """A line for each step; those that are not ready lead back to their page."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("That was it"),
            texts("Everything is kept, and everything can be changed later."),
        )
        card = Card(texts("What is ready"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(2, 1)
        self.icons: dict[Step, QLabel] = {}
        self.states: dict[Step, QLabel] = {}
        self.back = {step: push("", f"to_{step}", partial(parts.go, step), "link") for step in _TOLD}
        for row, step in enumerate(_TOLD):
            _keeps_its_room(self.back[step])
            self.icons[step], self.states[step] = QLabel(), wrapped("", "cardFacts")
            grid.addWidget(self.icons[step], row, 0)
            grid.addWidget(plain_label(setup_words.step_title(step, texts), "cardText"), row, 1)
            grid.addWidget(self.states[step], row, 2)
            grid.addWidget(self.back[step], row, 3)
        card.column.addLayout(grid)
        self.column.addWidget(card)
        self._first_words()
        self.column.addStretch(1)
        self.refresh()

    def _first_words(self) -> None:
        texts = self.parts.texts
        card = Card(texts("What you can say or type first"))
        for line in (
            texts("“Hey Jarvis, what can you do?”"),
            texts("“Hey Jarvis, which files are in my Jarvis folder?”"),
            texts("“Hey Jarvis, write down that I need milk.” Jarvis asks before it writes."),
            texts("“Stop” ends what it says or does."),
        ):
            card.add_point(line)
        self.column.addWidget(card)

    def refresh(self) -> None:
        """Show how far the steps are."""
        texts, picture, colours = self.parts.texts, self.parts.picture, self.parts.theme.colours
        for step in _TOLD:
            how = progress(step, picture)
            name, colour = progress_icon(how, colours)
            self.icons[step].setPixmap(line_icon(name, colour).pixmap(_ICON_PX, _ICON_PX))
            self.states[step].setText(setup_words.progress_text(how, texts))
            self.back[step].setVisible(how in (Progress.MISSING, Progress.OPEN))
            rename(self.back[step], texts("Do it now"), setup_words.step_title(step, texts))

    def restyle(self) -> None:
        """Draw the icons in the theme's colours."""
        self.refresh()


def _keeps_its_room(button: QPushButton) -> None:
    """Rows have one height, whether there is something to do in them or not."""
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    button.setSizePolicy(policy)


def progress_icon(how: Progress, colours: Colours) -> tuple[str, str]:
    """Icon and colour that say how far a step is; no two share the icon, so that colour is not needed."""
    return {
        Progress.OPEN: ("open", colours.faint),
        Progress.READY: ("check", colours.success),
        Progress.UNDERWAY: ("clock", colours.accent),
        Progress.MISSING: ("warning", colours.warning),
    }[how]
