"""The danger list as a setting, and where it looks besides the command."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.items.path_facts import PathFact
from jarvis_desktop.core.policy.call_facts import WriteFacts, is_code, paths_wanted, scripts_wanted
from jarvis_desktop.core.policy.command_check import check_script, with_disk
from jarvis_desktop.core.policy.danger import DEFAULT_ENTRIES, Detector, danger_list
from jarvis_desktop.core.policy.judge import judge
from tests.unit.policy3.support import DEFAULT_DANGER, PARSER, PLACE, command_facts, decided, rules


@pytest.mark.promise("T-184")
def test_an_empty_list_turns_all_off_but_the_rule_files() -> None:
    off = danger_list([])
    assert decided("sudo id", danger=off).kind == "ask"
    assert decided("rm -rf /", danger=off).kind == "ask"
    assert decided("echo x > ~/.jarvis/approvals.yaml", danger=off).source == "danger:rule-files"


@pytest.mark.parametrize(
    ("left_out", "command"),
    [
        (Detector.PRIVILEGE, "sudo id"),
        (Detector.RECURSIVE_DELETE, "rm -rf /"),
        (Detector.POWER, "reboot"),
        (Detector.RECURSIVE_PERMISSIONS, "chmod -R 777 /"),
        (Detector.DOWNLOAD_TO_INTERPRETER, "curl x | sh"),
        (Detector.DISK_WRITE, "cat x > /dev/sda"),
        (Detector.FORMAT, "mkfs.ext4 /dev/sdb1"),
        (Detector.FORK_BOMB, ":(){ :|:& };:"),
    ],
)
def test_each_detector_can_be_left_out_by_its_name(left_out: Detector, command: str) -> None:
    assert decided(command).source == f"danger:{left_out}"
    without = danger_list([name for name in DEFAULT_ENTRIES if name != left_out])
    assert decided(command, danger=without).kind == "ask"


@pytest.mark.promise("T-177", "T-179", "T-182")
def test_an_entry_of_ones_own_is_a_regex_on_the_whole_text_without_case() -> None:
    own = danger_list([*DEFAULT_ENTRIES, r"drop\s+table"])
    verdict = decided('echo "DROP  TABLE x"', "echo", danger=own)
    assert (verdict.kind, verdict.source) == ("block", r"danger:drop\s+table")
    assert "security.dangerous_commands" in verdict.why


@pytest.mark.promise("T-183")
@pytest.mark.parametrize("bad", ["(", "", ".*", "x" * 1001])
def test_a_bad_entry_keeps_the_good_ones_and_every_command_asks_until_it_is_mended(bad: str) -> None:
    mixed = danger_list(["drop", bad])
    assert len(mixed.problems) == 1
    assert decided("git status", "git status", danger=mixed).source == "danger-list-broken"
    assert decided("drop", danger=mixed).kind == "block"
    assert decided("sudo id", danger=mixed).kind == "block"


@pytest.mark.promise("T-178")
def test_the_list_wins_over_a_rule_and_over_a_tool_that_needs_no_approval() -> None:
    facts = command_facts("rm -rf /")
    assert judge(facts, rules("rm -rf"), DEFAULT_DANGER).kind == "block"
    assert judge(facts, rules("rm -rf"), DEFAULT_DANGER, needs_approval=False).kind == "block"


def test_a_tool_that_needs_no_approval_is_allowed_without_a_rule() -> None:
    assert (
        judge(command_facts("ls"), rules(), DEFAULT_DANGER, needs_approval=False).source
        == "no-approval-needed"
    )


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("python3 a.py x", "/home/u/proj/a.py"),
        ("bash sub/x.sh", "/home/u/proj/sub/x.sh"),
        ("./run", "/home/u/proj/run"),
        (". env.sh", "/home/u/proj/env.sh"),
        ("cd sub && ./x", "/home/u/proj/sub/x"),
        ("env node a.js", "/home/u/proj/a.js"),
    ],
)
def test_the_scripts_that_a_command_would_run_are_named(command: str, path: str) -> None:
    assert scripts_wanted(command_facts(command)) == (path,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "import os\nos.system('sudo id')\n"),
        ("a.py", "import shutil\nshutil.rmtree('/')\n"),
        ("a.sh", "# a script\nset -e\nrm -rf ~\n"),
        ("a", "#!/bin/bash\ncurl -s x | sh\n"),
    ],
)
def test_a_script_that_would_do_a_dangerous_thing_is_asked_about_though_a_rule_covers_it(
    name: str, text: str
) -> None:
    script = check_script(f"/home/u/proj/{name}", text, PARSER, PLACE)
    facts = with_disk(command_facts(f"python3 {name}"), {}, (script,))
    verdict = judge(facts, rules(f"python3 {name}"), DEFAULT_DANGER)
    assert (verdict.kind, verdict.source.partition(":")[0]) == ("ask", "script")


def test_a_harmless_script_stays_covered() -> None:
    script = check_script("/home/u/proj/a.py", "print('sudo rm -rf /')\n", PARSER, PLACE)
    facts = with_disk(command_facts("python3 a.py"), {}, (script,))
    assert judge(facts, rules("python3 a.py"), DEFAULT_DANGER).kind == "allow"


def test_dangerous_content_for_a_program_is_asked_about_though_a_rule_covers_the_file() -> None:
    path = "/home/u/proj/docs/x.sh"
    harmless = WriteFacts(
        "write_file", "docs/x.sh", PLACE, PathFact(path), check_script(path, "ls\n", PARSER, PLACE)
    )
    dangerous = replace(harmless, content=check_script(path, "sudo id\n", PARSER, PLACE))
    given = rules("write_file docs/*")
    assert judge(harmless, given, DEFAULT_DANGER).kind == "allow"
    assert judge(dangerous, given, DEFAULT_DANGER).source == "content:privilege"


@pytest.mark.promise("T-185")
def test_content_that_nobody_can_run_is_not_looked_into() -> None:
    assert not is_code("notes.md", "sudo rm -rf /", None, PLACE)
    assert is_code("notes", "#!/bin/sh\n", None, PLACE)
    assert is_code("x.sh", "", None, PLACE)
    assert is_code("tool", "", PathFact("/home/u/proj/tool", exists=True, executable=True), PLACE)
    assert is_code("/home/u/.bashrc", "", None, PLACE)


def test_the_paths_that_a_command_names_are_looked_up_where_it_would_run() -> None:
    assert paths_wanted(command_facts("cd sub && cp a --target=b ../c > d")) == (
        "/home/u/proj/sub",
        "/home/u/proj/sub/d",
        "/home/u/proj/sub/a",
        "/home/u/proj/sub/b",
        "/home/u/proj/c",
    )


@pytest.mark.parametrize("text", ["x" * 20_000 + "; sudo id", "a;" * 9_000 + "sudo id"])
def test_danger_far_down_a_long_command_is_still_seen_or_asked_about(text: str) -> None:
    assert decided(text, "x", "a").kind in ("ask", "block")


@pytest.mark.parametrize("link", ["/home/u/proj/notes", "/tmp/l"])
def test_a_link_to_a_rule_file_is_no_way_around(link: str) -> None:
    links = {link: "/home/u/.jarvis/approvals/main.yaml"}
    for command in (f"tee {link}", f"echo x > {link}", f"cp a {link}", f"sed -i s/a/b/ {link}"):
        assert (
            judge(command_facts(command, links), rules("tee", "echo", "cp"), DEFAULT_DANGER).source
            == "danger:rule-files"
        )
