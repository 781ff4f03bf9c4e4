"""The agenda as the program has it: over the goals and schedules of this start."""

from jarvis_desktop.adapters.local_zone import zone_named
from jarvis_desktop.adapters.sqlite_agenda import SqliteAgenda
from jarvis_desktop.adapters.sqlite_store import SqliteStore
from jarvis_desktop.app.agenda_desk import AgendaDesk, AgendaDeskParts
from jarvis_desktop.app.agenda_look import AgendaLook, AgendaLookParts
from jarvis_desktop.app.goal_parts import Goals
from jarvis_desktop.app.memory_parts import called
from jarvis_desktop.app.options import Start
from jarvis_desktop.app.schedule_parts import Schedules
from jarvis_desktop.core.ports import Clock, Emit, Team


def open_agenda(
    start: Start, clock: Clock, emit: Emit, store: SqliteStore, team: Team, work: tuple[Goals, Schedules]
) -> AgendaDesk:
    """The desk of this start."""
    goals, schedules = work
    look = AgendaLook(
        AgendaLookParts(
            goals=goals.keeping,
            going=lambda: goals.turns.going,
            history=goals.history,
            database=SqliteAgenda(store),
            jobs=schedules.jobs,
            ledger=schedules.ledger,
            on=lambda: schedules.on,
            names=called(team),
            zone=zone_named,
            clock=clock,
            texts=start.texts,
        )
    )
    return AgendaDesk(
        AgendaDeskParts(
            look=look,
            goals=goals.keeping,
            going=lambda: goals.turns.going,
            jobs=schedules.jobs,
            clockwork=lambda: schedules.shelf.clockwork,
            clock=clock,
            texts=start.texts,
            emit=emit,
        )
    )
