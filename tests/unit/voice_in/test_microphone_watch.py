"""A microphone that delivers nothing but zeros."""

import pytest

from jarvis_desktop.adapters.microphone_watch import CardWatch, SilenceWatch

ZEROS = bytes(2560)
HISS = b"\1\0" * 1280


def changes(watch: SilenceWatch, pcm: bytes, seconds: float) -> list[tuple[float, bool]]:
    pieces = range(1, round(seconds / 0.08) + 1)
    return [(round(piece * 0.08, 2), watch.hint) for piece in pieces if watch.hear(pcm, 0.08)]


@pytest.mark.voice_bug("permission", "Records zeros when started from Finder")
def test_three_seconds_of_zeros_bring_a_hint_and_the_first_sound_takes_it_back() -> None:
    watch = SilenceWatch()
    assert changes(watch, ZEROS, 10) == [(3.04, True)]
    assert changes(watch, HISS, 1) == [(0.08, False)]


def test_a_microphone_that_hisses_is_never_suspected() -> None:
    assert changes(SilenceWatch(), HISS, 10) == []


def test_a_microphone_that_is_muted_later_is_noticed() -> None:
    watch = SilenceWatch()
    changes(watch, HISS, 5)
    assert changes(watch, ZEROS, 5) == [(3.04, True)]


def test_a_microphone_that_gates_noise_is_not_suspected_again() -> None:
    watch = SilenceWatch()
    changes(watch, ZEROS, 1)
    changes(watch, HISS, 1)
    assert changes(watch, ZEROS, 60) == []


@pytest.mark.voice_bug("device", "Bluetooth reconnect leaves dead mic")
def test_a_wished_device_is_opened_anew_when_it_was_gone_and_is_back() -> None:
    watch, device = CardWatch("HDA Intel\nUSB PnP"), "USB PnP: Audio (hw:1,0)"
    seen = [
        watch.gives_way(device, wished=True, cards=cards)
        for cards in ("HDA Intel\nUSB PnP", "HDA Intel", "HDA Intel", "HDA Intel\nUSB PnP")
    ]
    assert seen == [False, False, False, True]


@pytest.mark.voice_bug("device", "Any device change kills the audio engine")
@pytest.mark.parametrize("device", ["USB PnP: Audio (hw:1,0)", "default"])
def test_other_cards_do_not_touch_a_wished_device(device: str) -> None:
    watch = CardWatch("HDA Intel\nUSB PnP")
    for cards in ("USB PnP", "HDA Intel\nUSB PnP\nHeadphones", "USB PnP"):
        assert not watch.gives_way(device, wished=True, cards=cards)


def test_a_stand_in_gives_way_to_whatever_is_plugged_in() -> None:
    watch = CardWatch("HDA Intel")
    assert not watch.gives_way("default", wished=False, cards="HDA Intel")
    assert watch.gives_way("default", wished=False, cards="HDA Intel\nUSB PnP")
