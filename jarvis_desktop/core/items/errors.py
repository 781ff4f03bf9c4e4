"""The error tree.

JarvisError
├── UserFixableError        the person can mend it; the text says where, what, and what to do
│   ├── SettingsError
│   ├── CronError           a time that comes again and again was not understood
│   ├── ExtensionRefusedError   what a person wanted of an extension was not done
│   ├── StorageError        our folder or database cannot be read or written
│   └── ModelUnavailableError   .kind says which: no server, no model, too old …
├── MissingPartError        the machine lacks something (device, program, model file)
│   ├── AudioUnavailableError
│   ├── SandboxError        a command's room cannot be had, so it did not run
│   └── ModelFileError
├── PluginFailedError       .trouble says how a plugin's hook failed
├── PluginGoneError         the plugin was switched off meanwhile
├── ModelOutputError        the model said something that no repair could read
└── InvariantError          a bug of ours
"""

from enum import StrEnum

from jarvis_desktop.core.items.hooks import HookTrouble


class JarvisError(Exception):
    """Base of all our errors. Its text is fit to be shown: no secret, no transcript."""


class UserFixableError(JarvisError):
    """A person can mend it."""


class SettingsError(UserFixableError):
    """A settings file or variable is wrong."""


class ExtensionRefusedError(UserFixableError):
    """What a person wanted of an extension was not done; the text is in the app's language."""


class CronError(UserFixableError):
    """A time that comes again and again was not understood; the text is in the app's language."""


class StorageError(UserFixableError):
    """Our folder or database cannot be read or written: full, read-only, locked, damaged."""


class ModelTrouble(StrEnum):
    """Why a chat model cannot be used."""

    NO_SERVER = "no_server"
    NO_MODEL = "no_model"
    TOO_OLD = "too_old"
    """Server or model lacks a feature that was asked for; without tools, a schema may still work."""
    LOST = "lost"
    """The connection broke in the middle."""
    SERVER_ERROR = "server_error"
    BAD_ANSWER = "bad_answer"
    REMOTE_UNASKED = "remote_unasked"
    """It would take the conversation off this machine, and nobody has agreed to that (decision 39)."""


class ModelUnavailableError(UserFixableError):
    """The chat model cannot be reached or does not work."""

    def __init__(self, kind: ModelTrouble, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class MissingPartError(JarvisError):
    """The machine lacks something."""


class AudioUnavailableError(MissingPartError):
    """No microphone or loudspeaker can be opened now."""


class ModelFileError(MissingPartError):
    """A model file is absent, or is not the file that the manifest names."""


class SandboxError(MissingPartError):
    """The room in which a command should run cannot be had."""


class PluginFailedError(JarvisError):
    """A plugin's hook gave nothing that counts; the turn goes on without it."""

    def __init__(self, trouble: HookTrouble, said: str = "") -> None:
        """said: what its error says, or what was wrong with what it returned; in its author's words."""
        super().__init__(said)
        self.trouble = trouble
        self.said = said


class PluginGoneError(JarvisError):
    """A plugin was switched off, or its file became another one, since the turn began."""


class ModelOutputError(JarvisError):
    """The model's output could not be read, not even after repair."""


class InvariantError(JarvisError):
    """A bug of ours: a state that the design rules out."""
