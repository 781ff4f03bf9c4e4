"""The part of a page that a script writes: between two marks, compared or written anew."""

import sys
from pathlib import Path


def written_part(page: Path, name: str, content: str) -> int:
    """Write ``content`` between the marks of ``name``, or, with ``--check``, compare; the exit status.

    page: holds ``<!-- NAME: written by .ci/SCRIPT -->`` and ``<!-- end of NAME -->``, each on a line.
    """
    script = Path(sys.argv[0]).name
    begin, end = f"<!-- {name}: written by .ci/{script} -->\n", f"<!-- end of {name} -->\n"
    text = page.read_text("utf-8")
    before, _, rest = text.partition(begin)
    fresh = f"{before}{begin}\n{content}\n{end}{rest.partition(end)[2]}"
    if "--check" not in sys.argv:
        page.write_text(fresh, "utf-8")
        return 0
    if text == fresh:
        return 0
    print(f"{page.name} is stale: run python .ci/{script}")
    return 1
