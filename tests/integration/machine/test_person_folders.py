"""Where the person's own things lie."""

from pathlib import Path

from jarvis_desktop.adapters.person_folders import HOME_WORDS, person_folders


def test_folders_are_named_as_the_desktop_named_them_and_only_when_they_are_there(tmp_path: Path) -> None:
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "user-dirs.dirs").write_text(
        '# comment\nXDG_DESKTOP_DIR="$HOME/바탕화면"\nXDG_DOWNLOAD_DIR="$HOME/다운로드"\n'
        'XDG_MUSIC_DIR="$HOME/"\nXDG_PICTURES_DIR="/elsewhere"\n'
    )
    for name in ("다운로드", "Documents", "secret"):
        (tmp_path / name).mkdir()

    downloads, documents = tmp_path / "다운로드", tmp_path / "Documents"
    assert person_folders(tmp_path) == dict.fromkeys(HOME_WORDS, tmp_path) | {
        "documents": documents,
        "문서": documents,
        "downloads": downloads,
        "다운로드": downloads,
    }


def test_a_home_without_any_has_only_itself(tmp_path: Path) -> None:
    assert person_folders(tmp_path) == dict.fromkeys(HOME_WORDS, tmp_path)
