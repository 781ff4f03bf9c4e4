"""Where the Ollama program may be on this machine."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Places:
    """Where the program and its system service may be."""

    search_path: str
    folders: tuple[Path, ...]
    units: tuple[Path, ...]

    def program(self) -> Path | None:
        """The program; one that may not be run is found too, so that starting it says why it fails."""
        found = shutil.which("ollama", path=self.search_path)
        if found:
            return Path(found).absolute()
        return next((folder / "ollama" for folder in self.folders if (folder / "ollama").is_file()), None)

    def is_service(self) -> bool:
        """It is installed as a service of the system."""
        return any(unit.exists() for unit in self.units)


def usual_places(environ: Mapping[str, str] = os.environ) -> Places:
    """Where the installers of Ollama and of the distributions put it."""
    home = Path.home()
    return Places(
        environ.get("PATH", os.defpath),
        (Path("/usr/local/bin"), Path("/usr/bin"), home / ".local/bin", Path("/snap/bin")),
        tuple(Path(f) / "ollama.service" for f in ("/etc/systemd/system", "/usr/lib/systemd/system")),
    )
