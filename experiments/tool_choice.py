"""How often small models held to a schema choose the right tool under the real prompt, and what it costs.

``python -m experiments.tool_choice [--host URL] [--models a,b] [--sets asked,held_out]``. Nothing is run:
only the first choice counts. ``asked`` was known while the prompt was tuned; ``held_out`` was written before
that and is not to be tuned on. Without ``--host`` (or ``JARVIS_TEST_OLLAMA``) a server of our own with the
models of the tests is started.
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from experiments.bench_common import Run, store
from experiments.served_models import served
from jarvis_desktop.adapters.bash_shell import BashShell
from jarvis_desktop.adapters.local_files import LocalFiles
from jarvis_desktop.adapters.ollama_model import OllamaModel
from jarvis_desktop.adapters.public_web import PublicWeb
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.ids import MAIN_AGENT, SessionId, TurnId
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnRequest
from jarvis_desktop.core.ports import CallStyle, ChatRequest, DonePiece
from jarvis_desktop.core.settings import ModelSettings, WebSettings
from jarvis_desktop.core.turn.prompt import PromptBuilder, ToolOffer
from jarvis_desktop.core.turn.reply_parser import ReplyReader
from jarvis_desktop.core.turn.schema_calls import ANSWER
from jarvis_desktop.core.turn.tool_registry import builtin_tools
from tests.fakes.texts import PlainTexts

ASKED = (
    ("What files are in this folder?", "list_dir"),
    ("exp_probe.md 권한을 000 으로 바꿔 줘", "bash"),
    ("Show me README.md", "read_file"),
    ("지금 폴더에 뭐가 있어?", "list_dir"),
    ("Run git status", "bash"),
    ("안녕, 너는 누구야?", "answer"),
    ("src 폴더에서 TODO 를 찾아 줘", "grep"),
    ("Create notes.txt with the text hello", "write_file"),
    ("chmod 600 exp_probe.md 해 줘", "bash"),
    ("메모.txt 에 안녕이라고 써 줘", "write_file"),
    ("지금 실행 중인 프로세스 보여 줘", "bash"),
    ("What is two plus two?", "answer"),
)
HELD_OUT = (
    ("List the files in the docs folder", "list_dir"),
    ("Kill the process on port 8000", "bash"),
    ("Open config.yaml and tell me what it says", "read_file"),
    ("Find every .py file below this folder", "glob"),
    ("Who wrote Romeo and Juliet?", "answer"),
    ("In settings.txt replace the word red with blue", "edit_file"),
    ("고마워, 오늘 수고했어", "answer"),
    ("main.py 내용 좀 보여 줘", "read_file"),
    ("todo.md 파일을 만들고 우유 사기라고 적어 줘", "write_file"),
    ("git 로그 마지막 세 개만 보여 줘", "bash"),
    ("다운로드 폴더에 어떤 파일이 있는지 알려 줘", "list_dir"),
    ("프로젝트에서 password 라는 단어가 들어간 줄을 찾아 줘", "grep"),
)
SETS = {"asked": ASKED, "held_out": HELD_OUT}
MODELS = ("qwen05-schema", "qwen15-schema")
SPECS = tuple(
    tool.spec
    for tool in builtin_tools(LocalFiles(), BashShell(), PublicWeb(lambda: WebSettings.model_validate({})))
)
MARKS = {True: " ", False: "✗"}
AT = datetime(2026, 12, 1, 9, tzinfo=timezone(timedelta(hours=9)))


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model did about one request."""

    tool: str
    took_s: float
    prompt_tokens: int


@dataclass(slots=True)
class Score:
    """One model, all sets."""

    right: dict[str, str] = field(default_factory=dict)
    took_s: list[float] = field(default_factory=list)
    prompt_tokens: int = 0
    """The longest."""

    def as_mapping(self) -> dict[str, Json]:
        """As it is stored; the first request had the whole prompt read, the model being loaded."""
        return {
            **self.right,
            "cold_s": round(self.took_s[0], 1),
            "median_s": round(statistics.median(self.took_s[1:]), 1),
            "prompt_tokens": self.prompt_tokens,
        }


def first_request(text: str, tokens: int) -> ChatRequest:
    """The real prompt's first request about ``text``."""
    korean = any("가" <= char <= "힣" for char in text)
    request = TurnRequest(
        TurnId("t"),
        SessionId("s"),
        MAIN_AGENT,
        text,
        Origin.TYPED,
        Language.KOREAN if korean else Language.ENGLISH,
        Path("/home/u/proj"),
        AT,
    )
    now = (Message(Role.USER, text),)
    offer = ToolOffer(SPECS, some_need_approval=True)
    return PromptBuilder().build(request, (), now, offer, CallStyle.SCHEMA, tokens)


async def choose(model: OllamaModel, text: str) -> Choice:
    """The tool that ``model`` would use first; ``unreadable`` where there is none."""
    reader, began_s, prompt_tokens = ReplyReader(CallStyle.SCHEMA), time.monotonic(), 0
    async with aclosing(model.stream(first_request(text, model.context_tokens))) as pieces:
        async for piece in pieces:
            reader.feed(piece)
            if isinstance(piece, DonePiece):
                prompt_tokens = piece.prompt_tokens
            if reader.looping:
                break
    reply = reader.finish()
    tool = reply.calls[0].name if reply.calls else ANSWER if reply.text else "unreadable"
    return Choice(tool, time.monotonic() - began_s, prompt_tokens)


async def scored(name: str, host: str, sets: Sequence[str]) -> Score:
    """All requests of ``sets`` to one model."""
    settings = {"host": host, "name": name, "context_tokens": 4096, "temperature": 0}
    model, score = OllamaModel(ModelSettings.model_validate(settings), PlainTexts()), Score()
    try:
        await model.warm_up()
        for one in sets:
            right = 0
            for text, wanted in SETS[one]:
                choice = await choose(model, text)
                right += choice.tool == wanted
                score.took_s.append(choice.took_s)
                score.prompt_tokens = max(score.prompt_tokens, choice.prompt_tokens)
                print(f"  {MARKS[choice.tool == wanted]} {choice.took_s:5.1f} s  {text} -> {choice.tool}")
            score.right[one] = f"{right}/{len(SETS[one])}"
    finally:
        await model.close()
    return score


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--host", default=os.environ.get("JARVIS_TEST_OLLAMA", ""))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--sets", default=",".join(SETS))
    chosen = parser.parse_args()
    models, sets = chosen.models.split(","), chosen.sets.split(",")
    results: dict[str, Json] = {}
    with served(chosen.host, models) as host:
        for name in models:
            print(name)
            results[name] = asyncio.run(scored(name, host, sets)).as_mapping()
            print(f"{name}: {results[name]}")
    store(Run("tool_choice", results, seed=0, packages=("ollama",)))


if __name__ == "__main__":
    main()
