"""Git commands that a rule allowed run without the programs that a repository's own settings name."""

from collections.abc import Mapping
from types import MappingProxyType

from jarvis_desktop.core.policy.plain_reading import PlainCommand

_SETTINGS = (("core.fsmonitor", "false"), ("core.pager", "cat"), ("core.editor", "true"))

GIT_ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
        **{f"GIT_CONFIG_KEY_{at}": key for at, (key, _) in enumerate(_SETTINGS)},
        **{f"GIT_CONFIG_VALUE_{at}": value for at, (_, value) in enumerate(_SETTINGS)},
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "true",
        "GIT_SEQUENCE_EDITOR": "true",
        "GIT_TERMINAL_PROMPT": "0",
    }
)
"""Added to the environment of every command that a rule allowed: no monitor, no pager, no editor."""

_SHOWS_CHANGES = frozenset(
    [
        "diff",
        "log",
        "show",
        "whatchanged",
        "format-patch",
        "diff-tree",
        "diff-index",
        "diff-files",
        "reflog",
        "blame",
        "annotate",
    ]
)
_NO_PROGRAMS = " --no-ext-diff --no-textconv"


def guarded_text(text: str, commands: tuple[PlainCommand, ...]) -> str:
    """``text`` with options that switch off external diff and textconv, right after each git subcommand.

    commands: the plain reading of ``text``.
    """
    places = [
        command.words[1].end
        for command in commands
        if len(command.words) > 1
        and command.words[0].value == "git"
        and command.words[1].value in _SHOWS_CHANGES
    ]
    for place in sorted(places, reverse=True):
        text = text[:place] + _NO_PROGRAMS + text[place:]
    return text
