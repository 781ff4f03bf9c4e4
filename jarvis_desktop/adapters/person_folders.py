"""The person's own folders: home, and where downloads, documents and pictures lie."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

USER_DIRS = Path(".config/user-dirs.dirs")
"""Written by xdg-user-dirs, in the language of the desktop: ``XDG_DOWNLOAD_DIR="$HOME/다운로드"``."""
WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "DESKTOP": ("desktop", "바탕화면"),
        "DOCUMENTS": ("documents", "문서"),
        "DOWNLOAD": ("downloads", "다운로드"),
        "MUSIC": ("music", "음악"),
        "PICTURES": ("pictures", "사진"),
        "VIDEOS": ("videos", "동영상"),
    }
)
"""What people call each folder, the usual English name first."""
HOME_WORDS = ("home folder", "home directory", "홈 폴더", "홈폴더", "홈 디렉토리", "홈 디렉터리", "홈에")
"""Not the bare word: people also go home and open a home page (홈페이지)."""
_LINE = re.compile(r'^XDG_([A-Z]+)_DIR="\$HOME/([^"/]+)/?"$', re.M)


def person_folders(home: Path | None = None) -> Mapping[str, Path]:
    """Each word with the folder that it means here, where there is one; reads the disk."""
    home = home or Path.home()
    try:
        named = dict(_LINE.findall((home / USER_DIRS).read_text("utf-8")))
    except (OSError, UnicodeError):
        named = {}
    found = {kind: home / named.get(kind, words[0].capitalize()) for kind, words in WORDS.items()}
    named_here = {word: path for kind, path in found.items() if path.is_dir() for word in WORDS[kind]}
    return dict.fromkeys(HOME_WORDS, home) | named_here
