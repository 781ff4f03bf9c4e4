"""What the words of ``find`` say: where it begins and whether it finds everything there."""

from collections.abc import Sequence

from jarvis_desktop.core.policy.command_words import Expanded

Words = Sequence[Expanded]


def find_starts(argv: Words) -> tuple[Expanded, ...]:
    """Where ``find`` begins; the current directory when nothing is named."""
    starts: list[Expanded] = []
    for word in argv[1:]:
        if word.text in ("-H", "-L", "-P", "--") or word.text.startswith(("-O", "-D")):
            continue
        if word.text[:1] in ("-", "(", "!"):
            break
        starts.append(word)
    return tuple(starts) or (Expanded("."),)


_NARROWING_VALUES = ("-name", "-iname", "-path", "-wholename", "-regex")
_FINDS_ALL = frozenset(
    [
        "-delete",
        "-depth",
        "-d",
        "-xdev",
        "-mount",
        "-print",
        "-print0",
        "-mindepth",
        "-maxdepth",
        "-type",
        "-o",
        "-or",
        "-a",
        "-and",
        "(",
        ")",
        "-ignore_readdir_race",
        "-noleaf",
        "-follow",
        "-true",
        "-warn",
        "-nowarn",
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-H",
        "-L",
        "-P",
    ]
)


def finds_everything(argv: Words) -> bool:
    """No test of ``find`` narrows what it finds."""
    words = [word.text for word in argv[1:]]
    for at, text in enumerate(words):
        if text in ("-exec", "-execdir", "-ok", "-okdir"):
            break
        if text.startswith("-") and text not in _FINDS_ALL and text[:2] not in ("-O", "-D"):
            value = words[at + 1] if at + 1 < len(words) else "x"
            if text not in _NARROWING_VALUES or not set(value) <= set("*./"):
                return False
    return True
