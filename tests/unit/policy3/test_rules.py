"""What one rule line means."""

import pytest

from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.policy.call_facts import OtherFacts, WriteFacts
from jarvis_desktop.core.policy.judge import judge
from jarvis_desktop.core.policy.paths import Guarded, Place, guard_of, is_secret
from jarvis_desktop.core.policy.rules import Weakness, pattern_words, rule_set, weakness_of
from tests.unit.policy3.support import DEFAULT_DANGER, PLACE, decided, facts_of, rules


@pytest.mark.promise("T-086")
def test_a_star_covers_the_whole_of_any_other_tool_and_nothing_else_does() -> None:
    fetch = OtherFacts("web_fetch", PLACE)
    assert judge(fetch, rules("web_fetch *"), DEFAULT_DANGER).kind == "allow"
    assert judge(fetch, rules("web_fetch https://a.example"), DEFAULT_DANGER).kind == "ask"
    assert judge(fetch, rules("custom *"), DEFAULT_DANGER).kind == "ask"


@pytest.mark.parametrize("pattern", ["*", "", "  ", "'unclosed", "git*"])
def test_a_bash_pattern_is_words_and_never_a_glob(pattern: str) -> None:
    given = rule_set(())
    assert decided("git status", f"bash {pattern}").kind == "ask"
    assert given.weak == ()


@pytest.mark.parametrize(
    "pattern",
    [
        "bash -c",
        "sh",
        "env",
        "sudo",
        "xargs rm",
        "python3 -c",
        "node -e",
        "timeout 5",
        "eval",
        "cd",
        "vim",
        "busybox",
        "perl -e",
        "nohup",
        "source",
        "bash build.sh",
        "zsh",
        "export",
        "time",
        "ruby -e",
        "php -r",
    ],
)
def test_a_rule_on_something_that_runs_anything_is_loaded_with_a_warning_and_never_allows(
    pattern: str,
) -> None:
    assert weakness_of(RuleLine("bash", pattern)) is Weakness.RUNS_ANYTHING
    assert decided(f"{pattern} 'ls'", f"bash {pattern}").kind in ("ask", "block")


def test_a_rule_on_a_program_by_path_never_allows_unless_the_system_owns_the_folder() -> None:
    assert weakness_of(RuleLine("bash", "./build.sh")) is Weakness.PROGRAM_BY_PATH
    assert decided("./build.sh", "./build.sh").kind == "ask"
    assert decided("/usr/bin/git status", "/usr/bin/git status").kind == "allow"
    assert decided("/usr/bin/git -c a=b status", "/usr/bin/git").kind == "ask"


def test_quotes_in_a_pattern_mean_what_they_mean_to_a_shell() -> None:
    assert pattern_words("cat 'my notes.md'") == ("cat", "my notes.md")
    assert decided("cat my\\ notes.md", "cat 'my notes.md'").kind == "allow"
    assert decided("cat my notes.md", "cat 'my notes.md'").kind == "ask"


def test_the_verdict_names_the_rule_or_the_detector_behind_it() -> None:
    assert decided("git status", "git status").source == "rule:bash: git status"
    assert decided("sudo id").source == "danger:privilege"
    assert decided("ls").source == "no-rule"
    assert decided("git log --output=x", "git log").source == "risky-option"
    assert decided("git status &", "git status").source == "unclear:background"


def test_one_rule_is_enough_though_a_narrower_reading_of_another_is_risky() -> None:
    assert decided("python3 -m pytest -q", "python3 -m", "python3 -m pytest").kind == "allow"
    assert decided("python3 -m pytest -q", "python3 -m").kind == "ask"


def test_a_redirection_needs_a_write_rule_for_its_target() -> None:
    assert decided("git status > docs/a.md", "git status", "write_file docs/*").kind == "allow"
    assert decided("git status > docs/a.md", "git status", "edit_file docs/*").kind == "ask"
    assert decided("git status > docs/../a.md", "git status", "write_file docs/*").kind == "ask"
    assert decided("git status > .git/config", "git status", "write_file **").kind == "ask"


def test_both_a_link_and_its_target_must_be_covered() -> None:
    links = {"/home/u/proj/docs/l": "/home/u/proj/other"}
    one, both = rules("write_file docs/l/*"), rules("write_file docs/l/*", "write_file other/*")
    assert judge(facts_of("write_file", "docs/l/a", links), one, DEFAULT_DANGER).kind == "ask"
    assert judge(facts_of("write_file", "docs/l/a", links), both, DEFAULT_DANGER).kind == "allow"


def test_a_home_folder_that_is_itself_a_link_does_not_make_every_rule_useless() -> None:
    place = Place("/home/u/proj", "/home/u", "/home/u/.jarvis", real_home="/var/home/u")
    facts = WriteFacts("write_file", "docs/a", place, PathFact("/var/home/u/proj/docs/a"))
    assert judge(facts, rules("write_file docs/*"), DEFAULT_DANGER).kind == "allow"
    secret = WriteFacts("write_file", "docs/a", place, PathFact("/var/home/u/.ssh/a"))
    assert judge(secret, rules("write_file /**"), DEFAULT_DANGER).kind == "ask"


@pytest.mark.parametrize(
    "fact",
    [
        None,
        PathFact("/home/u/proj/docs/a", is_dir=True),
        PathFact("/home/u/proj/docs/a", exists=True, links=2),
    ],
)
def test_a_path_with_a_second_name_or_that_nobody_looked_at_is_asked_about(fact: PathFact | None) -> None:
    facts = WriteFacts("write_file", "docs/a", PLACE, fact)
    assert judge(facts, rules("write_file docs/*"), DEFAULT_DANGER).source == "unclear-path"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/u/.jarvis/approvals.yaml", Guarded.RULE_FILES),
        ("/home/u/.jarvis/approvals/x.yaml", Guarded.RULE_FILES),
        ("/home/u/.jarvis/extensions.yaml", Guarded.RULE_FILES),
        ("/home/u/.jarvis/plugins/x.py", Guarded.APP_FILES),
        ("/opt/jarvis/x.py", Guarded.APP_PROGRAM),
        ("/home/u/p/.git/hooks/x", Guarded.GIT),
        ("/home/u/.zshenv", Guarded.STARTUP),
        ("/home/u/.SSH/config", Guarded.SSH),
        ("/home/u/.config/autostart/x", Guarded.AUTOSTART),
        ("/home/u/p/.vscode/tasks.json", Guarded.EDITOR),
        ("/home/u/p/.mcp.json", Guarded.MCP),
        ("/etc/passwd", Guarded.SYSTEM),
        ("/home/u/.gnupg/x", Guarded.SECRETS),
        ("/home/u/.local/bin/git", Guarded.STARTUP),
        ("/home/u/p/src/a.py", None),
        ("/home/u/p/git/a", None),
    ],
)
def test_guarded_places_are_known_by_name(path: str, kind: Guarded | None) -> None:
    place = Place("/home/u/proj", "/home/u", "/home/u/.jarvis", installed_at=("/opt/jarvis",))
    assert guard_of(path, place) is kind


def test_a_moved_app_folder_is_guarded_and_so_is_the_usual_one() -> None:
    place = Place("/home/u/proj", "/home/u", "/srv/jarvis")
    assert guard_of("/srv/jarvis/approvals.yaml", place) is Guarded.RULE_FILES
    assert guard_of("/home/u/.jarvis/approvals.yaml", place) is Guarded.RULE_FILES


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        ("/home/u/.ssh/id_rsa", True),
        ("/home/u/p/.env", True),
        ("/home/u/p/.env.local", True),
        ("/home/u/p/.env.example", False),
        ("/home/u/.mozilla/x", True),
        ("/home/u/p/server.pem", True),
        ("/home/u/p/env.md", False),
    ],
)
def test_secrets_are_known_by_name(path: str, *, secret: bool) -> None:
    assert is_secret(path, PLACE) is secret
