"""What a bug report may say: settings, log lines and texts without what a person said, wrote or named."""

import json
import platform
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

from pydantic.fields import FieldInfo

from jarvis_desktop.adapters.log_setup import OURS, PRIVATE
from jarvis_desktop.adapters.ollama_host import server_address, shown_address
from jarvis_desktop.core.settings import Settings
from jarvis_desktop.core.settings_section import Section

TOLD = frozenset({"model.name", "voice.input_device", "voice.output_device", "ui.hotkey"})
"""Free text that a report is of no use without."""
HOSTS = frozenset({"model.host", "model.allowed_host"})
KEPT_OUT = "(not told)"
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,39}")
_PLACE = re.compile(r"[\w.]+:\d+( [\w<>.]+)?")
_WORD_FIELDS = frozenset(
    {"error", "kind", "check", "command", "part", "state", "tool", "thread_name", "where"}
)
"""Fields of our records whose value is a name of ours, never text of a person."""


class Redaction:
    """Takes the names of this machine and person out of texts."""

    def __init__(self, home: Path, settings: Settings) -> None:
        words = {str(home): "<folder of Jarvis>", str(Path.home()): "~", settings.web.brave_key: "<key>"}
        words |= dict.fromkeys((*settings.notify.push_to.split(), settings.notify.push_to), "<address>")
        words[str(settings.agent.working_directory.expanduser())] = "<working folder>"
        names = {platform.node(): "<this machine>"}
        for host in (settings.model.host, settings.model.allowed_host):
            if host and not _is_here(host):
                names |= dict.fromkeys((host, shown_address(host), _bare(host)), "<another machine>")
        patterns = {re.escape(word): instead for word, instead in words.items() if len(word) > 2}
        # Machines are called by whole words in any case: a server called "box" is in no "boxes".
        patterns |= {
            rf"(?i:(?<!\w){re.escape(name)}(?!\w))": instead
            for name, instead in names.items()
            if len(name) > 2
        }
        # The longest first: the folder of Jarvis lies in the person's home.
        self._patterns = [
            (re.compile(pattern), instead)
            for pattern, instead in sorted(patterns.items(), key=lambda pair: -len(pair[0]))
        ]

    def text(self, text: str) -> str:
        """``text`` without them."""
        for pattern, instead in self._patterns:
            text = pattern.sub(instead, text)
        return text

    def deep(self, value: object) -> object:
        """``value`` with every text in it without them."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.deep(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.deep(one) for one in value]
        return value


def _bare(host: str) -> str:
    """The name of the machine alone."""
    try:
        return urlsplit(host if "://" in host else f"//{host}").hostname or host
    except ValueError:
        return host


def told_settings(settings: Settings) -> dict[str, dict[str, object]]:
    """The settings in force, each value as a report may show it."""
    return {
        name: {field: _told(f"{name}.{field}", info, section) for field, info in _fields(section)}
        for name in Settings.model_fields
        if isinstance(section := getattr(settings, name), Section)
    }


def _fields(section: Section) -> Iterator[tuple[str, FieldInfo]]:
    yield from type(section).model_fields.items()


def _told(name: str, info: FieldInfo, section: Section) -> object:
    value = getattr(section, name.partition(".")[2])
    if isinstance(value, bool | int | float) or value == info.default:
        return str(value) if isinstance(value, Path) else value
    if name in HOSTS:
        return value if _is_here(str(value)) else "<another machine>"
    if name in TOLD or _is_choice(info.annotation):
        return value
    if isinstance(value, tuple):
        # How many, and which of ours: what a person adds may name what they work on.
        known = [one for one in value if one in (info.default or ())]
        return {"count": len(value), "of_the_default": known}
    return KEPT_OUT


def _is_choice(annotation: object) -> bool:
    """Only words that we have written down ourselves are allowed there."""
    if get_origin(annotation) is tuple:
        return all(one is Ellipsis or _is_choice(one) for one in get_args(annotation))
    return get_origin(annotation) is Literal


def _is_here(host: str) -> bool:
    try:
        return server_address(host).is_loopback
    except ValueError:
        return False


def told_log(text: str) -> Iterator[str]:
    """Lines of a log with our own sentences, names and numbers only; others are counted at the end."""
    left_out = 0
    for line in text.splitlines():
        told = _told_record(line)
        if told is None:
            left_out += 1
        else:
            yield json.dumps(told)
    if left_out:
        yield json.dumps({"lines_left_out": left_out})


def _told_record(line: str) -> dict[str, object] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("logger"), str):
        return None
    ours = record["logger"].partition(".")[0] == OURS
    return {
        key: value for key, raw in record.items() if (value := _told_field(key, raw, ours=ours)) is not None
    }


def _told_field(key: str, raw: Any, *, ours: bool) -> object:
    """The value as it may be told; None leaves the field out."""
    if key.startswith(PRIVATE):
        return None
    if isinstance(raw, bool | int | float):
        return raw
    if isinstance(raw, list):
        return [_told_error(one) for one in raw if isinstance(one, dict)] if key == "error" else None
    return raw if isinstance(raw, str) and _may_be_told(key, raw, ours=ours) else None


def _may_be_told(key: str, text: str, *, ours: bool) -> bool:
    if key == "at":
        return bool(re.fullmatch(r"[0-9T:.+-]{19,35}", text))
    if key == "event":
        return ours  # the template of a record, a sentence in our code
    known = key in ("level", "logger", "where") or (ours and key in _WORD_FIELDS)
    return known and bool(_WORD.fullmatch(text))


def _told_error(one: Mapping[str, object]) -> dict[str, object]:
    frames = one.get("frames")
    return {
        "type": one["type"] if _WORD.fullmatch(str(one.get("type", ""))) else KEPT_OUT,
        "frames": [frame for frame in frames if isinstance(frame, str) and _PLACE.fullmatch(frame)]
        if isinstance(frames, list)
        else [],
    }
