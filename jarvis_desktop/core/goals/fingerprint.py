"""A fingerprint of what the tools of a turn said, by which the next turn knows that nothing has changed."""

import hashlib
import json
import re
from collections.abc import Sequence

from jarvis_desktop.core.items.calls import ResultStatus, ToolResult
from jarvis_desktop.core.items.goals import Goal, PastCall

_TAG = re.compile(r" · [0-9a-f]{8}\]$", re.MULTILINE)
"""Ends the marks around text of strangers (``core.web_text``); it is another one in each result."""


def fingerprint(goal: Goal, calls: Sequence[PastCall], results: Sequence[ToolResult]) -> str:
    """The same for the same sentence, calls and results; empty where there is nothing to go by (G-042).

    The sentence belongs to it: an edited goal may want something else of the same results.
    """
    if not calls or len(calls) != len(results):
        return ""
    if any(one.status is not ResultStatus.OK for one in results):
        return ""
    said = [
        [goal.agent_id, goal.sentence],
        *(
            [call.name, _canonical(call), _TAG.sub("]", result.text)]
            for call, result in zip(calls, results, strict=True)
        ),
    ]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


def _canonical(call: PastCall) -> str:
    return json.dumps(dict(call.arguments), sort_keys=True, ensure_ascii=False, default=str)
