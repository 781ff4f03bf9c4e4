"""The command line's help and errors in the language of the person's settings.

What commands and options are for is written in English where they are declared, and the parser has English
words of its own. Both are translated when help or an error is about to be shown and not before, as most
commands show neither. The environment stays as it is, so programs that a command starts notice nothing.
"""

import re
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import typer
from typer._click import Command, HelpFormatter
from typer.core import TyperArgument, TyperGroup, TyperOption

from jarvis_desktop.adapters.catalog import Catalog, app_language
from jarvis_desktop.adapters.home_dir import home_path
from jarvis_desktop.adapters.model_words import N_
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts

if TYPE_CHECKING:
    from rich.text import Text

PANEL_WORDS: Mapping[str, str] = MappingProxyType({
    "DEFAULT_STRING": N_("[default: {}]"),
    "REQUIRED_LONG_STRING": N_("[required]"),
    "ARGUMENTS_PANEL_TITLE": N_("Arguments"),
    "OPTIONS_PANEL_TITLE": N_("Options"),
    "COMMANDS_PANEL_TITLE": N_("Commands"),
    "ERRORS_PANEL_TITLE": N_("Error"),
    "ABORTED_TEXT": N_("Aborted."),
    "RICH_HELP": N_("Try [blue]'{command_path} {help_option}'[/] for help."),
})  # fmt: skip
"""Names in ``typer.rich_utils``, and what stands there."""

USAGE_WORDS: tuple[str, ...] = (N_("[OPTIONS]"), N_("COMMAND [ARGS]..."))
"""What may stand in a usage line for that which is typed there."""

HELP_OPTION = N_("Show this message and exit.")

ERRORS: tuple[str, ...] = (
    N_("Missing command."),
    N_("No such command {name}. Did you mean {near}?"),
    N_("No such command {name}."),
    N_("No such option: {name} (Possible options: {near})"),
    N_("No such option: {name}"),
    N_("Option {name} requires an argument."),
    N_("Option {name} does not take a value."),
    N_("Got unexpected extra argument(s) ({words})"),
    N_("Missing argument {name}. Choose from:{choices}"),
    N_("Missing argument {name}."),
    N_("Invalid value for {name}: {reason}"),
    N_("Invalid value: {reason}"),
    N_("Value error, {value} is not one of {choices}."),
    N_("Input should be a valid integer, unable to parse string as an integer"),
    N_("Input should be greater than or equal to {least}"),
    N_("Input should be less than or equal to {most}"),
    N_("{value} is no time; say 2h, 7d or 2026-12-01"),
    N_("{value} is no time; say 2026-12-01T09:00"),
)
"""The parser's errors, and ours that name a value; the first that fits counts."""


def translatable(root: Command) -> Command:
    """``root``, whose help and usage lines speak the person's language, and those of all its commands."""
    for command in every_command(root):
        command.context_class = _Context
    return root


def every_command(root: Command) -> Iterator[Command]:
    """``root`` and what is below it."""
    yield root
    for command in root.commands.values() if isinstance(root, TyperGroup) else ():
        yield from every_command(command)


def help_texts(root: Command) -> Iterator[str]:
    """What the commands and their parameters are for, as it is declared."""
    for command in every_command(root):
        said = [command.help, command.short_help, command.epilog, *map(_help_of, command.params)]
        yield from (text for text in said if text)


def show_error(error: typer.TyperException) -> None:
    """The person reads on the terminal what was wrong with the command."""
    message = error.format_message()
    if not message:  # the command's help was asked for by leaving everything out, and is shown
        return
    with _panel_words() as texts:
        from typer.rich_utils import rich_format_error

        rich_format_error(_Translated(translated(message, texts), getattr(error, "ctx", None)))


def show_abort() -> None:
    """The person reads on the terminal that the command stopped halfway."""
    with _panel_words():
        from typer.rich_utils import rich_abort_error

        rich_abort_error()


def translated(message: str, texts: Texts) -> str:
    """``message`` of a parser or of ours in the language of ``texts``; unknown ones as they are."""
    for template in ERRORS:
        found = _pattern(template).fullmatch(message)
        if found:
            parts = found.groupdict()
            if "reason" in parts:
                parts["reason"] = translated(parts["reason"], texts)
            return texts(template).format(**parts)
    return texts(message)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(template)), re.DOTALL)


def _persons_texts() -> Catalog:
    # As in the commands: whoever needs no settings does not wait until their module is there.
    from jarvis_desktop.adapters.settings_file import load_settings

    settings, _ = load_settings(home_path())
    wanted = app_language(settings.ui.language)
    # Question marks in place of every letter would help nobody.
    return Catalog(wanted if _can_show_hangul() else Language.ENGLISH)


def _can_show_hangul() -> bool:
    try:
        for stream in (sys.stdout, sys.stderr):
            "한".encode(getattr(stream, "encoding", None) or "ascii")  # a closed stream is None
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _panel_words() -> Generator[Texts]:
    """The frames around help and errors are in the person's language meanwhile."""
    # Rich takes a third of a second, which only help and errors need.
    from typer import rich_utils

    texts, held = _persons_texts(), vars(rich_utils)
    before = {name: held[name] for name in (*PANEL_WORDS, "highlighter")}
    held.update({name: texts(text) for name, text in PANEL_WORDS.items()})
    if texts.language is not Language.ENGLISH:
        held["highlighter"] = _folding(rich_utils.highlighter)
    try:
        yield texts
    finally:
        held.update(before)


def _folding(highlighter: "Callable[[str | Text], Text]") -> "Callable[[str | Text], Text]":
    """What it marks keeps all its letters where a line is exactly full.

    A table's cell ends lines that are too long with an ellipsis. Rich counts the blank behind a line's last
    word as too long when letters are two columns wide, and cuts off a letter of the word (rich 15.0).
    """

    def folding(text: "str | Text") -> "Text":
        marked = highlighter(text)
        marked.overflow = "fold"
        return marked

    return folding


class _Formatter(HelpFormatter):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        texts = _persons_texts()
        for word in USAGE_WORDS:
            args = args.replace(word, texts(word))
        super().write_usage(prog, args, prefix or texts("Usage: "))


class _Context(typer.Context):
    formatter_class = _Formatter

    def get_help(self) -> str:
        with _panel_words() as texts:
            self._translate(texts)
            return super().get_help()

    def _translate(self, texts: Texts) -> None:
        """What is on the command's page is in the person's language."""
        below = self.command.commands.values() if isinstance(self.command, TyperGroup) else ()
        for command in (self.command, *below):
            command.help = command.help and texts(command.help)
            command.short_help = command.short_help and texts(command.short_help)
            command.epilog = command.epilog and texts(command.epilog)
        for param in self.command.get_params(self):
            if isinstance(param, TyperOption | TyperArgument):
                param.help = param.help and texts(param.help)


class _Translated(typer.BadParameter):
    """An error whose message says all of it."""

    def format_message(self) -> str:
        return self.message


def _help_of(param: object) -> str | None:
    return param.help if isinstance(param, TyperOption | TyperArgument) else None
