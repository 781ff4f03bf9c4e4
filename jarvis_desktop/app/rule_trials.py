"""What would happen to a call, a rule or an entry of the danger list. Nothing is run and nothing is asked."""

import asyncio
from pathlib import Path

from jarvis_desktop.core.items.calls import Json, ToolCall
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, SessionId, TurnId
from jarvis_desktop.core.items.rule_desk import CallTried, DangerTried, RulePreviewed, TryCall, TryDanger
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.policy.facts import Exhibit, Matter, Reading, gather
from jarvis_desktop.core.policy.proposals import Proposal, examples, is_runner
from jarvis_desktop.core.policy.rules import SHELL_TOOL, pattern_words, weakness_of
from jarvis_desktop.core.policy.verdict import said
from jarvis_desktop.core.policy.wording import reason, remarks, weakness_text
from jarvis_desktop.core.ports import Clock, Texts
from jarvis_desktop.core.tool_text import absolute

READING_TOOLS = frozenset({"read_file", "grep"})


class RuleTrials:
    """The same decision that a real call meets, up to the question."""

    def __init__(self, reading: Reading, clock: Clock, texts: Texts) -> None:
        self._reading, self._clock, self._texts = reading, clock, texts

    async def call(self, wish: TryCall, folder: Path) -> CallTried:
        """What would happen to the call."""
        key = "command" if wish.tool == SHELL_TOOL else "path"
        arguments: dict[str, Json] = {key: wish.text}
        here = absolute(wish.folder, folder)
        request = TurnRequest(
            TurnId("trial"),
            SessionId("trial"),
            MAIN_AGENT,
            "",
            Origin.TYPED,
            self._texts.language,
            here,
            self._clock.now(),
        )
        call = ToolCall(CallId("trial"), wish.tool, arguments)
        matter = Matter(call, request, _nothing_shown, read_only=wish.tool in READING_TOOLS)
        found = said(await gather(matter, self._reading))
        return CallTried(wish.number, found, reason(found, self._texts))

    def rule(self, number: int, line: RuleLine) -> RulePreviewed:
        """What ``line`` would let pass, what it would not, and what a person must know."""
        line = RuleLine(line.tool.strip(), line.pattern.strip())
        weakness = weakness_of(line)
        if weakness is not None:
            return RulePreviewed(number, (), (), (weakness_text(weakness, self._texts),), never_allows=True)
        passes, asks = examples(line)
        words = pattern_words(line.pattern) or () if line.tool == SHELL_TOOL else ()
        offer = Proposal((line,), bool(words) and is_runner(words), passes, asks)
        return RulePreviewed(number, passes, asks, remarks(offer, self._texts), never_allows=False)

    async def danger(self, wish: TryDanger) -> DangerTried:
        """Whether the entry means something, and what of the text it matches."""
        return await asyncio.to_thread(_danger, wish)


def _danger(wish: TryDanger) -> DangerTried:
    found = danger_list((wish.entry,))
    if found.problems:
        return DangerTried(wish.number, found.problems[0], "")
    match = next((hit for pattern in found.patterns if (hit := pattern.search(wish.text))), None)
    return DangerTried(wish.number, "", match[0] if match else "")


async def _nothing_shown() -> Exhibit:
    raise NotImplementedError
