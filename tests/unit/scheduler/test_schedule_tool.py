"""The tool ``schedule``: what is understood, what is refused, and when it is there at all."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jarvis_desktop.app.web_parts import usable
from jarvis_desktop.core.items.calls import ResultStatus
from jarvis_desktop.core.items.events import Event
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.schedule import JobAdded
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnRequest
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.tool import ToolOutput
from jarvis_desktop.core.tools.schedule import Schedule
from tests.fakes.allow import allow
from tests.fakes.clock import START
from tests.fakes.schedule import FakeJobs, zone_by_name
from tests.fakes.texts import PlainTexts

REQUEST = TurnRequest(
    TurnId("t"), SessionId("s"), MAIN_AGENT, "", Origin.TYPED, Language.ENGLISH, Path("/home/u"), START
)


class Bench:
    def __init__(self) -> None:
        self.jobs, self.told = FakeJobs(), list[Event]()
        self.tool = Schedule(self.jobs, zone_by_name("Asia/Seoul"), PlainTexts(), self._emit)

    async def _emit(self, event: Event) -> None:
        self.told.append(event)

    async def call(self, **arguments: Any) -> ToolOutput:
        return await self.tool.run(self.tool.parse({"task": "Say hello.", **arguments}), allow(), REQUEST)


async def test_every_day_at_a_time_is_read_back_and_told_with_a_way_to_undo() -> None:
    bench = Bench()

    output = await bench.call(daily_at="8:00", weekdays=["mon", "fri"])

    (job,) = bench.jobs.by_id.values()
    assert (job.cron, job.task) == ("0 8 * * 1,5", "Say hello.")
    assert bench.told == [JobAdded(job, "every Monday, Friday at 08:00")]
    assert output.final
    assert f"/schedule remove {job.job_id}" in output.text


async def test_in_so_many_minutes_is_once_from_now() -> None:
    bench = Bench()

    await bench.call(in_minutes=20)

    (job,) = bench.jobs.by_id.values()
    assert (job.cron, job.at) == ("", START + timedelta(minutes=20))


async def test_a_time_without_a_zone_is_on_the_wall_of_the_machine() -> None:
    bench = Bench()

    await bench.call(at="2026-12-24T18:00")

    (job,) = bench.jobs.by_id.values()
    assert job.at is not None
    assert job.at.isoformat() == "2026-12-24T18:00:00+09:00"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"daily_at": "08:00", "in_minutes": 5}, {"at": "2020-01-01T00:00"}, {"cron": "0 0 0 * * *"}],
    ids=["no time", "two times", "a past time", "six fields"],
)
async def test_what_is_no_one_time_schedules_nothing_and_says_why(arguments: dict[str, Any]) -> None:
    bench = Bench()

    output = await bench.call(**arguments)

    assert output.status is ResultStatus.ERROR
    assert output.text.startswith("Nothing was scheduled: ")
    assert (bench.jobs.by_id, bench.told) == ({}, [])


@pytest.mark.promise("T-049")
def test_the_tool_is_there_while_the_scheduler_is_on() -> None:
    tools = (Bench().tool,)

    on, off = (
        usable(tools, lambda on=on: Settings.model_validate({"schedule": {"enabled": on}}))()  # type: ignore[misc]
        for on in (True, False)
    )

    assert (on, off) == (tools, ())
