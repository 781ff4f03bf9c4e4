"""Plugins as people see them among their extensions, and why one could not be loaded."""

from collections.abc import Mapping

from jarvis_desktop.adapters.extension_ledger import Key, LedgerRead, changes_of, state_of
from jarvis_desktop.adapters.extension_process import WorkerError, WorkerTrouble
from jarvis_desktop.adapters.plugin_files import FOLDER, PluginFile
from jarvis_desktop.app.plugin_process import PluginProcess
from jarvis_desktop.core.items.extensions import Extension, ExtensionKind, ExtensionState, Offered
from jarvis_desktop.core.items.hooks import Hook
from jarvis_desktop.core.ports import Texts


def key_of(file: PluginFile) -> Key:
    """Under which the ledger has it."""
    return ExtensionKind.PLUGIN, file.name


def wished(file: PluginFile, ledger: LedgerRead) -> ExtensionState:
    """Its state as far as people's wishes and the disk go; whether it works is another matter."""
    if file.problem or ledger.problem:
        return ExtensionState.BROKEN
    return state_of(ledger.entries.get(key_of(file)), file.digest)


def shown(file: PluginFile, ledger: LedgerRead, running: PluginProcess | None, texts: Texts) -> Extension:
    """The file as the settings window shows it. running: its process, if there is one."""
    state, trouble, hooks = wished(file, ledger), ledger.problem, list(file.hooks)
    if file.problem:
        text = texts("{file} could not be read ({reason}).")
        trouble = text.format(file=f"{FOLDER}/{file.path.name}", reason=file.problem)
    elif running is not None:
        trouble = running.trouble
        hooks = [hook for hook in Hook if hook in running.hooks] or hooks
        if running.off:
            state = ExtensionState.BROKEN
        elif not running.ready:
            state = ExtensionState.STARTING
    source = file.source.decode("utf-8", "replace")
    purposes = _purposes(texts)
    return Extension(
        kind=ExtensionKind.PLUGIN,
        name=file.name,
        path=file.path,
        digest=file.digest,
        state=state,
        trouble=trouble,
        offers=tuple(Offered(hook.value, purposes[hook]) for hook in hooks),
        source=source,
        changes=changes_of(ledger.entries.get(key_of(file)), file.digest, source, file.path.name),
    )


def loading_trouble(name: str, error: WorkerError, texts: Texts) -> str:
    """Why it could not be loaded."""
    if error.kind is WorkerTrouble.NO_ROOM:
        return texts("Plugin {plugin}: {reason}").format(plugin=name, reason=error.detail)
    text = texts("Plugin {plugin} could not be loaded: {reason}. It is tried again when {file} changes.")
    return text.format(plugin=name, reason=str(error).rstrip("."), file=f"{FOLDER}/{name}.py")


def hookless(name: str, texts: Texts) -> str:
    """It was loaded, and turns have nothing to call in it."""
    text = texts("Plugin {plugin} has none of the hooks {hooks}.")
    return text.format(plugin=name, hooks=", ".join(hook.value for hook in Hook))


def _purposes(texts: Texts) -> Mapping[Hook, str]:
    return {
        Hook.BEFORE_AGENT_START: texts("adds to what the agent knows before a turn"),
        Hook.BEFORE_TOOL_CALL: texts("may block a tool call"),
        Hook.AFTER_TOOL_CALL: texts("hears what came of a tool call"),
        Hook.ON_MESSAGE_END: texts("may replace the answer"),
        Hook.TRANSFORM_CONTEXT: texts("may edit what the model reads"),
    }
