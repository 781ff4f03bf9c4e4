"""One setting written into a file that people write too."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.settings_write import write_setting
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.settings import Settings
from tests.fakes.texts import PlainTexts

BY_HAND = """\
# Mine, do not touch.
security:
    dangerous_commands:
      - 'sudo'   # never
      - "deploy"

voice:
    speak: true   # aloud
    # quiet rooms need less
    wake_threshold: 0.6
"""


def written(home: Path, before: str, name: str, value: object) -> str:
    """The file's text after one setting was written."""
    file = home / "settings.yaml"
    file.write_bytes(before.encode())
    write_setting(home, name, value, PlainTexts(), {})
    return file.read_bytes().decode()


def refused(home: Path, name: str, value: object, **environ: str) -> str:
    """Why it was not written; the file is as it was."""
    file = home / "settings.yaml"
    before = file.read_bytes() if file.exists() else None
    with pytest.raises(UserFixableError) as caught:
        write_setting(home, name, value, PlainTexts(), environ)
    assert (file.read_bytes() if file.exists() else None) == before
    return str(caught.value)


def test_a_value_changes_in_place_and_every_other_line_stays(tmp_path: Path) -> None:
    assert written(tmp_path, BY_HAND, "voice.speak", value=False) == BY_HAND.replace(
        "speak: true ", "speak: false"
    ).replace("false   # aloud", "false  # aloud")


def test_a_new_setting_joins_its_section_and_a_new_section_comes_last(tmp_path: Path) -> None:
    with_device = written(tmp_path, BY_HAND, "voice.input_device", "USB: “PnP” 마이크")
    assert with_device == BY_HAND + "    input_device: 'USB: “PnP” 마이크'\n"
    assert written(tmp_path, "ui:\n  theme: dark\n", "voice.languages", ("ko",)) == (
        "ui:\n  theme: dark\nvoice:\n  languages: [ko]\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "voice:\n  speak: false\n"),
        ("# only a remark", "# only a remark\nvoice:\n  speak: false\n"),
        ("# head\n---\n", "# head\nvoice:\n  speak: false\n"),
        ("voice:\nui: {language: en}\n", "voice:\n  speak: false\nui: {language: en}\n"),
        ("voice: {speak: true}\n", "voice: {speak: false}\n"),
        ("ui:\r\n  theme: dark\r\n", "ui:\r\n  theme: dark\r\nvoice:\r\n  speak: false\r\n"),
        ("\ufeffui:\n  theme: dark\n", "ui:\n  theme: dark\nvoice:\n  speak: false\n"),
    ],
)
def test_every_form_of_a_file_can_be_added_to(tmp_path: Path, before: str, after: str) -> None:
    assert written(tmp_path, before, "voice.speak", value=False) == after


def test_without_a_file_one_is_made_and_a_link_stays_a_link(tmp_path: Path) -> None:
    home, real = tmp_path / "home", tmp_path / "dotfiles.yaml"
    home.mkdir()
    write_setting(home, "ui.theme", "dark", PlainTexts(), {})
    assert (home / "settings.yaml").read_text() == "ui:\n  theme: dark\n"
    (home / "settings.yaml").rename(real)
    (home / "settings.yaml").symlink_to(real)
    write_setting(home, "ui.theme", "light", PlainTexts(), {})
    assert (real.read_text(), (home / "settings.yaml").is_symlink()) == ("ui:\n  theme: light\n", True)


def test_what_is_not_allowed_is_refused_with_what_is(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text(BY_HAND)
    assert [
        refused(tmp_path, "voice.request_silence_s", 30),
        refused(tmp_path, "voice.speak", "perhaps"),
        refused(tmp_path, "voice.languages", []),
        refused(tmp_path, "voice.loudness", 3),
        refused(tmp_path, "voice", 3),
        refused(tmp_path, "voice.speak", True, JARVIS_VOICE__SPEAK="false"),
    ] == [
        "voice.request_silence_s is 30, the most allowed is 5 (seconds).",
        "voice.speak is perhaps, allowed are true and false.",
        "voice.languages is [], at least 1 must be named.",
        "there is no setting called voice.loudness.",
        "there is no setting called voice.",
        "JARVIS_VOICE__SPEAK is set and wins over the file. Remove it and start Jarvis again.",
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("voice: [\n", "settings.yaml, line 2: the file cannot be read ("),
        ("voice: 5\n", "settings.yaml: voice is 5, but settings are expected under it."),
        ("- a\n", "settings.yaml, line 1: the file cannot be read ("),
    ],
)
def test_a_broken_file_is_left_for_its_owner_to_mend(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "settings.yaml").write_text(text)
    said = refused(tmp_path, "voice.speak", value=True)
    assert said.startswith(why)
    assert said.endswith("Mend it, then try again.")


def test_a_folder_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").mkdir()
    with pytest.raises(UserFixableError, match="cannot be written: Is a directory"):
        write_setting(tmp_path, "voice.speak", True, PlainTexts(), {})


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30))
def test_any_text_is_read_back_as_it_was_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.yaml").write_text(BY_HAND)
    write_setting(tmp_path, "voice.output_device", text, PlainTexts(), {})
    found, problems = load_settings(tmp_path, {})
    expected = Settings.model_validate(
        {
            "security": {"dangerous_commands": ["sudo", "deploy"]},
            "voice": {"wake_threshold": 0.6, "output_device": text},
        }
    )
    assert (found, problems) == (expected, ())
