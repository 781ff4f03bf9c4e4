"""The first page: what is going to happen, in which language, and how it should look."""

from jarvis_desktop.ui.qt.page import Card
from jarvis_desktop.ui.qt.setup_look_page import LookPage
from jarvis_desktop.ui.qt.setup_page import SetupParts


class WelcomePage(LookPage):
    """What Jarvis promises, above languages and look."""

    def __init__(self, parts: SetupParts) -> None:
        texts = parts.texts
        super().__init__(
            parts,
            texts("Welcome to Jarvis"),
            texts(
                "A few steps, and Jarvis can hear you and answer. Each one can be skipped and done later: "
                "“Set up” in the tray or in Jarvis's window opens this one again."
            ),
        )

    def first_cards(self) -> None:
        """The promises."""
        texts = self.parts.texts
        card = Card()
        for line in (
            texts(
                "Everything runs on this computer. What you say and type stays here, unless you name another "
                "computer yourself; only words that Jarvis looks up on the web leave it."
            ),
            texts(
                "Nothing is fetched here by itself: each model says how big it is, where it comes from and "
                "under which licence before you press “Fetch”."
            ),
            texts("Jarvis asks before it changes a file or runs a command."),
        ):
            card.add_point(line)
        self.column.addWidget(card)
