"""What we rely on in Qt for Python."""

import sys

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot


def test_calls_into_qt_lose_no_reference_to_none(qtbot: QtBot) -> None:
    # PySide6 6.12.0 lost one with every call that returns nothing; Python 3.11 aborts when none are left.
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for _ in range(1000):
        label.setText("x")
    assert sys.getrefcount(None) > before - 500
