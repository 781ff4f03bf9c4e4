"""Files of ours do not depend on the encoding of the system."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EVERYTHING = """
import asyncio, logging, sys
from pathlib import Path
from jarvis_desktop.adapters.home_dir import home_dir
from jarvis_desktop.adapters.log_setup import set_up_logging
from jarvis_desktop.adapters.settings_file import load_settings
from jarvis_desktop.adapters.sqlite_store import open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.ids import MAIN_AGENT, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Origin, TurnEnd, TurnRequest
from tests.fakes.texts import PlainTexts

home = home_dir()
settings, problems = load_settings(home)
set_up_logging(home)
logging.getLogger("jarvis_desktop").info("started", extra={"device": settings.voice.input_device})

async def main():
    clock = SystemClock()
    store = (await open_store(home / "jarvis.db", clock, PlainTexts())).store
    restored = await store.restore(MAIN_AGENT, home / "work")
    found = [line.text for line in restored.lines]
    if not found:
        await store.begin_turn(TurnRequest(TurnId("t"), restored.conversation.session_id, MAIN_AGENT, "안녕",
            Origin.TYPED, Language.KOREAN, restored.conversation.cwd, clock.now()))
        await store.end_turn(TurnId("t"), TurnEnd.ANSWERED, "반가워요")
    await store.close()
    there = restored.conversation.cwd == home / "work"
    print(ascii([len(problems), settings.voice.input_device, found, there]))

asyncio.run(main())
"""


ASCII_ONLY = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture
def euc_kr(tmp_path: Path) -> dict[str, str]:
    """An environment in the old Korean encoding, in which a file name of ours is other letters."""
    made = tmp_path / "locales"
    made.mkdir()
    command = ["localedef", "-i", "ko_KR", "-f", "EUC-KR", str(made / "ko_KR.EUC-KR")]
    reason = "the old Korean locale cannot be made (Debian: locales)"
    if (
        shutil.which("localedef") is None
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return {"LOCPATH": str(made), "LC_ALL": "ko_KR.EUC-KR", "PYTHONUTF8": "0"}


@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949")
def test_a_start_in_the_old_korean_encoding_reads_and_writes_every_file(
    tmp_path: Path, euc_kr: dict[str, str]
) -> None:
    reads_and_writes_every_file(tmp_path, euc_kr)


@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949")
def test_a_start_in_a_locale_without_hangul_reads_and_writes_every_file(tmp_path: Path) -> None:
    reads_and_writes_every_file(tmp_path, ASCII_ONLY)


def reads_and_writes_every_file(tmp_path: Path, foreign: dict[str, str]) -> None:
    """Three starts, the second in UTF-8: each finds what the one before wrote."""
    home = tmp_path / "홍길동"
    home.mkdir()
    (home / "settings.yaml").write_text("voice: {input_device: 내장 마이크}", "utf-8")
    program = tmp_path / "start.py"
    program.write_text(EVERYTHING, "utf-8")
    said = [
        subprocess.run(
            [sys.executable, program],
            env={"JARVIS_HOME": str(home), "PYTHONPATH": str(ROOT), **locale},
            capture_output=True,
            timeout=30,
            check=True,
        ).stdout
        for locale in (foreign, {"LC_ALL": "C.UTF-8"}, foreign)
    ]

    assert said == [
        ascii([0, "내장 마이크", [], True]).encode() + b"\n",
        *[ascii([0, "내장 마이크", ["안녕", "반가워요"], True]).encode() + b"\n"] * 2,
    ]
    records = (home / "logs" / "jarvis.log").read_text("utf-8").splitlines()
    assert [json.loads(record)["device"] for record in records] == ["내장 마이크"] * 3


@pytest.mark.voice_bug("path_locale", "UnicodeDecodeError cp949")
def test_the_command_line_says_what_it_can_on_a_terminal_without_hangul(tmp_path: Path) -> None:
    home = tmp_path / "홍길동 집"
    home.mkdir(0o700)
    rules = "rules: # 늘 허용\n  - {tool: bash, pattern: \"touch '한글 파일'\"}\n"
    (home / "approvals.yaml").write_text(rules, "utf-8")
    said = [
        subprocess.run(
            [sys.executable, "-m", "jarvis_desktop", *command],
            env={"JARVIS_HOME": str(home), "JARVIS_UI__LANGUAGE": "ko", "PYTHONPATH": str(ROOT)} | ASCII_ONLY,
            input=b"touch '\xed\x95\x9c\xea\xb8\x80 \xed\x8c\x8c\xec\x9d\xbc'\n",
            capture_output=True,
            timeout=30,
            check=True,
        )
        for command in (["rules", "list"], ["rules", "test"])
    ]
    assert b"touch '?? ??'" in said[0].stdout
    assert json.loads(said[1].stdout)["rules"][0]["pattern"] == "touch '한글 파일'"
    assert [one.stderr for one in said] == [b"", b""]
