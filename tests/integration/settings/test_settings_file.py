"""Settings as people write them: by hand, and in variables."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.settings_problem import ProblemKind, sentence
from jarvis_desktop.adapters.settings_write import write_setting
from jarvis_desktop.core.items.errors import UserFixableError
from jarvis_desktop.core.settings import (
    DANGEROUS_COMMANDS,
    EVERY_TOOL,
    STRICTEST,
    UNREADABLE_LIST,
    SecuritySettings,
    Settings,
)
from tests.fakes.texts import PlainTexts

DEFAULTS = Settings.model_validate({})


def loaded(home: Path, yaml: str, **environ: str) -> tuple[Settings, list[str]]:
    """The settings in force and what the app would say."""
    (home / "settings.yaml").write_text(yaml, "utf-8")
    found, problems = load_settings(home, environ)
    return found, [sentence(problem, PlainTexts()) for problem in problems]


def test_without_a_file_the_defaults_hold_and_nothing_is_said(tmp_path: Path) -> None:
    assert load_settings(tmp_path, {"JARVIS_HOME": "x", "JARVIS_RUN_NO_APT": "1"}) == (DEFAULTS, ())


def test_the_file_changes_a_value_and_the_environment_wins_over_it(tmp_path: Path) -> None:
    found, said = loaded(
        tmp_path,
        "ui: {language: ko}\nvoice:\n  wake_threshold: 0.6\n  languages: [en]\n",
        JARVIS_VOICE__WAKE_THRESHOLD="0.7",
        JARVIS_VOICE__SPEAK="false",
        JARVIS_AGENT__WORKING_DIRECTORY="~/작업 폴더",
    )

    assert said == []
    assert found.ui.language == "ko"
    assert (found.voice.wake_threshold, found.voice.speak, found.voice.languages) == (0.7, False, ("en",))
    assert found.agent.working_directory == Path("~/작업 폴더")


@pytest.mark.promise("T-089")
@pytest.mark.parametrize("written", ["bash, web_fetch", '["bash", "web_fetch"]'])
def test_a_list_in_the_environment_is_json_or_words_between_commas(tmp_path: Path, written: str) -> None:
    found, said = loaded(tmp_path, "", JARVIS_SECURITY__REQUIRE_APPROVAL_FOR=written)

    assert (found.security.require_approval_for, said) == (("bash", "web_fetch"), [])


@pytest.mark.promise("T-089")
def test_by_default_shell_and_writing_tools_need_approval() -> None:
    assert DEFAULTS.security.require_approval_for == ("bash", "write_file", "edit_file")


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        (
            "voice:\n\n  request_silence_s: 30",
            "settings.yaml, line 3: voice.request_silence_s is 30, the most allowed is 5 (seconds)."
            " Using the default, 0.7.",
        ),
        (
            "model:\n  context_tokens: 10",
            "settings.yaml, line 2: model.context_tokens is 10, the least allowed is 1024 (tokens)."
            " Using the default, 8192.",
        ),
        (
            "ui: {theme: blue}",
            "settings.yaml, line 1: ui.theme is blue, allowed are 'system', 'light' or 'dark'."
            " Using the default, system.",
        ),
        (
            "voice:\n  speak: perhaps",
            "settings.yaml, line 2: voice.speak is perhaps, allowed are true and false."
            " Using the default, true.",
        ),
        (
            "voice:\n  languages: []",
            "settings.yaml, line 2: voice.languages is [], at least 1 must be named."
            " Using the default, [ko, en].",
        ),
        (
            "voice:\n  languages: ko",
            "settings.yaml, line 2: voice.languages is ko, a list is expected. Using the default, [ko, en].",
        ),
        (
            "model:\n  keep_alive_minutes: 1.5",
            "settings.yaml, line 2: model.keep_alive_minutes is 1.5, a whole number is expected."
            " Using the default, 30.",
        ),
        (
            "model:\n  temperature: warm",
            "settings.yaml, line 2: model.temperature is warm, a number is expected. Using the default, 0.2.",
        ),
        (
            "model:\n  name: ''",
            'settings.yaml, line 2: model.name is "", it must not be empty. Using the default, gemma4:e2b.',
        ),
        (
            "model:\n  name:",
            "settings.yaml, line 2: model.name is empty, a text is expected. Using the default, gemma4:e2b.",
        ),
        (
            "voice:\n  spek: true",
            "settings.yaml, line 2: there is no setting called voice.spek. Did you mean speak?",
        ),
        (
            "voise:\n  speak: true",
            "settings.yaml, line 2: there is no setting called voise. Did you mean voice?",
        ),
        ("zzz: {a: 1}", "settings.yaml, line 1: there is no setting called zzz."),
        (
            "model: 3",
            "settings.yaml, line 1: model is 3, but settings are expected under it. Leaving it out.",
        ),
    ],
)
def test_a_bad_value_is_named_and_the_default_counts(tmp_path: Path, yaml: str, said: str) -> None:
    assert loaded(tmp_path, yaml) == (DEFAULTS, [said])


def test_a_bad_variable_is_named_and_the_file_counts(tmp_path: Path) -> None:
    found, said = loaded(tmp_path, "voice:\n  wake_threshold: 0.6", JARVIS_VOICE__WAKE_THRESHOLD="loud")

    assert found.voice.wake_threshold == 0.6
    assert said == [
        "JARVIS_VOICE__WAKE_THRESHOLD: voice.wake_threshold is loud, a number is expected."
        " Using 0.6 from the file."
    ]


def test_one_bad_value_leaves_the_good_ones_alone(tmp_path: Path) -> None:
    found, said = loaded(tmp_path, "voice: {wake_threshold: 7, speak: false}\nui: {theme: dark}")

    assert (found.voice.speak, found.ui.theme, len(said)) == (False, "dark", 1)


@pytest.mark.parametrize(
    "yaml",
    [
        "security:\n  require_approval_for: bash",
        "security:\n  require_approval_for: [{a: 1}]",
        "security:\n  require_approval: [bash]",
        "security: none",
        "securty:\n  require_approval_for: [bash]",
        "security:\n  require_approval_for: [bash\nui: {theme: dark}",
        "just words",
        "security: {}\nsecurity: {}",
    ],
)
def test_a_broken_security_setting_means_that_every_tool_asks(tmp_path: Path, yaml: str) -> None:
    found, said = loaded(tmp_path, yaml)

    assert found.security.require_approval_for == (EVERY_TOOL,)
    assert found.security.input_max_length == DEFAULTS.security.input_max_length
    assert said


@pytest.mark.parametrize(
    "yaml", ["just words", "security: none", "security:\n  dangerous_commands: sudo", "securty: {a: 1}"]
)
def test_a_danger_list_that_cannot_be_read_means_that_every_command_asks(tmp_path: Path, yaml: str) -> None:
    found, said = loaded(tmp_path, yaml)

    assert found.security.dangerous_commands == (*DANGEROUS_COMMANDS, UNREADABLE_LIST)
    assert said


def test_every_security_setting_has_a_strictest_value_that_is_allowed() -> None:
    fields = {("security", name) for name in SecuritySettings.model_fields}

    assert set(STRICTEST) == fields
    SecuritySettings.model_validate({name: value for (_, name), value in STRICTEST.items()})


def test_a_broken_file_is_named_with_the_line(tmp_path: Path) -> None:
    _, said = loaded(tmp_path, "ui:\n  theme: dark\n  theme: light\n")

    assert said[0].startswith('settings.yaml, line 3: the file cannot be read (found duplicate key "theme"')


@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949")
@pytest.mark.parametrize("written", ["ui: {theme: dark} # 어둡게".encode("cp949"), b"\xff\xfeu\0i\0"])
def test_a_file_in_another_encoding_is_said_and_does_not_stop_the_start(
    tmp_path: Path, written: bytes
) -> None:
    (tmp_path / "settings.yaml").write_bytes(written)

    found, problems = load_settings(tmp_path, {})

    assert found.security.require_approval_for == (EVERY_TOOL,)
    assert "not UTF-8" in sentence(problems[0], PlainTexts())


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_bytes(b"\xef\xbb\xbfui:\r\n  theme: dark\r\n")

    found, problems = load_settings(tmp_path, {})

    assert (found.ui.theme, problems) == ("dark", ())


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def huge(path: Path) -> None:
    path.write_text("ui:\n  theme: dark\n" * 20_000)


@pytest.mark.parametrize("place", [pipe, endless, loop, huge, Path.mkdir])
def test_what_is_no_file_that_anybody_wrote_is_said_at_once(
    tmp_path: Path, place: Callable[[Path], None]
) -> None:
    place(tmp_path / "settings.yaml")
    free = os.dup(2)
    os.close(free)

    found, problems = load_settings(tmp_path, {})

    assert [problem.kind for problem in problems] == [ProblemKind.UNREADABLE]
    assert found.security.require_approval_for == STRICTEST[("security", "require_approval_for")]
    with pytest.raises(UserFixableError, match="cannot be written"):
        write_setting(tmp_path, "ui.theme", "dark", PlainTexts(), {})
    after = os.dup(2)
    os.close(after)
    assert after == free  # nothing was left open


@pytest.mark.parametrize(
    "text",
    [
        "voice: &x\n  <<: *x\n",
        "voice: !!int\n",
        "? [a, {b: c}]\n: 2\n",
        "ui: &a [*a]\n",
        "ui: &a\n  theme: *a\n",
        "&a\nui: *a\n",
        "a: &a [1]\n"
        + "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(9)),
        'a: "\\ud800"\n',
    ],
)
def test_yaml_over_which_its_reader_stumbles_is_said_in_words_that_can_be_shown(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "settings.yaml").write_text(text)

    _, problems = load_settings(tmp_path, {})

    assert problems
    assert all(sentence(problem, PlainTexts()).encode() for problem in problems)


yaml_like = st.text(st.sampled_from("aui:voice speak\n  -[]{}#&*!|>'\"%@`,?0123.e~<=\t\\한"), max_size=60)


@given(
    text=st.one_of(
        yaml_like, yaml_like.map("security:\n  require_approval_for: ".__add__), st.text(max_size=40)
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_whatever_is_in_the_file_the_app_starts(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.yaml").write_bytes(text.encode("utf-8", "replace"))

    found, problems = load_settings(tmp_path, {})

    assert isinstance(found, Settings)
    assert all(sentence(problem, PlainTexts()) for problem in problems)
