"""What agents do for each other, as events that the window is drawn from."""

from collections.abc import Iterator
from datetime import datetime

from jarvis_desktop.core.items.calls import ResultStatus, ToolCall, ToolResult
from jarvis_desktop.core.items.delegation import DelegateEnded, DelegateStarted, DelegateUsedTool
from jarvis_desktop.core.items.events import (
    ConversationOpened,
    Event,
    ReplyReplaced,
    ToolCalled,
    ToolFinished,
    TurnEnded,
    TurnStarted,
)
from jarvis_desktop.core.items.ids import MAIN_AGENT, CallId, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, StoredDelegate, TurnEnd

SESSION, TURN = SessionId("errands"), TurnId("errands")
KAREN, EDITH = TurnId("karen"), TurnId("edith")
ASKED = {
    Language.ENGLISH: "Ask Karen which of today's notices are in Seoul, and have Edith work out my budget.",
    Language.KOREAN: "카렌한테 오늘 공고 중에 서울 것만 물어보고, 이디스한테 예산도 계산시켜 줘.",
}
TASKS = {
    Language.ENGLISH: (
        "Tell me the names and closing dates of today's notices that are in Seoul.",
        "Read notes/budget.md and work out what is left next month after rent, transport, food and savings.",
    ),
    Language.KOREAN: (
        "오늘 올라온 공고 가운데 서울에 있는 것만 골라서 이름과 마감일을 알려 줘.",
        "notes/budget.md 를 읽고 다음 달에 월세, 교통비, 식비, 저축을 빼면 얼마가 남는지 계산해 줘.",
    ),
}
FOUND = {
    Language.ENGLISH: (
        "Two are in Seoul:\n\n- **Magok 9**, until 8 December\n- **Godeok Gangil**, until 10 December",
        "310,000 won are left.",
    ),
    Language.KOREAN: (
        "서울 공고는 두 건입니다.\n\n- **마곡 9단지**, 12월 8일까지\n- **고덕 강일**, 12월 10일까지",
        "31만 원이 남습니다.",
    ),
}
ANSWER = {
    Language.ENGLISH: (
        "Karen found two notices in Seoul, Magok 9 and Godeok Gangil; the first one closes on 8 December. "
        "By Edith's count 310,000 won are left next month."
    ),
    Language.KOREAN: (
        "카렌이 서울 공고를 두 건 찾았어요. 마곡 9단지와 고덕 강일이고, 먼저 끝나는 건 12월 8일이에요. "
        "이디스가 계산해 보니 다음 달에는 31만 원이 남아요."
    ),
}


def delegation(language: Language, at: datetime) -> Iterator[Event]:
    """Two agents were asked, and both have answered."""
    orchestrate = ToolCall(CallId("all"), "orchestrate", {})
    fetch = ToolCall(CallId("fetch"), "web_fetch", {"url": "https://apply.lh.or.kr/notices?today=1"})
    read = ToolCall(CallId("read"), "read_file", {"path": "notes/budget.md"})
    names = ((KAREN, "KAREN", fetch, 2.1, 6.3), (EDITH, "EDITH", read, 0.0, 4.8))
    yield ConversationOpened(SESSION, MAIN_AGENT, ())
    yield TurnStarted(TURN, SESSION, ASKED[language], Origin.TYPED, at)
    yield ToolCalled(TURN, orchestrate)
    for (delegate, name, *_), task in zip(names, TASKS[language], strict=True):
        yield DelegateStarted(TURN, delegate, name, "JARVIS", task)
    for (delegate, name, call, tool_s, took_s), task, text in zip(
        names, TASKS[language], FOUND[language], strict=True
    ):
        result = ToolResult(call.call_id, call.name, "")
        yield DelegateUsedTool(TURN, delegate, call, result, tool_s)
        tools = ((call.in_short, ResultStatus.OK),)
        done = StoredDelegate(name, "JARVIS", task, tools, TurnEnd.ANSWERED, text)
        yield DelegateEnded(TURN, delegate, done, took_s)
    yield ToolFinished(TURN, orchestrate, ToolResult(orchestrate.call_id, orchestrate.name, ""), 6.4)
    yield ReplyReplaced(TURN, ANSWER[language])
    yield TurnEnded(TURN, SESSION, TurnEnd.ANSWERED, ANSWER[language])
