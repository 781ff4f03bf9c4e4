"""The repository around a working directory, as far as a git command in a closed room has to write to it."""

from dataclasses import dataclass
from os import fspath
from os.path import realpath
from pathlib import Path

from jarvis_desktop.adapters.sandbox_disk import is_folder, is_there

SHORT_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Repository:
    """Found as git finds it; everything real, without links."""

    dot: Path
    """What is called ``.git``: a folder, or the file of a worktree or submodule."""
    stores: tuple[Path, ...]
    """Folders that git writes to; none where the file leads to what does not lead back."""

    @property
    def hooks(self) -> tuple[str, ...]:
        """Where programs lie that git starts by itself."""
        return tuple(fspath(store / "hooks") for store in self.stores)


def repository(cwd: str) -> Repository | None:
    """The repository that git would use in ``cwd``."""
    for folder in (Path(cwd), *Path(cwd).parents):
        dot = folder / ".git"
        if dot.is_symlink():
            return Repository(dot, ())  # nothing says whose it is
        if is_folder(dot):
            return Repository(dot, (dot,))
        if is_there(dot):
            return Repository(dot, _stores(dot))
    return None


def _stores(dot: Path) -> tuple[Path, ...]:
    """Where the file leads, if that place belongs to it.

    A command that could write the file must not get other folders to write to: what a worktree's file names
    must name the file in turn, and a submodule's must lie where its superproject keeps submodules.
    """
    named = _line(dot).removeprefix("gitdir: ")
    store = Path(realpath(dot.parent / named))
    if not is_there(store / "HEAD"):
        return ()
    if store.parent.name == "worktrees" and realpath(_line(store / "gitdir")) == str(dot):
        return (store, store.parent.parent)
    if any(folder / ".git" / "modules" in store.parents for folder in dot.parent.parents):
        return (store,)
    return ()


def _line(file: Path) -> str:
    """The first line of a short file; empty where none can be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(SHORT_BYTES).split(b"\n")[0].decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
