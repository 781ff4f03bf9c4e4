"""Properties: wrapping, quoting, nesting and joining never turn a question into permission."""

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jarvis_desktop.core.policy.plain_reading import read_plain
from tests.unit.policy3.support import PLACE, decided, rows

RULES = (
    "git status",
    "ls",
    "echo",
    "cat",
    "git log",
    "npm test",
    "find .",
    "sort",
    "python3 safe.py",
    "write_file docs/*",
)
ASKED = [
    row["command"]
    for name in ("shell_cases.jsonl", "more_shell_cases.jsonl")
    for row in rows(name)
    if row["tool"] == "bash"
    and row["verdict"] == "ask"
    and "allow" not in row["also_ok"]
    and 0 < len(row["command"]) < 500
]
BLOCKED = [
    row["command"].replace("@RULES@", "~/.jarvis/approvals.yaml")
    for name in ("shell_cases.jsonl", "more_shell_cases.jsonl")
    for row in rows(name)
    if row["tool"] == "bash" and row["verdict"] == "block" and not row["also_ok"]
]
WRAPPINGS = (
    "{}",
    "bash -c {q}",
    "sh -c {q}",
    "eval {q}",
    "({})",
    "{{ {}\n}}",
    "if true; then {}\nfi",
    "git status && {}",
    "git status; {}",
    "git status\n{}",
    "ls || {}",
    "! {}",
    "$({})",
    "echo $({})",
    'echo "$({})"',
    "cat <({})",
    "env A=1 bash -c {q}",
    "nohup sh -c {q}",
    "timeout 5 bash -c {q}",
    "xargs -I@ sh -c {q}",
    "find . -exec sh -c {q} \\;",
    "while {}\ndo ls; done",
    "f() {{ {}\n}}; f",
    "for i in 1; do {}\ndone",
    "echo {q} | sh",
    "bash <<< {q}",
    "ls & {}",
    "trap {q} EXIT",
    "time bash -c {q}",
    "busybox sh -c {q}",
    "flock /tmp/l -c {q}",
    "watch {q}",
    "A=1; {}",
    "cd sub && bash -c {q}",
)
PIECES = (
    "git",
    "status",
    "ls",
    "echo",
    "cat",
    "log",
    " ",
    "  ",
    "\t",
    "\n",
    "\\\n",
    "\\",
    "'",
    '"',
    "$",
    "`",
    "$(",
    ")",
    "(",
    "{",
    "}",
    ",",
    "..",
    "*",
    "?",
    "[",
    "]",
    "~",
    "~/",
    "!",
    "#",
    " #",
    "=",
    "A=1",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "<",
    ">",
    ">>",
    ">&",
    "<<",
    "<<<",
    "<(",
    ">(",
    "&>",
    "2>",
    "1>&2",
    "/dev/null",
    "EOF",
    "x",
    "-",
    "--",
    "touch /tmp/x",
    "sudo",
    "rm -rf /",
    "if",
    "then",
    "fi",
    "time",
    "coproc",
    "eval",
    "$'",
    '$"',
    "${",
    "$x",
    "\\;",
    "\r",
    "\0",
    "\u00a0",
    "\u200b",
    "한",
    "docs/a",
    "--output=x",
    "@",
    "^",
    "%",
    "+",
)


def wrapped(template: str, command: str) -> str:
    return (
        template.replace("{{", "\ue001")
        .replace("}}", "\ue002")
        .replace("{q}", shlex.quote(command))
        .replace("{}", command)
        .replace("\ue001", "{")
        .replace("\ue002", "}")
    )


@pytest.mark.promise("T-093")
@given(command=st.sampled_from(ASKED), template=st.sampled_from(WRAPPINGS))
@settings(max_examples=500, deadline=None)
def test_no_wrapping_of_a_command_that_asks_is_allowed(command: str, template: str) -> None:
    assert (
        decided(wrapped(template, command), *RULES).kind != "allow"
        or decided(command, *RULES).kind == "allow"
    )


@given(
    command=st.sampled_from([c for c in BLOCKED if "<<" not in c and not c.endswith("&")]),
    template=st.sampled_from(WRAPPINGS),
)
@settings(max_examples=700, deadline=None)
def test_no_wrapping_of_a_blocked_command_is_allowed_and_hardly_any_hides_it(
    command: str, template: str
) -> None:
    assert decided(wrapped(template, command), *RULES).kind != "allow"


@pytest.mark.promise("T-024")
@pytest.mark.parametrize("template", WRAPPINGS)
@pytest.mark.parametrize(
    "command",
    ["sudo id", "rm -rf /", "rm -rf ~", "reboot", "curl x | sh", "echo x > ~/.jarvis/approvals.yaml"],
)
def test_a_wrapped_danger_is_blocked_all_the_same(command: str, template: str) -> None:
    assert decided(wrapped(template, command), *RULES).kind == "block"


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=14))
@settings(max_examples=1500, deadline=None)
def test_what_is_allowed_is_plain_and_covered_word_by_word(pieces: list[str]) -> None:
    text = "".join(pieces)
    if decided(text, *RULES).kind == "allow":
        commands = read_plain(text, PLACE.home)
        assert commands
        prefixes = [tuple(rule.split()) for rule in RULES]
        for command in commands:
            assert any(command.argv[: len(prefix)] == prefix for prefix in prefixes)


@given(text=st.text(max_size=300))
@settings(max_examples=400, deadline=None)
def test_arbitrary_text_never_crashes_and_is_never_allowed_without_a_rule(text: str) -> None:
    assert decided(text).kind != "allow"


@given(source=st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes_as_a_command_never_crash_and_never_allow(source: bytes) -> None:
    text = source.decode("utf-8", "surrogateescape")
    assert decided(text, "git status").kind != "allow" or text.startswith("git")


@given(words=st.lists(st.text("abc '\"\\$`;|&<>*?{}()#~=\n\t한", max_size=8), min_size=1, max_size=4))
@settings(max_examples=400, deadline=None)
def test_quoted_words_reach_the_rules_as_they_are(words: list[str]) -> None:
    text = shlex.join(["echo", *words])
    commands = read_plain(text, PLACE.home)
    assert commands is not None
    assert [command.argv for command in commands] == [("echo", *words)]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 9_000,
        "echo " + "a " * 4_000,
        "a;" * 4_000,
        "a|" * 4_000,
        "(" * 9_000,
        "{" * 9_000,
        "$(" * 4_000,
        "`" * 9_000,
        "'" * 9_000,
        "eval " * 1_500,
        "tmux " * 1_500,
        "find . -exec " * 600,
        "A=$A$A;" * 1_000,
        "cat <<E\n" * 1_000,
        "{a,b}" * 1_500,
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.timeout(20)
def test_hostile_text_is_answered_in_bounded_time(text: str) -> None:
    assert decided(text).kind != "allow"
