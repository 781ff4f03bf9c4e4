"""Settings that an older or a newer version wrote: said, kept to the byte, never dropped."""

from pathlib import Path

from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.adapters.settings_write import write_setting
from tests.fakes.texts import PlainTexts

OLD = """\
# written by hand in 2025
ui:
  theme: dark # at night
  colour: blue # gone since 0.2
model:
  name: "qwen3:4b"
dreams: {often: true} # of a later version
"""


def problems(home: Path) -> list[str]:
    return [sentence(problem, PlainTexts()) for problem in load_settings(home, {})[1]]


def test_fields_that_this_version_does_not_know_are_said_and_stay_when_another_is_changed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(OLD)
    said = problems(tmp_path)

    write_setting(tmp_path, "ui.theme", "light", PlainTexts(), {})

    assert said == [
        "settings.yaml, line 4: there is no setting called ui.colour.",
        "settings.yaml, line 7: there is no setting called dreams.",
    ]
    assert file.read_text() == OLD.replace("theme: dark", "theme: light")
    assert problems(tmp_path) == said
    assert load_settings(tmp_path, {})[0].model.name == "qwen3:4b"
