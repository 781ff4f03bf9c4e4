"""Skills as people see them among their extensions."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from jarvis_desktop.core.items.errors import ExtensionRefusedError
from jarvis_desktop.core.items.extensions import (
    DisableExtension,
    EnableExtension,
    Extension,
    ExtensionKind,
    ExtensionState,
    Offered,
)
from jarvis_desktop.core.items.skills import Skill, SkillFault
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.ports.skills import SkillShelf


class SkillExtensions:
    """Fills ``Shelf``."""

    def __init__(self, skills: SkillShelf, texts: Texts) -> None:
        self._skills, self._texts = skills, texts

    @property
    def folders(self) -> Mapping[ExtensionKind, Path]:
        """Where skills lie."""
        return {ExtensionKind.SKILL: self._skills.folder}

    async def look(self) -> Sequence[Extension]:
        """Every skill, and every file that should be one."""
        show = await self._skills.look()
        return (*map(_whole, show.skills), *map(_broken, show.faults))

    async def enable(self, wish: EnableExtension) -> None:
        """Nothing: only a person calls a skill, and it may do no more than what a person types.

        Raises:
            ExtensionRefusedError: always.
        """
        del wish
        self._refuse()

    async def disable(self, wish: DisableExtension) -> None:
        """Nothing.

        Raises:
            ExtensionRefusedError: always.
        """
        del wish
        self._refuse()

    def _refuse(self) -> NoReturn:
        text = self._texts(
            "A skill is neither enabled nor disabled: it is a text that only you call. To be rid of it, take "
            "its file out of {folder}."
        )
        raise ExtensionRefusedError(text.format(folder=self._skills.folder))


def _whole(skill: Skill) -> Extension:
    return Extension(
        kind=ExtensionKind.SKILL,
        name=skill.name,
        path=skill.path,
        digest=hashlib.sha256(skill.body.encode()).hexdigest(),
        state=ExtensionState.ENABLED,
        offers=(Offered(skill.name, skill.purpose),),
        source=skill.body,
    )


def _broken(fault: SkillFault) -> Extension:
    return Extension(
        kind=ExtensionKind.SKILL,
        name=fault.name,
        path=fault.path,
        digest="",
        state=ExtensionState.BROKEN,
        trouble=fault.text,
    )
