"""An approval question as it is read aloud, worded by code and never by the model."""

from dataclasses import dataclass

from jarvis_desktop.core.items.decisions import Question, Shown
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.voice.spoken_command import command_words, place_words
from jarvis_desktop.core.voice.spoken_latin import open_particles
from jarvis_desktop.core.voice.spoken_phrase import spoken_form


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
    asked = _asked(question, texts)
    if asked is None:
        parts = [
            texts("A request to use {tool} waits, but it is too long or unusual to be read aloud.").format(
                tool=question.call.name
            ),
            texts("Please decide on the screen. You can also say deny."),
        ]
    else:
        parts = [asked, texts("Say allow, or say deny.")]
    if again:
        parts.insert(0, texts("I did not understand that."))
    spoken = (spoken_form(open_particles(part), texts.language) for part in parts)
    return QuestionSpeech(text=" ".join(filter(None, spoken)), screen_only=asked is None)


def _asked(question: Question, texts: Texts) -> str | None:
    """The question itself; ``None`` when it cannot be read in full."""
    if question.shown is Shown.COMMAND:
        return command_words(question.detail, question.cwd, texts)
    path = question.call.arguments.get("path")
    if not isinstance(path, str) or not path.isprintable() or len(path) > 200:
        return None
    place = place_words(path, question.cwd, texts)
    if question.call.name == "write_file":
        return texts("Write the file {place}? The text is on the screen.").format(place=place)
    if question.call.name == "edit_file":
        return texts("Change the file {place}? The change is on the screen.").format(place=place)
    return None
