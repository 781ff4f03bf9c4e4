"""An approval question as it is read aloud, worded by code and never by the model."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from jarvis_desktop.core.items.decisions import Question, RuleOffer, Shown
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.spoken_command import command_words, place_words, rule_words, text_in_full
from jarvis_desktop.core.voice.spoken_latin import open_particles
from jarvis_desktop.core.voice.spoken_phrase import spoken_form

_SHELL_TOOL = "bash"
_CREATED = "--- /dev/null"
_PLAIN_ENDINGS = ("", ".txt", ".md")
"""Of files that nothing runs."""


@dataclass(frozen=True, slots=True)
class QuestionSpeech:
    """What is read aloud for a question."""

    text: str
    screen_only: bool
    """It cannot be read in full (decision 18): only the screen can allow it, voice can still deny."""


def question_speech(question: Question, texts: Texts, *, again: bool = False) -> QuestionSpeech:
    """The reading of ``question``, ended by how to answer.

    again: the answer before was not understood.
    """
    whole = command_words(question.detail, question.cwd, texts) if question.shown is Shown.COMMAND else None
    whole = whole or _new_file(question, texts)
    if whole is not None:
        parts = [whole, texts("Say allow, or say deny.")]
    else:
        parts = _for_the_screen(question, texts)
    if question.asker_name:
        asks = texts("{agent} asks this for {asker}.")
        names = (question.agent_name, question.asker_name)
        agent, asker = (name.title() if name.isupper() else name for name in names)  # a word, no letters
        parts.insert(0, asks.format(agent=agent, asker=asker))
    if again:
        parts.insert(0, texts("I did not understand that."))
    return QuestionSpeech(_spoken(parts, texts), screen_only=whole is None)


def saving_speech(offer: RuleOffer, texts: Texts) -> QuestionSpeech:
    """The rule of a spoken ALWAYS read back, and whether to save it."""
    rules = [rule_words(line.pattern, texts) if line.tool == _SHELL_TOOL else None for line in offer.lines]
    known = [words for words in rules if words is not None]
    parts = [texts("Allowed, this once.")]
    if len(known) < len(rules):
        parts += [
            texts("Its rule is too long or unusual to be read aloud, so it is not saved."),
            texts("The screen can save it, with Always."),
        ]
        return QuestionSpeech(_spoken(parts, texts), screen_only=True)
    question = texts("Save the rule that commands beginning with {words} always run without asking?")
    parts.append(question.format(words=texts(", or with ").join(known)))
    if offer.project_decides:
        parts.append(texts("What they do is decided by a file of the project."))
    parts.append(texts("Say yes, or say no."))
    return QuestionSpeech(_spoken(parts, texts), screen_only=False)


def _spoken(parts: list[str], texts: Texts) -> str:
    spoken = (spoken_form(open_particles(part), texts.language) for part in parts)
    return " ".join(filter(None, spoken))


def _new_file(question: Question, texts: Texts) -> str | None:
    """The question for a new file with one short line in it, said in full; ``None`` for any other."""
    path, content = (question.call.arguments.get(name) for name in ("path", "content"))
    new = question.call.name == "write_file" and question.detail.startswith(_CREATED)
    if (
        not new
        or question.why.source != "no-rule"
        or not isinstance(path, str)
        or not isinstance(content, str)
    ):
        return None
    place = PurePosixPath(path)
    if place.is_relative_to(question.cwd):
        place = place.relative_to(question.cwd)
    name, line = text_in_full(str(place)), text_in_full(content)
    hidden = place.is_absolute() or any(part.startswith(".") for part in place.parts)
    if name is None or line is None or hidden or place.suffix not in _PLAIN_ENDINGS:
        return None
    asked = texts("Write “{text}” into the new file {place}?")
    return asked.format(text=line, place=place_words(str(place), question.cwd, texts))


def _for_the_screen(question: Question, texts: Texts) -> list[str]:
    """What waits, without all of it: nobody can allow by ear what was not read in full (decision 18)."""
    path = question.call.arguments.get("path")
    named = isinstance(path, str) and path.isprintable() and len(path) <= 200
    asked = _change(question.call.name, texts) if named and question.shown is not Shown.COMMAND else None
    if asked is None:
        waits = texts("A request to use {tool} waits, but it is too long or unusual to be read aloud.")
        return [
            waits.format(tool=question.call.name),
            texts("Please decide on the screen. You can also say deny."),
        ]
    return [
        asked.format(place=place_words(str(path), question.cwd, texts)),
        texts("Allow it there, or say deny."),
    ]


def _change(tool: str, texts: Texts) -> str | None:
    if tool == "write_file":
        return texts("Write the file {place}? The text is on the screen.")
    if tool == "edit_file":
        return texts("Change the file {place}? The change is on the screen.")
    return None
