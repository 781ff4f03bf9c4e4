"""Sound devices that are plugged in and out: ALSA's list of devices, on the sources of a real PulseAudio.

PortAudio reads the list as it does on every Linux desktop; only the kernel's own list of cards is a file
of the test.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters import microphone
from jarvis_desktop.adapters.sound_devices import SoundDevices
from tests.parts.audio import SoundServer

BUILT_IN = "Built-in Audio"
SYSTEM = "/usr/share/alsa/alsa.conf"
# A device that another program holds: ALSA asks its driver, which says so.
DRIVER = """\
#include <errno.h>
#include <unistd.h>
int snd_pcm_open(void **pcm, const char *name, int stream, int mode);
int _snd_pcm_taken_open(void **pcm, const char *name, void *root, void *conf, int stream, int mode)
{
    (void)name; (void)root; (void)conf;
    if (access(FLAG, F_OK) == 0)
        return -EBUSY;
    return snd_pcm_open(pcm, "behind_taken", stream, mode);
}
char __snd_pcm_taken_open_dlsym_pcm_001;
"""


class SoundCards:
    """What is plugged in."""

    def __init__(self, server: SoundServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self.list = folder / "asound.conf"
        self.kernel_list = folder / "cards"
        self._devices: dict[str, str] = {}

    def plug_in(self, name: str, source: str = "", *, first: bool = False) -> None:
        """A device of this name is there; as the first of the list when wanted, so that all others move."""
        if not source:
            sink = f"card{len(self._devices)}"
            self._server.control("load-module", "module-null-sink", f"sink_name={sink}", "norewinds=1")
            source = f"{sink}.monitor"
        kind = f"type pulse; device {source}"
        self._devices = {name: kind, **self._devices} if first else {**self._devices, name: kind}
        self._tell()

    def plug_in_a_device_that_can_be_taken(self, name: str) -> None:
        """A device of this name whose driver refuses it while ``taken``."""
        source, driver = self._folder / "taken.c", self._folder / "taken.so"
        source.write_text(f'#define FLAG "{self._flag}"\n{DRIVER}', "ascii")
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-o", driver, source, "-l:libasound.so.2"], check=True, timeout=30
        )
        self._server.control("load-module", "module-null-sink", "sink_name=taken_sink", "norewinds=1")
        self._extra = (
            f'pcm_type.taken {{ lib "{driver}" }}\n'
            "pcm.behind_taken { type pulse; device taken_sink.monitor }\n"
        )
        self._devices[name] = "type taken"
        self._tell()

    def pull_out(self, name: str) -> None:
        """The device is gone, and so is what it delivered."""
        source = self._devices.pop(name).rpartition(" ")[2]
        sink = source.removesuffix(".monitor")
        for line in self._server.control("list", "short", "modules").splitlines():
            number, _, arguments, *_ = [*line.split("\t"), ""]
            if f"sink_name={sink} " in arguments + " ":
                self._server.control("unload-module", number)
        self._tell()

    def take(self, *, taken: bool) -> None:
        """Another program holds the device, or lets it go."""
        if taken:
            self._flag.touch()
        else:
            self._flag.unlink()

    def recorded(self) -> list[str]:
        """Names of the sources that are being recorded."""
        sources = dict(
            line.split("\t")[:2] for line in self._server.control("list", "short", "sources").splitlines()
        )
        outputs = self._server.control("list", "short", "source-outputs").splitlines()
        ours = (line.split("\t") for line in outputs if "\tprotocol-native.c\t" in line)
        return [sources[source] for _, source, *_ in ours]

    @property
    def _flag(self) -> Path:
        return self._folder / "taken"

    _extra = ""

    def _tell(self) -> None:
        shown = (
            f'pcm."{name}" {{ {kind}; hint {{ show on; description "{name}" }} }}\n'
            for name, kind in self._devices.items()
        )
        self.list.write_text(f"<{SYSTEM}>\n{self._extra}{''.join(shown)}", "utf-8")
        self.kernel_list.write_text("\n".join(self._devices), "utf-8")


@pytest.fixture
def sound_cards(
    sound_server: SoundServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SoundCards]:
    """One built-in microphone; more can be plugged in."""
    cards = SoundCards(sound_server, tmp_path)
    monkeypatch.setattr(microphone, "CARDS", cards.kernel_list)
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(cards.list))
    cards.plug_in(BUILT_IN, "vmic")
    yield cards
    monkeypatch.delenv("ALSA_CONFIG_PATH")
    devices = SoundDevices()
    devices.library()
    devices.rescan()
    assert "ALSA_CONFIG_PATH" not in os.environ
