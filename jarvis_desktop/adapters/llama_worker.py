"""Program that runs one chat model with llama.cpp and serves it to us alone.

A process of its own, because a native crash, a hang or the memory of a model must not take the app along.

Standard input: one line, an ``Order`` as JSON. It stays open as a lifeline: when it closes, this ends.
Standard output: one line, a ``Report`` as JSON. After that the engine answers at the reported address,
in the words of OpenAI's ``/v1``, to whoever knows the key.
"""

import ctypes
import json
import os
import signal
import sys
import threading
from dataclasses import asdict, dataclass

PR_SET_PDEATHSIG = 1
NICENESS = 5
"""Ears, mouth and window go first."""
READ_TOKENS = 64
"""Of a prompt, read in one go; between two of them the engine notices that nobody waits any more."""
LIFELINE = 0


@dataclass(frozen=True, slots=True)
class Order:
    """What to serve, and to whom."""

    model: str
    """Path of a GGUF file; its digest was checked."""
    context_tokens: int
    threads: int
    key: str
    """Every request must carry it."""
    socket: str
    """Path of a unix socket; empty: a free port of this machine's own address."""
    parent: int
    """Process that ordered."""
    prompts: str = ""
    """Folder in which the engine may keep what it has read; empty: nowhere."""


@dataclass(frozen=True, slots=True)
class Report:
    """How the start went."""

    address: str = ""
    """``unix://PATH`` or ``http://127.0.0.1:PORT``; empty: it failed."""
    missing: bool = False
    """The engine's package is not installed, or cannot be loaded here."""


def serve(order: Order, out: int) -> None:
    """The model is served until this process is ended."""
    # Threads that wait by spinning slow each other and everybody else down: with two of them on two busy
    # cores 1.2 tokens/s instead of 6.3. Read when the library is loaded, so set before the import.
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        import xllamacpp  # optional, 106 MB
    except ImportError:
        _report(Report(missing=True), out)
        return
    wanted = xllamacpp.CommonParams()
    wanted.model.path = order.model
    wanted.hostnames = [order.socket or "127.0.0.1"]
    wanted.api_keys = [order.key]
    wanted.ui = False
    wanted.endpoint_slots = bool(order.prompts)  # to save and restore what was read; for the key's owner
    wanted.slot_save_path = order.prompts
    wanted.n_ctx = order.context_tokens
    wanted.n_parallel = 1
    wanted.n_batch = wanted.n_ubatch = READ_TOKENS
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = order.threads
    wanted.cache_ram_mib = 0  # its own default keeps up to 8 GB of old prompts
    wanted.cache_idle_slots = False
    wanted.fit_params = wanted.warmup = False
    wanted.verbosity = 0  # its log would hold what was said
    try:
        server = xllamacpp.Server(wanted)
    except RuntimeError:
        _report(Report(), out)
        return
    _report(Report(address=server.listening_address), out)
    threading.Event().wait()


def _report(report: Report, out: int) -> None:
    os.write(out, json.dumps(asdict(report)).encode() + b"\n")


def _die_with(parent: int) -> None:
    """From now on the process ends at once when its parent does, even while the engine is busy loading."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.name == "posix" and os.getppid() != parent:
        os._exit(0)  # it was gone before it could be watched


def _watch_lifeline() -> None:
    while os.read(LIFELINE, 4096):
        pass
    os._exit(0)


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        more = os.read(LIFELINE, 4096)
        if not more:
            sys.exit(0)
        line += more
    return line


def main() -> None:
    """Serve what standard input orders."""
    order = Order(**json.loads(_first_line()))
    _die_with(order.parent)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_watch_lifeline, daemon=True).start()
    # The engine may print: the report keeps the standard output to itself.
    out = os.dup(1)
    os.dup2(2, 1)
    serve(order, out)


if __name__ == "__main__":
    main()
