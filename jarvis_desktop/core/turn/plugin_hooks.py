"""Calls the plugins' hooks in a turn: what they say is checked, and what goes wrong in one stays in it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from jarvis_desktop.core.items.calls import Json, ToolCall, ToolResult
from jarvis_desktop.core.items.errors import PluginFailedError, PluginGoneError
from jarvis_desktop.core.items.events import ActivityKind, ActivityNoted
from jarvis_desktop.core.items.hooks import Hook, HookTrouble
from jarvis_desktop.core.items.ids import TurnId
from jarvis_desktop.core.items.turn import TurnRequest
from jarvis_desktop.core.ports import (
    Clock,
    Emit,
    HookVerdict,
    Plugin,
    Plugins,
    Texts,
    TurnContext,
)
from jarvis_desktop.core.turn.hook_messages import Edited, as_payload, edited, nonsense, whole

log = logging.getLogger(__name__)

MAX_STRIKES = 3
"""Failures of one hook in a row: one may be chance, and a person waits for each that hangs."""
MAX_ADDED_CHARS = 4_000
"""Of one plugin in the system prompt, which every request of the turn carries."""
MAX_REPLY_CHARS = 100_000
MAX_REASON_CHARS = 500
NO_REASON = "it gave no reason"

T = TypeVar("T")
_Key = tuple[str, str, Hook]


@dataclass(frozen=True, slots=True)
class _Calling:
    """One hook of one plugin in one turn."""

    plugin: Plugin
    hook: Hook
    request: TurnRequest

    @property
    def key(self) -> _Key:
        return self.plugin.name, self.plugin.digest, self.hook


class PluginHooks:
    """Fills ``TurnHooks``. In every turn the plugins are those that counted when it began."""

    def __init__(self, plugins: Plugins, clock: Clock, texts: Texts, emit: Emit) -> None:
        self._plugins = plugins
        self._clock, self._texts, self._emit = clock, texts, emit
        self._turns: dict[TurnId, tuple[Plugin, ...]] = {}
        self._strikes: dict[_Key, int] = {}
        self._told: set[tuple[TurnId, str]] = set()
        """Plugins of which it was said in a turn that they edit what the model reads."""

    async def before_agent_start(self, request: TurnRequest) -> str:
        """What plugins add to the system prompt, by their files' names."""
        self._turns[request.turn_id] = tuple(await self._plugins.for_turn())
        payload = {
            "request": request.text,
            "language": request.language.value,
            "folder": str(request.cwd),
            "asked_by": None if request.errand is None else request.errand.asker.agent_id,
        }
        added = [
            await self._ask(calling, payload, _added)
            for calling in await self._callings(Hook.BEFORE_AGENT_START, request)
        ]
        return "\n\n".join(text for text in added if text)

    async def before_tool_call(self, call: ToolCall, request: TurnRequest) -> HookVerdict:
        """The first plugin that blocks the call decides."""
        payload = {"tool": call.name, "arguments": dict(call.arguments)}
        for calling in await self._callings(Hook.BEFORE_TOOL_CALL, request):
            reason = await self._ask(calling, payload, _reason)
            if reason is not None:
                text = self._texts("⚡ plugin · {plugin} blocked {tool}: {reason}")
                line = text.format(plugin=calling.plugin.name, tool=call.name, reason=reason)
                await self._note(ActivityKind.TOOL, line, request)
                return HookVerdict(blocked=True, reason=reason)
        return HookVerdict(blocked=False)

    async def after_tool_call(self, call: ToolCall, result: ToolResult, request: TurnRequest) -> None:
        """All of them hear it side by side; none of them changes it."""
        payload = {
            "tool": call.name,
            "arguments": dict(call.arguments),
            "result": result.text,
            "status": result.status.value,
        }
        if callings := await self._callings(Hook.AFTER_TOOL_CALL, request):
            await asyncio.gather(*(self._ask(calling, payload, _nothing) for calling in callings))

    async def transform_context(self, context: TurnContext, request: TurnRequest) -> TurnContext:
        """Each plugin edits what the one before it left."""
        for calling in await self._callings(Hook.TRANSFORM_CONTEXT, request):
            made = await self._ask(calling, {"messages": as_payload(context)}, _editing(context))
            if made is not None and made.messages:
                await self._tell_edited(calling, made, len(context.messages))
                context = made.context
        return context

    def may_replace(self, request: TurnRequest) -> bool:
        """Some plugin of the turn may put another answer in place of the model's."""
        return any(Hook.ON_MESSAGE_END in plugin.hooks for plugin in self._turns.get(request.turn_id, ()))

    async def on_message_end(self, answer: str, request: TurnRequest) -> str:
        """Each plugin sees the answer as the one before it left it."""
        for calling in await self._callings(Hook.ON_MESSAGE_END, request):
            said = await self._ask(calling, {"text": answer, "request": request.text}, _reply)
            if said is not None and said != answer:
                answer = said
                line = self._texts("⚡ plugin · {plugin} replaced the answer; the model's own is kept.")
                await self._note(ActivityKind.TURN, line.format(plugin=calling.plugin.name), request)
        return answer

    def over(self, request: TurnRequest) -> None:
        """The turn's plugins are let go."""
        self._plugins.let_go(self._turns.pop(request.turn_id, ()))
        self._told = {one for one in self._told if one[0] != request.turn_id}

    async def _callings(self, hook: Hook, request: TurnRequest) -> list[_Calling]:
        plugins = self._turns.get(request.turn_id)
        if plugins is None:  # a call that runs outside of a turn is guarded all the same
            plugins = tuple(await self._plugins.for_turn())
            self._plugins.let_go(plugins)
        return [_Calling(plugin, hook, request) for plugin in plugins if hook in plugin.hooks]

    async def _ask(
        self, calling: _Calling, payload: Mapping[str, Json], read: Callable[[Json], T | None]
    ) -> T | None:
        """What the plugin says, understood; None where it says nothing or nothing that counts."""
        request = calling.request
        who: dict[str, Json] = {
            "turn": request.turn_id,
            "agent": request.agent_id,
            "situation": request.situation.value,
        }
        try:
            said = read(await calling.plugin.call(calling.hook, {**who, **payload}))
        except PluginGoneError:
            return None
        except PluginFailedError as error:
            await self._failed(calling, error)
            return None
        self._strikes.pop(calling.key, None)
        return said

    async def _failed(self, calling: _Calling, error: PluginFailedError) -> None:
        plugin, strikes = calling.plugin, self._strikes.pop(calling.key, 0) + 1
        off = strikes >= MAX_STRIKES
        if not off:
            self._strikes[calling.key] = strikes
        where = {"plugin": plugin.name, "hook": calling.hook.value}
        log.warning("a plugin's hook failed", extra={**where, "trouble": error.trouble.value, "off": off})
        text = self._trouble(error).format(plugin=plugin.name, hook=calling.hook, said=_short(error.said))
        if off:
            ending = self._texts(
                "That was number {count} in a row, so {plugin} is left out until its file changes or you "
                "enable it again in Settings → Extensions."
            ).format(count=MAX_STRIKES, plugin=plugin.name)
        else:
            ending = self._texts("The turn goes on without it.")
        text = f"{text} {ending}"
        await self._note(ActivityKind.TROUBLE, text, calling.request)
        await self._plugins.troubled(plugin, text, off=off)

    def _trouble(self, error: PluginFailedError) -> str:
        texts = self._texts
        return {
            HookTrouble.RAISED: texts("Plugin {plugin}: its {hook} failed: {said}."),
            HookTrouble.TIMED_OUT: texts("Plugin {plugin}: its {hook} took too long and was stopped."),
            HookTrouble.ENDED: texts("Plugin {plugin}: its process ended in {hook}."),
            HookTrouble.NONSENSE: texts("Plugin {plugin}: what its {hook} returned does not count: {said}."),
        }[error.trouble]

    async def _tell_edited(self, calling: _Calling, made: Edited, before: int) -> None:
        """A log line for every request to the model, a line of the activity for the first one of a turn."""
        name, request = calling.plugin.name, calling.request
        after = len(made.context.messages)
        counts = {"before": before, "after": after, "changed": made.messages, "chars": made.chars}
        log.info("a plugin edited what the model reads", extra={"plugin": name, **counts})
        if (request.turn_id, name) in self._told:
            return
        self._told.add((request.turn_id, name))
        line = self._texts(
            "⚡ plugin · {plugin} edited what the model reads: {changed} of {before} messages, "
            "{chars} characters"
        )
        text = line.format(plugin=name, changed=made.messages, before=before, chars=f"{made.chars:+d}")
        await self._note(ActivityKind.TURN, text, request)

    async def _note(self, kind: ActivityKind, line: str, request: TurnRequest) -> None:
        await self._emit(ActivityNoted(kind, line, self._clock.now(), request.turn_id))


def _text(said: Json, most: int) -> str | None:
    """A text, or None for no wish.

    Raises:
        PluginFailedError: something else.
    """
    if said is None:
        return None
    if not isinstance(said, str):
        raise nonsense(f"expected a text or None, got {type(said).__name__}")
    if len(said) > most:
        raise nonsense(f"a text of {len(said)} characters; {most} is the most")
    return whole(said)


def _added(said: Json) -> str | None:
    text = _text(said, MAX_ADDED_CHARS)
    return text.strip() if text is not None else None


def _reason(said: Json) -> str | None:
    """Why the call is blocked. A text blocks, also an empty one: whoever guards means something by it."""
    text = _text(said, MAX_REPLY_CHARS)
    return None if text is None else _short(text) or NO_REASON


def _reply(said: Json) -> str | None:
    text = _text(said, MAX_REPLY_CHARS)
    if text is not None and not text.strip():
        raise nonsense("an answer without words; None leaves the answer as it is")
    return text


def _nothing(said: Json) -> None:
    """Whatever it is."""
    del said


def _editing(context: TurnContext) -> Callable[[Json], Edited | None]:
    def read(said: Json) -> Edited | None:
        return None if said is None else edited(said, context)

    return read


def _short(text: str) -> str:
    """On one line, without what cannot be seen; short enough for a list and for a model."""
    line = "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
    return line[:MAX_REASON_CHARS].rstrip(".")
