"""No font of the machine has Hangul."""

from pathlib import Path

import pytest

from jarvis_desktop.app.doctor_finding import Patient
from jarvis_desktop.app.doctor_packages import Manager, Packages
from jarvis_desktop.app.doctor_screen import check_screen
from jarvis_desktop.core.settings import Settings
from tests.e2e.acts import ask, ended_turn, shows
from tests.e2e.conftest import Launches
from tests.fakes.ollama_script import say
from tests.fakes.texts import PlainTexts

pytestmark = pytest.mark.real_screen


@pytest.fixture
def latin_only(tmp_path: Path) -> Path:
    """A setup of fontconfig that knows fonts without Hangul only."""
    found = next(Path("/usr/share/fonts").rglob("DejaVuSans.ttf"), None)
    assert found is not None, "no font to draw anything with"
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    (fonts / found.name).symlink_to(found)
    setup = tmp_path / "fonts.conf"
    setup.write_text(
        f"<fontconfig><dir>{fonts}</dir><cachedir>{tmp_path / 'cache'}</cachedir></fontconfig>", "utf-8"
    )
    return setup


def test_a_korean_start_without_a_korean_font_says_so_in_letters_that_can_be_read(
    silent: Launches, latin_only: Path
) -> None:
    stage = silent(
        say("안녕하세요."), settings={"FONTCONFIG_FILE": str(latin_only), "JARVIS_UI__LANGUAGE": "ko"}
    )
    shows(stage, "No font has Hangul, so Korean shows as boxes. Install one")
    ask(stage, "hello")
    assert ended_turn(stage).reply == "안녕하세요."
    assert stage.home.faults == ()


async def test_the_doctor_says_which_font_to_install(
    latin_only: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FONTCONFIG_FILE", str(latin_only))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    patient = Patient(tmp_path, Settings.model_validate({}), PlainTexts(), Packages(Manager.APT))
    fonts = next(one for one in await check_screen(patient) if one.name == "fonts")
    assert not fonts.found
    assert fonts.todo == "No font has Hangul, so Korean shows as boxes; install a font that has it."
    assert "fonts-nanum" in fonts.command
