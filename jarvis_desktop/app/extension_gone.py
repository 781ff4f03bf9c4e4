"""What a person let run and what is not there any more: it would count again as soon as it is."""

from collections.abc import Collection, Iterator
from pathlib import Path

from jarvis_desktop.adapters.extension_ledger import LedgerRead
from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState


def gone(kind: ExtensionKind, ledger: LedgerRead, there: Collection[str], place: Path) -> Iterator[Extension]:
    """Those of one kind that are enabled and not among the names ``there``.

    place: the folder of their files, or the file that names them.
    """
    for (its_kind, name), entry in sorted(ledger.entries.items()):
        if its_kind is kind and name not in there and not entry.off:
            path = place if kind is ExtensionKind.SERVER else place / f"{name}.py"
            yield Extension(kind, name, path, entry.digest, ExtensionState.GONE, source=entry.source)


def is_gone(kind: ExtensionKind, name: str, ledger: LedgerRead, there: Collection[str]) -> bool:
    """The ledger knows it, and nothing else does."""
    return (kind, name) in ledger.entries and name not in there
