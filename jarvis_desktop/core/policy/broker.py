"""The open approval questions of a session: who can answer, whose answer holds, when it is too late."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from jarvis_desktop.core.items.calls import ToolCall
from jarvis_desktop.core.items.commands import AnswerQuestion, DecideSaving
from jarvis_desktop.core.items.decisions import (
    Answer,
    AnsweredBy,
    AnswerFate,
    Question,
    QuestionEnd,
    RuleOffer,
    Saved,
    Settled,
    Shown,
    Verdict,
)
from jarvis_desktop.core.items.events import AnswerRefused, QuestionAsked, QuestionSettled
from jarvis_desktop.core.items.extensions import Added
from jarvis_desktop.core.items.ids import QuestionId, WindowId, fresh_id
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.policy.desktop_loan import DesktopLoan, may_lend
from jarvis_desktop.core.policy.late_saving import Kept, LateSaving, Remember
from jarvis_desktop.core.policy.question_state import QuestionCue, QuestionState, advance
from jarvis_desktop.core.policy.telling import Telling
from jarvis_desktop.core.ports import Clock, Emit

APPROVAL_TIMEOUT_S = 120.0
"""T-061. Runs from the moment a question is shown, not from the moment it queues."""

LOOK_AGAIN_S = 1.0
"""A rule file that a person edits closes the questions that it now covers within this time (X10)."""

FROM_AFAR = (AnsweredBy.VOICE, AnsweredBy.NOTIFICATION)
"""Roads on which a yes can come from somebody who has not unlocked the screen (decision 19)."""

REMEMBERED = 1000
"""Ended questions whose end is still told from "unknown"."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What there is to ask, before it has an id and a deadline."""

    call: ToolCall
    request: TurnRequest
    shown: Shown
    detail: str
    why: Verdict
    digest: str
    offer: RuleOffer | None = None
    """The rule that ALWAYS would save; without one ALWAYS is not taken."""
    covered: Callable[[], Awaitable[bool]] | None = None
    """Whether a rule covers the call by now; then the question closes, answered by RULE. Must not raise."""
    desktop: bool = False
    """A person can lend it the desktop."""
    added: Added | None = None
    remember: Remember | None = None
    """Saves ``offer`` after ALWAYS, before a second question that it covers can be shown (X04)."""


@dataclass(slots=True)
class _Entry:
    """A question on its way through the table."""

    question_id: QuestionId
    asking: Asking
    state: QuestionState = QuestionState.WAITING
    deadline_s: float = 0.0
    """On the monotonic clock; meaningful once shown."""
    question: Question | None = None
    settled: Settled | None = None
    always_said: bool = False
    """ALWAYS was said aloud: the call is allowed once, and its rule is offered to be saved."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)


async def never_locked() -> bool:
    """Nobody can lock a screen here."""
    return False


async def _nobody(question: Question, settled: Settled, saved: Saved) -> None:
    del question, settled, saved


class Broker:
    """Asks people and takes the first answer.

    Everything that decides happens between two awaits of one event loop, so of two answers
    in the same tick exactly one is taken. Events are told by the task that asked: a question
    is settled for everybody before its call goes on.
    """

    def __init__(
        self,
        clock: Clock,
        emit: Emit,
        new_id: Callable[[], str] = fresh_id,
        *,
        locked: Callable[[], Awaitable[bool]] = never_locked,
        kept: Kept = _nobody,
    ) -> None:
        self._clock = clock
        self._locked = locked
        self.loan = DesktopLoan()
        self._saving = LateSaving(clock, emit, kept)
        self._emit = emit
        self._tell_surely = Telling(emit)
        self._new_id = new_id
        self._windows: set[WindowId] = set()
        self._open: dict[QuestionId, _Entry] = {}
        self._past: dict[QuestionId, QuestionState] = {}
        self._desk = asyncio.Lock()
        """Held while a question is shown: one at a time, in the order they were asked."""

    @property
    def shown(self) -> Question | None:
        """The question that people see now."""
        return next((e.question for e in self._open.values() if e.state is QuestionState.SHOWN), None)

    async def attach(self, window_id: WindowId) -> None:
        """A person can answer here from now on; an open question appears there (T-067)."""
        self._windows.add(window_id)
        question = self.shown
        if question is not None:
            await self._emit(QuestionAsked(question, window_id))

    def detach(self, window_id: WindowId) -> None:
        """That place is gone; with the last one every question is denied."""
        self._windows.discard(window_id)
        if not self._windows:
            self.withdraw()

    def withdraw(self) -> None:
        """What was asked is wanted no more: from now on no answer counts."""
        for entry in tuple(self._open.values()):
            self._withdraw(entry)

    async def ask(self, asking: Asking) -> Settled:
        """How the question ended. Cancelling the wait withdraws it."""
        entry = _Entry(QuestionId(self._new_id()), asking)
        self._open[entry.question_id] = entry
        if not self._windows:
            return self._withdraw(entry)
        try:
            async with self._desk:
                # While it queued a rule may have come to cover it, or its last window may have gone.
                await self._look_again(entry)
                await self._saving.end()  # what is said from now on answers this question and nothing else
                settled = entry.settled or await self._put(entry)
                if settled.answer is Answer.ALWAYS and asking.remember is not None:
                    await asking.remember()
                    await self.recheck()
                return settled
        finally:
            if entry.state is QuestionState.WAITING:
                self._withdraw(entry)

    async def recheck(self) -> None:
        """Rules have changed: questions, shown or queueing, that a rule now covers are closed."""
        for entry in tuple(self._open.values()):
            await self._look_again(entry)

    async def _look_again(self, entry: _Entry) -> None:
        look = entry.asking.covered
        # Asked twice: what happens while the rules are looked at comes first.
        if look is not None and entry.settled is None and await look() and entry.settled is None:
            end = Settled(entry.question_id, QuestionEnd.ANSWERED, Answer.ALLOW, AnsweredBy.RULE)
            self._end(entry, QuestionCue.COVERED, end)

    async def answer(self, command: AnswerQuestion) -> AnswerFate:
        """What became of an answer; only TAKEN changes anything."""
        permits = command.answer is not Answer.DENY
        fate = await self._shut_out(command.by, permits=permits) or self._judge(command)
        if fate is not AnswerFate.TAKEN:
            await self._emit(AnswerRefused(command.question_id, fate, command.window_id))
        return fate

    async def decide_saving(self, command: DecideSaving) -> None:
        """The rule that was read back after a spoken ALWAYS is saved, or it never will be."""
        fate = await self._shut_out(command.by, permits=command.save)
        if fate is not None:
            await self._emit(AnswerRefused(command.question_id, fate, None))
        if await self._saving.decide(command, shut_out=fate is not None):
            await self.recheck()

    async def _shut_out(self, by: AnsweredBy, *, permits: bool) -> AnswerFate | None:
        """Why a yes on this road is none now."""
        if by not in FROM_AFAR or not permits:
            return None
        if self.loan.lent:
            return AnswerFate.DESKTOP_LENT
        return AnswerFate.SCREEN_LOCKED if await self._locked() else None

    def _judge(self, command: AnswerQuestion) -> AnswerFate:
        entry = self._open.get(command.question_id)
        if entry is None:
            past = self._past.get(command.question_id)
            late = AnswerFate.ALREADY_ANSWERED if past is QuestionState.ANSWERED else AnswerFate.EXPIRED
            return AnswerFate.UNKNOWN if past is None else late
        if entry.question is None:  # still queueing: nobody was shown it, so nobody can mean it
            return AnswerFate.UNKNOWN
        if self._is_late(entry, entry.question):
            self._expire(entry)
            return AnswerFate.EXPIRED
        if command.digest != entry.question.digest:
            return AnswerFate.MISMATCH
        answer = command.answer
        if answer is Answer.ALWAYS and command.by is AnsweredBy.VOICE:
            answer, entry.always_said = Answer.ALLOW, entry.question.offer is not None
        if (answer is Answer.ALWAYS and entry.question.offer is None) or not may_lend(
            command, entry.question
        ):
            return AnswerFate.NOT_OFFERED
        end = Settled(
            entry.question_id, QuestionEnd.ANSWERED, answer, command.by, command.window_id, command.desktop
        )
        self._end(entry, QuestionCue.ANSWER, end)
        return AnswerFate.TAKEN

    def _is_late(self, entry: _Entry, question: Question) -> bool:
        # Both clocks: the monotonic one stands still while the machine sleeps, the other one can be set back.
        return self._clock.monotonic_s() >= entry.deadline_s or self._clock.now() >= question.deadline_at

    async def _put(self, entry: _Entry) -> Settled:
        """Shows the question and waits for its end, whichever comes first."""
        question = self._show(entry)
        timer = asyncio.create_task(self._wait_out(entry))
        watch = asyncio.create_task(self._watch(entry))
        try:
            await self._emit(QuestionAsked(question))
            await entry.ended.wait()
        finally:
            timer.cancel()
            watch.cancel()
            settled = entry.settled or self._withdraw(entry)
            await self._tell_surely(QuestionSettled(question, settled))
        if entry.always_said and entry.asking.remember is not None:
            await self._saving.offer(question, settled, entry.asking.remember)
        return settled

    def _show(self, entry: _Entry) -> Question:
        asking, now = entry.asking, self._clock.now()
        errand = asking.request.errand
        entry.state = advance(entry.state, QuestionCue.SHOW)
        entry.deadline_s = self._clock.monotonic_s() + APPROVAL_TIMEOUT_S
        entry.question = Question(
            question_id=entry.question_id,
            session_id=asking.request.session_id,
            turn_id=asking.request.turn_id,
            agent_id=asking.request.agent_id,
            call=asking.call,
            shown=asking.shown,
            detail=asking.detail,
            cwd=asking.request.cwd,
            why=asking.why,
            digest=asking.digest,
            asked_at=now,
            deadline_at=now + timedelta(seconds=APPROVAL_TIMEOUT_S),
            spoken=asking.request.origin is Origin.SPOKEN,
            offer=asking.offer,
            desktop=asking.desktop,
            added=asking.added,
            agent_name=asking.request.agent.name,
            asker_name=errand.asker.name if errand is not None else "",
        )
        return entry.question

    async def _wait_out(self, entry: _Entry) -> None:
        await self._clock.sleep(APPROVAL_TIMEOUT_S)
        if entry.settled is None:  # an answer of the same tick came first
            self._expire(entry)

    async def _watch(self, entry: _Entry) -> None:
        while entry.settled is None and entry.asking.covered is not None:
            await self._clock.sleep(LOOK_AGAIN_S)
            await self._look_again(entry)

    def _expire(self, entry: _Entry) -> Settled:
        end = Settled(entry.question_id, QuestionEnd.EXPIRED, None, AnsweredBy.TIMER)
        return self._end(entry, QuestionCue.TIME_UP, end)

    def _withdraw(self, entry: _Entry) -> Settled:
        end = Settled(entry.question_id, QuestionEnd.WITHDRAWN, None, AnsweredBy.NOBODY)
        return self._end(entry, QuestionCue.WITHDRAW, end)

    def _end(self, entry: _Entry, cue: QuestionCue, settled: Settled) -> Settled:
        entry.state = advance(entry.state, cue)
        entry.settled = settled
        del self._open[entry.question_id]
        self._past[entry.question_id] = entry.state
        if len(self._past) > REMEMBERED:
            del self._past[next(iter(self._past))]
        entry.ended.set()
        return settled
