"""``/plugins``: which there are, how they are, and what is in one."""

from dataclasses import replace
from pathlib import Path

from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.slash.command import Value
from jarvis_desktop.core.slash.plugins_cmd import PluginsCommand
from tests.fakes.slash import FakePluginShelf, Fakes
from tests.unit.slash.test_commands import Desk

FOLDER = Path("/home/u/.jarvis/plugins")


def plugin(name: str, state: ExtensionState, *hooks: str, trouble: str = "") -> Extension:
    offers = tuple(Offered(hook) for hook in hooks)
    path, source = FOLDER / f"{name}.py", "def f():\n    return '```'\n"
    return Extension(ExtensionKind.PLUGIN, name, path, "d", state, trouble, offers, source)


def adding() -> Fakes:
    there = [
        plugin("guard", ExtensionState.ENABLED, "before_tool_call", "after_tool_call"),
        plugin("new_one", ExtensionState.WAITING, "on_message_end"),
        plugin("torn", ExtensionState.BROKEN, trouble="Plugin torn: it *failed* (line 3)."),
    ]
    return Fakes(plugins=FakePluginShelf(there))


async def test_plugins_are_listed_with_their_state_their_hooks_and_their_last_trouble() -> None:
    said = await Desk(adding()).type("/plugins")
    first, second, third, _, hint = said.text.split("\n")
    assert first == "- `guard` — **enabled** · `before_tool_call`, `after_tool_call`"
    assert second == "- `new_one` — **waits for you to enable it** · `on_message_end`"
    assert third == "- `torn` — **broken** · no hooks — Plugin torn: it \\*failed\\* \\(line 3\\)."
    assert "Settings → Extensions" in hint
    assert f"`{FOLDER}`" in hint


async def test_what_nobody_will_call_is_said_beside_the_plugin() -> None:
    half = replace(plugin("half", ExtensionState.ENABLED, "on_message_end"), advice="Nobody calls f (l. 1).")
    said = await Desk(Fakes(plugins=FakePluginShelf([half]))).type("/plugins")
    assert said.text.split("\n")[0] == (
        "- `half` — **enabled** · `on_message_end` — Nobody calls f \\(l. 1\\)."
    )


async def test_without_plugins_it_is_said_what_one_is() -> None:
    said = await Desk(Fakes()).type("/플러그인")
    assert said.text.startswith("There are no plugins yet. One is a Python file `name.py` in `/home/u")


async def test_the_code_of_one_is_shown_whole() -> None:
    said = await Desk(adding()).type("/plugins Guard")
    assert said.text.endswith("\n````\ndef f():\n    return '```'\n\n````")
    assert f"`{FOLDER / 'guard.py'}`" in said.text


async def test_a_name_that_is_none_is_answered_with_what_is_near() -> None:
    said = await Desk(adding()).type("/plugins gard")
    assert said.text.startswith("There is no plugin `gard`. Did you mean `/plugins guard`?\n\n- `guard`")


async def test_names_are_completed_with_their_states() -> None:
    values = await PluginsCommand().values("", adding().world())
    assert values[:2] == [Value("guard", "enabled"), Value("new_one", "waits for you to enable it")]
