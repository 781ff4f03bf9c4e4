"""What an agent is asked in a goal turn: the goal, the last records, and how to answer."""

import re
from collections.abc import Sequence

from jarvis_desktop.core.items.goals import Goal

MOST_RECORDS = 5
"""G-028; older ones only cost tokens, and once made the model trust them over the tool (G-011)."""
_HANGUL = re.compile("[가-힣]")

_KOREAN = """사용자가 너에게 계속 맡긴 목표: {sentence}
{records}
지금 한 단계를 진행해라. 먼저 도구로 지금 상태를 확인하고, 기록보다 도구 결과를 믿어라.
지금 기준으로 알릴 것을 전부 항목으로 써라. 이미 알렸는지는 프로그램이 가리니 빼지 마라.
알릴 것이 없으면 항목을 쓰지 마라.
도구 결과에 "항목: [키] ..." 줄이 있으면 글자 그대로 옮겨라.
허락이나 값이 필요하면 키를 ask- 로 시작하는 항목으로 물어라.
답은 아래 꼴로만 써라.
머리: 한 문장
항목: [키] 한 줄
기록: 다음 차례에 남길 한 줄
완료: 예 또는 아니요 (목표가 다 끝났을 때만 예)"""
_ENGLISH = """A goal that the person has left with you for good: {sentence}
{records}
Take one step now. Look at the present state with a tool first; trust its result more than the records.
Write everything worth telling as of now as items. The program knows what was told before, so leave nothing
out; where there is nothing to tell, write no item.
Copy lines "Item: [key] ..." of a tool result to the letter. To ask for a permission or a value, write an item
whose key begins with ask-.
Answer in this form only:
Head: one sentence
Item: [key] one line
Record: one line for your next turn
Done: yes or no (yes only when the goal is reached for good)"""


def is_korean(goal: Goal) -> bool:
    """Its sentence is in Korean, and so are its turns."""
    return _HANGUL.search(goal.sentence) is not None


def question(goal: Goal, records: Sequence[str]) -> str:
    """The request of one turn.

    records: of earlier turns, oldest first; the last five are shown.
    """
    korean = is_korean(goal)
    shown = "\n".join(f"- {one}" for one in records[-MOST_RECORDS:])
    title = "지난 기록:" if korean else "Records of earlier turns:"
    text = _KOREAN if korean else _ENGLISH
    return text.format(sentence=goal.sentence, records=f"{title}\n{shown}\n" if shown else "")
