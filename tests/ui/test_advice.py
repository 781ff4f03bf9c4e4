"""Advice: a strip that is no trouble, and that can be put away."""

from PySide6.QtWidgets import QToolButton

from jarvis_desktop.core.items.events import AdviceGiven
from jarvis_desktop.ui.picture import Face
from tests.ui.conftest import Stage

ADVICE = AdviceGiven("Gemma through Ollama answers better: ollama pull gemma4:e2b")


def test_advice_is_shown_until_it_is_put_away_and_is_no_trouble(stage: Stage) -> None:
    stage.take(ADVICE)
    strips = stage.window.strips
    assert (strips.advice_text, strips.trouble_texts) == (ADVICE.text, ())
    assert stage.desktop.picture.face is not Face.TROUBLE

    (close,) = (
        button
        for button in strips.findChildren(QToolButton)
        if button.accessibleName() == "Put this advice away"
    )
    close.click()
    stage.take(ADVICE)

    assert strips.advice_text == ""
    assert strips.isHidden()
