"""Plugins where the program has them: real files, real processes, real turns."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from jarvis_desktop.app import plugin_process
from jarvis_desktop.core.items.commands import AnswerQuestion, Interrupt, SubmitTurn
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy
from jarvis_desktop.core.items.events import (
    Part,
    QuestionAsked,
    ReplyDelta,
    ReplyMayChange,
    ReplyReplaced,
    ToolCalled,
    TroubleCleared,
    TroubleNoted,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    ExtensionKind,
    ExtensionsChanged,
    ExtensionState,
    ExtensionWishRefused,
)
from jarvis_desktop.core.items.memory_desk import Erased, ForgetEverything
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd
from jarvis_desktop.core.turn.prompt import APPROVAL_RULE
from tests.fakes.ollama_script import call, say
from tests.integration.plugins.conftest import WINDOW, Program
from tests.integration.shell.processes import until, with_word
from tests.parts.memory import files_with

GUARD = """
def before_tool_call(tool, arguments):
    if tool == "bash" and "rm" in arguments["command"].split():
        return "nothing is removed here"
"""


@pytest.mark.promise("T-160", "T-161")
async def test_a_guard_blocks_a_call_before_anybody_is_asked(program: Program) -> None:
    shown = await program.enable("guard", GUARD)
    assert (shown.state, [one.name for one in shown.offers]) == (ExtensionState.ENABLED, ["before_tool_call"])
    ended = await program.say("Tidy up.", call("bash", {"command": "rm -r old"}), say("It is not allowed."))
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "It is not allowed.")
    result = program.ollama.chats[-1].body["messages"][-1]["content"]
    assert "bash was blocked: nothing is removed here" in result
    assert not [one for one in program.seen if isinstance(one, QuestionAsked)]
    assert "⚡ plugin · guard blocked bash: nothing is removed here" in program.activity


@pytest.mark.promise("T-161")
async def test_a_replaced_answer_is_on_screen_in_the_database_and_in_the_next_prompt(
    program: Program,
) -> None:
    await program.enable("sign", 'def on_message_end(text):\n    return text.upper() + " — J."\n')
    ended = await program.say("Hello.", say("Hello there."))
    assert ended.text == "HELLO THERE. — J."
    seen = program.seen
    began = next(at for at, one in enumerate(seen) if isinstance(one, ReplyMayChange))
    assert began < next(at for at, one in enumerate(seen) if isinstance(one, ReplyDelta))
    assert [one.text for one in seen if isinstance(one, ReplyReplaced)] == [ended.text]
    assert "⚡ plugin · sign replaced the answer; the model's own is kept." in program.activity
    await program.say("And now?", say("Bye."))
    said = [one["content"] for one in program.ollama.chats[-1].body["messages"]]
    assert ended.text in said
    assert "Hello there." not in said
    with closing(sqlite3.connect(program.home / "jarvis.db")) as stored:
        turns = stored.execute("SELECT reply FROM turns ORDER BY number").fetchall()
        kept = stored.execute("SELECT text, replaced FROM messages WHERE role = 'assistant'").fetchall()
    assert turns == [(ended.text,), ("BYE. — J.",)]
    assert kept[0] == (ended.text, "Hello there.")


async def test_what_the_model_had_said_is_forgotten_with_its_turn(program: Program) -> None:
    await program.enable("hide", "def on_message_end(text):\n    return 'something else'\n")
    await program.say("Hello.", say("The word is xylomarzipan."))
    await program.ask(ForgetEverything(), Erased)
    assert files_with(program.home, "xylomarzipan") == []


EDITS = """
def before_agent_start(request, agent, situation, folder):
    return f"{agent} works on {request!r} ({situation}) in {folder}."

def transform_context(messages):
    for one in messages:
        one["content"] = one["content"].replace("secret-17", "[hidden]")
    return messages
"""


@pytest.mark.promise("T-162")
async def test_what_the_model_reads_is_edited_and_the_log_has_counts_and_no_words(
    program: Program, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    (program.work / "note.txt").write_text("the key is secret-17\n")
    await program.enable("edits", EDITS)
    reads = call("read_file", {"path": "note.txt"})
    await program.say("What is the key?", reads, say("It is hidden."))
    first, second = (chat.body["messages"] for chat in program.ollama.chats)
    added = f"main works on 'What is the key?' (conversation) in {program.work}."
    assert all(added in one[0]["content"] for one in (first, second))
    assert APPROVAL_RULE[Language.ENGLISH] in second[0]["content"]
    assert "[hidden]" in second[-1]["content"]
    assert "secret-17" not in str(second)
    logged = [one for one in caplog.records if one.message == "a plugin edited what the model reads"]
    counts = [[vars(one)[name] for name in ("before", "after", "changed", "chars")] for one in logged]
    assert counts == [[3, 3, 1, -1]]
    assert not [one for one in caplog.records if "secret-17" in str(vars(one))]
    line = "⚡ plugin · edits edited what the model reads: 1 of 3 messages, -1 characters"
    assert program.activity.count(line) == 1


async def test_an_agent_that_another_one_asks_has_the_hooks_too(program: Program) -> None:
    source = 'def before_agent_start(agent, asked_by):\n    return f"{agent} for {asked_by}."\n'
    await program.enable("who", source)
    asks = call("ask_agent", {"agent": "KAREN", "question": "Which notices?"})
    ended = await program.say("Ask Karen.", asks, say("Two."), say("Karen says two."))
    jarvis, karen, _ = (chat.body["messages"][0]["content"] for chat in program.ollama.chats)
    assert ended.text == "Karen says two."
    assert "main for None." in jarvis
    assert "karen for main." in karen


# --- what a plugin cannot do ---------------------------------------------------------------------


@pytest.mark.parametrize("said", ["None", "True", '{"allow": True}', '"allow"'])
async def test_no_plugin_turns_a_refusal_into_a_permit(program: Program, said: str) -> None:
    await program.enable("yes", f"def before_tool_call(tool):\n    return {said}\n")
    program.ollama.add(call("bash", {"command": "touch made"}), say("Well."))
    program.inbox.put_nowait(SubmitTurn("Make it.", Origin.TYPED))
    if said != '"allow"':  # a text blocks, whatever it says
        question = (await program.ask(None, QuestionAsked)).question
        deny = (question.question_id, question.digest, Answer.DENY, AnsweredBy.WINDOW, WINDOW)
        program.inbox.put_nowait(AnswerQuestion(*deny))
    await program.ask(None, TurnEnded)
    assert not list(program.work.iterdir())
    assert not [one for one in program.seen if isinstance(one, ToolCalled)]


async def test_a_plugin_that_an_allowed_call_wrote_does_not_run_until_a_person_enables_it(
    program: Program,
) -> None:
    program.folder.mkdir()
    source = "def on_message_end(text):\n    return 'taken over'\n"
    target = str(program.folder / "new.py")
    program.ollama.add(call("write_file", {"path": target, "content": source}), say("Written."))
    program.inbox.put_nowait(SubmitTurn("Write it.", Origin.TYPED))
    question = (await program.ask(None, QuestionAsked)).question
    allow = (question.question_id, question.digest, Answer.ALLOW, AnsweredBy.WINDOW, WINDOW)
    program.inbox.put_nowait(AnswerQuestion(*allow))
    assert (await program.ask(None, TurnEnded)).text == "Written."
    assert (await program.until("new", ExtensionState.WAITING)).source == source
    assert (await program.say("Hello.", say("Hello."))).text == "Hello."
    assert (
        "plugins/new.py is new and does not run yet. It waits in Settings → Extensions. "
        "In a terminal: jarvis-desktop extensions enable plugin/new"
    ) in program.activity
    assert [one.part for one in program.seen if isinstance(one, TroubleNoted)] == [Part.PLUGINS]
    await program.allow("new")
    assert [one.part for one in program.seen if isinstance(one, TroubleCleared)] == [Part.PLUGINS]
    assert (await program.say("Hello.", say("Hello."))).text == "taken over"


async def test_a_plugin_sees_nothing_of_ours_and_writes_into_its_own_folder_alone(program: Program) -> None:
    source = f"""
import os, pathlib

def on_message_end(text):
    home = pathlib.Path({str(program.home)!r})
    seen = [name for name in ("settings.yaml", "jarvis.db", "plugins") if (home / name).exists()]
    try:
        (pathlib.Path({str(program.work)!r}) / "made").write_text("x")
        seen.append("the folder of the person")
    except OSError:
        pass
    (pathlib.Path(os.environ["JARVIS_EXTENSION_DATA"]) / "count").write_text("1")
    return f"seen: {{seen}}"
"""
    await program.enable("look", source)
    assert (await program.say("Hello.", say("Hello."))).text == "seen: []"
    assert (program.home / "extension-data" / "plugin-look" / "count").read_text() == "1"


# --- what goes wrong in one stays in it ----------------------------------------------------------

EVIL = {
    "raises": ("raise ValueError('on purpose')", "failed: ValueError: on purpose (line 3). "),
    "sleeps": ("time.sleep(10**6)", "took too long and was stopped. "),
    "spins": ("while True: pass", "took too long and was stopped. "),
    "returns nonsense": ("return 17", "returned does not count: expected a text or None, got int. "),
    "returns what is no JSON": ("return object()", "failed: TypeError: Object of type object is not "),
    "returns 2 MB": ("return 'x' * 2_000_000", "returned does not count: it answered with more than "),
    "exits": ("os._exit(3)", "its process ended in on_message_end. "),
    "leaves": ("sys.exit(3)", ""),
    "is killed": ("os.kill(os.getpid(), 9)", "its process ended in on_message_end. "),
    "deletes itself": ("os.remove(__file__)", "failed: FileNotFoundError: "),
    "prints garbage": ("print('{{{', '\\x00' * 9000, flush=True); sys.stderr.write('}')", None),
    "closes everything": ("os.closerange(0, 50)", ""),
}


@pytest.mark.promise("T-163")
@pytest.mark.parametrize("how", EVIL)
async def test_whatever_a_plugin_does_the_turn_goes_on_and_the_activity_says_it(
    program: Program, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    does, told = EVIL[how]
    if "too long" in (told or ""):
        monkeypatch.setattr(plugin_process, "HOOK_S", 1.5)
    await program.enable("bad", f"import os, sys, time\ndef on_message_end(text):\n    {does}\n")
    await program.enable("good", 'def on_message_end(text):\n    return text + " Good."\n')
    ended = await program.say("Hello.", say("Hello."))
    assert (ended.end, ended.text) == (TurnEnd.ANSWERED, "Hello. Good.")
    again = await program.say("Hello.", say("Hello again."))
    assert again.text == "Hello again. Good.", "its process began anew or was not needed"
    shown = await program.look("bad")
    assert shown is not None
    if told is None:
        assert (program.troubles, shown.trouble) == ([], "")
        return
    lines = [one for one in program.troubles if one.startswith("Plugin bad: ")]
    assert len(lines) == 2, "once for each turn"
    assert told in lines[0]
    assert lines[0].endswith("The turn goes on without it.")
    assert (shown.state, shown.trouble) == (ExtensionState.ENABLED, lines[1])


@pytest.mark.promise("T-163")
async def test_one_that_fails_three_times_is_broken_until_a_person_enables_it_again(program: Program) -> None:
    source = """
import os
mark = os.environ["JARVIS_EXTENSION_DATA"] + "/mended"

def on_message_end(text):
    if not os.path.exists(mark):
        raise ValueError("not yet")
    return "mended"
"""
    await program.enable("late", source)
    for _ in range(4):
        await program.say("Hello.", say("Hello."))
    assert len(program.troubles) == 3
    assert "That was number 3 in a row, so late is left out" in program.troubles[-1]
    broken = await program.until("late", ExtensionState.BROKEN)
    assert broken.trouble == program.troubles[-1]
    (program.home / "extension-data" / "plugin-late" / "mended").touch()
    assert (await program.say("Hello.", say("Hello."))).text == "Hello."
    await program.allow("late")
    await program.until("late", ExtensionState.ENABLED)
    assert (await program.say("Hello.", say("Hello."))).text == "mended"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def on_message_end(text)\n    return 1\n", "It cannot be loaded: SyntaxError: "),
        ("import no_such_thing\n", "It cannot be loaded: ModuleNotFoundError: "),
        ("def something_else():\n    pass\n", "has none of the hooks before_agent_start, "),
        ("import os\nos._exit(3)\n", "Its process ended by itself while it was loaded (exit status 3)."),
    ],
)
async def test_a_file_that_is_no_plugin_is_broken_and_says_why(
    program: Program, source: str, why: str
) -> None:
    shown = await program.enable("bad", source)
    assert (shown.state, shown.trouble) == (ExtensionState.BROKEN, program.troubles[-1])
    assert why in shown.trouble
    assert (await program.say("Hello.", say("Hello."))).text == "Hello."


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def on_mesage_end(text):\n    return 'x'\n",
            "Nobody calls on_mesage_end (line 1). Did you mean on_message_end?",
        ),
        (
            "def onMessageEnd(text):\n    return 'x'\n",
            "Nobody calls onMessageEnd (line 1). Did you mean on_message_end?",
        ),
        (
            "\ndef on_message_end(answer, /, text, more=1):\n    return 'x'\n",
            "on_message_end (line 2) cannot be called: it is not given answer/. "
            "It may have any of text, request, turn, agent, situation.",
        ),
        (
            "def on_message_end(message, other):\n    return 'x'\n",
            "on_message_end (line 1) cannot be called: it is not given message, other. "
            "It may have any of text, request, turn, agent, situation.",
        ),
    ],
)
async def test_a_function_that_nobody_will_call_is_named_beside_a_hook_that_works(
    program: Program, source: str, said: str
) -> None:
    good = "def before_agent_start():\n    return helper()\n\ndef helper():\n    pass\n"
    shown = await program.enable("half", f"{source}{good}")
    assert (shown.state, shown.trouble, shown.advice) == (ExtensionState.ENABLED, "", said)
    noted = [one for one in program.seen if isinstance(one, TroubleNoted) and one.part is Part.PLUGINS]
    assert noted[-1].text == f"Plugin half: {said}"
    mended = await program.enable("half", good)
    assert (mended.state, mended.advice) == (ExtensionState.ENABLED, "")


async def test_a_plugin_without_hooks_says_which_there_are_before_it_runs(program: Program) -> None:
    program.write("none", "def something_else():\n    pass\n")
    shown = await program.until("none", ExtensionState.WAITING)
    assert shown.advice == (
        "Jarvis calls nothing in it: it has none of the functions before_agent_start, before_tool_call, "
        "after_tool_call, on_message_end, transform_context."
    )
    program.write("made", "from functools import partial\non_message_end = partial(print)\n")
    assert (await program.until("made", ExtensionState.WAITING)).advice == ""
    near = await program.enable("near", "def before_tol_call(tool):\n    pass\n")
    assert (near.state, near.advice) == (ExtensionState.BROKEN, "")
    assert near.trouble.endswith("Nobody calls before_tol_call (line 1). Did you mean before_tool_call?")


async def test_the_program_ends_while_a_hook_hangs(program: Program) -> None:
    await program.enable("hangs", "def before_agent_start():\n    while True: pass\n")
    word = str(program.home / "extension-data" / "plugin-hangs")
    assert with_word(word)
    program.inbox.put_nowait(SubmitTurn("Hello.", Origin.TYPED))
    await program.ask(None, TurnStarted)
    await program.quit()
    assert with_word(word) == []


async def test_an_interrupted_hook_ends_with_its_turn_and_its_plugin_begins_anew(program: Program) -> None:
    source = """
import os
mark = os.environ["JARVIS_EXTENSION_DATA"] + "/began"

def before_agent_start():
    if not os.path.exists(mark):
        open(mark, "w").close()
        while True: pass

def on_message_end(text):
    return "again"
"""
    await program.enable("hangs", source)
    mark = program.home / "extension-data" / "plugin-hangs" / "began"
    program.inbox.put_nowait(SubmitTurn("Hello.", Origin.TYPED))
    await until(mark.exists)
    program.inbox.put_nowait(Interrupt())
    assert (await program.ask(None, TurnEnded)).end is TurnEnd.INTERRUPTED
    assert (await program.say("Hello.", say("Hello."))).text == "again"
    assert program.troubles == []


# --- files come, change and go while turns run ---------------------------------------------------


def version(number: int) -> str:
    return f"def on_message_end(text):\n    return 'version {number}'\n"


@pytest.mark.promise("T-169", "T-170", "T-171")
async def test_files_are_added_broken_mended_and_deleted_while_turns_run(program: Program) -> None:
    async def during_a_turn(wish: Callable[[], object]) -> str:
        """What a turn answers in whose middle somebody does something to the files."""
        count = len(program.ollama.chats)
        gate = f"wait {count}"
        program.ollama.add(say("Hello there.", gate=gate))
        program.inbox.put_nowait(SubmitTurn("Hello.", Origin.TYPED))
        await asyncio.to_thread(program.ollama.wait_until, lambda one: len(one.chats) > count)
        wish()
        await program.look("live")  # the change was seen
        program.ollama.release(gate)
        return (await program.ask(None, TurnEnded)).text

    assert not program.folder.exists(), "made while the program runs"
    assert await during_a_turn(lambda: program.write("live", version(1))) == "Hello there."
    await program.allow("live")
    assert (await program.say("Hello.", say("Hello."))).text == "version 1"

    assert await during_a_turn(lambda: program.write("live", version(2))) == "version 1"
    changed = await program.until("live", ExtensionState.CHANGED)
    assert "-    return 'version 1'\n+    return 'version 2'" in changed.changes
    assert (await program.say("Hello.", say("Hello."))).text == "Hello.", "nobody has enabled it yet"
    await program.allow("live")
    assert (await program.say("Hello.", say("Hello."))).text == "version 2"

    assert await during_a_turn(lambda: program.write("live", "def on_message_end(text\n")) == "version 2"
    assert (await program.allow("live")).state is ExtensionState.BROKEN
    assert (await program.say("Hello.", say("Hello."))).text == "Hello."

    assert await during_a_turn(lambda: program.write("live", version(3))) == "Hello there."
    assert (await program.allow("live")).state is ExtensionState.ENABLED
    assert (await program.say("Hello.", say("Hello."))).text == "version 3"

    assert await during_a_turn((program.folder / "live.py").unlink) == "version 3"
    assert (await program.say("Hello.", say("Hello."))).text == "Hello."
    assert "Plugin live: its file is gone, so it is called no more." in program.troubles

    program.write("live", version(3))  # enabled as it is, so it counts again
    assert (await program.say("Hello.", say("Hello."))).text == "version 3"


@pytest.mark.promise("T-168")
async def test_a_file_that_comes_is_seen_without_anybody_asking(program: Program) -> None:
    program.folder.mkdir()
    assert await program.look("live") is None
    program.write("live", version(1))
    assert (await program.ask(None, ExtensionsChanged)).waiting == 1


async def test_one_that_a_person_switches_off_stops_at_once(program: Program) -> None:
    await program.enable("live", version(1))
    program.ollama.add(say("Hello.", gate="wait"))
    program.inbox.put_nowait(SubmitTurn("Hello.", Origin.TYPED))
    await asyncio.to_thread(program.ollama.wait_until, lambda one: one.chats)
    program.inbox.put_nowait(DisableExtension(ExtensionKind.PLUGIN, "live"))
    await program.until("live", ExtensionState.OFF)
    program.ollama.release("wait")
    assert (await program.ask(None, TurnEnded)).text == "Hello."
    assert program.troubles == []


async def test_switching_off_stops_what_the_file_held_when_the_turn_began_too(program: Program) -> None:
    await program.enable("live", version(1))
    program.ollama.add(say("Hello.", gate="wait"))
    program.inbox.put_nowait(SubmitTurn("Hello.", Origin.TYPED))
    await asyncio.to_thread(program.ollama.wait_until, lambda one: one.chats)
    program.write("live", version(2))
    await program.until("live", ExtensionState.CHANGED)
    program.inbox.put_nowait(DisableExtension(ExtensionKind.PLUGIN, "live"))
    await program.until("live", ExtensionState.OFF)
    program.ollama.release("wait")
    assert (await program.ask(None, TurnEnded)).text == "Hello."


async def test_what_changed_since_it_was_shown_is_not_enabled(program: Program) -> None:
    program.write("live", version(1))
    shown = await program.until("live", ExtensionState.WAITING)
    program.write("live", version(2))
    refused = await program.ask(
        EnableExtension(ExtensionKind.PLUGIN, "live", shown.digest), ExtensionWishRefused
    )
    assert (
        refused.reason
        == "live has changed since it was shown, so it was not enabled. Look at it again first."
    )
    assert (await program.say("Hello.", say("Hello."))).text == "Hello."
