"""Logs as JSON lines in ``~/.jarvis/logs/jarvis.log``: what happened, never what was said.

A record of ours is a fixed sentence and fields. Fields whose name begins with ``private_`` are
dropped, and so are values that are no plain number, flag or short word. Records of libraries
keep only who wrote them and where, since their sentences may hold anything.
"""

import asyncio
import json
import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from datetime import datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from jarvis_desktop.core.items.errors import JarvisError

OURS = "jarvis_desktop"
PRIVATE = "private_"
MOST_BYTES = 2_000_000
OLD_FILES = 3
LONGEST_FIELD = 200
MOST_FRAMES = 30
# What every record has; the rest came in through ``extra``.
STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """One record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.name.partition(".")[0] == OURS:
            # The template, not the filled-in text: a sentence is fixed, its fields are separate.
            line["event"] = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
            line.update(_fields(record))
        else:
            line["event"] = "a library wrote a record"
            line["where"] = f"{record.module}:{record.lineno}"
        if record.exc_info and record.exc_info[1]:
            line["error"] = list(described(record.exc_info[1]))
        return json.dumps(line, ensure_ascii=False)


def _fields(record: logging.LogRecord) -> Iterator[tuple[str, object]]:
    for name, value in vars(record).items():
        if name in STANDARD or name.startswith(PRIVATE):
            continue
        if isinstance(value, str):
            yield name, str(value)[:LONGEST_FIELD].encode("utf-8", "replace").decode()
        elif value is None or isinstance(value, (bool, int, float)):
            yield name, value
        else:
            yield name, f"<{type(value).__name__}>"


def described(error: BaseException) -> Iterator[dict[str, object]]:
    """Types and places of an error and its causes, outermost first, without values.

    The text is kept for our own errors only: it is made to be shown. Others quote their input.
    """
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        described_one: dict[str, object] = {"type": type(current).__qualname__, "frames": _frames(current)}
        if isinstance(current, JarvisError):
            described_one["text"] = str(current)
        yield described_one
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _frames(error: BaseException) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]


class OwnersFile(RotatingFileHandler):
    """A log file that only its owner can read, old ones included."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), encoding=self.encoding)


def set_up_logging(home: Path, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Records go to the file from now on; where it is, or None when it cannot be written.

    ``JARVIS_LOG_LEVEL`` sets the level: debug, info (default), warning, error.
    """
    root = logging.getLogger()
    for known in tuple(root.handlers):
        root.removeHandler(known)
        if isinstance(known, OwnersFile):
            known.close()
    # Libraries must not print to the terminal of ``ask`` and ``say`` either.
    handler: logging.Handler = logging.NullHandler()
    path: Path | None = home / "logs" / "jarvis.log"
    try:
        (home / "logs").mkdir(mode=0o700, exist_ok=True)
        handler = OwnersFile(
            home / "logs" / "jarvis.log", maxBytes=MOST_BYTES, backupCount=OLD_FILES, encoding="utf-8"
        )
    except OSError:
        path = None
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    level = environ.get("JARVIS_LOG_LEVEL", "").upper()
    logging.getLogger(OURS).setLevel(level if level in logging.getLevelNamesMapping() else "INFO")
    # A full disk must not fill the terminal with tracebacks that quote records.
    logging.raiseExceptions = False
    return path


def log_uncaught() -> None:
    """Errors that nobody caught are logged by type and place, in the main thread and all others."""
    sys.excepthook = _main_thread_hook
    threading.excepthook = _thread_hook
    sys.unraisablehook = _unraisable_hook


def loop_error_logged(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """For ``loop.set_exception_handler``: the loop's own complaints, without values."""
    del loop
    error = context.get("exception")
    # ``message`` is a fixed sentence of asyncio; the other entries quote tasks and values.
    log.error(
        "the loop met an error that nobody caught",
        extra={"complaint": str(context.get("message", ""))},
        exc_info=error if isinstance(error, BaseException) else None,
    )


def _main_thread_hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    log.critical("the program ended with an error that nobody caught", exc_info=error)
    print(f"{kind.__name__}: {error}" if issubclass(kind, JarvisError) else kind.__name__, file=sys.stderr)  # noqa: T201 - the last words of a program on a terminal


def _thread_hook(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        name = args.thread.name if args.thread else ""
        log.critical(
            "a thread ended with an error that nobody caught",
            extra={"thread_name": name},
            exc_info=args.exc_value,
        )


def _unraisable_hook(args: "sys.UnraisableHookArgs") -> None:
    log.error("an error could not be raised", exc_info=args.exc_value)
