"""What the settings window asks of the rules, on real files."""

from datetime import timedelta

import pytest

from jarvis_desktop.core.items.audit import Outcome
from jarvis_desktop.core.items.decisions import VerdictKind
from jarvis_desktop.core.items.rule_desk import (
    AddRule,
    CallTried,
    CheckRuleText,
    DangerTried,
    LookAtRules,
    PreviewRule,
    ReadRuleFile,
    RevokeRule,
    RuleAdded,
    RuleFileRead,
    RulePreviewed,
    RuleRestored,
    RuleRevoked,
    RulesLooked,
    RuleTextChecked,
    RuleTextSaved,
    RuleWish,
    RuleWishRefused,
    SaveRuleText,
    TryCall,
    TryDanger,
    UndoRevoke,
)
from jarvis_desktop.core.items.rule_facts import Layer, RuleFacts, RuleUse, TextProblem
from jarvis_desktop.core.items.rules import Rule, RuleLine
from tests.fakes.audit import by_person, by_rule
from tests.fakes.clock import START
from tests.marks import TESTS
from tests.parts.rules import OWN, SHARED, RuleRoom

GIT = Rule(RuleLine("bash", "git status"), "approvals.yaml", 3)
NPM = Rule(RuleLine("bash", "npm test"), "approvals/main.yaml", 3)
LATER = START + timedelta(hours=1)
OWN_FILE = "approvals/main.yaml"


def facts(room: RuleRoom) -> RuleFacts:
    return room.one(RulesLooked, LookAtRules()).facts


def tried(room: RuleRoom, text: str, tool: str = "bash") -> CallTried:
    return room.one(CallTried, TryCall(1, tool, text, ""))


def test_both_layers_are_listed_with_their_origin_and_their_use(room: RuleRoom) -> None:
    made = by_person(Outcome.ALWAYS, (NPM.line,))
    room.record([made, by_rule(NPM, LATER)])
    found = facts(room)
    assert [held.rule for held in found.rules][::2] == [GIT, NPM]
    assert found.rules[2].use == RuleUse(START, made.entry_id, LATER, 1)
    assert found.rules[0].use == RuleUse()
    assert "never allows" in found.rules[1].warning
    assert [(file.file, file.agent, bool(file.digest)) for file in found.files] == [
        ("approvals.yaml", "", True),
        (OWN_FILE, "main", True),
    ]
    room.record([by_rule(GIT, LATER)])  # only what is new is read
    assert facts(room).rules[0].use == RuleUse(used_at=LATER, count=1)


def test_a_revoked_rule_no_longer_counts_and_undo_brings_every_byte_back(room: RuleRoom) -> None:
    assert tried(room, "npm test").verdict.kind is VerdictKind.ALLOW
    revoked = room.one(RuleRevoked, RevokeRule(NPM))
    assert revoked.rule == NPM
    assert room.own.read_text("utf-8") == OWN.replace(
        "  - {tool: bash, pattern: npm test}   # the tests\n", ""
    )
    assert tried(room, "npm test").verdict.kind is VerdictKind.ASK
    room.one(RuleRestored, UndoRevoke(revoked.undo_id))
    assert room.own.read_text("utf-8") == OWN
    assert tried(room, "npm test").verdict.kind is VerdictKind.ALLOW


def test_undo_after_another_edit_adds_the_rule_and_leaves_the_edit(room: RuleRoom) -> None:
    revoked = room.one(RuleRevoked, RevokeRule(NPM))
    room.own.write_text("# mine\nrules:\n  - {tool: bash, pattern: ls}\n", "utf-8")
    room.ask(UndoRevoke(revoked.undo_id))
    assert room.own.read_text("utf-8") == (
        "# mine\nrules:\n  - {tool: bash, pattern: ls}\n  - {tool: bash, pattern: npm test}\n"
    )
    again = room.one(RuleWishRefused, UndoRevoke(revoked.undo_id))
    assert again.wish is RuleWish.UNDO


def test_a_rule_that_moved_in_its_file_is_revoked_where_it_stands_now(room: RuleRoom) -> None:
    room.own.write_text("# one more line\n# and another\n" + OWN, "utf-8")
    room.ask(RevokeRule(NPM))
    assert "npm test" not in room.own.read_text("utf-8")


def test_a_rule_that_is_gone_already_is_said_so_and_nothing_is_written(room: RuleRoom) -> None:
    room.own.write_text("rules: []\n", "utf-8")
    refused = room.one(RuleWishRefused, RevokeRule(NPM))
    assert (refused.wish, refused.reason) == (
        RuleWish.REVOKE,
        "bash: npm test is not in approvals/main.yaml any more.",
    )
    assert room.own.read_text("utf-8") == "rules: []\n"


def test_a_rule_is_added_to_the_layer_that_was_chosen_once(room: RuleRoom) -> None:
    line = RuleLine("bash", "git log")
    added = room.one(RuleAdded, AddRule(line, Layer.SHARED))
    assert (added.file, added.is_new) == ("approvals.yaml", True)
    assert room.shared.read_text("utf-8") == SHARED + "  - {tool: bash, pattern: git log}\n"
    again = room.one(RuleAdded, AddRule(line, Layer.AGENT))
    assert (again.is_new, room.own.read_text("utf-8")) == (False, OWN)
    room.ask(AddRule(RuleLine("write_file", f"{room.project}/*"), Layer.AGENT))
    assert tried(room, f"{room.project}/a.md", "write_file").verdict.kind is VerdictKind.ALLOW


def test_a_rule_without_a_pattern_is_not_added(room: RuleRoom) -> None:
    assert room.one(RuleWishRefused, AddRule(RuleLine("bash", " "), Layer.AGENT)).wish is RuleWish.ADD
    assert room.own.read_text("utf-8") == OWN


def test_a_preview_says_what_passes_what_asks_and_what_to_know(room: RuleRoom) -> None:
    shown = room.one(RulePreviewed, PreviewRule(4, RuleLine("bash", "make test")))
    assert (shown.number, shown.never_allows) == (4, False)
    assert shown.passes == ("make test", "make test --help", "make test README.md")
    assert "make test && rm notes.txt" in shown.asks
    assert len(shown.warnings) == 2  # a project runner


@pytest.mark.parametrize("pattern", ["bash -c", "env", "python3 -c", "./build.sh"])
def test_a_rule_that_never_allows_is_previewed_as_one(room: RuleRoom, pattern: str) -> None:
    shown = room.one(RulePreviewed, PreviewRule(1, RuleLine("bash", pattern)))
    assert (shown.never_allows, shown.passes, len(shown.warnings)) == (True, (), 1)


# --- texts ------------------------------------------------------------------------------------


def test_a_text_is_saved_with_its_comments_and_counts_at_once(room: RuleRoom) -> None:
    read = room.one(RuleFileRead, ReadRuleFile(OWN_FILE))
    assert read.text == OWN
    text = read.text.replace("make", "git log")
    saved = room.one(RuleTextSaved, SaveRuleText(OWN_FILE, text, read.digest))
    assert room.own.read_text("utf-8") == text
    assert room.one(RuleFileRead, ReadRuleFile(OWN_FILE)).digest == saved.digest
    assert tried(room, "git log --oneline").verdict.kind is VerdictKind.ALLOW


def test_a_file_that_changed_on_disk_is_not_written_over_but_told(room: RuleRoom) -> None:
    read = room.one(RuleFileRead, ReadRuleFile(OWN_FILE))
    room.own.write_text("rules: [] # theirs\n", "utf-8")
    told = room.one(RuleFileRead, SaveRuleText(OWN_FILE, "rules: [] # mine\n", read.digest))
    assert (told.text, room.own.read_text("utf-8")) == ("rules: [] # theirs\n", "rules: [] # theirs\n")
    room.one(RuleTextSaved, SaveRuleText(OWN_FILE, "rules: [] # mine\n", told.digest))
    assert room.own.read_text("utf-8") == "rules: [] # mine\n"


def test_line_ends_and_byte_order_mark_stay_what_they_were(room: RuleRoom) -> None:
    room.own.write_bytes(b"\xef\xbb\xbfrules:\r\n  - {tool: bash, pattern: ls}\r\n")
    read = room.one(RuleFileRead, ReadRuleFile(OWN_FILE))
    assert read.text == "rules:\n  - {tool: bash, pattern: ls}\n"
    room.ask(SaveRuleText(OWN_FILE, read.text.replace("ls", "cat"), read.digest))
    assert room.own.read_bytes() == b"\xef\xbb\xbfrules:\r\n  - {tool: bash, pattern: cat}\r\n"


def test_a_file_that_is_not_there_yet_is_empty_and_can_be_written(room: RuleRoom) -> None:
    room.own.unlink()
    read = room.one(RuleFileRead, ReadRuleFile(OWN_FILE))
    assert read == RuleFileRead(OWN_FILE, "", "")
    room.one(RuleTextSaved, SaveRuleText(OWN_FILE, "rules: []\n", ""))
    assert room.own.read_text("utf-8") == "rules: []\n"
    assert room.own.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "name", ["../settings.yaml", "settings.yaml", "approvals/../x.yaml", "/etc/passwd", ""]
)
def test_no_other_file_is_read_or_written(room: RuleRoom, name: str) -> None:
    assert room.one(RuleWishRefused, ReadRuleFile(name)).wish is RuleWish.READ
    assert room.one(RuleWishRefused, SaveRuleText(name, "rules: []\n", "")).wish is RuleWish.SAVE


def test_problems_have_their_line_and_warnings_are_told_apart(room: RuleRoom) -> None:
    text = "rules:\n  - {tool: bash}\n  - {tool: bash, pattern: env}\n  - {tol: bash, pattern: ls}\n"
    checked = room.one(RuleTextChecked, CheckRuleText(7, OWN_FILE, text))
    assert checked.number == 7
    assert [(one.line, one.is_warning) for one in checked.problems] == [(2, False), (3, True), (4, False)]
    assert checked.problems[0].text == '"pattern" is missing. This rule is skipped.'
    broken = room.one(RuleTextChecked, CheckRuleText(8, OWN_FILE, "rules:\n  - {tool: bash\nx: [\n"))
    assert len(broken.problems) == 1
    assert broken.problems[0].line > 1
    assert broken.problems[0].text.endswith("Until this is mended, none of its rules count.")
    assert room.one(RuleTextChecked, CheckRuleText(9, OWN_FILE, OWN)).problems == ()


def test_a_problem_of_a_file_is_told_with_the_rules(room: RuleRoom) -> None:
    room.own.write_text("rules:\n  - {tool: bash}\n", "utf-8")
    assert facts(room).files[1].problems == (TextProblem(2, '"pattern" is missing. This rule is skipped.'),)


def test_a_file_that_is_no_text_is_named_with_what_to_do(room: RuleRoom) -> None:
    room.own.write_bytes(b"\xff\xfe\x00")
    assert "another editor" in room.one(RuleWishRefused, ReadRuleFile(OWN_FILE)).reason
    assert "none of its rules count" in facts(room).files[1].problems[0].text


# --- trying out -------------------------------------------------------------------------------


def test_a_tried_call_is_decided_as_a_real_one_and_nothing_runs(room: RuleRoom) -> None:
    allowed = tried(room, "git status --short")
    assert (allowed.verdict.kind, allowed.verdict.rules) == (VerdictKind.ALLOW, (GIT,))
    asked = tried(room, "git status && touch here")
    assert (asked.verdict.kind, asked.reason) == (VerdictKind.ASK, "No remembered rule covers this.")
    blocked = tried(room, "sudo ls")
    assert (blocked.verdict.kind, blocked.verdict.source) == (VerdictKind.BLOCK, "danger:privilege")
    assert not (room.project / "here").exists()
    room.sandbox.ready = False
    assert tried(room, "git status").verdict.source == "no-sandbox"


def test_paths_are_tried_too_and_a_folder_counts(room: RuleRoom) -> None:
    room.own.write_text('rules:\n  - {tool: write_file, pattern: "notes/*"}\n', "utf-8")
    assert tried(room, "notes/a.md", "write_file").verdict.kind is VerdictKind.ALLOW
    assert tried(room, "notes/.git/config", "write_file").verdict.kind is VerdictKind.ASK
    elsewhere = room.one(CallTried, TryCall(1, "write_file", "a.md", str(room.project / "notes")))
    # A relative pattern is read from the folder that is named.
    assert elsewhere.verdict.kind is VerdictKind.ASK
    assert tried(room, "~/.ssh/id_ed25519", "read_file").verdict.kind is VerdictKind.ASK


def test_an_entry_of_the_danger_list_is_tried_before_it_counts(room: RuleRoom) -> None:
    def danger(entry: str, text: str) -> DangerTried:
        return room.one(DangerTried, TryDanger(3, entry, text))

    assert danger(r"push.*--force", "git push --force") == DangerTried(3, "", "push --force")
    assert danger(r"push.*--force", "git push") == DangerTried(3, "", "")
    assert "regular expression" in danger("push(", "").problem
    assert danger("a*", "b").problem == "'a*' matches every command"


def test_nobody_in_the_core_but_a_person_reaches_the_desk() -> None:
    """No tool, no turn and no policy module names the desk's commands."""
    core = TESTS.parent / "jarvis_desktop" / "core"
    named = [
        path.name
        for part in ("tools", "turn", "policy", "voice")
        for path in (core / part).rglob("*.py")
        if "rule_desk" in path.read_text("utf-8")
    ]
    assert named == []
