"""One desk under each window manager; a scenario plays on all at once, since most of it is waiting."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.integration.dialog_storm.stage import Stage
from tests.parts.screen import virtual_screen

MANAGERS = ("openbox", "xfwm4", "no-manager")
Scenario: TypeAlias = Callable[[Stage], None]


class Desks:
    """The desks by their window manager's name."""

    def __init__(self, stages: dict[str, Stage], pool: ThreadPoolExecutor) -> None:
        self._stages = stages
        self._pool = pool
        self._runs: dict[Scenario, dict[str, Future[None]]] = {}

    def play(self, scenario: Scenario, manager: str) -> None:
        """What ``scenario`` came to under ``manager``; the first that asks plays it everywhere.

        Whoever asks once more, because it failed, has it played there alone.
        """
        if scenario not in self._runs:
            self._runs[scenario] = {
                name: self._pool.submit(_play, scenario, stage) for name, stage in self._stages.items()
            }
            wait(self._runs[scenario].values())
        run = self._runs[scenario].pop(manager, None)
        if run is None:
            run = self._pool.submit(_play, scenario, self._stages[manager])
        run.result()


def _play(scenario: Scenario, stage: Stage) -> None:
    stage.begin()
    scenario(stage)


@contextmanager
def open_desks(folder: Path) -> Iterator[Desks]:
    """Both programs under each window manager."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(len(MANAGERS)))
        stages = {}
        for name in MANAGERS:
            (folder / name).mkdir()
            screen = stack.enter_context(virtual_screen(folder / name))
            if name != "no-manager":
                screen.start_window_manager(name)
            stages[name] = Stage(screen)
        list(pool.map(Stage.await_ready, stages.values()))
        yield Desks(stages, pool)


def on_every_desk(scenario: Scenario) -> Callable[..., None]:
    """A test of ``scenario`` for each window manager."""

    @pytest.mark.parametrize("manager", MANAGERS)
    def test(desks: Desks, manager: str) -> None:
        desks.play(scenario, manager)

    test.__name__ = scenario.__name__
    test.__doc__ = scenario.__doc__
    return test
