"""What this machine can carry, read from a machine that the test writes down."""

import os
from pathlib import Path

import psutil
import pytest

from jarvis_desktop.adapters.machine_facts import (
    free_disk_bytes,
    free_memory_bytes,
    gpu_name,
    machine_facts,
    memory_bytes,
    usable_cores,
)

GB = 1 << 30


def machine(root: Path, *, cgroup: str = "0::/app\n", **files: str) -> Path:
    """A root with 16 GB of memory, 10 of them free, and ``files`` (``a__b`` is the path a/b)."""
    meminfo = f"MemTotal: {16 * GB // 1024} kB\nMemFree: 1 kB\nMemAvailable: {10 * GB // 1024} kB\n"
    written = {"proc__meminfo": meminfo, "proc__self__cgroup": cgroup, **files}
    for name, text in written.items():
        path = root.joinpath(*name.split("__"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_the_real_machine_says_what_it_has() -> None:
    facts = machine_facts(Path("/never/made/models"))

    assert 0 < facts.memory_bytes <= psutil.virtual_memory().total
    assert facts.cores == len(os.sched_getaffinity(0))
    assert facts.free_disk_bytes > 0
    assert 0 < (free_memory_bytes() or 0) <= facts.memory_bytes


def test_without_a_limit_all_memory_counts(tmp_path: Path) -> None:
    root = machine(tmp_path)

    assert (memory_bytes(root), free_memory_bytes(root)) == (16 * GB, 10 * GB)


@pytest.mark.parametrize("place", ["app/inner", "app"])
def test_a_limit_of_our_group_or_of_one_around_it_counts(tmp_path: Path, place: str) -> None:
    root = machine(tmp_path, cgroup="0::/app/inner\n")
    group = root / "sys/fs/cgroup" / place
    group.mkdir(parents=True)
    (group / "memory.max").write_text(f"{4 * GB}\n")
    (group / "memory.current").write_text(f"{3 * GB}\n")
    # Pages of files can be dropped.
    (group / "memory.stat").write_text(f"anon {GB}\ninactive_file {2 * GB}\n")

    assert (memory_bytes(root), free_memory_bytes(root)) == (4 * GB, 3 * GB)


def test_limits_of_older_control_groups_count_and_their_number_for_none_does_not(tmp_path: Path) -> None:
    root = machine(tmp_path, cgroup="5:cpu:/app\n4:memory:/app\n")
    group = root / "sys/fs/cgroup/memory/app"
    group.mkdir(parents=True)
    (group.parent / "memory.limit_in_bytes").write_text("9223372036854771712")
    (group / "memory.limit_in_bytes").write_text(str(2 * GB))
    (group / "memory.usage_in_bytes").write_text(str(GB))

    assert (memory_bytes(root), free_memory_bytes(root)) == (2 * GB, GB)


def test_a_system_that_says_nothing_is_not_guessed_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")

    assert (memory_bytes(tmp_path), free_memory_bytes(tmp_path)) == (0, None)
    assert usable_cores() == os.cpu_count()


@pytest.mark.parametrize(
    ("vendor", "name"), [("0x10de", "NVIDIA GPU"), ("0x1002", "AMD GPU"), ("0x8086", ""), ("0x1234", "")]
)
def test_a_graphics_processor_is_named_by_its_maker(tmp_path: Path, vendor: str, name: str) -> None:
    root = machine(tmp_path, sys__class__drm__card0__device__vendor=f"{vendor}\n")

    assert gpu_name(root, ask=str) == name


def test_the_makers_own_program_knows_the_name_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho 'GeForce RTX 4070'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert gpu_name(tmp_path) == "GeForce RTX 4070"

    program.write_text("#!/bin/sh\nexit 9\n")
    assert gpu_name(tmp_path) == ""


def test_free_disk_is_that_of_the_place_where_the_folder_will_be(tmp_path: Path) -> None:
    assert free_disk_bytes(tmp_path / "not" / "made") == pytest.approx(free_disk_bytes(tmp_path), rel=0.05)
