"""Wordings of the setup: sizes, rates, times, downloads, models, machines."""

from collections.abc import Iterable

from jarvis_desktop.core.items.fetching import FetchStage, FetchState
from jarvis_desktop.core.items.setup import Backend, ChatChoice, FileChoice, MachineFacts, ModelMeasured
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.setup_picture import SetupPicture
from jarvis_desktop.ui.setup_steps import Progress, Step
from jarvis_desktop.ui.visible_text import one_line

_MINUTE_S = 60
_HOUR_S = 3600
_BY_TEN_S = 10
"""Seconds are told in tens above this: they jump about."""
_SLOW_TOKENS_PER_S = 4.0
"""Below this an answer comes slower than most people read."""


def size_text(size_bytes: float) -> str:
    """A size in decimal units, as download pages give it: ``145 MB``."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size_bytes >= factor:
            number = size_bytes / factor
            return f"{number:.1f} {unit}" if number < 10 and unit != "kB" else f"{number:.0f} {unit}"
    return f"{size_bytes:.0f} B"


def left_text(left_s: float, texts: Texts) -> str:
    """How long it still takes, in words."""
    if left_s >= _HOUR_S:
        hours, minutes = divmod(round(left_s / _MINUTE_S), _MINUTE_S)
        return texts("about {hours} h {minutes} min left").format(hours=hours, minutes=minutes)
    if left_s >= 1.5 * _MINUTE_S:
        return texts("about {minutes} min left").format(minutes=round(left_s / _MINUTE_S))
    seconds = max(1, round(left_s))
    if seconds > _BY_TEN_S:
        seconds = round(seconds / 10) * 10
    return texts("about {seconds} s left").format(seconds=seconds)


def amount_text(state: FetchState, texts: Texts) -> str:
    """How much has come: ``45 MB of 145 MB``."""
    if not state.total_bytes:
        return size_text(state.done_bytes)
    return texts("{done} of {total}").format(
        done=size_text(state.done_bytes), total=size_text(state.total_bytes)
    )


def fetch_text(state: FetchState, texts: Texts) -> str:
    """A download in one line: what has come, how fast, how long still, or why not."""
    if state.stage is FetchStage.RUNNING:
        return "\n".join(filter(None, (_running_text(state, texts), state.trouble)))
    if state.trouble and state.stage in (FetchStage.STALLED, FetchStage.FAILED, FetchStage.WAITING):
        return state.trouble
    return {
        FetchStage.PAUSED: texts("Paused at {amount}").format(amount=amount_text(state, texts)),
        FetchStage.STALLED: texts(
            "Nothing has come for a while. Jarvis tries again by itself; what has come is kept."
        ),
        FetchStage.FAILED: texts("It could not be fetched. Try again; what has come is kept."),
        FetchStage.WAITING: texts("Waits until another download is done"),
        FetchStage.CHECKING: texts("Everything has come; it is being checked…"),
    }.get(state.stage, texts("There, and checked"))


def _running_text(state: FetchState, texts: Texts) -> str:
    told = [amount_text(state, texts)]
    if state.bytes_per_s:
        told.append(texts("{size} a second").format(size=size_text(state.bytes_per_s)))
    if state.left_s is not None:
        told.append(left_text(state.left_s, texts))
    return " · ".join(told)


def moving_text(picture: SetupPicture, texts: Texts) -> str:
    """All downloads that go on in one line; empty when there are none."""
    moving = picture.moving
    if not moving:
        return ""
    if len(moving) == 1:
        what = texts("Fetching {model}").format(model=model_name(moving[0].name, texts))
    else:
        told = texts.plural("Fetching {count} model", "Fetching {count} models", len(moving))
        what = told.format(count=len(moving))
    # One line: why a source is slow is told where the download stands.
    return f"{what} · {fetch_text(_together(moving), texts)}".partition("\n")[0]


def moving_brief(picture: SetupPicture, texts: Texts) -> str:
    """The same for a narrow place: percent and time left."""
    if not picture.moving:
        return ""
    done, total = share(picture.moving)
    left_s = _together(picture.moving).left_s
    percent = (
        texts("Fetching: {percent} %").format(percent=100 * done // total) if total else texts("Fetching…")
    )
    return percent if left_s is None else f"{percent}\n{left_text(left_s, texts)}"


def share(moving: tuple[FetchState, ...]) -> tuple[int, int]:
    """Bytes that have come and that all downloads have together; the second is 0 while it is not known."""
    if not moving:
        return 0, 0
    whole = _together(moving)
    return whole.done_bytes, whole.total_bytes


def _together(moving: tuple[FetchState, ...]) -> FetchState:
    """Several downloads as one."""
    if len(moving) == 1:
        return moving[0]
    done, rate = sum(state.done_bytes for state in moving), sum(state.bytes_per_s for state in moving)
    total = sum(state.total_bytes for state in moving) if all(state.total_bytes for state in moving) else 0
    left_s = (total - done) / rate if total and rate else None
    return FetchState(moving[0].kind, "", FetchStage.RUNNING, done, total, rate, left_s)


def model_name(name: str, texts: Texts) -> str:
    """A model as people call it; the bare name where we know no better."""
    return {
        "wake": texts("Wake word “Hey Jarvis”"),
        "whisper-base": texts("Speech recognition (Whisper base)"),
        "whisper-small": texts("Better speech recognition (Whisper small)"),
        "whisper-turbo": texts("Best speech recognition (Whisper large-v3-turbo)"),
        "sensevoice": texts("Quick Korean speech recognition (SenseVoice small)"),
        "supertonic-3": texts("Natural voice (Supertonic 3)"),
    }.get(name, one_line(name, 60))


def language_names(codes: Iterable[str], texts: Texts) -> str:
    """Languages in the app's language, joined."""
    known = {"ko": texts("Korean"), "en": texts("English")}
    return ", ".join(known.get(code, code) for code in codes)


def file_facts(choice: FileChoice, texts: Texts) -> str:
    """Size, languages and licence of a model, one line."""
    told = [size_text(choice.size_bytes), language_names(choice.languages, texts)]
    told.append(texts("Licence: {licence}").format(licence=choice.licence))
    return " · ".join(filter(None, told))


def from_text(sources: tuple[str, ...], texts: Texts) -> str:
    """Where a model would come from, in the order of trying."""
    return texts("From: {sources}").format(sources=texts(", else ").join(sources)) if sources else ""


def chat_facts(choice: ChatChoice, texts: Texts) -> str:
    """Size and licence of a chat model and who runs it, one line."""
    where = texts("through Ollama") if choice.backend is Backend.OLLAMA else texts("inside Jarvis")
    told = [where, size_text(choice.size_bytes) if choice.size_bytes else ""]
    told.append(texts("Licence: {licence}").format(licence=choice.licence) if choice.licence else "")
    return " · ".join(filter(None, told))


def speed_text(choice: ChatChoice, measured: ModelMeasured | None, texts: Texts) -> str:
    """How fast a chat model is here; empty when nobody has measured."""
    if measured is not None and measured.trouble:
        return measured.trouble
    rate = measured.tokens_per_s if measured is not None else choice.tokens_per_s
    if rate is None:
        return ""
    told = [texts("Measured here: {rate} tokens a second").format(rate=f"{rate:.1f}")]
    if measured is not None:
        told.append(texts("first word after {seconds} s").format(seconds=f"{measured.first_token_s:.1f}"))
    if rate < _SLOW_TOKENS_PER_S:
        told.append(texts("slower than reading"))
    return " · ".join(told)


def machine_text(machine: MachineFacts, texts: Texts) -> str:
    """What the machine has, one line."""
    gpu = machine.gpu or texts("no graphics processor that models could use")
    cores = texts.plural("{count} core", "{count} cores", machine.cores).format(count=machine.cores)
    memory = texts("{size} of memory").format(size=size_text(machine.memory_bytes))
    disk = texts("{size} free on disk").format(size=size_text(machine.free_disk_bytes))
    return " · ".join((memory, cores, gpu, disk))


def step_title(step: Step, texts: Texts) -> str:
    """The name of a step in the list at the side."""
    return {
        Step.WELCOME: texts("Welcome"),
        Step.SPEECH: texts("Speech models"),
        Step.SOUND: texts("Sound"),
        Step.WAKE: texts("Wake word"),
        Step.CHAT: texts("Chat model"),
        Step.START: texts("Start and keys"),
        Step.DONE: texts("Done"),
    }[step]


def progress_text(progress: Progress, texts: Texts, *, later: bool = False) -> str:
    """How far a step is, in words."""
    if later and progress is not Progress.READY:
        return texts("later")
    return {
        Progress.OPEN: texts("not tried yet"),
        Progress.READY: texts("ready"),
        Progress.UNDERWAY: texts("on its way"),
        Progress.MISSING: texts("still to do"),
    }[progress]


def total_text(size_bytes: int, free_bytes: int, texts: Texts) -> str:
    """What is to be fetched and whether it has room."""
    told = texts("To fetch: {size}").format(size=size_text(size_bytes))
    if not free_bytes:
        return told
    room = texts("{size} free on disk").format(size=size_text(free_bytes))
    if free_bytes < size_bytes:
        room = texts("only {size} free on disk; make room first").format(size=size_text(free_bytes))
    return f"{told} · {room}"
