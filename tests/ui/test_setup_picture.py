"""What a front end knows of the setup, how far its steps are, and how that is worded."""

from dataclasses import replace

import pytest

from jarvis_desktop.core.items.events import Event, LevelHeard, WakeHeard
from jarvis_desktop.core.items.fetching import FetchKind, FetchStage, FetchState
from jarvis_desktop.core.items.setup import (
    Backend,
    BeginTrial,
    ChatChoice,
    DropFetch,
    FetchChanged,
    MeasureModel,
    ModelMeasured,
    OllamaPresence,
    SettingRefused,
    SettingsChanged,
    SetupFacts,
    SetupLooked,
    StartOllama,
    Trial,
    TrialChanged,
)
from jarvis_desktop.ui import setup_words
from jarvis_desktop.ui.setup_picture import SetupPicture
from jarvis_desktop.ui.setup_steps import Progress, Step, progress
from tests.fakes.texts import PlainTexts
from tests.ui.setup_samples import BARE, FULL, GEMMA, INSIDE, LARGE, MACHINE, SETTINGS, WHISPER, fetching

TEXTS = PlainTexts()


def seen(*events: Event) -> SetupPicture:
    picture = SetupPicture()
    for event in events:
        picture.take(event)
    return picture


def looked(facts: SetupFacts = FULL, **settings: object) -> SetupLooked:
    return SetupLooked(
        replace(facts, settings={**SETTINGS, **{f"model.{name}": value for name, value in settings.items()}})
    )


@pytest.mark.parametrize(
    ("events", "step", "expected"),
    [
        ([], Step.SPEECH, Progress.OPEN),
        ([looked()], Step.WELCOME, Progress.READY),
        ([looked()], Step.SPEECH, Progress.READY),
        ([looked(BARE)], Step.SPEECH, Progress.MISSING),
        ([looked(BARE), fetching("wake"), fetching()], Step.SPEECH, Progress.UNDERWAY),
        ([looked(BARE), fetching("wake")], Step.SPEECH, Progress.MISSING),
        (
            [looked(BARE), fetching("wake", FetchStage.DONE), fetching(stage=FetchStage.DONE)],
            Step.SPEECH,
            Progress.READY,
        ),
        ([looked(BARE), fetching("wake"), fetching(stage=FetchStage.FAILED)], Step.SPEECH, Progress.MISSING),
        ([looked()], Step.SOUND, Progress.READY),
        ([looked(BARE)], Step.SOUND, Progress.MISSING),
        (
            [looked(), TrialChanged(Trial.MICROPHONE, running=False, trouble="It went away.")],
            Step.SOUND,
            Progress.MISSING,
        ),
        ([looked()], Step.WAKE, Progress.OPEN),
        ([looked(BARE)], Step.WAKE, Progress.MISSING),
        ([looked(), TrialChanged(Trial.WAKE_WORD, running=True), WakeHeard(0.9)], Step.WAKE, Progress.READY),
        ([looked(), WakeHeard(0.9)], Step.WAKE, Progress.OPEN),
        ([looked()], Step.CHAT, Progress.READY),
        ([looked(BARE)], Step.CHAT, Progress.MISSING),
        ([looked(replace(FULL, ollama=OllamaPresence.STOPPED))], Step.CHAT, Progress.MISSING),
        ([looked(name="gemma4:e4b")], Step.CHAT, Progress.MISSING),
        ([looked(name="of-my-own")], Step.CHAT, Progress.MISSING),
        (
            [
                looked(name="gemma4:e4b"),
                FetchChanged(FetchState(FetchKind.OLLAMA, "gemma4:e4b", FetchStage.RUNNING)),
            ],
            Step.CHAT,
            Progress.UNDERWAY,
        ),
        ([looked()], Step.START, Progress.READY),
        ([looked(replace(FULL, hotkey_trouble="Taken."))], Step.START, Progress.MISSING),
        ([looked()], Step.DONE, Progress.OPEN),
    ],
)
def test_a_step_is_as_far_as_what_was_found(events: list[Event], step: Step, expected: Progress) -> None:
    assert progress(step, seen(*events)) is expected


@pytest.mark.parametrize(
    ("ollama", "inside_present", "backend", "name", "chosen"),
    [
        (OllamaPresence.RUNNING, True, "auto", "gemma4:e2b", GEMMA),
        (OllamaPresence.STOPPED, True, "auto", "gemma4:e2b", INSIDE),
        (OllamaPresence.STOPPED, False, "auto", "gemma4:e2b", GEMMA),
        (OllamaPresence.STOPPED, True, "ollama", "gemma4:e2b", GEMMA),
        (OllamaPresence.RUNNING, True, "embedded", "gemma-3-270m", INSIDE),
        (OllamaPresence.RUNNING, False, "embedded", "gemma4:e2b", INSIDE),
        (OllamaPresence.RUNNING, True, "auto", "gemma4:e4b:latest", LARGE),
        (OllamaPresence.RUNNING, True, "auto", "something-else", None),
    ],
)
def test_the_chosen_model_is_the_one_that_would_answer(
    ollama: OllamaPresence,
    inside_present: object,
    backend: str,
    name: str,
    chosen: ChatChoice | None,
) -> None:
    inside = replace(INSIDE, present=bool(inside_present))
    facts = replace(BARE, ollama=ollama, chat=(GEMMA, LARGE, inside))
    found = seen(looked(facts, backend=backend, name=name)).chosen()
    assert (found and found.name) == (chosen and chosen.name)


def test_models_inside_jarvis_are_no_speech_models() -> None:
    assert [choice.name for choice in seen(looked(BARE)).speech_files()] == [
        "wake",
        "whisper-base",
        "whisper-small",
    ]


def test_a_refused_setting_is_told_until_it_changes_after_all() -> None:
    picture = seen(looked(), SettingRefused("ui.hotkey", "Taken."))
    assert (picture.refused, picture.setting("ui.hotkey")) == ({"ui.hotkey": "Taken."}, "")
    picture.take(SettingsChanged({"ui.hotkey": "Ctrl+Alt+J"}))
    assert (picture.refused, picture.setting("ui.hotkey")) == ({}, "Ctrl+Alt+J")


def test_what_a_person_asked_for_shows_before_the_core_answers() -> None:
    picture = seen(looked(), fetching(), ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 5.0, 1.0))
    picture.asked(MeasureModel(Backend.OLLAMA, "gemma4:e2b"))
    picture.asked(DropFetch(FetchKind.FILES, "whisper-base"))
    picture.asked(StartOllama())
    assert (picture.measuring, picture.measured) == ({(Backend.OLLAMA, "gemma4:e2b")}, {})
    assert (picture.fetches, picture.working) == ({}, True)
    picture.take(ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 6.0, 1.0))
    picture.take(looked())
    assert (picture.measuring, picture.working) == (set(), False)


def test_a_quiet_room_is_not_taken_for_a_voice_and_each_trial_begins_afresh() -> None:
    picture, heard = SetupPicture(), []
    for level in (0.03, 0.4, 0.0):
        picture.take(LevelHeard(level))
        heard.append(picture.heard_sound)
    picture.asked(BeginTrial(Trial.MICROPHONE))
    assert [*heard, picture.heard_sound] == [False, True, True, False]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (4_200, "4 kB"),
        (3_685_906, "3.7 MB"),
        (147_882_941, "148 MB"),
        (7_200_000_000, "7.2 GB"),
        (16_500_000_000, "16 GB"),
    ],
)
def test_sizes_are_told_as_download_pages_tell_them(size: int, text: str) -> None:
    assert setup_words.size_text(size) == text


@pytest.mark.parametrize(
    ("left_s", "text"),
    [
        (0.2, "about 1 s left"),
        (9, "about 9 s left"),
        (44, "about 40 s left"),
        (89, "about 90 s left"),
        (120, "about 2 min left"),
        (3599, "about 60 min left"),
        (4000, "about 1 h 7 min left"),
    ],
)
def test_time_left_is_told_no_finer_than_it_is_known(left_s: float, text: str) -> None:
    assert setup_words.left_text(left_s, TEXTS) == text


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (fetching(), "50 MB of 100 MB · 2.5 MB a second · about 20 s left"),
        (fetching(stage=FetchStage.PAUSED), "Paused at 50 MB of 100 MB"),
        (fetching(stage=FetchStage.WAITING), "Waits until another download is done"),
        (fetching(stage=FetchStage.CHECKING), "Everything has come; it is being checked…"),
        (fetching(stage=FetchStage.FAILED, trouble="The disk is full."), "The disk is full."),
        (
            fetching(stage=FetchStage.FAILED),
            "It could not be fetched. Try again; what has come is kept.",
        ),
        (
            fetching(stage=FetchStage.STALLED),
            "Nothing has come for a while. Jarvis tries again by itself; what has come is kept.",
        ),
        (fetching(stage=FetchStage.DONE), "There, and checked"),
    ],
)
def test_a_download_says_where_it_is_and_why_it_stands(event: FetchChanged, text: str) -> None:
    assert setup_words.fetch_text(event.state, TEXTS) == text


def test_several_downloads_are_told_as_one() -> None:
    one = seen(fetching())
    assert setup_words.moving_text(one, TEXTS) == (
        "Fetching Speech recognition (Whisper base) · 50 MB of 100 MB · 2.5 MB a second · about 20 s left"
    )
    two = seen(fetching(), fetching("wake", done=0))
    assert setup_words.moving_text(two, TEXTS) == (
        "Fetching 2 models · 50 MB of 200 MB · 5.0 MB a second · about 30 s left"
    )
    assert setup_words.moving_brief(two, TEXTS) == "Fetching: 25 %\nabout 30 s left"
    assert setup_words.moving_text(seen(fetching(stage=FetchStage.PAUSED)), TEXTS) == ""


def test_a_total_that_nobody_knows_yet_is_not_made_up() -> None:
    unknown = FetchChanged(FetchState(FetchKind.OLLAMA, "gemma4:e2b", FetchStage.RUNNING, 5_000_000))
    picture = seen(unknown)
    assert setup_words.moving_text(picture, TEXTS) == "Fetching gemma4:e2b · 5.0 MB"
    assert (setup_words.share(picture.moving), setup_words.moving_brief(picture, TEXTS)) == (
        (5_000_000, 0),
        "Fetching…",
    )


def test_machine_speed_and_facts_are_told_in_one_line_each() -> None:
    assert setup_words.machine_text(replace(MACHINE, gpu="RTX 4060"), TEXTS) == (
        "16 GB of memory · 8 cores · RTX 4060 · 80 GB free on disk"
    )
    slow = ModelMeasured(Backend.OLLAMA, "gemma4:e2b", 2.0, 3.1)
    assert setup_words.speed_text(GEMMA, slow, TEXTS) == (
        "Measured here: 2.0 tokens a second · first word after 3.1 s · slower than reading"
    )
    assert setup_words.speed_text(GEMMA, None, TEXTS) == ""
    failed = replace(slow, trouble="The model did not answer.")
    assert setup_words.speed_text(GEMMA, failed, TEXTS) == "The model did not answer."
    assert setup_words.file_facts(WHISPER, TEXTS) == "148 MB · Korean, English · Licence: CC BY-NC-SA 4.0"
    assert setup_words.from_text(WHISPER.sources, TEXTS) == "From: a package index, else the official address"
    assert setup_words.total_text(2_000_000, 1_000_000, TEXTS) == (
        "To fetch: 2.0 MB · only 1.0 MB free on disk; make room first"
    )
