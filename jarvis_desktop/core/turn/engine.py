"""One turn from the request to its end: the model speaks, tools run, code has the last word."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.errors import ModelUnavailableError
from jarvis_desktop.core.items.events import ReplyDelta, ReplyMayChange, ReplyReplaced, TurnEnded
from jarvis_desktop.core.items.memory import PatternName
from jarvis_desktop.core.items.memory_desk import PatternsUsed
from jarvis_desktop.core.items.turn import Message, Role, Situation, TurnEnd, TurnRequest
from jarvis_desktop.core.memory.pattern_fit import as_prompt
from jarvis_desktop.core.policy.telling import Telling
from jarvis_desktop.core.policy.web_trail import PLUGGED
from jarvis_desktop.core.ports import CallStyle, ChatModel, Clock, Emit, Memory, Texts
from jarvis_desktop.core.ports.hooks import NoHooks, TurnContext, TurnHooks
from jarvis_desktop.core.turn.endings import answer_from_results, joined, step_ending
from jarvis_desktop.core.turn.model_call import ModelCall
from jarvis_desktop.core.turn.prompt import PromptBuilder
from jarvis_desktop.core.turn.repeats import HAVE_IT, known_results
from jarvis_desktop.core.turn.reply_parser import ParsedReply
from jarvis_desktop.core.turn.tool_runner import ToolRunner
from jarvis_desktop.core.turn.turn_notes import TurnNotes, TurnOutcome

MAX_TOOL_ROUNDS = 20
"""T-021."""
MAX_ERRAND_ROUNDS = 8
"""For an agent that another one asked: its asker waits, and may ask once more."""
MAX_RETRIES = 2
"""Unreadable or empty answers and steps of unknown tools only, in one turn."""

EMPTY = "Your answer was empty. Answer the person's request now."
INTERRUPTED = "Interrupted by the person before it was done; its effect is unknown."
INTERRUPTED_MARK = "[interrupted by the person]"


@dataclass(frozen=True, slots=True)
class _End:
    """Why the turn is over, and the line to show where it is not what the model just said."""

    end: TurnEnd
    line: str | None = None
    alone: bool = False
    """The line replaces everything shown before."""


class TurnEngine:
    """Runs turns, one at a time, on one model."""

    def __init__(
        self,
        model: ChatModel,
        runner: ToolRunner,
        prompt: PromptBuilder,
        clock: Clock,
        texts: Texts,
        emit: Emit,
    ) -> None:
        self._memory: Memory | None = None
        self._hooks: TurnHooks = NoHooks()
        self._model = model
        self._runner = runner
        self._prompt = prompt
        self._texts = texts
        self._emit = emit
        self._tell_surely = Telling(emit)
        self._call = ModelCall(model, clock, emit)

    def recollect_from(self, memory: Memory) -> None:
        """From now on what agents were taught there stands before the requests that it fits."""
        self._memory = memory

    def plug_in(self, hooks: TurnHooks) -> None:
        """From now on these are called in every turn; those before a call are the runner's."""
        self._hooks = hooks

    async def run(
        self,
        request: TurnRequest,
        past: Sequence[Message],
        style: CallStyle,
        notes: TurnNotes | None = None,
    ) -> TurnOutcome:
        """The outcome, after ``TurnEnded`` was told.

        past: complete turns, oldest first.
        notes: a fresh one; hand it in to keep what was said and done when the turn is cancelled.

        Raises:
            asyncio.CancelledError: interrupted; ``TurnEnded`` was told and ``notes`` are complete.
        """
        notes = notes or TurnNotes()
        notes.messages += (Message(Role.USER, request.text, typed=request.typed), *notes.given)
        try:
            await self._recollect(request, notes)
            notes.added = await self._hooks.before_agent_start(request)
            notes.plugged = bool(notes.added)
            if self._hooks.may_replace(request):
                await self._emit(ReplyMayChange(request.turn_id))
            ending = await self._rounds(request, past, style, notes)
            await self._conclude(ending, request, notes)
        except asyncio.CancelledError:
            notes.messages.append(Message(Role.ASSISTANT, joined(notes.text, INTERRUPTED_MARK)))
            await self._tell_surely(_ended(request, TurnEnd.INTERRUPTED, notes))
            raise
        finally:
            self._hooks.over(request)
        await self._tell_surely(_ended(request, ending.end, notes))
        return TurnOutcome(ending.end, notes.text, tuple(notes.messages))

    async def _recollect(self, request: TurnRequest, notes: TurnNotes) -> None:
        """What the agent was taught about such requests stands before this one."""
        # A goal's conditions are where its tools read them, not in what a conversation taught (G-079).
        memory = self._memory if request.situation is not Situation.GOAL else None
        found = await memory.fitting(request) if memory is not None else ()
        if found:
            notes.taught = as_prompt(found)
            names = tuple(PatternName(one.number, one.name) for one in found)
            await self._emit(PatternsUsed(request.turn_id, names))

    async def _rounds(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> _End:
        most = MAX_TOOL_ROUNDS if request.errand is None else MAX_ERRAND_ROUNDS
        if request.budget is not None:
            most = min(most, request.budget.steps)
        for _ in range(most):
            try:
                reply = await self._readable_reply(request, past, style, notes)
            except ModelUnavailableError as error:
                notes.trouble = error.kind
                return _End(TurnEnd.FAILED, str(error))
            if isinstance(reply, _End):
                return reply
            if not reply.calls:
                return _End(TurnEnd.ANSWERED)
            await self._step(reply, request, past, notes)
            ending = self._after_step(reply.calls, request, notes)
            if ending is not None:
                return ending
        line = self._texts(
            "I stopped after {count} rounds of tool calls without reaching the end. "
            "Tell me to go on, or ask for a smaller step."
        )
        return _End(TurnEnd.OVERFLOW, line.format(count=most))

    async def _readable_reply(
        self, request: TurnRequest, past: Sequence[Message], style: CallStyle, notes: TurnNotes
    ) -> ParsedReply | _End:
        """A reply with calls or text; asks again, with the reason, when there is neither."""
        complaint: list[Message] = []
        while True:
            offer = self._runner.offer(request.agent, request.situation, request.errand)
            offer = replace(offer, answer_only=notes.repeats > 0, added=notes.added)
            read = TurnContext(past, [*_with_taught(notes), *complaint])
            written, read = read.messages, await self._hooks.transform_context(read, request)
            notes.plugged |= any(message not in written for message in read.messages)
            chat = self._prompt.build(request, read.past, read.now, offer, style, self._context(request))
            notes.before = notes.text

            async def show(text: str) -> None:
                await self._show(joined(notes.before, text), request, notes)

            reply = await self._call.ask(chat, style, request.turn_id, show)
            notes.tokens += reply.tokens
            await show(reply.text)
            if reply.looping:
                return _End(TurnEnd.FAILED, self._apology())
            if reply.calls or (reply.text and not reply.problem):
                return reply
            if notes.results and not reply.problem:
                return _End(TurnEnd.ANSWERED, answer_from_results(notes.results, self._texts))
            if notes.retries == MAX_RETRIES:
                return _End(TurnEnd.FAILED, self._apology())
            notes.retries += 1
            complaint = [Message(Role.USER, reply.problem or EMPTY)]

    async def _step(
        self, reply: ParsedReply, request: TurnRequest, past: Sequence[Message], notes: TurnNotes
    ) -> None:
        """Runs the calls of one reply, in order; call and results enter the notes together."""
        results: list[ToolResult] = []
        known = known_results(reply.calls, notes.messages, notes.results, self._runner.only_reads)
        said = (*past, *notes.messages, *([PLUGGED] if notes.plugged else ()))
        try:
            for call in reply.calls:
                told = known.get(call.call_id)
                results.append(told or await self._runner.run(call, request, said))
                if told is None:
                    await self._hooks.after_tool_call(call, results[-1], request)
        finally:
            results.extend(
                ToolResult(call.call_id, call.name, INTERRUPTED, ResultStatus.ERROR)
                for call in reply.calls[len(results) :]
            )
            notes.results = tuple(results)
            notes.repeats = notes.repeats + 1 if len(known) == len(results) else 0
            notes.messages.append(Message(Role.ASSISTANT, reply.text, reply.calls))
            notes.messages.extend(
                Message(
                    Role.TOOL,
                    HAVE_IT if one.call_id in known else one.text,
                    call_id=one.call_id,
                    tool_name=one.name,
                    status=one.status,
                )
                for one in results
            )

    def _after_step(self, calls: Sequence[ToolCall], request: TurnRequest, notes: TurnNotes) -> _End | None:
        """The end of the turn when the step decides it."""
        ending = step_ending(notes.results, self._texts)
        if ending is not None:
            return _End(*ending, alone=True)
        if notes.repeats > 1:
            return _End(TurnEnd.ANSWERED, answer_from_results(notes.results, self._texts))
        if request.budget is not None and 0 < request.budget.tokens <= notes.tokens:
            line = self._texts("I stopped because this turn has used up its {count} tokens.")
            return _End(TurnEnd.OVERFLOW, line.format(count=request.budget.tokens))
        if any(self._runner.knows(call.name, request) for call in calls):
            return None
        if notes.retries == MAX_RETRIES:
            return _End(TurnEnd.FAILED, self._apology())
        notes.retries += 1
        return None

    async def _conclude(self, ending: _End, request: TurnRequest, notes: TurnNotes) -> None:
        """Shows the last line and puts the answer into the notes."""
        shown_before = notes.before
        if ending.line is not None:
            whole = ending.line if ending.alone else joined(notes.text, ending.line)
            await self._show(whole, request, notes)
        before = "" if ending.alone else shown_before
        said = Message(Role.ASSISTANT, notes.text.removeprefix(before).strip())
        if ending.end is TurnEnd.ANSWERED and said.text:  # what code says of a refusal or a failure stays
            answer = await self._hooks.on_message_end(said.text, request)
            if answer != said.text:
                notes.plugged = True
                said = replace(said, text=answer, replaced=said.text)
                await self._show(joined(before, answer), request, notes)
        notes.messages.append(said)

    async def _show(self, text: str, request: TurnRequest, notes: TurnNotes) -> None:
        """People now see exactly ``text``."""
        shown, notes.text = notes.text, text
        if text == shown:
            return
        if text.startswith(shown):
            await self._emit(ReplyDelta(request.turn_id, text[len(shown) :]))
        else:
            await self._emit(ReplyReplaced(request.turn_id, text))

    def _context(self, request: TurnRequest) -> int:
        """Tokens that prompt and reply share; an agent may wish for fewer than the model has."""
        own = self._model.context_tokens
        return min(own, request.agent.model.context_tokens or own)

    def _apology(self) -> str:
        return self._texts(
            "Sorry, I could not put together a proper answer. Please ask again in other words."
        )


def _with_taught(notes: TurnNotes) -> list[Message]:
    first, *others = notes.messages
    return [replace(first, text=joined(notes.taught, first.text)), *others]


def _ended(request: TurnRequest, end: TurnEnd, notes: TurnNotes) -> TurnEnded:
    return TurnEnded(request.turn_id, request.session_id, end, notes.text)
