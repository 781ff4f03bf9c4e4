"""The page that tries the wake word and sets how easily it counts."""

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.setup import BeginTrial, EndTrial, Trial
from jarvis_desktop.ui.qt.page import Card, push, rename, say, wrapped
from jarvis_desktop.ui.qt.setup_page import SetupPage, SetupParts
from jarvis_desktop.ui.qt.theme import Theme
from jarvis_desktop.ui.setup_steps import Progress, Step, progress

_LEAST, _MOST = 10, 95
"""Percent of certainty that the slider reaches."""
_REST_MS = 400
"""A slider that rested this long is where the person wants it."""
_EDGE_PX = 8


class ScoreLine(QWidget):
    """How certain Jarvis was each time, on a line, and the mark from which it counts."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.scores: tuple[float, ...] = ()
        self.threshold = 0.5
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Flat and wide."""
        return QSize(240, 30)

    def show_scores(self, scores: tuple[float, ...], threshold: float) -> None:
        """Scores 0 to 1, newest last."""
        self.scores, self.threshold = scores, threshold
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw line, mark and dots."""
        del event
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        wide = self.width() - 2 * _EDGE_PX
        painter.setPen(QPen(QColor(colours.border), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(_EDGE_PX, round(middle), _EDGE_PX + wide, round(middle))
        painter.setPen(QPen(QColor(colours.muted), 2))
        mark = round(_EDGE_PX + self.threshold * wide)
        painter.drawLine(mark, 3, mark, self.height() - 3)
        painter.setPen(Qt.PenStyle.NoPen)
        for age, score in enumerate(reversed(self.scores)):
            colour = QColor(colours.success if score >= self.threshold else colours.warning)
            colour.setAlphaF(1.0 if age == 0 else 0.45)
            painter.setBrush(colour)
            radius = 7 if age == 0 else 5
            at = round(_EDGE_PX + score * wide)
            painter.drawEllipse(at - radius, round(middle) - radius, 2 * radius, 2 * radius)
        painter.end()


class WakePage(SetupPage):
    """Say it, see that it was heard, and set how certain Jarvis must be."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Wake word"),
            texts("Jarvis begins to listen when it hears its name. Try it here: no request begins."),
        )
        self._begun = self._shown = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._send)
        self._missing_card()
        self._trial_card()
        self.column.addStretch(1)
        self.refresh()

    def _missing_card(self) -> None:
        texts = self.parts.texts
        self._missing = Card()
        self._missing_text = wrapped("", "cardText")
        self._missing.column.addWidget(self._missing_text)
        self.fetch = push(
            texts("To the speech models"), "to_speech", lambda: self.parts.go(Step.SPEECH), "primary"
        )
        self._missing.add_row(self.fetch)
        self.column.addWidget(self._missing)

    def _trial_card(self) -> None:
        texts = self.parts.texts
        self._trial = Card(texts("Say: “Hey Jarvis”"))
        self.heard = wrapped("", "wakeHeard")
        self.line = ScoreLine(self.parts.theme)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(_LEAST, _MOST)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName(texts("How certain Jarvis must be to begin"))
        self.slider.setAccessibleIdentifier("setup.threshold")
        self.slider.valueChanged.connect(self._moved)
        self.threshold = wrapped("", "cardText")
        self.again = push("", "try_wake", self._begin)
        for part in (self.heard, self.line, self.threshold, self.slider):
            self._trial.column.addWidget(part)
        ends = self._trial.add_row(wrapped(texts("Hears more easily"), "cardFacts"), stretch=False)
        strict = wrapped(texts("Begins by mistake less often"), "cardFacts")
        strict.setAlignment(Qt.AlignmentFlag.AlignRight)
        ends.addWidget(strict)
        self._trial.add_row(self.again)
        self.column.addWidget(self._trial)

    # --- what happens -------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Each time it was heard."""
        super().take(event)
        self._begin_when_possible()

    def entered(self) -> None:
        """Listen for the wake word, as long as the page is shown."""
        self._shown = True
        self._begin_when_possible()

    def left(self) -> None:
        """Enough; what the slider shows is kept."""
        if self._rest.isActive():
            self._rest.stop()
            self._send()
        self._shown = self._begun = False
        self.parts.send(EndTrial(Trial.WAKE_WORD))

    def refresh(self) -> None:
        """Show what can be tried and what was heard."""
        texts, picture = self.parts.texts, self.parts.picture
        speech = progress(Step.SPEECH, picture)
        can = speech in (Progress.READY, Progress.OPEN)
        self._missing.setVisible(not can)
        self._trial.setVisible(can)
        say(
            self._missing_text,
            texts("The speech models are still on their way. As soon as they are there, you can try it here.")
            if speech is Progress.UNDERWAY
            else texts("The wake word needs the speech models, and they are not there yet."),
        )
        self.again.setVisible(not picture.running(Trial.WAKE_WORD) and Trial.WAKE_WORD in picture.trials)
        rename(self.again, texts("Try again") if picture.trouble_of(Trial.WAKE_WORD) else texts("Try it"))
        if not self._rest.isActive() and not self.slider.isSliderDown():
            self._show_threshold()
        self._show_heard()

    def restyle(self) -> None:
        """The line is drawn by hand."""
        self.line.update()

    def _show_threshold(self) -> None:
        value = self.parts.picture.settings.get("voice.wake_threshold", 0.5)
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(round(100 * value) if isinstance(value, int | float) else 50)
        self.slider.blockSignals(blocked)
        self._say_threshold()

    def _say_threshold(self) -> None:
        text = self.parts.texts("Counts from {percent} % certainty").format(percent=self.slider.value())
        say(self.threshold, text)
        self.line.show_scores(tuple(self.parts.picture.scores), self.slider.value() / 100)

    def _show_heard(self) -> None:
        say(self.heard, self._heard_text())
        self.line.show_scores(tuple(self.parts.picture.scores), self.slider.value() / 100)

    def _heard_text(self) -> str:
        texts, picture = self.parts.texts, self.parts.picture
        if picture.trouble_of(Trial.WAKE_WORD):
            return picture.trouble_of(Trial.WAKE_WORD)
        if picture.heard_wake:
            told = texts.plural("Heard {count} time", "Heard {count} times", picture.heard_wake)
            last = texts("the last time {percent} % certain").format(percent=round(100 * picture.scores[-1]))
            return f"{told.format(count=picture.heard_wake)} · {last}"
        if picture.running(Trial.WAKE_WORD):
            return texts("Listening… say it from where you usually sit.")
        return ""

    # --- what a person does -------------------------------------------------------------------

    def _begin_when_possible(self) -> None:
        ready = progress(Step.SPEECH, self.parts.picture) is Progress.READY
        if self._shown and not self._begun and ready:
            self._begin()

    def _begin(self) -> None:
        self._begun = True
        self.parts.send(BeginTrial(Trial.WAKE_WORD))

    def _moved(self) -> None:
        self._say_threshold()
        self._rest.start()

    def _send(self) -> None:
        self.change("voice.wake_threshold", self.slider.value() / 100)
