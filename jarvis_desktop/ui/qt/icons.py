"""Our own icons: the seven faces of the tray, and line icons tinted in a theme's colour."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from jarvis_desktop.ui.picture import Face

_PACKAGE = Path(__file__).parents[2]
# Beside the package in a checkout, inside it when installed.
ICONS_DIR = next(
    (at for at in (_PACKAGE / "assets/icons", _PACKAGE.parent / "assets/icons") if at.is_dir()),
    _PACKAGE / "assets/icons",
)
# Panels ask for these; ready-made pixmaps also travel over D-Bus, where an engine cannot.
_SIZES_PX = (16, 22, 24, 32, 48, 64, 128)


def _svg(name: str, colour: str | None) -> QSvgRenderer:
    text = (ICONS_DIR / f"{name}.svg").read_text("utf-8")
    if colour is not None:
        text = text.replace("currentColor", colour)
    return QSvgRenderer(QByteArray(text.encode()))


def pixmap(name: str, size_px: int, colour: str | None = None, *, ratio: float = 1.0) -> QPixmap:
    """The icon ``name``, ``size_px`` wide and high; ``colour`` for line icons."""
    device_px = round(size_px * ratio)
    drawn = QPixmap(device_px, device_px)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    _svg(name, colour).render(painter, QRectF(0, 0, device_px, device_px))
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn


@lru_cache(maxsize=64)
def line_icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """A line icon in ``colour``, crisp at 100 % and 200 %."""
    icon = QIcon()
    for ratio in (1.0, 2.0):
        icon.addPixmap(pixmap(f"ui-{name}", 20, colour, ratio=ratio))
        if disabled:
            icon.addPixmap(pixmap(f"ui-{name}", 20, disabled, ratio=ratio), QIcon.Mode.Disabled)
    return icon


@lru_cache(maxsize=16)
def face_icon(face: Face) -> QIcon:
    """The tray icon of ``face``; good on light and on dark panels."""
    return _sized(face.value)


@lru_cache(maxsize=1)
def app_icon() -> QIcon:
    """The icon of windows and bubbles."""
    return _sized("jarvis")


def _sized(name: str) -> QIcon:
    icon = QIcon()
    for size_px in _SIZES_PX:
        icon.addPixmap(pixmap(name, size_px))
    return icon
