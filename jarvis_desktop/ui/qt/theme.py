"""Colours, fonts and the one style sheet, light and dark."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from jarvis_desktop.ui.qt.icons import ICONS_DIR

ThemeName = Literal["system", "light", "dark"]


@dataclass(frozen=True, slots=True)
class Colours:
    """The small palette that everything is drawn from."""

    window: str
    surface: str
    raised: str
    border: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_hover: str
    on_accent: str
    bubble: str
    code: str
    danger: str
    danger_soft: str
    warning: str
    warning_soft: str
    success: str
    added: str
    removed: str
    string: str
    keyword: str


LIGHT = Colours(
    window="#f6f6f9",
    surface="#ffffff",
    raised="#eeeef3",
    border="#dcdde5",
    text="#1b1c22",
    muted="#5c6070",
    faint="#767b8c",
    accent="#5147e0",
    accent_hover="#4338ca",
    on_accent="#ffffff",
    bubble="#e7e6fb",
    code="#f0f0f5",
    danger="#c62f3b",
    danger_soft="#fdeced",
    warning="#8f5300",
    warning_soft="#fff4dc",
    success="#12793d",
    added="#12793d",
    removed="#c62f3b",
    string="#12793d",
    keyword="#6a2fd0",
)
DARK = Colours(
    window="#121318",
    surface="#1a1b22",
    raised="#252733",
    border="#31333f",
    text="#ececf3",
    muted="#a6a9b8",
    faint="#878b9c",
    accent="#8b83ff",
    accent_hover="#a29bff",
    on_accent="#12121a",
    bubble="#2d2b52",
    code="#22242d",
    danger="#ff7b83",
    danger_soft="#3a2026",
    warning="#f3bf5b",
    warning_soft="#36290f",
    success="#59cf8b",
    added="#59cf8b",
    removed="#ff7b83",
    string="#7fd6a0",
    keyword="#c0a5ff",
)

# Readable in Korean and in Latin, best first; what is absent is skipped.
_TEXT_FAMILIES = (
    "Pretendard",
    "Noto Sans CJK KR",
    "Noto Sans KR",
    "NanumBarunGothic",
    "NanumGothic",
    "Apple SD Gothic Neo",
    "Malgun Gothic",
)
_CODE_FAMILIES = ("JetBrains Mono", "D2Coding", "Noto Sans Mono", "DejaVu Sans Mono", "NanumGothicCoding")
# The families that systems without a chosen font fall back to; any real choice of the person is kept.
_NO_CHOICE = frozenset({"DejaVu Sans", "Sans Serif", "Sans", "Bitstream Vera Sans", ""})


class Theme(QObject):
    """The look in force; ``changed`` when the system or a person switches it."""

    changed = Signal()

    def __init__(self, app: QApplication, name: ThemeName) -> None:
        super().__init__(app)
        self._app = app
        self._name: ThemeName = name
        app.setStyle("Fusion")
        app.setFont(text_font(app.font()))
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply()

    @property
    def dark(self) -> bool:
        """Dark colours are in force."""
        if self._name != "system":
            return self._name == "dark"
        return self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark

    @property
    def colours(self) -> Colours:
        """The palette in force."""
        return DARK if self.dark else LIGHT

    def choose(self, name: ThemeName) -> None:
        """Follow the system, or be light or dark."""
        self._name = name
        self._apply()

    def _system_changed(self) -> None:
        if self._name == "system":
            self._apply()

    def _apply(self) -> None:
        self._app.setPalette(_palette(self.colours))
        self._app.setStyleSheet(style_sheet(self.colours))
        self.changed.emit()


def theme_name(value: object) -> ThemeName:
    """A setting's value as a look; what is no look follows the system."""
    return value if value in ("light", "dark") else "system"


def text_font(system: QFont) -> QFont:
    """The font of all texts: the person's own, else the best that is there; Hangul as a second family."""
    there = set(QFontDatabase.families())
    wanted = [family for family in _TEXT_FAMILIES if family in there]
    # A desktop may name a font that is not installed; what would replace it is nobody's choice either.
    if system.family() in there - _NO_CHOICE:
        wanted.insert(0, system.family())
    font = QFont(system)
    font.setFamilies([*wanted, system.family()])
    font.setPointSizeF(max(10.5, system.pointSizeF()))
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    return font


def code_font(points: float = 10.0) -> QFont:
    """The font of commands and code."""
    families = [family for family in _CODE_FAMILIES if family in _families()]
    font = QFont(families or [QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()])
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(points)
    return font


@lru_cache(maxsize=1)
def _families() -> frozenset[str]:
    return frozenset(QFontDatabase.families())


def style_sheet(colours: Colours) -> str:
    """The style sheet with ``colours`` filled in for its ``@names``."""
    text = (Path(__file__).parent / "style.qss").read_text("utf-8")
    text = text.replace("@icons", ICONS_DIR.as_posix())
    # Longest name first, so that @accent never eats the beginning of @accent_hover.
    for name, value in sorted(asdict(colours).items(), key=lambda item: -len(item[0])):
        text = text.replace(f"@{name}", value)
    return text


def _palette(colours: Colours) -> QPalette:
    roles = QPalette.ColorRole
    palette = QPalette()
    for role, value in {
        roles.Window: colours.window,
        roles.WindowText: colours.text,
        roles.Base: colours.surface,
        roles.AlternateBase: colours.raised,
        roles.Text: colours.text,
        roles.PlaceholderText: colours.faint,
        roles.Button: colours.surface,
        roles.ButtonText: colours.text,
        roles.Highlight: colours.accent,
        roles.HighlightedText: colours.on_accent,
        roles.Link: colours.accent,
        roles.LinkVisited: colours.accent,
        roles.ToolTipBase: colours.surface,
        roles.ToolTipText: colours.text,
    }.items():
        palette.setColor(role, QColor(value))
    for role in (roles.Text, roles.WindowText, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.faint))
    return palette
