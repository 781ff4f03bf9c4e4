"""One call of a tool, as the tool runner would make it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.tool import A, Tool, ToolOutput
from tests.fakes.allow import allow

CWD = Path("/home/김 민/일")


def request_in(cwd: Path = CWD) -> TurnRequest:
    return TurnRequest(
        TurnId("t"),
        SessionId("s"),
        MAIN_AGENT,
        "",
        Origin.TYPED,
        Language.KOREAN,
        cwd,
        datetime(2026, 12, 1, 9, 0, tzinfo=UTC),
    )


async def call(
    tool: Tool[A], raw: Mapping[str, object], *, snapshot: str = "", cwd: Path = CWD
) -> ToolOutput:
    return await tool.run(tool.parse(raw), allow(snapshot), request_in(cwd))


async def call_as_shown(tool: Tool[A], raw: Mapping[str, object], *, cwd: Path = CWD) -> ToolOutput:
    shown = await tool.preview(tool.parse(raw), cwd)
    return await call(tool, raw, snapshot=shown.snapshot, cwd=cwd)
