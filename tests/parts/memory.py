"""A memory on a real database, with turns in it as the program writes them."""

import json
import unicodedata
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.core.items.calls import Json, ResultStatus, ToolCall
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, CallId, SessionId, TurnId
from jarvis_desktop.core.items.memory import TaskPattern
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd, TurnRequest
from tests.fakes.clock import START, FakeClock


def call(
    name: str, result: str = "done", status: ResultStatus = ResultStatus.OK, **arguments: Json
) -> list[Message]:
    """The messages of one call and its result."""
    call_id = CallId(f"{name}-{abs(hash(json.dumps(arguments))) % 10**9}")
    return [
        Message(Role.ASSISTANT, "", (ToolCall(call_id, name, arguments),)),
        Message(Role.TOOL, result, call_id=call_id, tool_name=name, status=status),
    ]


def pattern(name: str, *keywords: str, content: str = "Do it.", **more: object) -> TaskPattern:
    """Something that was taught to the main agent."""
    made = TaskPattern(MAIN_AGENT, name, "", keywords, content, START)
    return replace(made, **more)  # type: ignore[arg-type]


@dataclass
class Past:
    """Turns that have been."""

    store: SqliteStore
    memory: SqliteMemory
    clock: FakeClock
    folder: Path
    sessions: dict[AgentId, SessionId] = field(default_factory=dict)
    count: int = 0

    async def erase(self) -> tuple[TurnId, ...] | None:
        """What was let go is gone for good, as the desk does it."""
        gone = await self.memory.erase_leaving()
        await self.memory.scrub()
        return gone

    async def turn(
        self,
        text: str,
        reply: str = "Done.",
        end: TurnEnd = TurnEnd.ANSWERED,
        messages: list[Message] | None = None,
        *,
        agent: AgentId = MAIN_AGENT,
        days_ago: float = 0,
    ) -> TurnRequest:
        """One more turn, stored and remembered as the program does it."""
        if agent not in self.sessions:
            self.sessions[agent] = (await self.store.begin_conversation(agent, self.folder)).session_id
        self.count += 1
        request = TurnRequest(
            TurnId(f"turn-{self.count}"),
            self.sessions[agent],
            agent,
            text,
            Origin.TYPED,
            Language.KOREAN,
            self.folder,
            self.clock.now() - timedelta(days=days_ago),
        )
        await self.store.begin_turn(request)
        await self.store.end_turn(request.turn_id, end, reply)
        said = [Message(Role.USER, text), *(messages or []), Message(Role.ASSISTANT, reply)]
        await self.store.add_messages(request.turn_id, said)
        await self.memory.remember(request)
        return request


def spellings(text: str) -> set[bytes]:
    """Every way in which a program may write ``text`` into a file."""
    found: set[bytes] = set()
    for form in ("NFC", "NFD"):
        spelt = unicodedata.normalize(form, text)
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le"):
            found.add(spelt.encode(encoding))
        found.add(json.dumps(spelt).strip('"').encode())
    return found


def files_with(home: Path, *texts: str) -> list[str]:
    """The files below ``home`` in which one of the texts stands, in whatever spelling."""
    wanted = {one for text in texts for one in spellings(text)}
    return sorted(
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and any(one in path.read_bytes() for one in wanted)
    )
