"""Rule files on a real disk: mended, broken and attacked while the program runs."""

import shutil
from pathlib import Path
from typing import ClassVar

import pytest

from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.decisions import Allow, Answer
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.tool import Tool, ToolArguments, ToolOutput
from tests.integration.decision.room import Room

OK, DENIED, ERROR = ResultStatus.OK, ResultStatus.DENIED, ResultStatus.ERROR
GIT = "rules:\n  - {tool: bash, pattern: uname -m}\n"


async def test_x37_a_malformed_rule_is_skipped_and_named_and_the_others_hold(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.shared.write_text("rules:\n  - {tool: bash}\n  - {tool: bash, pattern: ls}\n")
    assert (await room.bash("ls")).status is OK
    assert (await room.bash("id")).status is DENIED
    held = await room.reading.rules.load(MAIN_AGENT)
    (problem,) = held.problems
    assert problem.startswith("approvals.yaml, line 2: ")


@pytest.mark.promise("T-087", "T-092")
async def test_x38_a_rule_deleted_by_hand_asks_at_the_next_call(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.own.write_text(GIT)
    assert (await room.bash("uname -m")).status is OK
    room.own.write_text("rules: []\n")
    assert (await room.bash("uname -m")).status is DENIED
    room.own.write_text(GIT)
    assert (await room.bash("uname -m")).status is OK
    room.own.unlink()
    assert (await room.bash("uname -m")).status is DENIED


@pytest.mark.parametrize("line", ["bash -c", "env", "sudo", "xargs", "python3 -c", "sh"])
async def test_x41_a_rule_on_a_wrapper_or_interpreter_allows_nothing(tmp_path: Path, line: str) -> None:
    room = Room(tmp_path)
    room.shared.write_text(f"rules:\n  - {{tool: bash, pattern: {line}}}\n")
    assert (await room.bash(f"{line} true")).status is not OK
    held = await room.reading.rules.load(MAIN_AGENT)
    assert len(held.rules) == 1  # loaded, so that a person sees it with its warning


class NoteArguments(ToolArguments):
    """Where to note what."""

    where: str


class NoteTool(Tool[NoteArguments]):
    """A tool of somebody else that writes."""

    name: ClassVar[str] = "note"
    description: ClassVar[str] = "Note."
    arguments: ClassVar[type[ToolArguments]] = NoteArguments

    async def run(self, arguments: NoteArguments, allow: Allow, request: TurnRequest) -> ToolOutput:
        (request.cwd / arguments.where).write_text("written")
        return ToolOutput("written")


WAYS = (
    "echo x > {file}",
    "echo x >> {file}",
    "echo x | tee {file}",
    "tee -a {file} < a",
    "mv a {file}",
    "cp a {file}",
    "cp a {folder}",
    "sed -i s/a/b/ {file}",
    "rm {file}",
    "ln -sf a {file}",
    "truncate -s0 {file}",
    "dd if=a of={file}",
    "install a {file}",
    "touch {file}",
    "chmod 777 {file}",
    'python3 -c \'open("{file}", "w").write("x")\'',
    "perl -e 'open(F, \">{file}\")'",
    "bash -c 'echo x > {file}'",
    "env sh -c 'mv a {file}'",
    "cd {folder} && echo x > {name}",
    "find . -exec cp a {file} \\;",
    "echo x > linked",
    "echo x > through/{name}",
    "mv a sub/../../.jarvis/{rest}",
)


@pytest.mark.promise("T-080")
@pytest.mark.parametrize("which", ["approvals.yaml", "approvals/main.yaml"])
async def test_x40_no_tool_writes_a_rule_file_whatever_way_it_takes(tmp_path: Path, which: str) -> None:
    room = Room(tmp_path, [Answer.ALLOW] * 100, more_tools=(NoteTool(),))
    room.security.set(require_approval_for=())
    file = room.app_home / which
    file.write_text(GIT)
    (room.project / "a").write_text("x")
    (room.project / "sub").mkdir()
    (room.project / "linked").symlink_to(file)
    (room.project / "through").symlink_to(file.parent)
    where = {"file": file, "folder": file.parent, "name": file.name, "rest": which}
    for way in WAYS:
        result = await room.bash(way.format(**where))
        assert (result.status, way) == (ERROR, way)
        assert "blocked" in result.text
        assert file.read_text() == GIT
    paths = [str(file), f"sub/../../.jarvis/{which}", "linked", f"through/{file.name}", f"file://{file}"]
    for path in paths:
        for result in (
            await room.call("write_file", path=path, content="x"),
            await room.call("edit_file", path=path, old_string="bash", new_string="x"),
        ):
            assert (result.status, "blocked" in result.text, path) == (ERROR, True, path)
    for path in ("linked", str(file), f"through/{file.name}"):
        assert "blocked" in (await room.call("note", where=path)).text
    assert (file.read_text(), room.questions) == (GIT, [])
    assert "uname -m" in (await room.call("read_file", path=str(file))).text  # reading changes nothing


@pytest.mark.promise("T-018", "T-080", "T-081", "T-246")
async def test_always_writes_the_agents_own_file_and_another_agent_still_asks(tmp_path: Path) -> None:
    room = Room(tmp_path, [Answer.ALWAYS])
    assert (await room.bash("uname -m")).status is OK
    (offer,) = [question.offer for question in room.questions]
    assert offer is not None
    (line,) = offer.lines
    assert room.own.read_text() == f'rules:\n  - {{tool: bash, pattern: "{line.pattern}"}}\n'.replace('"', "")
    assert not room.shared.exists()
    assert (await room.bash("uname -m")).status is OK
    karen = await room.call("bash", AgentId("karen"), command="uname -m")
    assert (karen.status, len(room.questions)) == (DENIED, 2)


@pytest.mark.promise("T-082", "T-247")
async def test_always_touches_no_file_when_the_shared_one_covers_it_by_then(tmp_path: Path) -> None:
    room = Room(tmp_path, [Answer.ALWAYS])
    room.sandbox.ready = False  # so that the question does not close by itself
    room.own.write_text("# mine\nrules: []\n")
    before = room.own.stat()
    room.before_answer = lambda: room.shared.write_text("rules:\n  - {tool: bash, pattern: uname -m}\n")
    assert (await room.bash("uname -m")).status is OK
    after = room.own.stat()
    assert len(room.questions) == 1
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


async def test_a_rule_allowed_git_command_starts_no_program_of_the_repository(tmp_path: Path) -> None:
    room = Room(tmp_path)
    mark = tmp_path / "ran"
    sly = tmp_path / "sly"
    sly.write_text(f'#!/bin/sh\necho $0 >> {mark}\ncat "$@" 2>/dev/null\nexit 0\n')
    sly.chmod(0o755)
    setup = (
        "git init -q . && git config user.email a@b && git config user.name n && echo a > f && "
        "echo '* diff=sly' > .gitattributes && git add . && git commit -qm a && echo b > f && "
        f"git config core.fsmonitor {sly} && git config diff.external {sly} && "
        f"git config diff.sly.textconv {sly} && git config core.pager {sly}"
    )
    room.security.set(require_approval_for=())
    assert (await room.bash(setup)).status is OK
    mark.unlink(missing_ok=True)
    for name in ("status", "diff", "log"):
        await room.bash(f"git {name}")
    assert mark.exists()  # unguarded, the repository's programs do run
    mark.unlink()
    room.security.set(require_approval_for=("bash",))
    room.shared.write_text(
        "rules:\n"
        + "".join(f"  - {{tool: bash, pattern: git {name}}}\n" for name in ("status", "diff", "log"))
    )
    for command in ("git status", "git diff", "git log -p", "git diff HEAD && git status --short"):
        result = await room.bash(command)
        assert (result.status, command) == (OK, command)
    assert not mark.exists()
    assert room.questions == []


async def test_a_link_swapped_into_a_covered_folder_is_not_written_through(tmp_path: Path) -> None:
    room = Room(tmp_path)
    docs = room.project / "docs"
    docs.mkdir()
    room.shared.write_text("rules:\n  - {tool: write_file, pattern: docs/*}\n")
    assert (await room.call("write_file", path="docs/a.md", content="1")).status is OK
    victim = room.home / ".bashrc"
    victim.write_text("mine")
    (docs / "b.md").symlink_to(victim)
    assert (await room.call("write_file", path="docs/b.md", content="2")).status is DENIED
    shutil.move(docs, room.project / "docs2")
    docs.symlink_to(room.home)
    assert (await room.call("write_file", path="docs/c.md", content="3")).status is DENIED
    (room.home / "deep").mkdir()
    docs.unlink()
    docs.mkdir()
    (docs / "in").symlink_to(room.home / "deep")
    up = await room.call("write_file", path="docs/in/../d.md", content="4")
    assert (up.status, (room.home / "d.md").exists()) == (DENIED, False)
    assert victim.read_text() == "mine"


async def test_a_rule_file_behind_a_link_in_the_home_folder_is_not_written_even_after_a_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, [Answer.ALLOW])
    monkeypatch.setenv("HOME", str(room.home))
    room.shared.write_text(GIT)
    (room.home / "notes").symlink_to(room.shared)
    result = await room.call("write_file", path="~/notes", content="x")
    assert (result.status, room.shared.read_text(), room.questions) == (ERROR, GIT, [])
    room.own.write_text(f"rules:\n  - {{tool: write_file, pattern: {room.home}/*}}\n")
    assert (await room.call("write_file", path=str(room.home / "a"), content="x")).status is OK
    assert room.questions == []
    assert (await room.call("write_file", path="~/b", content="x")).status is OK
    assert len(room.questions) == 1  # two readings of "~": asked all the same
