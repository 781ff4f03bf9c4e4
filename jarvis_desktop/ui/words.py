"""Wordings that all front ends share: questions, states, refused answers, ends of turns."""

from pathlib import Path

from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    AnswerFate,
    Question,
    QuestionEnd,
    Settled,
    Shown,
)
from jarvis_desktop.core.items.events import Event, HeardNothing, Part, QuestionSettled, SavingEnded
from jarvis_desktop.core.items.extensions import Added, ExtensionKind
from jarvis_desktop.core.items.ids import MAIN_AGENT, WindowId
from jarvis_desktop.core.items.slash import FocusChanged
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.policy.wording import reason
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.agent_picture import shown_name
from jarvis_desktop.ui.picture import Face, Picture
from jarvis_desktop.ui.visible_text import Care, one_line, visible


def agent_name(question: Question, texts: Texts) -> str:
    """The name that people know the agent by that would act."""
    if question.agent_id == MAIN_AGENT:
        return texts("Jarvis")
    return visible(question.agent_name or question.agent_id, Care.COMMAND)


def agents(question: Question, texts: Texts) -> str:
    """Who would act, and for which other agent where one asked."""
    if not question.asker_name:
        return agent_name(question, texts)
    return asked(agent_name(question, texts), visible(question.asker_name, Care.COMMAND), texts)


def asked(agent: str, asker: str, texts: Texts) -> str:
    """An agent that does what another one asked it to."""
    return texts("{agent}, asked by {asker}").format(agent=one_line(agent, 60), asker=one_line(asker, 60))


def headline(question: Question, texts: Texts) -> str:
    """What is wanted, in one line; code words it, never the model."""
    tool = question.call.name
    known = "" if question.added is not None else tool  # what stands in for bash may do anything
    if question.asker_name:
        wanted = {
            "bash": texts("{agent}, asked by {asker}, wants to run a command"),
            "write_file": texts("{agent}, asked by {asker}, wants to write a file"),
            "edit_file": texts("{agent}, asked by {asker}, wants to change a file"),
        }.get(known, texts("{agent}, asked by {asker}, wants to use the tool {tool}"))
    else:
        wanted = {
            "bash": texts("{agent} wants to run a command"),
            "write_file": texts("{agent} wants to write a file"),
            "edit_file": texts("{agent} wants to change a file"),
        }.get(known, texts("{agent} wants to use the tool {tool}"))
    asker = visible(question.asker_name, Care.COMMAND)
    return wanted.format(agent=agent_name(question, texts), asker=asker, tool=visible(tool, Care.COMMAND))


def why(question: Question, texts: Texts) -> str:
    """Why a person is asked at all, and whose tool it is when it is none of ours."""
    if question.why.source == "no-rule":
        asks = texts("No saved permission covers this, so Jarvis asks.")
    else:
        asks = one_line(reason(question.why, texts), 300)
    return asks if question.added is None else f"{origin(question.added, texts)} {asks}"


def origin(added: Added, texts: Texts) -> str:
    """Where a tool comes from that is none of ours."""
    name = one_line(visible(added.name, Care.COMMAND), 80)
    if added.kind is ExtensionKind.SERVER:
        return texts("This tool comes from the MCP server {name}.").format(name=name)
    return texts("This tool is yours: {file}.").format(file=one_line(visible(added.path, Care.COMMAND), 120))


def detail(question: Question) -> str:
    """The command, the diff or the arguments, with everything hidden made visible; never shortened."""
    return visible(
        question.detail.removesuffix("\n"), Care.SOURCE if question.shown is Shown.DIFF else Care.COMMAND
    )


def short_call(question: Question) -> str:
    """The call in a few words, for a line that names it once more."""
    arguments = question.call.arguments
    what = arguments.get("command") or arguments.get("path") or question.call.name
    return f"“{one_line(str(what), 60)}”"


def place(path: Path) -> str:
    """A folder, with the home folder as ``~``."""
    home = Path.home()
    short = Path("~") / path.relative_to(home) if path.is_relative_to(home) else path
    return visible(str(short), Care.COMMAND)


def size(text: str, texts: Texts) -> str:
    """How long a detail is, so that nobody takes a part for the whole."""
    lines = text.rstrip("\n").count("\n") + 1
    if lines == 1:
        return texts("{characters} characters").format(characters=f"{len(text):,}")
    return texts("{characters} characters, {lines} lines").format(characters=f"{len(text):,}", lines=lines)


def state_text(picture: Picture, texts: Texts) -> str:
    """What the window and the tray say about themselves."""
    if picture.face is Face.ASLEEP and not picture.ready:
        return texts("Getting ready…")
    if picture.face is Face.ASLEEP and picture.focus.on:
        return _focus_text(picture.focus, texts)
    if picture.face is Face.ASLEEP and picture.listen_for is ListenFor.NOTHING:
        return texts("Voice is off")
    working = picture.agents.works_elsewhere(picture.turn.turn_id) if picture.turn is not None else None
    if picture.face is Face.THINKING and working is not None:
        return texts("{agent} is working").format(agent=shown_name(working, texts))
    return {
        Face.ASLEEP: texts("Waiting for “Hey Jarvis”"),
        Face.LISTENING: texts("Listening"),
        Face.THINKING: texts("Thinking"),
        Face.ASKING: texts("Waiting for your answer"),
        Face.SPEAKING: texts("Speaking"),
        Face.MUTED: texts("Microphone is off"),
        Face.TROUBLE: texts("Something needs attention"),
    }[picture.face]


def _focus_text(focus: FocusChanged, texts: Texts) -> str:
    if focus.until is None:
        return texts("Focus")
    return texts("Focus until {time}").format(time=f"{focus.until.astimezone():%H:%M}")


def ways_to_begin(picture: Picture, texts: Texts) -> str:
    """What one can do in an empty conversation; nobody is told to speak to ears that do not listen."""
    if picture.focus.on or (picture.ready and picture.listen_for is ListenFor.NOTHING):
        return texts("Type what I should do.")
    return texts("Say “Hey Jarvis”, press the microphone, or just type.")


def picture_text(picture: Picture, texts: Texts) -> str:
    """The state, and each trouble on a line of its own."""
    told = dict.fromkeys([*filter(None, [picture.stopped]), *picture.troubles.values()])
    return "\n".join([state_text(picture, texts), *(visible(text) for text in told)])


def fate_text(fate: AnswerFate, texts: Texts) -> str:
    """Why an answer changed nothing."""
    return {
        AnswerFate.TAKEN: texts("Your answer was taken."),
        AnswerFate.EXPIRED: texts("The time to answer had run out, so nothing was run."),
        AnswerFate.ALREADY_ANSWERED: texts("This was already answered somewhere else."),
        AnswerFate.UNKNOWN: texts("This question is not open any more."),
        AnswerFate.MISMATCH: texts("What would run has changed since it was shown. Please look again."),
        AnswerFate.NOT_OFFERED: texts("“Always” was not offered for this question."),
        AnswerFate.SCREEN_LOCKED: texts("The screen is locked. Unlock it to allow something."),
        AnswerFate.DESKTOP_LENT: texts(
            "A command is using the desktop. Meanwhile only a window can allow something."
        ),
    }[fate]


def settled_text(settled: Settled, texts: Texts) -> str:
    """How a question ended, for the line that replaces it."""
    if settled.end is QuestionEnd.EXPIRED:
        return texts("Nobody answered in time, so it was not run.")
    if settled.end is QuestionEnd.WITHDRAWN:
        return texts("The question was withdrawn.")
    if settled.by is AnsweredBy.RULE:
        return texts("A rule that was saved meanwhile covers this.")
    return {
        Answer.ALLOW: texts("Allowed."),
        Answer.ALWAYS: texts("Allowed, from now on without asking."),
    }.get(settled.answer or Answer.DENY, texts("Denied."))


def ended_elsewhere(event: Event, window_id: WindowId, texts: Texts) -> str:
    """What became of a question or a rule that was not decided in this window; empty for other events."""
    if isinstance(event, SavingEnded):
        if event.problem:
            return texts("The rule could not be saved: {problem}").format(problem=visible(event.problem))
        return texts("The rule is saved.") if event.saved else texts("The rule was not saved.")
    if not isinstance(event, QuestionSettled) or event.settled.window_id == window_id:
        return ""
    settled = event.settled
    said = settled_text(settled, texts)
    if settled.end is not QuestionEnd.ANSWERED:
        return said
    return {
        AnsweredBy.WINDOW: texts("Answered in another window: {answer}"),
        AnsweredBy.VOICE: texts("Answered by voice: {answer}"),
        AnsweredBy.NOTIFICATION: texts("Answered in the notification: {answer}"),
        AnsweredBy.CONSOLE: texts("Answered in a terminal: {answer}"),
    }.get(settled.by, "{answer}").format(answer=said)


def nothing_text(reason: HeardNothing, texts: Texts) -> str:
    """Why listening came to nothing; empty when the person ended it."""
    return {
        HeardNothing.SILENCE: texts("I heard nothing. Say it again, or type it."),
        HeardNothing.UNCLEAR: texts("I did not understand that. Say it again, or type it."),
        HeardNothing.TOO_QUIET: texts("That was too quiet. Come closer to the microphone, or type it."),
        HeardNothing.ECHO: texts("I only heard my own voice. Say it again, or type it."),
        HeardNothing.CANCELLED: "",
    }[reason]


def end_text(end: TurnEnd, texts: Texts) -> str:
    """The mark under an answer that is not simply an answer; empty otherwise."""
    return {
        TurnEnd.ANSWERED: "",
        TurnEnd.DENIED: texts("Denied"),
        TurnEnd.TIMED_OUT: texts("No answer in time"),
        TurnEnd.INTERRUPTED: texts("Interrupted"),
        TurnEnd.OVERFLOW: texts("Stopped after too many steps"),
        TurnEnd.FAILED: texts("Failed"),
    }[end]


def part_text(part: Part, texts: Texts) -> str:
    """The name of a part, as people call it."""
    return {
        Part.MICROPHONE: texts("Microphone"),
        Part.LOUDSPEAKER: texts("Loudspeaker"),
        Part.WAKE_WORD: texts("Wake word"),
        Part.VAD: texts("Speech detection"),
        Part.TRANSCRIBER: texts("Speech recognition"),
        Part.VOICE: texts("Voice"),
        Part.OLLAMA: texts("Ollama"),
        Part.MODEL: texts("Model"),
        Part.SETTINGS: texts("Settings"),
        Part.RULES: texts("Approval rules"),
        Part.TEAM: texts("Agents"),
        Part.SKILLS: texts("Skills"),
        Part.SCHEDULES: texts("Schedules"),
        Part.EXTENSIONS: texts("Extensions"),
        Part.PLUGINS: texts("Plugins"),
        Part.SERVERS: texts("MCP servers"),
        Part.DATABASE: texts("Database"),
        Part.TRAY: texts("Tray"),
        Part.HOTKEY: texts("Hotkey"),
        Part.DISPLAY: texts("Display"),
    }[part]
