"""The setup on a terminal: the same steps as in the window, one by one, each left as it is by Enter."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import Backend, ChatChoice, FileChoice, OllamaPresence
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.setup_picture import SetupPicture, fetch_id
from jarvis_desktop.ui.setup_steps import Progress, Step, progress

YES = frozenset({"y", "yes", "예", "네", "ㅇ"})
_TOLD = (Step.SPEECH, Step.SOUND, Step.CHAT)
"""Steps whose state can be told without trying anything out."""


class NoMoreAnswersError(Exception):
    """Whoever answered has gone."""


class SetupOrders(Protocol):
    """What the steps get done. Each returns why it could not be; empty when it was."""

    @property
    def picture(self) -> SetupPicture:
        """What is known by now."""

    async def look(self) -> None:
        """The picture shows this machine as it is now."""

    async def change(self, name: str, value: object) -> str:
        """A setting is written."""

    async def fetch(self, kind: FetchKind, name: str, told: Callable[[FetchState], None]) -> FetchState:
        """How a download ended."""

    async def start_ollama(self) -> str:
        """The installed Ollama runs, for as long as the setup does."""

    async def set_autostart(self, *, on: bool) -> str:
        """Jarvis starts with the session, or no longer."""

    async def finish(self) -> str:
        """The setup is not shown by itself again."""


class Terminal(Protocol):
    """Where the steps are shown and answered."""

    def say(self, text: str, style: str = "") -> None:
        """One or more lines."""

    async def ask(self, prompt: str) -> str:
        """What was typed.

        Raises:
            NoMoreAnswersError: nobody answers any more.
        """

    def show_fetch(self, name: str, state: FetchState) -> None:
        """How far a download is."""


@dataclass(frozen=True, slots=True)
class _Option:
    value: object
    text: str


class TerminalSetup:
    """Asks step by step."""

    def __init__(self, orders: SetupOrders, texts: Texts, terminal: Terminal) -> None:
        self._orders = orders
        self._texts = texts
        self._terminal = terminal

    async def run(self) -> None:
        """Every step was asked, or its person left; what was answered until then counts."""
        texts, say = self._texts, self._terminal.say
        await self._orders.look()
        say(texts("Setting up Jarvis. Enter leaves a step as it is; Ctrl+C ends, and what was done stays."))
        self._say_machine()
        try:
            for step in (
                self._language,
                self._microphone,
                self._loudspeaker,
                self._speech_models,
                self._ollama,
                self._chat_model,
                self._autostart,
            ):
                await step()
        except NoMoreAnswersError:
            say("")
        else:
            self._warn(await self._orders.finish())
        await self.report()

    async def report(self) -> None:
        """Say what is there and what is left to do."""
        await self._orders.look()
        picture, texts, say = self._orders.picture, self._texts, self._terminal.say
        say(texts("How far the setup is:"), "bold")
        for step in _TOLD:
            told = setup_words.progress_text(progress(step, picture), texts)
            say(f"  {setup_words.step_title(step, texts)}: {told}")
        facts = picture.facts
        for trouble in facts.troubles if facts is not None else ():
            self._warn(trouble)
        if any(progress(step, picture) is Progress.MISSING for step in _TOLD):
            how = texts("What is left can be done any time with: {command} setup")
            say(how.format(command=facts.command if facts is not None else "jarvis-desktop"))

    # --- steps --------------------------------------------------------------------------------

    def _say_machine(self) -> None:
        facts = self._orders.picture.facts
        if facts is not None and facts.machine.cores:
            self._terminal.say(setup_words.machine_text(facts.machine, self._texts), "dim")

    async def _language(self) -> None:
        texts = self._texts
        spoken = texts.language
        options = [
            _Option("system", texts("The system's language")),
            _Option("ko", "한국어"),
            _Option("en", "English"),
        ]
        await self._choose_setting(texts("Language"), "ui.language", options)
        if texts.language is not spoken:
            await self._orders.look()  # what was found is worded in the language of its look

    async def _microphone(self) -> None:
        facts = self._orders.picture.facts
        names = facts.microphones if facts is not None else ()
        await self._device(self._texts("Microphone"), "voice.input_device", names)

    async def _loudspeaker(self) -> None:
        facts = self._orders.picture.facts
        names = facts.loudspeakers if facts is not None else ()
        await self._device(self._texts("Loudspeaker"), "voice.output_device", names)

    async def _device(self, title: str, setting: str, names: Sequence[str]) -> None:
        if not names:
            self._warn(self._texts("{title}: none was found.").format(title=title))
            return
        usual = _Option("", self._texts("The system's default"))
        await self._choose_setting(title, setting, [usual, *(_Option(name, name) for name in names)])

    async def _speech_models(self) -> None:
        texts, picture = self._texts, self._orders.picture
        absent = [choice for choice in picture.speech_files() if not picture.there(choice)]
        if not absent:
            return
        self._title(texts("Speech models"))
        for number, choice in enumerate(absent, 1):
            self._terminal.say(f"  {number}  {self._file_line(choice)}")
        prompt = texts("Which ones shall be fetched? Numbers with spaces between; Enter fetches none: ")
        for number in _numbers(await self._terminal.ask(prompt), len(absent)):
            await self._fetch(FetchKind.FILES, absent[number - 1].name)

    def _file_line(self, choice: FileChoice) -> str:
        texts = self._texts
        told = [setup_words.model_name(choice.name, texts), setup_words.file_facts(choice, texts)]
        if choice.needed:
            told.append(texts("needed to listen"))
        if choice.untested:
            told.append(texts("nobody has tried it with this release"))
        return " · ".join(told)

    async def _ollama(self) -> None:
        facts, texts = self._orders.picture.facts, self._texts
        if facts is None or facts.ollama in (OllamaPresence.RUNNING, OllamaPresence.REMOTE):
            return
        self._title("Ollama")
        self._terminal.say(f"  {facts.ollama_text}")
        if facts.ollama is OllamaPresence.STOPPED:
            if await self._yes(texts("Start it for this setup? y starts it, Enter does not: ")):
                self._warn(await self._orders.start_ollama())
        elif facts.ollama is OllamaPresence.REMOTE_UNASKED:
            where = facts.consent
            prompt = texts("May conversations be sent to {host}? y allows it, Enter does not: ")
            if where and await self._yes(prompt.format(host=where)):
                self._warn(await self._orders.change("model.allowed_host", where))
        else:
            return
        await self._orders.look()

    async def _chat_model(self) -> None:
        texts, picture = self._texts, self._orders.picture
        choices = picture.facts.chat if picture.facts is not None else ()
        if not choices:
            return
        now = picture.chosen()
        self._title(texts("Chat model"))
        for number, choice in enumerate(choices, 1):
            self._terminal.say(f"{'▸' if choice is now else ' '} {number}  {self._chat_line(choice)}")
        if now is not None:
            self._say_chosen(now)
        numbers = _numbers(await self._terminal.ask(self._number_prompt()), len(choices))
        wanted = choices[numbers[0] - 1] if numbers else None
        if wanted is not None and wanted is not now:
            backend = "embedded" if wanted.backend is Backend.EMBEDDED else "auto"
            self._warn(await self._orders.change("model.backend", backend))
            self._warn(await self._orders.change("model.name", wanted.name))
        chosen = wanted or now
        if chosen is not None and not picture.there(chosen):
            await self._offer_fetch(chosen, asked=wanted is not None)

    def _say_chosen(self, now: ChatChoice) -> None:
        if not self._orders.picture.there(now):
            text = self._texts("{model} is chosen and not there yet.").format(model=now.name)
            self._terminal.say(f"  {text}", "yellow")

    async def _offer_fetch(self, choice: ChatChoice, *, asked: bool) -> None:
        """Who has just chosen a model wants to have it; otherwise it is asked first."""
        texts = self._texts
        if choice.backend is Backend.OLLAMA and not self._orders.picture.ollama_answers:
            self._warn(texts("It comes through Ollama, which does not answer yet."))
            return
        size = setup_words.size_text(choice.size_bytes)
        prompt = texts("Fetch {model} now ({size})? y fetches it, Enter does not: ")
        if asked or await self._yes(prompt.format(model=choice.name, size=size)):
            kind, name = fetch_id(choice)
            await self._fetch(kind, name)

    def _chat_line(self, choice: ChatChoice) -> str:
        texts = self._texts
        told = [choice.name, setup_words.chat_facts(choice, texts), choice.note]
        if self._orders.picture.there(choice):
            told.insert(1, texts("there"))
        return " · ".join(filter(None, told))

    async def _autostart(self) -> None:
        facts, texts = self._orders.picture.facts, self._texts
        self._title(texts("Starting with the computer"))
        if facts is not None and facts.autostart:
            if await self._yes(texts("It is on. y switches it off, Enter leaves it on: ")):
                self._warn(await self._orders.set_autostart(on=False))
        elif await self._yes(texts("It is off. y switches it on, Enter leaves it off: ")):
            self._warn(await self._orders.set_autostart(on=True))

    # --- asking -------------------------------------------------------------------------------

    def _title(self, text: str) -> None:
        self._terminal.say(f"\n{text}", "bold")

    def _warn(self, text: str) -> None:
        if text:
            self._terminal.say(f"  ! {text}", "yellow")

    async def _yes(self, prompt: str) -> bool:
        return (await self._terminal.ask(f"  {prompt}")).strip().lower() in YES

    def _number_prompt(self) -> str:
        return self._texts("  A number, or Enter to leave it: ")

    async def _choose_setting(self, title: str, setting: str, options: Sequence[_Option]) -> None:
        self._title(title)
        now = self._orders.picture.setting(setting)
        for number, option in enumerate(options, 1):
            self._terminal.say(f"{'▸' if option.value == now else ' '} {number}  {option.text}")
        numbers = _numbers(await self._terminal.ask(self._number_prompt()), len(options))
        if numbers:
            self._warn(await self._orders.change(setting, options[numbers[0] - 1].value))

    async def _fetch(self, kind: FetchKind, name: str) -> None:
        shown = setup_words.model_name(name, self._texts)
        end = await self._orders.fetch(kind, name, lambda state: self._terminal.show_fetch(shown, state))
        text = f"{shown}: {setup_words.fetch_text(end, self._texts)}"
        self._terminal.say(f"  {text}", "green" if end.stage is FetchStage.DONE else "yellow")


def _numbers(typed: str, most: int) -> list[int]:
    """The numbers from 1 to ``most`` in what was typed, each once; anything else is left out."""
    found = (int(word) for word in typed.replace(",", " ").split() if word.isascii() and word.isdigit())
    return list(dict.fromkeys(number for number in found if 1 <= number <= most))
