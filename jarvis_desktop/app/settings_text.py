"""The text of ``settings.yaml`` for an editor: read, checked, written when nobody else wrote meanwhile."""

from pathlib import Path

from jarvis_desktop.adapters.settings_file import read_text
from jarvis_desktop.adapters.settings_problem import what_counts
from jarvis_desktop.app.edited_text import EditedText
from jarvis_desktop.core.items.rule_facts import TextProblem
from jarvis_desktop.core.items.settings_desk import FILE
from jarvis_desktop.core.policy.danger import danger_list
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.core.settings import Settings


class SettingsText(EditedText):
    """Every method but ``problems`` blocks for the disk."""

    def __init__(self, home: Path, texts: Texts) -> None:
        super().__init__(home / FILE, FILE, texts)

    def problems(self, text: str, last: Settings) -> tuple[TextProblem, ...]:
        """What would be wrong if this was the text. ``last``: what counts where nothing usable is said."""
        settings, found = read_text(text, last)
        danger = danger_list(settings.security.dangerous_commands).problems
        return (
            *(TextProblem(one.line or 0, what_counts(one, self._texts)) for one in found),
            *(
                TextProblem(0, self._texts("This cannot be used: {problem}").format(problem=one))
                for one in danger
            ),
        )
