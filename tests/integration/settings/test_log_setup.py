"""Logs on a real disk: useful to us, silent about what was said."""

import asyncio
import json
import logging
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from jarvis_desktop.adapters.log_setup import MOST_BYTES, log_uncaught, loop_error_logged, set_up_logging
from jarvis_desktop.core.items.errors import StorageError

SECRET = "비밀 marker-7d1"
log = logging.getLogger("jarvis_desktop.test")


def lines(home: Path) -> list[dict[str, Any]]:
    """Everything logged so far, without the time."""
    text = (home / "logs" / "jarvis.log").read_text("utf-8")
    return [{k: v for k, v in json.loads(line).items() if k != "at"} for line in text.splitlines()]


def test_a_record_is_a_sentence_and_its_fields(tmp_path: Path) -> None:
    set_up_logging(tmp_path, {})

    log.info("tool finished", extra={"tool": "bash", "ms": 12, "ok": True})
    log.debug("not kept")

    assert lines(tmp_path) == [
        {
            "level": "info",
            "logger": "jarvis_desktop.test",
            "event": "tool finished",
            "tool": "bash",
            "ms": 12,
            "ok": True,
        }
    ]


@pytest.mark.voice_bug("privacy", "Transcripts in logs")
def test_what_was_said_never_reaches_the_log(tmp_path: Path) -> None:
    class Strict(BaseModel):
        number: int

    set_up_logging(tmp_path, {"JARVIS_LOG_LEVEL": "debug"})

    log.info("heard %s", SECRET)
    log.info("heard", extra={"private_text": SECRET, "turn": {"text": SECRET}})
    logging.getLogger("faster_whisper").error(f"processing {SECRET}")
    try:
        Strict.model_validate({"number": SECRET})
    except ValidationError:
        log.exception("validation failed")

    assert SECRET not in (tmp_path / "logs" / "jarvis.log").read_text("utf-8")
    assert [line["event"] for line in lines(tmp_path)] == [
        "heard %s",
        "heard",
        "a library wrote a record",
        "validation failed",
    ]


def test_an_error_is_logged_by_type_and_place_down_to_its_cause(tmp_path: Path) -> None:
    set_up_logging(tmp_path, {})

    def fail() -> None:
        raise ValueError(SECRET)

    try:
        try:
            fail()
        except ValueError as error:
            raise StorageError("the disk is full") from error
    except StorageError as error:
        log.error("not stored", exc_info=error)

    outer, inner = lines(tmp_path)[0]["error"]
    assert (outer["type"], outer["text"]) == ("StorageError", "the disk is full")
    assert inner["type"] == "ValueError"
    assert "text" not in inner
    assert inner["frames"][-1].endswith(" fail")


def test_errors_that_nobody_caught_are_logged_without_their_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging(tmp_path, {})
    log_uncaught()

    def fail() -> None:
        raise RuntimeError(SECRET)

    thread = threading.Thread(target=fail, name="ears")
    thread.start()
    thread.join(5)
    try:
        fail()
    except RuntimeError as error:
        sys.excepthook(RuntimeError, error, error.__traceback__)
    loop = asyncio.new_event_loop()
    loop_error_logged(
        loop, {"message": "Task exception was never retrieved", "exception": RuntimeError(SECRET)}
    )
    loop.close()

    text = (tmp_path / "logs" / "jarvis.log").read_text("utf-8")
    assert SECRET not in text + capsys.readouterr().err
    assert [line["error"][0]["type"] for line in lines(tmp_path)] == ["RuntimeError"] * 3
    assert lines(tmp_path)[0]["thread_name"] == "ears"


def test_only_the_owner_can_read_the_logs_old_ones_included(tmp_path: Path) -> None:
    set_up_logging(tmp_path, {})
    for _ in range(MOST_BYTES // 10_000 * 2):
        log.info("x" * 10_000)

    files = sorted((tmp_path / "logs").iterdir())
    assert len(files) >= 2
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert (tmp_path / "logs").stat().st_mode & 0o777 == 0o700
    assert max(path.stat().st_size for path in files) <= MOST_BYTES


def test_without_a_place_for_the_log_the_program_goes_on(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be")

    assert set_up_logging(tmp_path, {}) is None
    log.info("nobody reads this")
