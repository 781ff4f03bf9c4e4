"""MCP servers as people are shown them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jarvis_desktop.adapters.extension_ledger import Enabled, LedgerRead, changes_of, state_of
from jarvis_desktop.adapters.settings_problem import SettingsProblem, sentence
from jarvis_desktop.app.mcp_keeper import Kept, ServerKeeper
from jarvis_desktop.app.mcp_words import definition_text, left_out_text
from jarvis_desktop.core.extensions.mcp_offer import Offer
from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.ports import Texts


@dataclass(frozen=True, slots=True)
class Look:
    """One server of the settings, with all that is known of it."""

    kept: Kept
    file: Path
    ledger: LedgerRead
    keeper: ServerKeeper | None
    """None while it may not run."""
    offer: Offer
    """What agents get of it."""


def standing(ledger: LedgerRead, kept: Kept) -> ExtensionState:
    """What people said about it."""
    return state_of(ledger.entries.get((ExtensionKind.SERVER, kept.name)), kept.identity)


def pictures(
    good: Sequence[Look], file: Path, wrong: Mapping[str, Sequence[SettingsProblem]], texts: Texts
) -> tuple[Extension, ...]:
    """All servers: those that can be read, and those with problems by name."""
    odd = (broken(name, file, problems, texts) for name, problems in wrong.items() if name)
    return (*(picture(one, texts) for one in good), *odd)


def picture(look: Look, texts: Texts) -> Extension:
    """A server whose definition can be read."""
    kept, keeper = look.kept, look.keeper
    entry = look.ledger.entries.get((ExtensionKind.SERVER, kept.name))
    source, state = definition_text(kept.name, kept.settings, texts), standing(look.ledger, kept)
    shown = Extension(
        kind=ExtensionKind.SERVER,
        name=kept.name,
        path=look.file,
        digest=kept.identity,
        state=state,
        trouble=look.ledger.problem,
        source=source,
        changes=_changes(entry, kept, source, texts) if state is ExtensionState.CHANGED else "",
    )
    if keeper is None:
        return shown
    return replace(
        shown,
        state=keeper.state,
        trouble="\n".join(one for one in (keeper.trouble, left_out_text(look.offer, texts)) if one),
        offers=tuple(Offered(one.name, one.description) for one in look.offer.tools),
    )


def broken(name: str, file: Path, problems: Sequence[SettingsProblem], texts: Texts) -> Extension:
    """A server whose definition cannot be read."""
    trouble = problems_text(problems, texts)
    return Extension(ExtensionKind.SERVER, name, file, "", ExtensionState.BROKEN, trouble=trouble)


def problems_text(problems: Sequence[SettingsProblem], texts: Texts) -> str:
    """One line for each."""
    return "\n".join(sentence(one, texts) for one in problems)


def _changes(entry: Enabled | None, kept: Kept, source: str, texts: Texts) -> str:
    found = changes_of(entry, kept.identity, source, kept.name)
    return found or texts("Only values that are not shown have changed.")
