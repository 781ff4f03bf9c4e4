"""How a turn can end without the model: fixed lines, final results, an answer made from a result."""

from collections.abc import Sequence

from jarvis_desktop.core.items.calls import ResultStatus, ToolResult
from jarvis_desktop.core.items.turn import TurnEnd
from jarvis_desktop.core.ports import Texts

RESULT_CHARS = 600
"""Of a tool's result in an answer made from it; a screenful, and bearable to listen to."""


def step_ending(results: Sequence[ToolResult], texts: Texts) -> tuple[TurnEnd, str] | None:
    """The end of the turn when code, not the model, has the last word after a step; else None.

    All refused: one fixed line (T-019). All error-free and final: their text, verbatim (T-033).
    """
    if all(result.refused for result in results):
        return _refused(results, texts)
    if all(result.final and result.status is ResultStatus.OK for result in results):
        return TurnEnd.ANSWERED, "\n\n".join(result.text for result in results)
    return None


def _refused(results: Sequence[ToolResult], texts: Texts) -> tuple[TurnEnd, str]:
    tools = ", ".join(dict.fromkeys(result.name for result in results))
    # Decision 15: denied and timed out together take the denial line.
    late = all(result.status is ResultStatus.TIMED_OUT for result in results)
    if all(result.final for result in results):
        # What another agent was refused: its own line names the tool, ours would name the errand.
        lines = dict.fromkeys(result.text for result in results)
        return TurnEnd.TIMED_OUT if late else TurnEnd.DENIED, "\n\n".join(lines)
    if late:
        line = texts(
            "Nobody answered the approval request in time, so I stopped running {tools}. "
            "Ask again if you need it."
        )
        return TurnEnd.TIMED_OUT, line.format(tools=tools)
    line = texts("Approval was denied, so I stopped running {tools}. Ask again if you need it.")
    return TurnEnd.DENIED, line.format(tools=tools)


def answer_from_results(results: Sequence[ToolResult], texts: Texts) -> str:
    """An answer for a model that ran tools and then said nothing."""
    return "\n\n".join(_one_answer(result, texts) for result in results)


def _one_answer(result: ToolResult, texts: Texts) -> str:
    said = result.text.strip()
    if len(said) > RESULT_CHARS:
        said = said[:RESULT_CHARS].rstrip() + " …"
    if result.status is not ResultStatus.OK:
        return texts("{tool} did not work: {result}").format(tool=result.name, result=said)
    if not said:
        return texts("Done: {tool}.").format(tool=result.name)
    return texts("Done: {tool}. The result:\n\n{result}").format(tool=result.name, result=said)


def joined(before: str, text: str) -> str:
    """Two paragraphs; just the other one where one is empty."""
    return "\n\n".join(part for part in (before, text) if part)
