"""What is there of the parts that Jarvis needs, what is missing, and what to do about it."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from json import dumps
from pathlib import Path
from typing import TextIO

from jarvis_desktop.adapters.catalog import Catalog, system_language
from jarvis_desktop.adapters.home_dir import home_path
from jarvis_desktop.adapters.log_setup import set_up_logging
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.app.doctor_finding import Check, Finding, Patient, Severity
from jarvis_desktop.app.doctor_fix import mend, still_to_do
from jarvis_desktop.app.doctor_machine import MACHINE_CHECKS
from jarvis_desktop.app.doctor_model import MODEL_CHECKS
from jarvis_desktop.app.doctor_screen import SCREEN_CHECKS
from jarvis_desktop.app.doctor_session import SESSION_CHECKS
from jarvis_desktop.app.doctor_sound import SOUND_CHECKS
from jarvis_desktop.app.doctor_state import STATE_CHECKS
from jarvis_desktop.app.doctor_walls import WALL_CHECKS
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings

log = logging.getLogger(__name__)

CHECKS: tuple[Check, ...] = (
    *MACHINE_CHECKS,
    *WALL_CHECKS,
    *SCREEN_CHECKS,
    *SESSION_CHECKS,
    *SOUND_CHECKS,
    *MODEL_CHECKS,
    *STATE_CHECKS,
)
LONGEST_CHECK_S = 4.0
"""A sound server or a disk that hangs costs this much once, since all checks run side by side."""


async def examine(home: Path, settings: Settings, texts: Texts) -> tuple[Finding, ...]:
    """One finding per part, in a fixed order. Never raises, whatever is missing."""
    patient = Patient(home, settings, texts)
    found = await asyncio.gather(*(_checked(check, patient) for check in CHECKS))
    return tuple(finding for findings in found for finding in findings)


async def _checked(check: Check, patient: Patient) -> Sequence[Finding]:
    texts = patient.texts
    title = texts("check {name}").format(name=check.__name__)
    try:
        return await asyncio.wait_for(check(patient), LONGEST_CHECK_S)
    except TimeoutError:
        todo = texts("This check did not finish in {seconds} s; restart what it asks, or the machine.")
        return (Finding(check.__name__, title, found=False, todo=todo.format(seconds=LONGEST_CHECK_S)),)
    except Exception as error:
        # Rim: a thread or program of a check. The doctor is there for broken machines and must not break.
        log.error("a check of doctor failed", extra={"check": check.__name__}, exc_info=error)
        todo = texts("This check failed ({error}); please report it.").format(error=type(error).__name__)
        return (Finding(check.__name__, title, found=False, todo=todo),)


def run(*, json: bool, fix: bool = False) -> int:
    """Examine this machine and print the findings as a table or as JSON; 1 when there is a problem.

    fix: mend first what can be mended without root and without a question, and say so on the way.
    """
    home = home_path()
    if home.is_dir():
        set_up_logging(home)
    else:
        # The doctor makes no folder, and without any handler records would go to the terminal.
        logging.getLogger().addHandler(logging.NullHandler())
    settings, _ = load_settings(home)
    language = settings.ui.language
    texts = Catalog(system_language() if language == "system" else Language(language))
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that knows no ✓ shows ? and the rest, instead of nothing.
        sys.stdout.reconfigure(errors="replace")
    # What is said while mending stays out of the JSON.
    says = (sys.stderr if json else sys.stdout) if fix else None
    findings = asyncio.run(_examined(home, settings, texts, says))
    if json:
        sys.stdout.write(dumps([finding.as_json() for finding in findings], indent=2) + "\n")
    else:
        _print_table(findings, texts)
    return int(any(finding.severity is Severity.PROBLEM for finding in findings))


async def _examined(home: Path, settings: Settings, texts: Texts, says: TextIO | None) -> tuple[Finding, ...]:
    findings = await examine(home, settings, texts)
    if says is None:
        return findings
    await mend(findings, texts, says)
    return await examine(home, settings, texts)


def _print_table(findings: Sequence[Finding], texts: Texts) -> None:
    # Drawing tables costs 60 ms, which --json does not pay.
    from rich.console import Console
    from rich.table import Table

    table = Table("", texts("Part"), texts("Version"), box=None)
    table.columns[-1].overflow = "fold"
    for finding in findings:
        table.add_row(finding.mark, finding.title, finding.version)
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(table)
    # Below the table, not in it: commands and addresses must stay whole to be copied.
    console.print()
    for finding in still_to_do(findings):
        console.print(f"{finding.mark} {finding.title}: {finding.todo}")
        if finding.command:
            console.print(f"    {finding.command}")
    problems = sum(finding.severity is Severity.PROBLEM for finding in findings)
    console.print(
        texts.plural("{count} thing to do.", "{count} things to do.", problems).format(count=problems)
        if problems
        else texts("Everything that Jarvis needs is there.")
    )
