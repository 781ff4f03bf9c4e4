"""What a mark of the endpointer means, by what was being listened for."""

from collections.abc import Callable

from jarvis_desktop.app.ears_hearing import Marked, Segment
from jarvis_desktop.app.ears_judge import Judge
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.voice.endpointer import Mark
from jarvis_desktop.core.voice.listening import Cue


def pass_on(marked: Marked, judge: Judge, cue: Callable[[Cue], None]) -> None:
    """Tell the judge, and the state by ``cue``."""
    mark, segment = marked.mark, marked.segment
    if marked.listen_for is ListenFor.STOP:
        if segment is not None and mark in (Mark.ENDED, Mark.CAPPED):
            judge.piece(segment)
    elif mark is Mark.TIMED_OUT or segment is None:
        judge.silence(marked.listen_for)
    elif mark is Mark.PAUSED:
        judge.try_early(segment)
    elif mark is Mark.RESUMED:
        judge.drop_trials()
    elif marked.listen_for is ListenFor.REQUEST:
        cue(Cue.ENDPOINTED)
        judge.request(segment, capped=mark is Mark.CAPPED)
    else:
        _pass_on_answer(mark, segment, judge)


def _pass_on_answer(mark: Mark, segment: Segment, judge: Judge) -> None:
    if mark is Mark.LULL:
        judge.answer(segment)
    elif mark is Mark.CAPPED:
        judge.answer_without_end(segment)
    else:
        judge.answers.ended()
