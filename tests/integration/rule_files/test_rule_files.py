"""Rule files on a real disk: edits count at once, bad rules are named, saving is whole or not at all."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.adapters.rule_files import RuleFileError, RuleFiles, Saved
from jarvis_desktop.adapters.rule_text import read_rules
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.rules import Rule, RuleLine

GIT = RuleLine("bash", "git status")
LS = RuleLine("bash", "ls -la")
OWN = "approvals/main.yaml"


def put(home: Path, name: str, text: str) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def lines(files: RuleFiles, agent: AgentId = MAIN_AGENT) -> list[RuleLine]:
    return [rule.line for rule in files.load(agent).rules.rules]


@pytest.mark.promise("T-078", "T-079", "T-080", "T-087")
def test_shared_and_own_rules_count_together_and_each_knows_its_place(tmp_path: Path) -> None:
    put(
        tmp_path,
        "approvals.yaml",
        'rules:\n  - {tool: bash, pattern: uv run}\n  - {tool: write_file, pattern: "docs/*"}\n',
    )
    put(tmp_path, OWN, "# mine\nrules:\n  - tool: bash\n    pattern: 'git status'\n")
    assert RuleFiles(tmp_path).load(MAIN_AGENT).rules.rules == (
        Rule(RuleLine("bash", "uv run"), "approvals.yaml", 2),
        Rule(RuleLine("write_file", "docs/*"), "approvals.yaml", 3),
        Rule(GIT, OWN, 3),
    )


@pytest.mark.promise("T-081")
def test_a_rule_saved_for_one_agent_does_not_count_for_another(tmp_path: Path) -> None:
    files = RuleFiles(tmp_path)
    assert files.save(AgentId("karen"), [GIT]) == Saved("approvals/karen.yaml", (GIT,))
    assert (lines(files, AgentId("karen")), lines(files)) == ([GIT], [])


@pytest.mark.promise("T-082")
def test_nothing_is_written_when_the_shared_file_holds_the_rule(tmp_path: Path) -> None:
    put(tmp_path, "approvals.yaml", "rules:\n  - {tool: bash, pattern: git status}\n")
    assert RuleFiles(tmp_path).save(MAIN_AGENT, [GIT]) == Saved("", ())
    assert not (tmp_path / "approvals").exists()


def test_only_the_lines_that_are_new_are_written(tmp_path: Path) -> None:
    files = RuleFiles(tmp_path)
    files.save(MAIN_AGENT, [GIT])
    assert files.save(MAIN_AGENT, [GIT, LS, LS]) == Saved(OWN, (LS,))
    assert lines(files) == [GIT, LS]


@pytest.mark.promise("T-092")
def test_an_edit_by_hand_counts_at_the_very_next_look(tmp_path: Path) -> None:
    files = RuleFiles(tmp_path)
    path = put(tmp_path, OWN, "rules:\n  - {tool: bash, pattern: git status}\n")
    assert lines(files) == [GIT]
    path.write_text("rules:\n  - {tool: bash, pattern: git statuz}\n")
    assert lines(files) == [RuleLine("bash", "git statuz")]
    state = path.stat()
    path.write_text("rules:\n  - {tool: bash, pattern: git statuy}\n")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert lines(files) == [RuleLine("bash", "git statuy")], "same size and time: the change time tells"
    path.unlink()
    assert lines(files) == []


def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    put(tmp_path, OWN, "rules:\n  - {tool: bash, pattern: git status}\n")
    files = RuleFiles(tmp_path)
    assert files.load(MAIN_AGENT) is files.load(MAIN_AGENT)


def test_saving_keeps_comments_order_and_every_other_byte(tmp_path: Path) -> None:
    before = (
        "# head\r\nrules:   # all of them\r\n    # first\r\n    -   {tool: bash, pattern: uv run}   # why\r\n"
        '    - tool: write_file\r\n      pattern: "docs/*"   # two lines\r\n    # tail\r\n'
    )
    path = tmp_path / OWN
    path.parent.mkdir()
    path.write_bytes(before.encode())
    RuleFiles(tmp_path).save(MAIN_AGENT, [GIT])
    added = "    - {tool: bash, pattern: git status}\r\n"
    assert path.read_bytes().decode() == before.replace("    # tail", added + "    # tail")


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\n",
        "# only a remark\n",
        "rules:\n",
        "rules: []\n",
        "rules: [{tool: bash, pattern: ls}]\n",
        "rules:\n- {tool: bash, pattern: ls}",
        "---\nrules:\n  - {tool: bash, pattern: ls}\n",
        "rules:\n  - {tool: bash}\n",
        "rules:\n  - {tool: bash, tool: x, pattern: y}\n",
    ],
)
def test_a_rule_can_be_added_to_a_file_of_any_form(tmp_path: Path, before: str) -> None:
    put(tmp_path, OWN, before)
    files = RuleFiles(tmp_path)
    held = lines(files)
    files.save(
        MAIN_AGENT,
        [
            GIT,
            RuleLine("bash", "cat 'my notes'"),
            RuleLine("write_file", "/x/[[]y]/*"),
            RuleLine("bash", "true"),
        ],
    )
    assert lines(files) == [
        *held,
        GIT,
        RuleLine("bash", "cat 'my notes'"),
        RuleLine("write_file", "/x/[[]y]/*"),
        RuleLine("bash", "true"),
    ]


@pytest.mark.promise("T-092")
def test_revoking_takes_just_that_rule_away_at_once(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        OWN,
        "# head\nrules:\n  - {tool: bash, pattern: git status} # a\n  - {tool: bash, pattern: ls -la} # b\n",
    )
    files = RuleFiles(tmp_path)
    files.revoke(files.load(MAIN_AGENT).rules.rules[0])
    assert path.read_text() == "# head\nrules:\n  - {tool: bash, pattern: ls -la} # b\n"
    files.revoke(files.load(MAIN_AGENT).rules.rules[0])
    assert lines(files) == []


def test_a_rule_that_moved_meanwhile_is_not_mistaken_for_another(tmp_path: Path) -> None:
    path = put(
        tmp_path, OWN, "rules:\n  - {tool: bash, pattern: git status}\n  - {tool: bash, pattern: ls -la}\n"
    )
    files = RuleFiles(tmp_path)
    rule = files.load(MAIN_AGENT).rules.rules[0]
    path.write_text("rules:\n  - {tool: bash, pattern: ls -la}\n")
    with pytest.raises(RuleFileError, match="cannot be found"):
        files.revoke(rule)
    assert lines(files) == [LS]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{tool: bash}", '"pattern" is missing'),
        ("{pattern: x}", '"tool" is missing'),
        ("5", 'no "tool" and "pattern"'),
        ("{tool: bash, pattern: [a]}", '"pattern" must be a text'),
        ("{tool: bash, tool: bash, pattern: x}", '"tool" is there twice'),
        ("{tool: bash, pattern: x, agent: y}", '"agent" means nothing in a rule'),
        ("{tool: bash, pattern: null}", "must be a text"),
        ("{<<: {tool: bash}, pattern: x}", '"<<" means nothing'),
        ('{tool: bash, pattern: "a\\nb"}', "more than one line"),
        ("{tool: bash, pattern: bash -c}", "never allows anything"),
        ("{tool: web_fetch, pattern: 'http*'}", "never allows anything"),
    ],
)
def test_a_bad_rule_is_named_with_file_and_line_and_the_good_ones_hold(
    tmp_path: Path, entry: str, words: str
) -> None:
    put(
        tmp_path,
        OWN,
        f"rules:\n  - {{tool: bash, pattern: git status}}\n  - {entry}\n"
        "  - {tool: bash, pattern: ls -la}\n",
    )
    loaded = RuleFiles(tmp_path).load(MAIN_AGENT)
    (problem,) = loaded.problems
    assert str(problem).startswith(f"{OWN}, line 3: ")
    assert words in str(problem)
    assert {GIT, LS} <= {rule.line for rule in loaded.rules.rules}


@pytest.mark.parametrize(
    "text",
    [
        "rules: [",
        'rules:\n  - {tool: bash, pattern: "git status}\n',
        "rules: x",
        "- {tool: bash, pattern: git status}",
        "\0",
        "rules:\n\t- a",
        "rules:\n  - {tool: bash, pattern: git status}\nrules: []\n",
        "rules:\n  - {tool: bash, pattern: git status}\n---\nrules: []\n",
        "&a [*a]",
        "rules: !!python/object/apply:os.system [id]",
    ],
)
def test_a_broken_file_allows_nothing_and_is_never_written_over(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, OWN, text)
    files = RuleFiles(tmp_path)
    loaded = files.load(MAIN_AGENT)
    assert loaded.rules.rules == ()
    assert loaded.problems
    with pytest.raises(RuleFileError):
        files.save(MAIN_AGENT, [GIT])
    assert path.read_text() == text


def test_words_of_yaml_are_the_words_that_were_typed() -> None:
    words = ("yes", "010", "1:30")
    source = ("rules:\n" + "".join(f"  - {{tool: bash, pattern: {word}}}\n" for word in words)).encode()
    assert [rule.line.pattern for rule in read_rules(source, "f").rules] == ["yes", "010", "1:30"]


@given(
    source=st.binary(max_size=200)
    | st.text("rules:\n -{}[]tool,pattern&*!'\"#|>\t\\", max_size=80).map(str.encode)
)
@settings(max_examples=400, deadline=None)
def test_arbitrary_bytes_never_crash_a_reading(source: bytes) -> None:
    read_rules(source, "f")


@given(
    patterns=st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)
        .map(str.strip)
        .filter(bool),
        max_size=5,
    )
)
@settings(max_examples=100, deadline=None)
def test_the_quick_reading_and_the_full_one_agree(patterns: list[str]) -> None:
    text = "rules:\n" + "".join(f"  - {{tool: bash, pattern: {pattern}}}\n" for pattern in patterns)
    # Another top-level remark in a form that only the full reading takes.
    full = read_rules(b"---\n" + text.encode(), "f")
    quick = read_rules(text.encode(), "f")
    assert [rule.line for rule in quick.rules] == [rule.line for rule in full.rules]


def test_an_agent_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    put(tmp_path, "evil.yaml", "rules:\n  - {tool: bash, pattern: git status}\n")
    files = RuleFiles(tmp_path)
    for name in ("../evil", "/etc/x", "", "a/b", "..", "a\0b", "x" * 99):
        assert lines(files, AgentId(name)) == []


def test_two_windows_that_save_at_once_both_succeed(tmp_path: Path) -> None:
    files = [RuleFiles(tmp_path), RuleFiles(tmp_path)]
    threads = [
        threading.Thread(target=files[n % 2].save, args=(MAIN_AGENT, [RuleLine("bash", f"tool{n} x")]))
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(lines(files[0])) >= 3, "one process is exact; two writers never tear the file"
    assert RuleFiles(tmp_path).load(MAIN_AGENT).problems == ()


KILLED = """
import os, signal, sys, tempfile
from pathlib import Path
from jarvis_desktop.adapters import rule_files
from jarvis_desktop.core.items.rules import RuleLine

def die(*a, **k):
    os.kill(os.getpid(), signal.SIGKILL)

step = sys.argv[2]
real_replace = Path.replace
if step == "mkstemp":
    rule_files.tempfile.mkstemp = die
elif step == "write":
    real = os.fdopen
    def half(handle, mode):
        file = real(handle, mode)
        write = file.write
        def torn(data):
            write(data[: len(data) // 2]); file.flush(); die()
        class Torn:
            def __enter__(self): return self
            def __exit__(self, *a): pass
            write = staticmethod(torn)
        return Torn()
    rule_files.os.fdopen = half
elif step == "fsync":
    rule_files.os.fsync = die
elif step == "before-replace":
    Path.replace = die
elif step == "after-replace":
    Path.replace = lambda self, to: (real_replace(self, to), die())
rule_files.RuleFiles(Path(sys.argv[1])).save("main", [RuleLine("bash", "ls -la")])
"""


@pytest.mark.promise("T-088")
@pytest.mark.parametrize("step", ["mkstemp", "write", "fsync", "before-replace", "after-replace"])
def test_a_kill_at_any_step_of_saving_leaves_the_old_or_the_new_file(tmp_path: Path, step: str) -> None:
    path = put(tmp_path, OWN, "# mine\nrules:\n  - {tool: bash, pattern: git status}\n")
    end = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), step], check=False, timeout=60)
    assert end.returncode == -signal.SIGKILL
    new = "# mine\nrules:\n  - {tool: bash, pattern: git status}\n  - {tool: bash, pattern: ls -la}\n"
    assert path.read_text() == (
        new if step == "after-replace" else new.replace("  - {tool: bash, pattern: ls -la}\n", "")
    )


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(200 << 30)  # a hole: nothing of it is on the disk


@pytest.mark.parametrize("place", [pipe, endless, huge])
def test_what_is_no_file_that_anybody_wrote_is_said_and_not_waited_for(
    place: Callable[[Path], None], tmp_path: Path
) -> None:
    place(tmp_path / "approvals.yaml")
    files = RuleFiles(tmp_path)
    (problem,) = files.load(MAIN_AGENT).problems
    assert "none of its rules count" in problem.what
    with pytest.raises(RuleFileError):
        files.share(GIT)
