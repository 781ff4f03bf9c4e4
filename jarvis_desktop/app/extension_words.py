"""Sentences about the files and processes of extensions: what happened, where, what to do."""

from collections.abc import Mapping

from jarvis_desktop.adapters.extension_files import MOST_BYTES, FileTrouble, FoundFile
from jarvis_desktop.adapters.extension_process import WorkerError, WorkerTrouble
from jarvis_desktop.core.ports import Texts


def file_sentence(file: FoundFile, texts: Texts) -> str:
    """Why the file can be no extension."""
    wording: Mapping[FileTrouble, str] = {
        FileTrouble.BAD_NAME: texts(
            "Its name cannot be used. Rename it: letters, digits, - and _ are allowed, 60 at most."
        ),
        FileTrouble.UNREADABLE: texts("It cannot be read ({reason})."),
        FileTrouble.LEADS_NOWHERE: texts("It is a link that leads nowhere. Delete it, or mend the link."),
        FileTrouble.TOO_LARGE: texts("It is too large to be read before it runs; {most} bytes are allowed."),
        FileTrouble.NO_TEXT: texts("It is no text in UTF-8, so what is shown would not be what runs."),
        FileTrouble.NO_PYTHON: texts("It cannot be read as Python ({reason}).")
        if not file.line
        else texts("Line {line} cannot be read as Python ({reason})."),
        FileTrouble.EMPTY: texts(
            "Nothing in it can be called. A tool is a function with a docstring and a type hint for each "
            "parameter, whose name does not begin with _."
        ),
    }
    assert file.trouble is not None
    most = f"{MOST_BYTES:,}"
    return wording[file.trouble].format(reason=file.detail, line=file.line, most=most)


def worker_sentence(error: WorkerError, texts: Texts) -> str:
    """Why an enabled extension does not work."""
    wording: Mapping[WorkerTrouble, str] = {
        WorkerTrouble.ENDED: texts("Its process ended by itself while it was loaded ({detail})."),
        WorkerTrouble.TIMED_OUT: texts("It was not loaded within {detail} s, so it was ended."),
        WorkerTrouble.NONSENSE: texts("It wrote where only answers belong, so it was ended."),
        WorkerTrouble.TOO_LARGE: texts("It answered with more than {detail} bytes, so it was ended."),
        WorkerTrouble.TOO_OFTEN: texts("It failed {detail} times in a row and is not started again."),
        WorkerTrouble.RAISED: texts("It cannot be loaded: {detail}."),
    }
    # The reason why there is no room for it is worded already.
    return wording.get(error.kind, "{detail}").format(detail=error.detail)
