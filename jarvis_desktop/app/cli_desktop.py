"""``jarvis-desktop desktop-entry``: Jarvis in the desktop's menu and in what starts with the session."""

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jarvis_desktop.core.ports import Texts

if TYPE_CHECKING:
    from jarvis_desktop.adapters.desktop_entry import DesktopEntry

desktop_entry = typer.Typer(help="Jarvis in the menu, and starting with the session.", no_args_is_help=True)


@desktop_entry.command("install")
def install(
    autostart: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--autostart", help="Start with the session, too.")
    ] = False,
) -> None:
    """Put Jarvis and its icon into the desktop's menu."""

    def work(entry: "DesktopEntry", texts: Texts) -> str:
        entry.install_menu()
        if autostart:
            entry.set_autostart(on=True)
        return texts("Jarvis is in the menu: {file}").format(file=entry.places.menu)

    raise typer.Exit(_done(work))


@desktop_entry.command("remove")
def remove() -> None:
    """Take Jarvis out of the menu, and out of what starts with the session."""

    def work(entry: "DesktopEntry", texts: Texts) -> str:
        entry.remove_all()
        return texts("Jarvis is no longer in the menu, and does not start with the session.")

    raise typer.Exit(_done(work))


class Switch(StrEnum):
    """What can be said about the autostart."""

    ON = "on"
    OFF = "off"


@desktop_entry.command("autostart")
def autostart(switch: Annotated[Switch, typer.Argument(help="Start with the session, or not.")]) -> None:
    """Start Jarvis with the session, hidden in the tray, or no longer."""

    def work(entry: "DesktopEntry", texts: Texts) -> str:
        entry.set_autostart(switch is Switch.ON)
        if switch is Switch.ON:
            return texts("Jarvis starts with the session: {file}").format(file=entry.places.autostart)
        return texts("Jarvis does not start with the session.")

    raise typer.Exit(_done(work))


def install_command(
    remove: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--remove", help="Remove it again.")
    ] = False,
) -> None:
    """Make the command jarvis-desktop for terminals: a link in ~/.local/bin that leads here."""
    from jarvis_desktop.adapters.shell_command import ShellCommand
    from jarvis_desktop.app.cli_home import cli_home

    texts, command = cli_home().texts, ShellCommand()
    try:
        if remove:
            text = texts("{file} is removed.") if command.remove() else texts("There is no {file} of ours.")
        else:
            command.install()
            text = texts("jarvis-desktop is a command now: {file}")
    except FileExistsError:
        text = texts("{file} is there already and is none of ours. Move it away, and try again.")
        print(text.format(file=command.place), file=sys.stderr)  # noqa: T201 - the command line speaks here
        raise typer.Exit(1) from None
    except OSError as error:
        print(entry_problem(error, texts), file=sys.stderr)  # noqa: T201 - the command line speaks here
        raise typer.Exit(1) from None
    print(text.format(file=command.place))  # noqa: T201 - the command line speaks here
    if not remove and not command.is_found:
        text = texts(
            "This terminal does not look for commands there yet; the next login usually does. Until then: "
            "{line}"
        )
        line = 'export PATH="$HOME/.local/bin:$PATH"'
        print(text.format(line=line))  # noqa: T201 - the command line speaks here


def _done(work: "Callable[[DesktopEntry, Texts], str]") -> int:
    """The exit status after ``work``; what it says, or why it could not, is on the terminal."""
    from jarvis_desktop.adapters.desktop_entry import DesktopEntry, own_command
    from jarvis_desktop.app.cli_home import cli_home

    texts = cli_home().texts
    try:
        said = work(DesktopEntry(own_command()), texts)
    except OSError as error:
        print(entry_problem(error, texts), file=sys.stderr)  # noqa: T201 - the command line speaks here
        return 1
    print(said)  # noqa: T201 - the command line speaks here
    return 0


def entry_problem(error: OSError, texts: Texts) -> str:
    """Why an entry could not be changed, and what to do, in the app's language."""
    return texts(
        "{file} cannot be changed: {reason}. Make its folder writable for you, and try again."
    ).format(file=Path(error.filename or "?"), reason=error.strerror or type(error).__name__)
