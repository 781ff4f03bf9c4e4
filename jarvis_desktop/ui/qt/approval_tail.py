"""The end of a long command: as much of it as is in view, down to its last letter."""

from jarvis_desktop.core.items.decisions import Shown
from jarvis_desktop.ui.qt.detail_view import DetailView
from jarvis_desktop.ui.qt.theme import Colours

_LINES = 3
_CHARS = 220
_SHOWN_LINES = _LINES + 1


def tail_view(whole: str, shown: Shown, colours: Colours, width_px: int) -> DetailView:
    """A view that ends where ``whole`` ends, with nothing of it out of sight.

    Lines that wrap and Hangul, which is wide, take more room than a count of letters says.
    """
    probe = DetailView("", Shown.TEXT, colours, most_lines=_SHOWN_LINES)
    end = "\n".join(whole.rstrip("\n").split("\n")[-_LINES:])
    text, end = (end, end) if len(end) <= _CHARS else (f"…{end[-_CHARS:]}", end[-_CHARS:])
    while end:
        probe.setPlainText(text)
        if probe.fit(width_px):
            break
        end = end[len(end) // 8 + 1 :]
        text = f"…{end}"
    view = DetailView(text, shown, colours, most_lines=_SHOWN_LINES)
    view.fit(width_px)
    return view
