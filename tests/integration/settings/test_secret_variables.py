"""A key in a variable counts, and no program that Jarvis starts inherits it."""

import os
import subprocess
from pathlib import Path

import pytest

from jarvis_desktop.adapters import secret_variables
from jarvis_desktop.adapters.secret_variables import take_secrets
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.settings_problem import sentence
from jarvis_desktop.app.bug_report import Scene, report_files
from tests.fakes.texts import PlainTexts

KEY = "BSA-never-to-be-told"


@pytest.mark.parametrize("name", ["JARVIS_WEB__BRAVE_KEY", "JARVIS_web__brave_key"])
def test_a_key_in_a_variable_counts_and_is_not_inherited(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secret_variables, "_taken", {})
    monkeypatch.setenv(name, KEY)
    take_secrets()
    for _ in range(2):  # the second time as after an edit of the file
        assert load_settings(tmp_path)[0].web.brave_key == KEY
    child = subprocess.run(["env"], check=True, capture_output=True, text=True)
    assert KEY not in child.stdout
    assert KEY not in os.environ.values()


@pytest.mark.parametrize("written", [KEY, 12345678, f"[{KEY}]", f"{{a: {KEY}}}"])
def test_no_sentence_and_no_report_quotes_the_key(written: str | int, tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text(f"web:\n  brave_key: {written}\n  page_max_kb: 1\n")
    settings, problems = load_settings(tmp_path, {})
    said = [sentence(problem, PlainTexts()) for problem in problems]
    assert len(said) == 1
    assert settings.web.brave_key
    told = "".join(text for _, text in report_files(Scene(tmp_path, settings, problems, [], PlainTexts())))
    assert not any(secret in told + said[0] for secret in (KEY, "12345678"))


def test_addresses_of_other_devices_are_secrets_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret_variables, "_taken", {})
    monkeypatch.setenv("JARVIS_NOTIFY__PUSH_TO", f"ntfys://{KEY} json://{KEY}.example")
    take_secrets()
    settings, problems = load_settings(tmp_path)
    assert settings.notify.push_to.split() == [f"ntfys://{KEY}", f"json://{KEY}.example"]
    assert not any(KEY in value for value in os.environ.values())
    (tmp_path / "logs").mkdir()
    told = "".join(text for _, text in report_files(Scene(tmp_path, settings, problems, [], PlainTexts())))
    assert KEY not in told
    assert KEY not in repr(settings)
