"""Program that searches files for a regular expression and writes each match as one JSON line.

A process of its own, because Python cannot break off a match: ``(a+)+$`` on an unlucky line runs for
years and holds the interpreter lock meanwhile, so the whole app would stand still. This one is killed.

Standard input: one JSON object ``{root, pattern, glob, limit, home}``. Standard output:
``[path, number, line]`` per match, ``{"error": …}`` when the pattern is none, ``{"done": true}`` at the end.
"""

import json
import math
import os
import re
import resource
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from jarvis_desktop.adapters.files_match import Budget, Glob, walk
from jarvis_desktop.adapters.files_names import for_people, on_disk
from jarvis_desktop.adapters.files_text import NotTextError, decode
from jarvis_desktop.core.policy.paths import Place, is_secret

MAX_FILE_BYTES = 20_000_000
MAX_LINE_CHARS = 400
"""Of a longer line, the part around the match is given."""
MAX_MEMORY_BYTES = 1 << 30


def candidates(root: Path, glob: str | None, place: Place) -> Iterator[Path]:
    """Files to search: ``root`` itself, or those below it that fit; a bare file name fits in any folder.

    Links are left out: they can lead out of ``root`` to what nobody meant to have searched. So are places
    of secrets (decision 38), unless ``root`` itself is one: then a person has said yes to it.
    """
    if not root.is_dir():
        yield root
        return
    secrets_too = is_secret(str(root), place)
    pattern = Glob("**" if glob is None else glob if "/" in glob else f"**/{glob}")
    for relative, entry in walk(root, pattern, Budget(math.inf)):
        if not pattern.matches(relative) or not entry.is_file(follow_symlinks=False):
            continue
        if secrets_too or not is_secret(entry.path, place):
            yield Path(entry.path)


def lines_of(path: Path) -> list[str]:
    """Lines of a text file; none when it is binary, too large or cannot be read."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            return []
        return decode(path.read_bytes(), path)[0].split("\n")
    except (OSError, NotTextError):
        return []


def around(line: str, start: int) -> str:
    """``line``, or the part of a long one where the match begins."""
    if len(line) <= MAX_LINE_CHARS:
        return line
    first = max(0, min(start - MAX_LINE_CHARS // 4, len(line) - MAX_LINE_CHARS))
    last = first + MAX_LINE_CHARS
    return f"{'…' if first else ''}{line[first:last]}{'…' if last < len(line) else ''}"


def tell(message: object) -> None:
    """One JSON line, at once."""
    print(json.dumps(message), flush=True)  # noqa: T201 - standard output is the answer of this program


def search(files: Iterable[Path], regex: re.Pattern[str], limit: int) -> None:
    """Tell every match, at most ``limit``."""
    left = limit
    for path in files:
        for number, line in enumerate(lines_of(path), 1):
            match = regex.search(line.removesuffix("\r"))
            if match and left > 0:
                tell([str(for_people(path)), number, around(line.removesuffix("\r"), match.start())])
                left -= 1
            if not left:
                return


def main() -> None:
    """Do the search that standard input describes."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    job = json.loads(sys.stdin.read())
    try:
        regex = re.compile(job["pattern"])
        place = Place(cwd=job["root"], home=job["home"], app_home=f"{job['home']}/.jarvis")
        search(candidates(on_disk(Path(job["root"])), job["glob"], place), regex, job["limit"])
    except (re.error, RecursionError, OverflowError, MemoryError, ValueError) as error:
        tell({"error": str(error) or type(error).__name__})
    else:
        tell({"done": True})
    sys.stdout.flush()
    os._exit(0)  # no tidying up of a big heap
