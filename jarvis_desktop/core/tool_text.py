"""What the built-in tools share: paths in the model's words, troubles, clipping and diffs."""

import asyncio
import difflib
import errno
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

MAX_RESULT_CHARS = 12_000
"""Of one result: small models have 8,192 tokens for everything."""

ABSENT = "absent"
"""Snapshot of a file that does not exist; the empty one means that nothing was shown."""

CHANGED = (
    "{path} has changed since it was shown for approval. Nothing was written. "
    "Read it again, then repeat the call."
)

ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b[\]P^_X][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[ -/]*[0-~]?"
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def absolute(path: str, cwd: Path) -> Path:
    """``path`` as the model wrote it, read against ``cwd``; ``~`` is the home folder."""
    written = Path(path.removeprefix("file://") if path.startswith("file:///") else path)
    try:
        return cwd / written.expanduser()
    except RuntimeError:  # ~nobody: a file may be called that
        return cwd / written


def named(path: Path, cwd: Path) -> str:
    """``path`` as the model reads it: relative where it lies below ``cwd``, never with broken characters."""
    return readable(path.relative_to(cwd) if path.is_relative_to(cwd) else path)


def readable(path: Path | str) -> str:
    """``path`` as text that can be sent anywhere: bytes that are no UTF-8 become replacement characters."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def split_pattern(pattern: str, base: Path) -> tuple[Path, str]:
    """Folder to search and the pattern below it, for patterns that begin with a path such as ``~/a/*.md``."""
    parts = pattern.split("/")
    literal = 0
    while literal < len(parts) - 1 and not set("*?[{") & set(parts[literal]):
        literal += 1
    if not literal:
        return base, pattern
    return absolute("/".join(parts[:literal]) or "/", base), "/".join(parts[literal:])


TROUBLES = {
    errno.ENOENT: "There is no {path}. Look with list_dir or glob for the right name.",
    errno.EACCES: "Permission denied: {path}. The user running Jarvis may not do this; tell them.",
    errno.EPERM: "Permission denied: {path}. The user running Jarvis may not do this; tell them.",
    errno.EISDIR: "{path} is a folder, not a file. Use list_dir to see what is in it.",
    errno.ENOTDIR: "{path} is not a folder, or a part of the path is a file. Look with list_dir.",
    errno.EFBIG: "{path} is too large to be read whole. Use grep to find the part you need.",
    errno.EINVAL: "{path} is not a regular file (a device, pipe or socket), so it is left alone.",
    errno.ENOSPC: "The disk is full: {path} was not written and is unchanged. Tell the user.",
    errno.EROFS: "{path} is on a read-only disk and was not written. Choose another place.",
    errno.ENAMETOOLONG: "The name is too long: {path}. Use a shorter one.",
    errno.E2BIG: "The command is too long for the system. Write it to a script file first, or split it.",
    errno.ELOOP: "{path} is a link that leads back to itself. Use another path.",
}


def trouble(error: OSError | ValueError, path: str) -> str:
    """What went wrong with ``path`` and what to do next, for the model."""
    if isinstance(error, OSError):
        known = TROUBLES.get(error.errno or 0)
        return (
            known.format(path=path) if known else f"{path}: {error.strerror or error}. Nothing was changed."
        )
    if isinstance(error, UnicodeEncodeError):
        odd = error.object[error.start : error.end][:5]
        return f"{path}: the encoding {error.encoding} has no {odd!a}. Nothing was written; leave that out."
    if isinstance(error, UnicodeError):
        return (
            f"{error}. It cannot be read as text; if it matters, look at it with bash (file, strings, xxd)."
        )
    return f"{path}: {error}. Correct the argument and call again."


def clipped_line(line: str, max_chars: int) -> str:
    """``line``, or its beginning and how much is missing."""
    if len(line) <= max_chars:
        return line
    return f"{line[:max_chars]} [… {len(line) - max_chars:,} more characters]"


def fitting(lines: Sequence[str], max_chars: int = MAX_RESULT_CHARS) -> int:
    """How many of ``lines`` fit into a result; at least one."""
    room = max_chars
    for count, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return max(1, count)
    return len(lines)


def plain(text: str) -> str:
    """Terminal output as the text that a person would have seen in the end."""
    text = ESCAPES.sub("", text.replace("\r\n", "\n"))
    text = re.sub(r"[^\n]\x08", "", text)
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return CONTROLS.sub("", "\n".join(lines))


def diff_lines(text: str) -> list[str]:
    """Lines with their newlines; only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def unified(old: str, new: str, path: str, *, created: bool = False) -> str:
    """The change as a unified diff that ``patch`` understands; empty when there is none."""

    def marked() -> Iterator[str]:
        before = "/dev/null" if created else f"a/{path.lstrip('/')}"
        for line in difflib.unified_diff(diff_lines(old), diff_lines(new), before, f"b/{path.lstrip('/')}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

    return "".join(marked())


async def unified_aside(old: str, new: str, path: str, *, created: bool = False) -> str:
    """``unified`` in a worker thread: two long texts take seconds."""
    return await asyncio.to_thread(unified, old, new, path, created=created)


def similar(name: str, names: Sequence[str]) -> str | None:
    """The one of ``names`` that was probably meant."""
    folded = {other.casefold(): other for other in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None
