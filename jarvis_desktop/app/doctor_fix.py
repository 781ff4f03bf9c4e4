"""``doctor --fix``: does what needs no root and no question, and names the rest."""

from collections.abc import Sequence
from typing import TextIO

from jarvis_desktop.app.doctor_finding import Finding, Severity
from jarvis_desktop.core.items.errors import JarvisError
from jarvis_desktop.core.ports import Texts


async def mend(findings: Sequence[Finding], texts: Texts, out: TextIO) -> None:
    """Every mend was said on ``out`` and tried, each once; one that fails keeps no other from being tried."""
    mends = {finding.mend.says: finding.mend for finding in findings if finding.mend is not None}
    if not mends:
        print(texts("There is nothing that Jarvis can mend by itself."), file=out)
    for one in mends.values():
        print(f"{one.says} …", file=out, flush=True)
        try:
            await one.work()
        except JarvisError as error:
            print(f"  {error}", file=out)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            print("  " + texts("That did not work: {reason}.").format(reason=reason), file=out)


def still_to_do(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What a person has to do, problems first."""
    todo = [finding for finding in findings if finding.todo]
    return tuple(sorted(todo, key=lambda finding: finding.severity is not Severity.PROBLEM))
