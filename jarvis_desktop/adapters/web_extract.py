"""Program that finds the text of a page in its HTML.

A process of its own, because the HTML is a stranger's: parsing it may take for ever, fill the memory or
break the parser, and loading the parser takes 40 MB that the app does not need otherwise. This one is killed.

Standard input: HTML as UTF-8. Standard output: one JSON object ``{title, text}``.
"""

import html
import json
import os
import re
import resource
import sys

MAX_MEMORY_BYTES = 1 << 30
MAX_CPU_S = 60
MOST_CHARACTERS = 1_000_000
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,2000})", re.IGNORECASE)
_TITLE_WITHIN = 200_000


def found(page: str) -> dict[str, str]:
    """Title and main text; all text where no part of the page is the main one."""
    # Here, so that importing this module costs nothing: 0.9 s (2 cores, Python 3.11).
    import trafilatura
    from lxml.etree import LxmlError

    try:
        text = trafilatura.extract(page, output_format="markdown", include_comments=False)
        text = text or trafilatura.html2txt(page) or ""
    except (LxmlError, RecursionError):  # a thousand boxes in boxes
        text = ""
    title = _TITLE.search(page[:_TITLE_WITHIN])
    return {"title": html.unescape(title[1]).strip() if title else "", "text": text[:MOST_CHARACTERS]}


def main() -> None:
    """Read the page, write what was found."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    page = sys.stdin.buffer.read().decode("utf-8", "replace")
    print(json.dumps(found(page)))  # noqa: T201 - standard output is the answer of this program
    sys.stdout.flush()
    os._exit(0)  # no tidying up of a big heap
