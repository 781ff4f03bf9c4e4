"""The setup on a terminal, with its answers in a script."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    Backend,
    ChatChoice,
    FileChoice,
    MachineFacts,
    OllamaPresence,
    SetupFacts,
    SetupLooked,
)
from jarvis_desktop.ui.setup_picture import SetupPicture
from jarvis_desktop.ui.setup_terminal import NoMoreAnswersError, TerminalSetup
from tests.fakes.texts import PlainTexts

GEMMA = ChatChoice(Backend.OLLAMA, "gemma4:e2b", 7_200_000_000, "Apache-2.0", present=False, fits=True)
SMALL = ChatChoice(Backend.EMBEDDED, "small", 500_000_000, "Apache-2.0", present=False, fits=True)
WAKE = FileChoice("wake", "Hears.", ("en",), 3_000_000, "MIT", ("index",), present=False, needed=True)
NICE = replace(WAKE, name="nice-voice", needed=False, untested=True)
FACTS = SetupFacts(
    machine=MachineFacts(8_000_000_000, 4),
    ollama=OllamaPresence.STOPPED,
    ollama_text="Ollama is installed but not running.",
    chat=(GEMMA, SMALL),
    files=(WAKE, NICE),
    microphones=("USB", "Webcam"),
    loudspeakers=(),
    settings={"ui.language": "system", "model.name": "gemma4:e2b", "model.backend": "auto"},
)


class Orders:
    """Fills ``SetupOrders``: notes what is asked for."""

    def __init__(self, facts: SetupFacts) -> None:
        self.facts = facts
        self.picture = SetupPicture()
        self.done: list[object] = []
        self.refusal = ""

    async def look(self) -> None:
        self.picture.take(SetupLooked(self.facts))

    async def change(self, name: str, value: object) -> str:
        self.done.append((name, value))
        return self.refusal

    async def fetch(self, kind: FetchKind, name: str, told: Callable[[FetchState], None]) -> FetchState:
        self.done.append((kind.value, name))
        told(FetchState(kind, name, FetchStage.RUNNING, 1, 2))
        return FetchState(kind, name, FetchStage.DONE, 2, 2)

    async def start_ollama(self) -> str:
        self.done.append("start ollama")
        self.facts = replace(self.facts, ollama=OllamaPresence.RUNNING)
        return self.refusal

    async def set_autostart(self, *, on: bool) -> str:
        self.done.append(f"autostart {on}")
        return self.refusal

    async def finish(self) -> str:
        self.done.append("finish")
        return self.refusal


class Script:
    """Fills ``Terminal``: answers by what a prompt says, and Enter for every other."""

    def __init__(self, answers: dict[str, str], ends_at: str = "") -> None:
        self._answers = answers
        self._ends_at = ends_at
        self.shown = ""

    def say(self, text: str, style: str = "") -> None:
        del style
        self.shown += f"{text}\n"

    async def ask(self, prompt: str) -> str:
        if self._ends_at and self._ends_at in self.shown + prompt:
            raise NoMoreAnswersError
        titles = [line for line in self.shown.splitlines() if line in self._answers]
        key = next((key for key in self._answers if key in prompt), titles[-1] if titles else "")
        return self._answers.pop(key, "") + "\n"

    def show_fetch(self, name: str, state: FetchState) -> None:
        self.shown += f"[{name} {state.done_bytes}/{state.total_bytes}]\n"


async def asked(
    answers: dict[str, str] | None = None, facts: SetupFacts = FACTS, *, ends_at: str = "", refusal: str = ""
) -> tuple[list[object], str]:
    """What was done, and what was shown."""
    orders, script = Orders(facts), Script(dict(answers or {}), ends_at)
    orders.refusal = refusal
    await TerminalSetup(orders, PlainTexts(), script).run()
    return orders.done, script.shown


async def test_enter_leaves_every_step_as_it_is() -> None:
    done, shown = await asked()
    assert done == ["finish"]
    assert shown.endswith(
        "How far the setup is:\n  Speech models: still to do\n  Sound: ready\n  Chat model: still to do\n"
        "What is left can be done any time with: jarvis-desktop setup\n"
    )


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"Language": "2"}, [("ui.language", "ko")]),
        ({"Microphone": "3"}, [("voice.input_device", "Webcam")]),
        ({"Microphone": "1"}, [("voice.input_device", "")]),
        ({"Which ones": "2, 1 2 7 x"}, [("files", "nice-voice"), ("files", "wake")]),
        ({"Start it for this setup": "y"}, ["start ollama"]),
        (
            {"Chat model": "2"},
            [("model.backend", "embedded"), ("model.name", "small"), ("files", "small")],
        ),
        ({"It is off": "yes"}, ["autostart True"]),
        ({"Language": "9", "It is off": "perhaps"}, []),
    ],
)
async def test_an_answer_is_done_at_once(answers: dict[str, str], expected: list[object]) -> None:
    done, _ = await asked(answers)
    assert done == [*expected, "finish"]


async def test_a_model_of_ollama_is_fetched_once_ollama_runs() -> None:
    done, shown = await asked({"Start it for this setup": "y", "Fetch gemma4:e2b now": "예"})
    assert done == ["start ollama", ("ollama", "gemma4:e2b"), "finish"]
    assert "[gemma4:e2b 1/2]\n  gemma4:e2b: There, and checked\n" in shown
    _, without = await asked()
    assert "It comes through Ollama, which does not answer yet." in without


async def test_a_machine_elsewhere_is_named_before_anybody_agrees() -> None:
    facts = replace(FACTS, ollama=OllamaPresence.REMOTE_UNASKED, consent="http://gpu:11434")
    done, _ = await asked({"May conversations be sent to http://gpu:11434?": "y"}, facts)
    assert done == [("model.allowed_host", "http://gpu:11434"), "finish"]


async def test_autostart_that_is_on_can_be_switched_off() -> None:
    done, _ = await asked({"It is on": "y"}, replace(FACTS, autostart=True))
    assert done == ["autostart False", "finish"]


async def test_what_was_done_stays_when_the_answers_end_and_the_setup_is_not_finished() -> None:
    done, shown = await asked({"Language": "2"}, ends_at="Speech models")
    assert done == [("ui.language", "ko")]
    assert "How far the setup is:" in shown


async def test_why_something_cannot_be_done_is_shown() -> None:
    _, shown = await asked({"Language": "2"}, refusal="JARVIS_UI__LANGUAGE is set and wins.")
    assert "  ! JARVIS_UI__LANGUAGE is set and wins.\n" in shown
    _, shown = await asked({}, replace(FACTS, microphones=(), troubles=("PortAudio is not installed.",)))
    assert "  ! Microphone: none was found.\n" in shown
    assert "  ! PortAudio is not installed.\n" in shown


async def test_a_machine_where_all_is_there_is_asked_little() -> None:
    ready = replace(
        FACTS,
        files=(replace(WAKE, present=True),),
        chat=(replace(GEMMA, present=True),),
        ollama=OllamaPresence.RUNNING,
    )
    done, shown = await asked({}, ready)
    assert (done, "Which ones" in shown, "jarvis-desktop setup" in shown) == (["finish"], False, False)
