"""Links, kinds and modes as a real disk tells them, and verdicts that rest on them."""

from pathlib import Path

import pytest

from jarvis_desktop.adapters.path_facts import look_up, path_fact, read_scripts
from jarvis_desktop.app.rules_cmd import bench, proposal_lines, verdict_lines
from jarvis_desktop.core.items.path_facts import PathFact


def test_a_link_and_what_does_not_exist_are_followed_as_far_as_they_go(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to("/nowhere/y")
    found = look_up([str(tmp_path / "link" / "a"), str(tmp_path / "dangling" / "x"), str(tmp_path / "link")])
    assert found == {
        str(tmp_path / "link" / "a"): PathFact(str(tmp_path / "real" / "a")),
        str(tmp_path / "dangling" / "x"): PathFact("/nowhere/y/x"),
        str(tmp_path / "link"): PathFact(str(tmp_path / "real"), exists=True, is_dir=True),
    }


def test_a_program_and_a_second_name_of_a_file_are_told(tmp_path: Path) -> None:
    file = tmp_path / "tool"
    file.write_text("x")
    file.chmod(0o755)
    (tmp_path / "other").hardlink_to(file)
    assert path_fact(str(file)) == PathFact(str(file), exists=True, executable=True, links=2)


def test_what_cannot_be_looked_at_has_no_fact(tmp_path: Path) -> None:
    assert look_up(["a\0b", "/" + "x" * 5000]) == {}
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert read_scripts([str(tmp_path / "loop"), str(tmp_path), "/dev/zero"]) == {}


def kinds(home: Path, *rows: str) -> list[str]:
    on = bench(home / ".jarvis", cwd=home / "proj", home=home)
    return [line.split('"')[3] for line in verdict_lines(rows, on)]


@pytest.mark.promise("T-085")
def test_links_that_leave_the_allowed_folder_are_asked_about(tmp_path: Path) -> None:
    proj = tmp_path / "proj"
    (proj / "docs").mkdir(parents=True)
    (tmp_path / ".ssh").mkdir()
    (proj / "docs" / "link").symlink_to(tmp_path / ".ssh")
    (proj / "docs" / "new").symlink_to("/tmp/y-missing")
    (proj / "moved").symlink_to(tmp_path / "other")
    row = '{{"tool": "write_file", "command": "{}", "rules": [{{"tool": "write_file", "pattern": "{}"}}]}}'
    assert kinds(
        tmp_path,
        row.format("docs/a.md", "docs/*"),
        row.format("docs/link/a.md", "docs/**"),
        row.format("docs/new/x.md", "docs/**"),
        row.format("moved/a.md", "moved/*"),
    ) == ["allow", "ask", "ask", "ask"]


def test_a_link_or_a_second_name_of_a_rule_file_is_no_way_around(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    rules = tmp_path / ".jarvis" / "approvals.yaml"
    rules.parent.mkdir()
    rules.write_text("rules: []\n")
    (tmp_path / "proj" / "link").symlink_to(rules)
    (tmp_path / "proj" / "name").hardlink_to(rules)
    assert kinds(
        tmp_path,
        "echo x > link",
        "tee link",
        '{"tool": "write_file", "command": "link"}',
        '{"tool": "write_file", "command": "name", "rules": [{"tool": "write_file", "pattern": "**"}]}',
    ) == ["block", "block", "block", "ask"]


def test_a_dangerous_script_on_disk_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    (tmp_path / "proj" / "bad.py").write_text("import os\nos.system('sudo id')\n")
    (tmp_path / "proj" / "good.py").write_text("print(1)\n")
    row = '{{"command": "python3 {0}", "rules": [{{"tool": "bash", "pattern": "python3 {0}"}}]}}'
    assert kinds(tmp_path, row.format("good.py"), row.format("bad.py")) == ["allow", "ask"]


def test_the_command_line_answers_one_object_a_line(tmp_path: Path) -> None:
    (tmp_path / ".jarvis").mkdir()
    (tmp_path / ".jarvis" / "approvals.yaml").write_text("rules:\n  - {tool: bash, pattern: git status}\n")
    on = bench(tmp_path / ".jarvis", cwd=tmp_path, home=tmp_path)
    rows = ["git status -s\n", "{ ls; }\n", "\n", '{"tool": "web_fetch", "command": ""}\n', "sudo id\n"]
    assert list(verdict_lines(rows, on)) == [
        '{"verdict": "allow", "why": "covered by bash: git status (approvals.yaml, line 2)", '
        '"source": "rule:bash: git status (approvals.yaml, line 2)", '
        '"rules": [{"tool": "bash", "pattern": "git status", "file": "approvals.yaml", "line": 2}]}',
        '{"verdict": "ask", "why": "the command has branches, loops or groups", '
        '"source": "unclear:structure", "rules": []}',
        '{"verdict": "ask", "why": "no rule covers web_fetch", "source": "no-rule", "rules": []}',
        '{"verdict": "block", "why": "\'sudo\' is on security.dangerous_commands (privilege)", '
        '"source": "danger:privilege", "rules": []}',
    ]
    assert list(proposal_lines(rows[:2], on)) == ['{"propose": ["git status"]}', '{"propose": null}']
