"""A list of agents to choose from; the header and the tray show the same one."""

from collections.abc import Callable

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from jarvis_desktop.core.items.commands import Command, SwitchAgent
from jarvis_desktop.core.items.ids import AgentId
from jarvis_desktop.core.ports import Texts
from jarvis_desktop.ui.agent_picture import AgentsPicture, purpose_text, shown_name


class AgentMenu(QMenu):
    """One entry for each agent, the one that is talked with marked."""

    def __init__(self, texts: Texts, send: Callable[[Command], None]) -> None:
        super().__init__()
        self._texts = texts
        self._send = send
        self._group = QActionGroup(self)
        self._shown: tuple[object, ...] = ()

    def show_agents(self, picture: AgentsPicture) -> None:
        """The agents that there are now, in the language now in force."""
        texts = self._texts
        self.setTitle(texts("Talk with"))
        self.setAccessibleName(texts("Talk with"))
        wanted = (picture.listed, picture.shown, texts.language)
        if wanted == self._shown:
            return  # an open menu keeps its entries under the pointer
        self._shown = wanted
        self.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
        for card in picture.listed:
            name, purpose = shown_name(card, texts), purpose_text(card, texts)
            # "&" would underline the next letter.
            action = QAction(" — ".join(filter(None, (name, purpose))).replace("&", "&&"), self)
            action.setCheckable(True)
            action.setChecked(card.agent_id == picture.shown)
            action.triggered.connect(self._choosing(card.agent_id))
            self._group.addAction(action)
            self.addAction(action)

    def _choosing(self, agent_id: AgentId) -> Callable[[], None]:
        return lambda: self._send(SwitchAgent(agent_id))
