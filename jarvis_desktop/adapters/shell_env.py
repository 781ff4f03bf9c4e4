"""What a shell command gets to see of our environment, and its output as text."""

import re
from collections.abc import Mapping

HANDED_ON = frozenset({"PATH", "HOME", "LANG", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ"})
"""Everything else stays here: session bus, display, audio server, agents and all that may be a secret."""

OF_THE_DESKTOP = frozenset(
    {
        "DISPLAY",
        "XAUTHORITY",
        "WAYLAND_DISPLAY",
        "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP",
        "DESKTOP_SESSION",
        "DBUS_SESSION_BUS_ADDRESS",
        "AT_SPI_BUS_ADDRESS",
        "PULSE_SERVER",
        "PULSE_COOKIE",
        "PULSE_RUNTIME_PATH",
        "PIPEWIRE_REMOTE",
        "PIPEWIRE_RUNTIME_DIR",
    }
)
"""What a command gets besides that a person lent the desktop."""

FIXED: Mapping[str, str] = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
}
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SECRET_NAME = re.compile("TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)


def command_environment(own: Mapping[str, str], cwd: str, *, desktop: bool = False) -> dict[str, str]:
    """The environment of a command that runs in ``cwd``; ``desktop``: a person lent it the desktop."""
    handed_on = HANDED_ON | OF_THE_DESKTOP if desktop else HANDED_ON
    kept = {
        name: value
        for name, value in own.items()
        if (name in handed_on or name.startswith("LC_")) and not SECRET_NAME.search(name)
    }
    return {"PATH": DEFAULT_PATH, **kept, **FIXED, "PWD": cwd}


def output_text(head: bytes, tail: bytes, left_out: int) -> str:
    """Head and tail as text, with a marker between them when ``left_out`` bytes are missing."""
    if not left_out:
        return (head + tail).decode("utf-8", "replace")
    head_end = whole_characters_end(head)
    tail_start = next(
        (i for i in range(min(4, len(tail))) if tail[i] & 0xC0 != 0x80), len(tail) if len(tail) < 4 else 0
    )
    left_out += len(head) - head_end + tail_start
    begin = head[:head_end].decode("utf-8", "replace")
    end = tail[tail_start:].decode("utf-8", "replace")
    return f"{begin}\n[… {left_out:,} bytes left out …]\n{end}"


def whole_characters_end(data: bytes) -> int:
    """Where ``data`` has to be cut so that its last UTF-8 character is whole."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            needs = 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) - back if needs > back else len(data)
    return len(data)
