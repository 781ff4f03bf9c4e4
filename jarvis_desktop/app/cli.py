"""Entry of the command line: the plain start goes straight to the desktop."""

import sys
from io import TextIOWrapper

from jarvis_desktop.core.items.errors import JarvisError

START_HIDDEN = "--hidden"


def run(arguments: list[str]) -> int:
    """Run one command; the exit status comes back."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that knows no Hangul shows ? for it, instead of nothing but an error.
            stream.reconfigure(errors="replace")
    is_plain_start = set(arguments) <= {START_HIDDEN}
    try:
        if is_plain_start:
            from jarvis_desktop.app.main import FirstSight, run_desktop

            return run_desktop(FirstSight.TRAY if START_HIDDEN in arguments else FirstSight.WINDOW)
        # The command parser costs 0.2 s, which the plain start does not pay before the tray shows.
        from jarvis_desktop.app.cli_commands import run_command

        return run_command(arguments)
    except JarvisError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the command line speaks here
        if is_plain_start and not sys.stderr.isatty():
            _say_in_a_window(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def _say_in_a_window(text: str) -> None:
    """A start from the menu or with the session has no terminal that anybody sees."""
    from jarvis_desktop.app.main import has_display

    if has_display():
        from jarvis_desktop.ui.qt.last_words import show_last_words

        show_last_words(text)
