"""The steps of the setup and how far each is; pure, from the picture."""

from enum import StrEnum

from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import FetchChanged, SetupLooked, Trial
from jarvis_desktop.core.items.trouble import Part, TroubleCleared, TroubleNoted
from jarvis_desktop.ui.setup_picture import SetupPicture, fetch_id


class Step(StrEnum):
    """Pages of the setup window, in order."""

    WELCOME = "welcome"
    SPEECH = "speech"
    SOUND = "sound"
    WAKE = "wake"
    CHAT = "chat"
    START = "start"
    DONE = "done"


class Progress(StrEnum):
    """How far a step is."""

    OPEN = "open"
    """Nothing is wrong, and nothing has been done."""
    READY = "ready"
    UNDERWAY = "underway"
    """A download will finish it."""
    MISSING = "missing"
    """Something does not work yet."""


STEP_OF_PART = {
    Part.MICROPHONE: Step.SOUND,
    Part.LOUDSPEAKER: Step.SOUND,
    Part.WAKE_WORD: Step.SPEECH,
    Part.VAD: Step.SPEECH,
    Part.TRANSCRIBER: Step.SPEECH,
    Part.OLLAMA: Step.CHAT,
    Part.MODEL: Step.CHAT,
}
"""Where trouble with a part is put right; parts without a page are absent."""
_SHOWN_MISSING = (Part.MODEL, Part.WAKE_WORD, Part.VAD, Part.TRANSCRIBER)
"""Their pages show what is missing, and the trouble would only lead to where one is already."""


def step_of_fetch(state: FetchState, picture: SetupPicture) -> Step:
    """The page on which that download is steered."""
    chat = {fetch_id(choice) for choice in picture.chat}
    served = state.kind is FetchKind.OLLAMA or (state.kind, state.name) in chat
    return Step.CHAT if served else Step.SPEECH


def trouble_of(step: Step, picture: SetupPicture) -> str:
    """What is wrong now with the parts of ``step``; empty when nothing is."""
    told = (text for part, text in picture.troubles.items() if STEP_OF_PART.get(part) is step)
    return "\n".join(dict.fromkeys(told))


def untold_trouble(step: Step, picture: SetupPicture) -> str:
    """The same where the page would look as if nothing was wrong; one that misses something says what."""
    return trouble_of(step, picture) if _found(step, picture) is Progress.READY else ""


def news_of(part: Part, picture: SetupPicture) -> str:
    """What to say on the page of ``part`` when its trouble begins or ends."""
    step = STEP_OF_PART[part]
    return untold_trouble(step, picture) if part in _SHOWN_MISSING else trouble_of(step, picture)


def news_in(event: Event, step: Step, picture: SetupPicture) -> str | None:
    """What to say on the page of ``step`` about ``event``; empty when something is over, None for no news.

    The picture has taken the event already.
    """
    match event:
        case TroubleNoted(part) | TroubleCleared(part) if STEP_OF_PART.get(part) is step:
            return news_of(part, picture)
        case FetchChanged(state) if state.stage is FetchStage.GONE:
            return state.trouble
        case SetupLooked(facts):
            return "\n".join(facts.troubles)
        case _:
            return None


def progress(step: Step, picture: SetupPicture) -> Progress:
    """How far ``step`` is; nothing is ready that a trouble is told about."""
    how = _found(step, picture)
    return Progress.MISSING if how is Progress.READY and trouble_of(step, picture) else how


def _found(step: Step, picture: SetupPicture) -> Progress:
    if picture.facts is None:
        return Progress.OPEN
    told = {
        Step.SPEECH: _speech,
        Step.SOUND: _sound,
        Step.WAKE: _wake,
        Step.CHAT: _chat,
        Step.START: _start,
    }
    if step in told:
        return told[step](picture)
    return Progress.OPEN if step is Step.DONE else Progress.READY


def _speech(picture: SetupPicture) -> Progress:
    if picture.wanted_files():
        return Progress.MISSING
    present = all(picture.there(choice) for choice in picture.speech_files() if choice.needed)
    return Progress.READY if present else Progress.UNDERWAY


def _sound(picture: SetupPicture) -> Progress:
    facts = picture.facts
    works = facts is not None and facts.microphones and not picture.trouble_of(Trial.MICROPHONE)
    return Progress.READY if works else Progress.MISSING


def _wake(picture: SetupPicture) -> Progress:
    if picture.heard_wake:
        return Progress.READY
    speech = _speech(picture)
    if speech is not Progress.READY:
        return speech
    return Progress.MISSING if picture.trouble_of(Trial.WAKE_WORD) else Progress.OPEN


def _chat(picture: SetupPicture) -> Progress:
    chosen = picture.chosen()
    if chosen is None:
        return Progress.MISSING
    if picture.moves(fetch_id(chosen)):
        return Progress.UNDERWAY
    works = picture.there(chosen) and (chosen.backend != "ollama" or picture.ollama_answers)
    return Progress.READY if works else Progress.MISSING


def _start(picture: SetupPicture) -> Progress:
    facts = picture.facts
    return Progress.MISSING if facts is not None and facts.hotkey_trouble else Progress.READY
