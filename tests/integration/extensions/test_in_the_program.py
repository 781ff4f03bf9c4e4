"""Tools of a person's own where the program has them: real files, processes, questions and turns."""

from pathlib import Path

import pytest

from jarvis_desktop.core.items.commands import AnswerQuestion, SubmitTurn
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question
from jarvis_desktop.core.items.events import Part, QuestionAsked, TroubleNoted, TurnEnded
from jarvis_desktop.core.items.extensions import (
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionsChanged,
    ExtensionsLooked,
    ExtensionState,
    LookAtExtensions,
)
from jarvis_desktop.core.items.ids import WindowId
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from tests.fakes.ollama_script import Step, call, say
from tests.integration.plugins.conftest import Program, program

__all__ = ["program"]

SUMS = """
from pathlib import Path

def add(a: int, b: int) -> int:
    \"\"\"Adds two numbers.\"\"\"
    return a + b
add.read_only = True

def keep(path: str, text: str) -> str:
    \"\"\"Keeps a text in a file.\"\"\"
    Path(path).write_text(text)
    return "kept"
"""
TOOL = ExtensionKind.TOOL


def write(program: Program, name: str, source: str) -> Path:
    """As editors do: a new file takes the old one's name."""
    folder = program.home / "tools"
    folder.mkdir(exist_ok=True)
    fresh = folder / f".{name}.swp"
    fresh.write_text(source, "utf-8")
    return fresh.replace(folder / f"{name}.py")


async def until(program: Program, name: str, *states: ExtensionState) -> Extension:
    """The tool's file, as soon as it is in one of these states."""
    while True:
        looked = await program.ask(LookAtExtensions(1), ExtensionsLooked)
        for one in looked.extensions:
            if (one.kind, one.name) == (TOOL, name) and one.state in states:
                return one
        await program.ask(None, ExtensionsChanged)


async def enable(program: Program, name: str, source: str, *read_only: str) -> Extension:
    """A person enables what they see."""
    write(program, name, source)
    shown = await until(program, name, ExtensionState.WAITING, ExtensionState.CHANGED)
    program.inbox.put_nowait(EnableExtension(TOOL, name, shown.digest, frozenset(read_only)))
    return await until(program, name, ExtensionState.ENABLED, ExtensionState.BROKEN)


def answer(program: Program, question: Question, kind: Answer) -> None:
    """The person answers."""
    window = WindowId("w")
    program.inbox.put_nowait(
        AnswerQuestion(question.question_id, question.digest, kind, AnsweredBy.WINDOW, window)
    )


async def asked(program: Program, text: str, *steps: Step) -> Question:
    """The question that a turn comes to."""
    program.ollama.add(*steps)
    return (await program.ask(SubmitTurn(text, Origin.TYPED), QuestionAsked)).question


def offered(program: Program) -> set[str]:
    return {tool["function"]["name"] for tool in program.ollama.chats[-1].body["tools"]}


def last_result(program: Program) -> str:
    return str(program.ollama.chats[-1].body["messages"][-1]["content"])


@pytest.mark.promise("T-053", "T-055", "T-168")
async def test_a_tool_is_added_enabled_called_and_changed_in_the_middle_of_a_turn(program: Program) -> None:
    shown = await enable(program, "sums", SUMS, "add")
    assert shown.state is ExtensionState.ENABLED
    ended = await program.say("Add.", call("add", {"a": 2, "b": 3}), say("Five."))
    assert (ended.text, last_result(program).startswith("5\n")) == ("Five.", True)
    assert {"add", "keep", "bash"} <= offered(program)
    assert not [one for one in program.seen if isinstance(one, QuestionAsked)]

    kept = program.work / "kept.txt"
    question = await asked(program, "Keep.", call("keep", {"path": str(kept), "text": "x"}), say("Kept."))
    assert question.added is not None
    assert question.added.path == "~/.jarvis/tools/sums.py"
    write(program, "sums", SUMS.replace("write_text(text)", "write_text('other')"))
    assert (await until(program, "sums", ExtensionState.CHANGED)).changes
    answer(program, question, Answer.ALLOW)
    assert (await program.ask(None, TurnEnded)).text == "Kept."
    assert kept.read_text() == "x"  # what was shown when the turn began

    ended = await program.say("Again.", call("keep", {"path": str(kept), "text": "y"}), say("No."))
    assert "There is no tool" in last_result(program)
    assert not {"add", "keep"} & offered(program)
    assert kept.read_text() == "x"


@pytest.mark.promise("T-168", "T-171")
async def test_a_file_in_a_folder_that_is_made_later_is_noticed_without_a_turn(program: Program) -> None:
    write(program, "sums", SUMS)
    while "sums.py is new" not in (said := await program.ask(None, TroubleNoted)).text:
        assert said.part is not Part.EXTENSIONS
    write(program, "more", SUMS.replace("add", "plus"))
    assert "more.py is new" in (await program.ask(None, TroubleNoted)).text
    (program.home / "tools" / "more.py").unlink()
    assert "more.py" not in (await program.ask(None, TroubleNoted)).text


async def test_a_tool_that_hangs_or_dies_ends_its_call_and_not_the_turn(program: Program) -> None:
    source = "import os\ndef die() -> str:\n    'Dies.'\n    os._exit(3)\ndie.read_only = True\n"
    await enable(program, "evil", source, "die")
    ended = await program.say("Die.", call("die", {}), say("It does not work."))
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "It does not work.")
    assert "die (~/.jarvis/tools/evil.py) failed: its process ended by itself" in last_result(program)


@pytest.fixture
def no_rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no bubblewrap, so that commands see everything."""
    monkeypatch.setenv("PATH", str(tmp_path))


DROPPED = "open({marker!r}, 'w').close()\\ndef f() -> str:\\n    'Doc.'\\n    return ''\\n"


@pytest.mark.parametrize("folder", ["tools", "plugins"])
async def test_an_allowed_command_cannot_even_put_a_file_there_where_there_are_rooms(
    program: Program, folder: str
) -> None:
    target = program.home / folder / "dropped.py"
    target.parent.mkdir()
    command = f"echo 'open(\"/tmp/x\")' > {target}"
    question = await asked(program, "Drop.", call("bash", {"command": command}), say("Done."))
    answer(program, question, Answer.ALLOW)
    await program.ask(None, TurnEnded)
    assert not target.exists()


@pytest.mark.parametrize("folder", ["tools", "plugins"])
async def test_what_an_allowed_command_puts_there_does_not_run_before_a_person_enables_it(
    no_rooms: None, program: Program, tmp_path: Path, folder: str
) -> None:
    target, marker = program.home / folder / "dropped.py", tmp_path / "marker"
    target.parent.mkdir()
    command = f'printf "{DROPPED.format(marker=str(marker))}" > {target}'
    question = await asked(program, "Drop.", call("bash", {"command": command}), say("Done."))
    answer(program, question, Answer.ALLOW)
    await program.ask(None, TurnEnded)
    assert target.exists()
    await program.say("Next.", say("Done."))
    await program.say("And next.", say("Done."))
    looked = await program.ask(LookAtExtensions(1), ExtensionsLooked)
    assert [(one.name, one.state) for one in looked.extensions] == [("dropped", ExtensionState.WAITING)]
    assert not marker.exists()
    if folder == "tools":
        noted = [one for one in program.seen if isinstance(one, TroubleNoted) and one.part is Part.EXTENSIONS]
        assert "tools/dropped.py is new and does not run yet." in noted[-1].text


@pytest.mark.parametrize("command", ["echo x > {ledger}", "rm {ledger}", "/bin/cp a {ledger}"])
async def test_no_command_writes_down_what_may_run_allowed_or_not(program: Program, command: str) -> None:
    ledger = program.home / "extensions.yaml"
    ended = await program.say(
        "Enable.", call("bash", {"command": command.format(ledger=ledger)}), say("It was blocked.")
    )
    assert ended.text == "It was blocked."
    assert "security.dangerous_commands (rule-files)" in last_result(program)
    for tool, arguments in (
        ("write_file", {"path": str(ledger), "content": "extensions: []"}),
        ("edit_file", {"path": str(ledger), "old_string": "a", "new_string": "b"}),
    ):
        await program.say("Enable.", call(tool, arguments), say("It was blocked."))
        assert not ledger.exists()
    assert not [one for one in program.seen if isinstance(one, QuestionAsked)]
