"""Which model answers for which agent: the app's own, or the one that the agent's file names."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from jarvis_desktop.app.chat_models import STARTERS, ChosenModel
from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.items.turn import Message, TurnRequest
from jarvis_desktop.core.ports import CallStyle, ChatModel, ChatPiece, ChatRequest, Texts
from jarvis_desktop.core.settings import ModelSettings
from jarvis_desktop.core.turn.engine import TurnEngine
from jarvis_desktop.core.turn.model_check import chosen
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome

log = logging.getLogger(__name__)


class NamedModel:
    """Fills ``ChatModel`` with the model that an agent's file names; says whose it is when it is missing."""

    def __init__(self, card: AgentCard, model: ChosenModel, texts: Texts) -> None:
        self._card, self._texts = card, texts
        self.chosen = model

    @property
    def name(self) -> str:
        """As the file says."""
        return self.chosen.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and reply share."""
        return self.chosen.context_tokens

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatPiece, None]:
        """The answer; see ``ChatModel``. No other model stands in: the file says which one it is to be.

        Raises:
            ModelUnavailableError: it cannot be used, and what to do about it.
        """
        try:
            async with aclosing(self.chosen.stream(request)) as pieces:
                async for piece in pieces:
                    yield piece
        except ModelUnavailableError as error:
            text = self._texts(
                "{problem} Only {agent} needs this model: with the line model taken out of {file}, the model "
                "that answers for everybody else answers for it too."
            )
            file = f"~/.jarvis/team/{self._card.agent_id}.yaml"
            told = text.format(problem=error, agent=self._card.name, file=file)
            raise ModelUnavailableError(error.kind, told) from error

    async def warm_up(self, prefix: ChatRequest | None = None) -> None:
        """Load it; see ``ChatModel``."""
        await self.chosen.warm_up(prefix)

    async def close(self) -> None:
        """Its connections are closed."""
        await self.chosen.close()


@dataclass(frozen=True, slots=True)
class AgentModelParts:
    """What turns are run with."""

    own: ChatModel
    """The app's model."""
    own_style: Callable[[], CallStyle]
    known_style: Callable[[str], CallStyle | None]
    """How a model by its name called tools when it was checked; None where it never was."""
    another: Callable[[ModelSettings], ChosenModel]
    """A model for these settings; nothing is opened by making one."""
    engine: Callable[[ChatModel], TurnEngine]
    texts: Texts


@dataclass(frozen=True, slots=True)
class _Named:
    settings: ModelSettings
    model: NamedModel
    engine: TurnEngine


class AgentModels:
    """Fills ``Turns``: each turn runs on the model of its agent."""

    def __init__(self, settings: ModelSettings, parts: AgentModelParts) -> None:
        self._settings = settings
        self._parts = parts
        self._own = parts.engine(parts.own)
        self._named: dict[AgentId, _Named] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    async def run(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> TurnOutcome:
        """Work on ``request`` until it has ended; see ``TurnEngine``."""
        named = self._of(request.agent)
        engine = self._own if named is None else named.engine
        return await engine.run(request, past, style, notes)

    def style(self, card: AgentCard) -> CallStyle:
        """How the agent's model is asked for tool calls. One that was never checked is held to a schema."""
        if self._shares(card):
            return self._parts.own_style()
        if card.model.name in STARTERS:
            return CallStyle.SCHEMA  # they are too small to do it any other way
        check = chosen(self._settings.calls)
        if check is not None:
            return check.style
        return self._parts.known_style(card.model.name) or CallStyle.SCHEMA

    def configure(self, settings: ModelSettings) -> None:
        """Another server, or another model for everybody, counts from the next turn on."""
        self._settings = settings

    def on_event(self, event: Event) -> None:
        """The models follow the turns."""
        for named in self._named.values():
            named.model.chosen.on_event(event)

    async def close(self) -> None:
        """Every model but the app's own is closed."""
        closing = [named.model.close() for named in self._named.values()]
        await asyncio.gather(*closing, *self._leaving, return_exceptions=True)

    def _shares(self, card: AgentCard) -> bool:
        """The app's own model answers for it."""
        return card.model.name in ("", self._settings.name)

    def _of(self, card: AgentCard) -> _Named | None:
        """What the agent's file names; None where the app's own model answers."""
        known = self._named.get(card.agent_id)
        if self._shares(card):
            if known is not None:
                self._drop(card.agent_id, known)
            return None
        settings = wished(card, self._settings)
        if known is not None and known.settings == settings:
            return known
        if known is not None:
            self._drop(card.agent_id, known)
        log.info("an agent has a model of its own", extra={"agent": card.agent_id})
        model = NamedModel(card, self._parts.another(settings), self._parts.texts)
        self._named[card.agent_id] = _Named(settings, model, self._parts.engine(model))
        return self._named[card.agent_id]

    def _drop(self, agent_id: AgentId, named: _Named) -> None:
        """It is used no more: its file names another one now."""
        del self._named[agent_id]
        leaving = asyncio.ensure_future(named.model.close())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)


def wished(card: AgentCard, settings: ModelSettings) -> ModelSettings:
    """The settings of the model that ``card`` names; server, consent and all that it does not say stay."""
    wish = card.model
    given = {
        name: value
        for name, value in (
            ("temperature", wish.temperature),
            ("context_tokens", wish.context_tokens),
            ("think", wish.think),
        )
        if value is not None
    }
    inside = wish.name in STARTERS
    return settings.model_copy(
        update={"name": wish.name, "backend": "embedded" if inside else "ollama", **given}
    )
