"""The command ``jarvis-desktop``."""

import sys


def main() -> int:
    """Run the command line; the exit status comes back."""
    # The command line pulls in typer and the app; kept out of the import of this module.
    from jarvis_desktop.app.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
