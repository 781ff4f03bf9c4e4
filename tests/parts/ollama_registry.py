"""A model library on loopback for a real Ollama server: what the server takes for ollama.com.

The server is given ``HTTPS_PROXY`` (this library) and ``SSL_CERT_FILE`` (a certificate made here), so that it
asks for a model by its usual name, as it does on a person's machine, and nothing leaves this one.
"""

import hashlib
import json
import re
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest

from tests.parts.ollama import absent

LIBRARY = "registry.ollama.ai"
PIECE_BYTES = 1 << 18
WAIT_S = 30.0
MEDIA = "application/vnd.ollama.image."


class Library:
    """A running library: models with their layers, and what was sent of them."""

    def __init__(self, folder: Path) -> None:
        self.certificate, self._key = folder / "library.pem", folder / "library.key"
        made_certificate(self.certificate, self._key)
        self._manifests: dict[str, bytes] = {}
        self._blobs: dict[str, Path | bytes] = {}
        self.refusals: dict[str, tuple[int, str]] = {}
        """Status and text for a model that is not handed out."""
        self._sent = threading.Condition()
        self._sent_bytes = 0
        self._hold_at: int | None = None
        self._lines: WeakSet[ssl.SSLSocket] = WeakSet()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="library", daemon=True)
        self._thread.start()

    @property
    def environment(self) -> dict[str, str]:
        """What makes a server believe that this is the real library."""
        return {"HTTPS_PROXY": self._url, "SSL_CERT_FILE": str(self.certificate)}

    @property
    def sent_bytes(self) -> int:
        """Bytes of layers that left here so far; some may still be on their way."""
        with self._sent:
            return self._sent_bytes

    def add(self, name: str, weights: Path | bytes, **layers: str) -> None:
        """A model; ``layers`` are texts by kind: ``template``, ``params`` …"""
        config = {"model_format": "gguf", "model_family": "llama", "model_families": ["llama"]}
        kinds = {"model": weights} | {kind: text.encode() for kind, text in layers.items()}
        entries = [self._layer(MEDIA + kind, blob) for kind, blob in kinds.items()]
        manifest = {
            "schemaVersion": 2,
            "mediaType": "application/vnd.docker.distribution.manifest.v2+json",
            "config": self._layer(
                "application/vnd.docker.container.image.v1+json", json.dumps(config).encode()
            ),
            "layers": entries,
        }
        self._manifests[name] = json.dumps(manifest).encode()

    def swap(self, right: bytes, wrong: bytes) -> None:
        """Whoever asks for the first gets the second, which is as long."""
        self._blobs[digest_of(right)] = wrong

    def hold_after(self, size_bytes: int) -> None:
        """After so many bytes more, nothing more of a layer is sent until ``go_on``."""
        with self._sent:
            self._hold_at = self._sent_bytes + size_bytes

    def wait_until_held(self) -> None:
        """Returns when all has been sent that may be."""
        with self._sent:
            came = self._sent.wait_for(
                lambda: self._hold_at is not None and self._sent_bytes >= self._hold_at, WAIT_S
            )
        assert came, f"only {self._sent_bytes} bytes were asked for"

    def go_on(self) -> None:
        """Nothing is held back any more."""
        with self._sent:
            self._hold_at = None
            self._sent.notify_all()

    def close(self) -> None:
        """It is gone."""
        self.go_on()
        self._server.shutdown()
        self._server.server_close()
        for line in tuple(self._lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._thread.join(WAIT_S)

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def _layer(self, media: str, blob: Path | bytes) -> dict[str, Any]:
        digest = digest_of(blob)
        self._blobs[digest] = blob
        return {"mediaType": media, "digest": f"sha256:{digest}", "size": size_of(blob)}

    def _may_send(self, size_bytes: int) -> int:
        """How many bytes of a layer may go now; waits while everything is held back."""
        with self._sent:
            self._sent.wait_for(lambda: self._hold_at is None or self._sent_bytes < self._hold_at, WAIT_S)
            if self._hold_at is not None:
                size_bytes = min(size_bytes, max(0, self._hold_at - self._sent_bytes))
            self._sent_bytes += size_bytes
            self._sent.notify_all()
            return size_bytes

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        library = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - named by the base class
                """Nothing is printed."""

            def handle(self) -> None:
                # A puller that hangs up in the middle is what these tests are about.
                with suppress(OSError):
                    super().handle()

            def finish(self) -> None:
                with suppress(OSError, ValueError):
                    super().finish()
                # The socket inside TLS is another one than the server knows and closes.
                self.connection.close()

            def do_CONNECT(self) -> None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(library.certificate, library._key)
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                self.connection = context.wrap_socket(self.connection, server_side=True)
                library._lines.add(self.connection)
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
                self.close_connection = False

            def do_HEAD(self) -> None:
                self._answer(with_body=False)

            def do_GET(self) -> None:
                self._answer(with_body=True)

            def _answer(self, *, with_body: bool) -> None:
                if named := re.fullmatch(r"/v2/library/([^/]+)/manifests/(.+)", self.path):
                    self._manifest(f"{named[1]}:{named[2]}", with_body=with_body)
                elif at_library := re.fullmatch(r"/v2/.+/blobs/sha256:([0-9a-f]{64})", self.path):
                    self._blob(at_library[1], with_body=with_body)
                elif elsewhere := re.fullmatch(r"/layers/([0-9a-f]{64})", self.path):
                    self._layer(elsewhere[1])

            def _manifest(self, name: str, *, with_body: bool) -> None:
                status, text = library.refusals.get(name, (404, "manifest unknown"))
                body = library._manifests.get(name, b"")
                if name in library.refusals or not body:
                    body = json.dumps({"errors": [{"code": "REFUSED", "message": text}]}).encode()
                    if status == 412:  # the real library answers this one in plain words
                        body = text.encode()
                else:
                    status = 200
                self._head(status, len(body))
                if with_body:
                    self.wfile.write(body)

            def _blob(self, digest: str, *, with_body: bool) -> None:
                if not with_body:
                    self._head(200, size_of(library._blobs[digest]))
                    return
                # As the real library does; the server follows by plain HTTP, without the proxy.
                port = library._server.server_address[1]
                self._head(307, 0, Location=f"http://localhost:{port}/layers/{digest}")

            def _layer(self, digest: str) -> None:
                blob = library._blobs[digest]
                begin, end = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups()  # type: ignore[union-attr]  # the server always asks for a range
                first, last = int(begin), int(end)
                self._head(
                    206, last - first + 1, **{"Content-Range": f"bytes {first}-{last}/{size_of(blob)}"}
                )
                for piece in pieces_of(blob, first, last + 1):
                    left = memoryview(piece)
                    while left and (size := library._may_send(len(left))):
                        self.wfile.write(left[:size])
                        left = left[size:]

            def _head(self, status: int, length: int, **headers: str) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(length))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

        return Handler


def pieces_of(blob: Path | bytes, first: int, end: int) -> Iterator[bytes]:
    """Bytes ``first`` to ``end`` in pieces."""
    if isinstance(blob, bytes):
        yield blob[first:end]
        return
    with blob.open("rb") as file:
        file.seek(first)
        while first < end and (piece := file.read(min(PIECE_BYTES, end - first))):
            first += len(piece)
            yield piece


def digest_of(blob: Path | bytes) -> str:
    """Its sha256."""
    if isinstance(blob, bytes):
        return hashlib.sha256(blob).hexdigest()
    with blob.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def size_of(blob: Path | bytes) -> int:
    """Its length in bytes."""
    return len(blob) if isinstance(blob, bytes) else blob.stat().st_size


def made_certificate(certificate: Path, key: Path) -> None:
    """A certificate for the library's name, good for this test run."""
    program = shutil.which("openssl")
    if program is None:
        absent("no openssl for the certificate of the library on loopback")
    subject = ("-subj", f"/CN={LIBRARY}", "-addext", f"subjectAltName=DNS:{LIBRARY}", "-days", "2")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    subprocess.run(
        [program, "req", "-x509", *curve, *subject, "-keyout", str(key), "-out", str(certificate)],
        capture_output=True,
        check=True,
        timeout=WAIT_S,
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A library without any model."""
    running = Library(tmp_path)
    yield running
    running.close()
