"""Whoever follows the page about plugins has what it says."""

from collections.abc import Mapping

import pytest

from jarvis_desktop.core.items.events import ToolCalled
from jarvis_desktop.core.items.extensions import ExtensionState
from jarvis_desktop.core.items.hooks import Hook
from jarvis_desktop.core.turn.hook_messages import MAX_LONGER_CHARS
from jarvis_desktop.core.turn.plugin_hooks import MAX_ADDED_CHARS
from tests.fakes.ollama_script import call, say
from tests.integration.plugins.conftest import Program
from tests.parts.docs_pages import DOCS, Does, blocks_of


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    """The plugins of the page, by name."""
    found = {one.path: one.text for one in blocks_of("plugins.md") if one.does is Does.FILE}
    return {path.removeprefix("~/.jarvis/plugins/").removesuffix(".py"): text for path, text in found.items()}


def test_the_page_names_every_hook_and_the_bounds() -> None:
    page = (DOCS / "plugins.md").read_text("utf-8")
    assert [f"| `{hook.value}` |" in page for hook in Hook] == [True] * len(Hook)
    assert MAX_ADDED_CHARS == MAX_LONGER_CHARS == 4_000
    assert page.count("4,000 characters") == 2


async def test_the_guard_of_the_page_keeps_what_it_says(program: Program, files: Mapping[str, str]) -> None:
    assert (await program.enable("guard", files["guard"])).state is ExtensionState.ENABLED
    photos = program.work / "Photos"
    photos.mkdir()
    ended = await program.say("Tidy.", call("bash", {"command": f"rm -r '{photos}'"}), say("It is kept."))
    assert (ended.text, photos.exists()) == ("It is kept.", True)
    assert "⚡ plugin · guard blocked bash: nothing in Photos is removed" in program.activity
    assert not [one for one in program.seen if isinstance(one, ToolCalled)]
    assert program.troubles == []


async def test_the_other_plugins_of_the_page_do_what_it_says(
    program: Program, files: Mapping[str, str]
) -> None:
    for name in ("sign", "office"):
        assert (await program.enable(name, files[name])).state is ExtensionState.ENABLED
    ended = await program.say("Which invoice has 123456-1234567?", say("The first one."))
    assert ended.text == "The first one.\n\n— main"
    system, request = (one["content"] for one in program.ollama.chats[-1].body["messages"])
    assert f"Invoices lie in {program.work}/invoices, one folder for each year." in system
    assert request.startswith("Which invoice has [number]?")
    assert program.troubles == []
