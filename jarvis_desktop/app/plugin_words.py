"""Plugins as people see them among their extensions, and why one could not be loaded."""

import re
from collections.abc import Mapping

from jarvis_desktop.adapters.extension_files import FoundFile
from jarvis_desktop.adapters.extension_ledger import Key, LedgerRead, changes_of, state_of
from jarvis_desktop.adapters.extension_process import WorkerError
from jarvis_desktop.app.extension_words import file_sentence, worker_sentence
from jarvis_desktop.app.plugin_advice import advice, mistakes
from jarvis_desktop.app.plugin_process import PluginProcess
from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.items.hooks import Hook
from jarvis_desktop.core.ports import Texts

FOLDER = "plugins"
_DEFINED = re.compile(rf"^(?:async +)?def +({'|'.join(hook.value for hook in Hook)})\b", re.MULTILINE)
"""Hooks that the text seems to define; running it says which it has."""


def key_of(file: FoundFile) -> Key:
    """Under which the ledger has it."""
    return ExtensionKind.PLUGIN, file.name


def wished(file: FoundFile, ledger: LedgerRead) -> ExtensionState:
    """Its state as far as people's wishes and the disk go; whether it works is another matter."""
    if file.trouble is not None or ledger.problem:
        return ExtensionState.BROKEN
    return state_of(ledger.entries.get(key_of(file)), file.digest)


def shown(file: FoundFile, ledger: LedgerRead, running: PluginProcess | None, texts: Texts) -> Extension:
    """The file as the settings window shows it. running: its process, if there is one."""
    state, trouble = wished(file, ledger), ledger.problem
    hooks = [Hook(name) for name in dict.fromkeys(_DEFINED.findall(file.text))]
    if file.trouble is not None:
        trouble = file_sentence(file, texts)
    elif running is not None:
        trouble = running.trouble
        hooks = [hook for hook in Hook if hook in running.hooks] or hooks
        if running.off:
            state = ExtensionState.BROKEN
        elif not running.ready:
            state = ExtensionState.STARTING
    if file.trouble is not None or (running is not None and running.off and not running.hooks):
        said = ""  # its trouble says it
    else:
        said = advice(file, texts)
    purposes = _purposes(texts)
    return Extension(
        kind=ExtensionKind.PLUGIN,
        name=file.name,
        path=file.path,
        digest=file.digest,
        state=state,
        trouble=trouble,
        advice=said,
        offers=tuple(Offered(hook.value, purposes[hook]) for hook in hooks),
        source=file.text,
        changes=changes_of(ledger.entries.get(key_of(file)), file.digest, file.text, file.path.name),
    )


def loading_trouble(name: str, error: WorkerError, texts: Texts) -> str:
    """Why it could not be loaded."""
    text = texts("Plugin {plugin}: {reason}")
    return text.format(plugin=name, reason=worker_sentence(error, texts))


def hookless(file: FoundFile, texts: Texts) -> str:
    """It was loaded, and turns have nothing to call in it."""
    text = texts("Plugin {plugin} has none of the hooks {hooks}.")
    said = text.format(plugin=file.name, hooks=", ".join(hook.value for hook in Hook))
    return f"{said} {mistakes(file, texts)}".rstrip()


def _purposes(texts: Texts) -> Mapping[Hook, str]:
    return {
        Hook.BEFORE_AGENT_START: texts("adds to what the agent knows before a turn"),
        Hook.BEFORE_TOOL_CALL: texts("may block a tool call"),
        Hook.AFTER_TOOL_CALL: texts("hears what came of a tool call"),
        Hook.ON_MESSAGE_END: texts("may replace the answer"),
        Hook.TRANSFORM_CONTEXT: texts("may edit what the model reads"),
    }
