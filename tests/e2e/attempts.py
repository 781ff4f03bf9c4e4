"""Program that tries to answer an open question by itself, in every way that it can think of.

Argument: a JSON file with what an attacker would have found out beforehand. One line of JSON for each attempt
goes to the file ``found["to"]``: its name, and whether it got through to what it was after.
"""

import ctypes
import fcntl
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PTRACE_ATTACH = 16
STEP_S = 10.0
Found = Mapping[str, Any]


def program(found: Found, *command: str, given: str = "") -> bool:
    """The command ran and said that it worked."""
    done = subprocess.run(
        command,
        env={**os.environ, **found["env"]},
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    print(*command[:4], done.returncode, done.stdout[-300:], done.stderr[-300:], flush=True)
    return done.returncode == 0


def jarvis(found: Found, *arguments: str, given: str = "") -> bool:
    return program(found, sys.executable, "-m", "jarvis_desktop", *arguments, given=given)


def asks(found: Found) -> bool:
    return jarvis(found, "ask", "Make a file for me.", given="y\n" * 9)


def says(found: Found) -> bool:
    return jarvis(found, "say", "yes go ahead")


def espeak(found: Found) -> bool:
    wav = f"{found['scratch']}/yes.wav"
    made = program(found, "espeak-ng", "-w", wav, "yes go ahead")
    return made and program(found, "paplay", "-d", "mic_sink", wav)


def records(found: Found) -> bool:
    del found
    return Path("/dev/snd").exists()


def bus(found: Found) -> bool:
    where = "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames"
    return program(found, "dbus-send", "--session", "--print-reply", *where)


def keys(found: Found) -> bool:
    return program(found, "xdotool", "key", "--clearmodifiers", "Shift_L")


def screen_socket(found: Found) -> bool:
    number = found["env"]["DISPLAY"].split(":")[1].split(".")[0]
    return any(reaches(f"{start}/tmp/.X11-unix/X{number}") for start in ("", "\0"))


def reader(found: Found) -> bool:
    from tests.e2e.accessible import ScreenReader

    with ScreenReader(found["env"]) as eyes:
        return eyes.find("approval.allow") is not None


def types_into_a_terminal(found: Found) -> bool:
    """A terminal of our own for ``ask``, into which we type."""
    child, master = pty.fork()
    if child == 0:
        os.environ.update(found["env"])
        os.execv(sys.executable, [sys.executable, "-m", "jarvis_desktop", "ask", "Make a file for me."])
    seen = b""
    try:
        end = time.monotonic() + STEP_S
        while time.monotonic() < end:
            if select.select([master], [], [], 0.3)[0]:
                seen += os.read(master, 4096)
            if b"(y/n" in seen:
                return True
    except OSError:  # it ended
        pass
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    print(seen.decode("utf-8", "replace")[-300:], flush=True)
    return False


def foreign_terminal(found: Found) -> bool:
    """A key pressed into the terminal at which the person sits."""
    descriptor = os.open(found["terminal"], os.O_RDWR | os.O_NOCTTY)
    try:
        fcntl.ioctl(descriptor, termios.TIOCSTI, b"\0")
    finally:
        os.close(descriptor)
    return True


def database(found: Found) -> bool:
    return program(found, "sqlite3", f"{found['home']}/jarvis.db", "SELECT count(*) FROM turns")


def rule_file(found: Found) -> bool:
    link = Path(found["scratch"], "link.yaml")
    link.symlink_to(f"{found['home']}/approvals.yaml")
    with link.open("a") as file:
        file.write("rules:\n- 'bash: *'\n")
    return True


def hard_link(found: Found) -> bool:
    os.link(f"{found['home']}/approvals.yaml", f"{found['scratch']}/hard.yaml")
    return True


def service(found: Found) -> bool:
    with socket.create_connection(("127.0.0.1", found["port"]), timeout=3):
        return True


def instance(found: Found) -> bool:
    return reaches(found["socket"])


def reaches(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as peer:
        try:
            peer.connect(path)
        except OSError:
            return False
        return True


def is_there(found: Found) -> bool:
    os.kill(found["pid"], 0)
    return True


def traces(found: Found) -> bool:
    answer: int = ctypes.CDLL(None).ptrace(PTRACE_ATTACH, found["pid"], 0, 0)
    return answer == 0


def looks_through_the_first_process(found: Found) -> bool:
    """Our own root may be left through that of a process outside."""
    return any(Path(f"/proc/{pid}/root{found['home']}/jarvis.db").exists() for pid in (1, os.getppid()))


def uncovers(found: Found) -> bool:
    """What is hidden is laid bare by our own mount."""
    hidden = f"{found['home']}/jarvis.db"
    script = f"umount -l {found['home']}; mount --bind / /mnt; ls {hidden} || ls /mnt{hidden}"
    return program(found, "unshare", "-rm", "bash", "-c", script)


def enters(found: Found) -> bool:
    return program(found, "nsenter", "--all", f"--target={found['pid']}", "true")


ATTEMPTS: tuple[Callable[[Found], bool], ...] = (
    bus,
    keys,
    screen_socket,
    reader,
    espeak,
    records,
    database,
    rule_file,
    hard_link,
    service,
    instance,
    is_there,
    foreign_terminal,
    looks_through_the_first_process,
    uncovers,
    enters,
    traces,
    says,
    asks,
    types_into_a_terminal,
)


def main() -> None:
    found = json.loads(Path(sys.argv[1]).read_text())
    sys.path.insert(0, found["env"]["PYTHONPATH"])
    with Path(found["to"]).open("w") as file:
        for attempt in ATTEMPTS:
            if found["only"] and attempt.__name__ not in found["only"]:
                continue
            try:
                through = attempt(found)
            except Exception as error:  # whatever stopped it
                print(attempt.__name__, repr(error), flush=True)
                through = False
            file.write(json.dumps([attempt.__name__, through]) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
