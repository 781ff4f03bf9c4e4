"""The only road to a tool: allow-list, arguments, hooks, decision, a last look, then the tool."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from jarvis_desktop.core.items.agents import AgentCard
from jarvis_desktop.core.items.calls import Json, ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.decisions import Allow, Allowed, AnsweredBy, Denied, TimedOut
from jarvis_desktop.core.items.delegation import CallContext
from jarvis_desktop.core.items.extensions import ExtensionKind
from jarvis_desktop.core.items.turn import Errand, Message, Situation, TurnRequest
from jarvis_desktop.core.policy.broker import Broker
from jarvis_desktop.core.policy.digest import call_digest
from jarvis_desktop.core.policy.facts import Matter, Reading, heard
from jarvis_desktop.core.policy.roles import attended, takes_user_values
from jarvis_desktop.core.policy.sandbox import decide, still_stands
from jarvis_desktop.core.ports import CallHooks, NoHooks, ToolSpec
from jarvis_desktop.core.settings import EVERY_TOOL
from jarvis_desktop.core.tool import Preview, ToolArguments
from jarvis_desktop.core.turn.argument_errors import argument_problem
from jarvis_desktop.core.turn.audit_trail import AuditTrail
from jarvis_desktop.core.turn.call_reports import CallReports
from jarvis_desktop.core.turn.prompt import ToolOffer
from jarvis_desktop.core.turn.tool_registry import AnyTool, ToolRegistry

log = logging.getLogger(__name__)

ASK_AT_MOST = 2
"""A file that changed while a person was reading is shown once more, then the call fails."""

# What the model reads; people read the fixed lines in endings.py. None of it says how to do the work by
# hand: after "execution was denied" models told people to type the command themselves (T-030).
DENIED = "The person denied this call, so it did not run. Ask for it again only in a new request."
NOBODY = "Nobody was there to approve this call, so it did not run."
ASK_FIRST = (
    "{tool} did not run: nobody is here to approve it and no remembered rule covers it. "
    "It is one of the things to ask about first; go on without it."
)
TIMED_OUT = "Nobody answered the approval question in time, so this call did not run."
CHANGED = (
    "Not run: twice, what it would change was no longer what had been approved. "
    "Read the file again before you try again."
)


class _ImpossibleError(Exception):
    """A tool says beforehand that a call cannot succeed, and why."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A call whose tool is known and whose arguments are checked."""

    call: ToolCall
    tool: AnyTool
    arguments: ToolArguments
    request: TurnRequest
    said: Sequence[Message]
    strangers: bool
    """Strangers describe a tool that this turn may call."""

    async def preview(self) -> Preview:
        """What a person is shown.

        Raises:
            _ImpossibleError: the call cannot succeed, so nobody need be asked.
        """
        preview = await self.tool.preview(self.arguments, self.request.cwd)
        if preview.impossible:
            raise _ImpossibleError(preview.impossible)
        return preview

    @property
    def matter(self) -> Matter:
        """What is to be decided."""
        tool = self.tool
        return Matter(
            self.call,
            self.request,
            self.preview,
            tool.read_only,
            self.said,
            added=tool.added,
            needs_approval=tool.needs_approval,
            strangers=self.strangers,
        )

    def digest(self, snapshot: str) -> str:
        """Worked out from the arguments that will be handed over, whatever became of the call meanwhile."""
        call = replace(self.call, arguments=self.arguments.model_dump(mode="json"))
        return call_digest(call, self.request.cwd, self.request.agent_id, snapshot)


class ToolRunner:
    """Runs calls one by one; the order of a step is the model's order."""

    def __init__(
        self,
        registry: ToolRegistry,
        broker: Broker,
        reading: Reading,
        reports: CallReports,
        hooks: CallHooks | None = None,
        trail: AuditTrail | None = None,
    ) -> None:
        """reading: asked at every call, so a changed setting or rule counts at once."""
        self._registry = registry
        self._broker = broker
        self._reading = reading
        self._reports = reports
        self._hooks = hooks or NoHooks()
        self._trail = trail

    def offer(
        self,
        agent: AgentCard,
        situation: Situation = Situation.CONVERSATION,
        errand: Errand | None = None,
    ) -> ToolOffer:
        """The tools that a turn of this agent may use now."""
        tools = self._registry.offered(agent, situation, errand)
        ask_for = {*self._reading.security.known().require_approval_for}
        asking = tuple(
            tool.name for tool in tools if tool.needs_approval or {tool.name, EVERY_TOOL} & ask_for
        )
        specs = tuple(_spec(tool, situation) for tool in tools)
        if situation is not Situation.GOAL:
            return ToolOffer(specs, bool(asking))
        return ToolOffer(
            specs,
            some_need_approval=False,  # nobody is there to approve
            ask_first=self._registry.asked_first(agent, situation, errand),
            by_rule_only=asking,
        )

    def offered(self, agent: AgentCard) -> tuple[AnyTool, ...]:
        """The tools that a conversation with this agent may use now."""
        return self._registry.offered(agent)

    def knows(self, name: str, request: TurnRequest) -> bool:
        """There is such a tool in this turn."""
        return self._registry.find(name, request.agent_id, request.errand) is not None

    def only_reads(self, name: str) -> bool:
        """There is such a tool, and calling it twice changes nothing."""
        tool = self._registry.find(name)
        return tool is not None and tool.read_only

    async def run(self, call: ToolCall, request: TurnRequest, said: Sequence[Message] = ()) -> ToolResult:
        """What the call came to; whatever goes wrong is a result that the model can read.

        said: everything of the conversation that the model may have read before.
        """
        try:
            result = await self._checked(call, request, said)
        except Exception as error:  # noqa: BLE001 - the rim of a tool call: a tool's bug must not end the turn
            log.warning("tool call failed", extra={"tool": call.name, "error": type(error).__name__})
            result = _error(call, f"{call.name} failed: {_said(error)}")
        if self._trail is not None:
            await self._trail.finished(call, result)
        await self._reports.finished(call, result, request)
        return result

    async def _checked(self, call: ToolCall, request: TurnRequest, said: Sequence[Message]) -> ToolResult:
        tool = self._registry.find(call.name, request.agent_id, request.errand)
        if tool is None:
            return _error(call, self._unknown(call.name, request))
        if not self._registry.permits(call.name, request.agent, request.situation):
            return _error(call, f"{call.name} is not permitted for this agent.")
        try:
            # A null says "no value", which is what leaving the argument out says.
            dropped = _dropped(tool, request.situation)
            given = {
                name: value
                for name, value in call.arguments.items()
                if value is not None and name not in dropped
            }
            arguments: ToolArguments = tool.parse(given)
        except ValidationError as error:
            return _error(call, argument_problem(tool.spec, error))
        call = replace(call, arguments=arguments.model_dump(mode="json"))
        hooked = await self._hooks.before_tool_call(call, request)
        if hooked.blocked:
            return _error(call, f"{call.name} was blocked: {hooked.reason}")
        try:
            strangers = self._strangers(request)
            return await self._decided(_Ready(call, tool, arguments, request, said, strangers))
        except _ImpossibleError as impossible:
            return _error(call, str(impossible))

    def _strangers(self, request: TurnRequest) -> bool:
        offered = self._registry.offered(request.agent, request.situation, request.errand)
        return any(tool.added is not None and tool.added.kind is ExtensionKind.SERVER for tool in offered)

    def _unknown(self, name: str, request: TurnRequest) -> str:
        return self._registry.unknown(name, request.agent, request.situation, request.errand)

    async def _decided(self, ready: _Ready) -> ToolResult:
        for _ in range(ASK_AT_MOST):
            matter = ready.matter
            decision = await decide(matter, self._broker, self._reading)
            if self._trail is not None:
                await self._trail.decided(ready.call, decision, ready.request)
            await self._reports.decided(ready.call, decision, ready.request)
            match decision:
                case Allowed(allow=allow):
                    if await still_stands(matter, decision, self._reading) and await _still_holds(
                        ready, allow
                    ):
                        return await self._run(ready, allow)
                case Denied(by=by, why=why):
                    return _refusal(ready.call, by, why, ready.request.situation)
                case TimedOut():
                    return ToolResult(ready.call.call_id, ready.call.name, TIMED_OUT, ResultStatus.TIMED_OUT)
        return _error(ready.call, CHANGED)

    async def _run(self, ready: _Ready, allow: Allow) -> ToolResult:
        await self._reports.called(ready.call, ready.request)
        context = CallContext(ready.call.call_id, heard(ready.request, ready.said))
        with self._broker.loan.during(allow.room):
            output = await ready.tool.run_within(ready.arguments, allow, ready.request, context)
        return ToolResult(ready.call.call_id, ready.call.name, output.text, output.status, output.final)


async def _still_holds(ready: _Ready, allow: Allow) -> bool:
    """What would run now is exactly what was allowed: same arguments, folder, agent and files."""
    asked = allow.by is not AnsweredBy.RULE
    snapshot = (await ready.preview()).snapshot if asked else allow.snapshot
    return ready.digest(snapshot) == allow.digest


def _dropped(tool: AnyTool, situation: Situation) -> frozenset[str]:
    """Arguments that are not taken from the model in a turn of this kind."""
    return frozenset() if takes_user_values(situation) else tool.user_only_params


def _spec(tool: AnyTool, situation: Situation) -> ToolSpec:
    """The tool as the model sees it, without what is not taken from it."""
    spec, dropped = tool.spec, _dropped(tool, situation)
    if not dropped:
        return spec
    properties = spec.parameters["properties"]
    assert isinstance(properties, dict)  # a schema of an object
    kept: Json = {name: value for name, value in properties.items() if name not in dropped}
    return replace(spec, parameters={**spec.parameters, "properties": kept})


def _refusal(call: ToolCall, by: AnsweredBy, why: str, situation: Situation) -> ToolResult:
    if by is AnsweredBy.RULE:  # a guard, not a person: the model reads why and may go on
        return _error(call, f"{call.name} was blocked: {why}")
    if not attended(situation):  # decision 20: no refusal, but one of the things to ask about first
        return _error(call, ASK_FIRST.format(tool=call.name))
    text = NOBODY if by is AnsweredBy.NOBODY else DENIED
    return ToolResult(call.call_id, call.name, text, ResultStatus.DENIED)


def _error(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(call.call_id, call.name, text, ResultStatus.ERROR)


def _said(error: Exception) -> str:
    """What an unexpected error says, short enough for a model."""
    return (str(error) or type(error).__name__)[:500]
