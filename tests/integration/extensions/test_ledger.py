"""What people let run, on disk."""

import stat
from pathlib import Path

import pytest

from jarvis_desktop.adapters.extension_ledger import Enabled, ExtensionLedger, changes_of, state_of
from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import ExtensionKind, ExtensionState
from tests.fakes.texts import PlainTexts

TOOL = (ExtensionKind.TOOL, "weather")
SOURCE = "def weather() -> str:\n    '오늘 날씨: \\t!'\n    return 'x'\n\n# yes: - [not] {yaml} \u2028 \x85"


@pytest.fixture
def ledger(tmp_path: Path) -> ExtensionLedger:
    return ExtensionLedger(tmp_path / "home", PlainTexts())


def test_what_was_enabled_comes_back_to_the_letter(ledger: ExtensionLedger, tmp_path: Path) -> None:
    assert ledger.read().entries == {}
    ledger.enable(TOOL, "ab12", SOURCE, frozenset({"weather"}))
    file = tmp_path / "home" / "extensions.yaml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = ExtensionLedger(tmp_path / "home", PlainTexts()).read()
    assert again.entries == {TOOL: Enabled("ab12", frozenset({"weather"}), SOURCE)}
    ledger.disable(TOOL)
    assert ledger.read().entries == {TOOL: Enabled("ab12", frozenset({"weather"}), SOURCE, off=True)}


@pytest.mark.parametrize(
    "content",
    [
        b"extensions: [",
        b"\xff\xfe\xff",
        b"extensions: {tool: yes}",
        b"extensions: [{kind: tool, name: weather}]",
        b"extensions: [{kind: spell, name: weather, digest: a}]",
        b"extensions: [{kind: tool, name: a, digest: a}, {kind: tool, name: a, digest: b}]",
        b"enabled: all",
        b"- tool",
        b"!!python/object/apply:os.system ['true']",
    ],
)
def test_a_broken_ledger_enables_nothing_says_why_and_is_not_written_over(
    ledger: ExtensionLedger, tmp_path: Path, content: bytes
) -> None:
    ledger.enable(TOOL, "ab12", SOURCE)
    file = tmp_path / "home" / "extensions.yaml"
    file.write_bytes(content)
    read = ledger.read()
    assert read.entries == {}
    assert str(file) in read.problem
    with pytest.raises(ExtensionRefusedError):
        ledger.enable(TOOL, "ab12", SOURCE)
    assert file.read_bytes() == content


def test_a_folder_in_its_place_enables_nothing(ledger: ExtensionLedger, tmp_path: Path) -> None:
    (tmp_path / "home" / "extensions.yaml").mkdir(parents=True)
    assert ledger.read().problem
    with pytest.raises(ExtensionRefusedError):
        ledger.disable(TOOL)


def test_what_counts_follows_wish_and_digest() -> None:
    was = Enabled("a", source="one\ntwo\n")
    assert [state_of(*case) for case in ((None, "a"), (was, "a"), (was, "b"))] == [
        ExtensionState.WAITING,
        ExtensionState.ENABLED,
        ExtensionState.CHANGED,
    ]
    assert state_of(Enabled("a", off=True), "a") is ExtensionState.OFF
    assert changes_of(was, "b", "one\n2\n", "x.py").splitlines()[-3:] == [" one", "-two", "+2"]
    # On a screen it ends a line, in Python no comment.
    assert "+# see\u2028check()" in changes_of(
        Enabled("a", source="# see\ncheck()"), "b", "# see\u2028check()", "x"
    )
    assert changes_of(was, "a", "one\ntwo\n", "x.py") == changes_of(None, "a", "one", "x.py") == ""


def test_what_could_not_be_read_again_is_not_written(
    ledger: ExtensionLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.enable(TOOL, "a", "x")
    monkeypatch.setattr("jarvis_desktop.adapters.extension_ledger.MOST_BYTES", 2_000)
    with pytest.raises(ExtensionRefusedError, match="nothing was changed"):
        ledger.enable((ExtensionKind.TOOL, "other"), "b", "y" * 2_000)
    assert set(ledger.read().entries) == {TOOL}
