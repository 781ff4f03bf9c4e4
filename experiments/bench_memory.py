"""How long recalls among 10,000 episodes take, and what memory costs a turn at its start and its end.

    nice python -m experiments.bench_memory [--n 10000] [--times 50]

Each recall is also measured as a plain scan of the same rows in the same run, so that the ratio holds on any
machine; "cpu" is the processor's share of the median, which other programs stretch less. Episodes are made of
words with the frequencies of a language (Zipf), Korean with particles and English, so that some words are in
nearly all of them. Last, what forgetting one of them for good takes.
"""

import argparse
import asyncio
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from experiments.bench_common import Run, spread, store
from jarvis_desktop.adapters import sqlite_episodes as episodes
from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.adapters.sqlite_memory import SqliteMemory
from jarvis_desktop.adapters.sqlite_schema import transaction
from jarvis_desktop.adapters.sqlite_store import SqliteStore, open_store
from jarvis_desktop.adapters.system_clock import SystemClock
from jarvis_desktop.core.items.calls import Json
from jarvis_desktop.core.items.ids import MAIN_AGENT, AgentId, SessionId, TurnId
from jarvis_desktop.core.items.memory import Episode, KeptCall, Recall, SessionKind, TaskPattern
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.items.turn import Message, Origin, Role, TurnEnd, TurnRequest
from jarvis_desktop.core.memory.episode_text import REPLY_CHARS, REQUEST_CHARS, kept
from jarvis_desktop.core.memory.words import one_spelling

SEED = 7
RECALL_MS, START_MS = 20.0, 10.0
"""What a recall and the start of a turn may take."""
PATTERNS = 200
TOOLS = ("bash", "read_file", "write_file", "web_search", "grep", "lh_notice")
PARTICLES = ("", "가", "를", "은", "에서", "으로", "한테", "까지")
NOW = datetime(2026, 12, 1, tzinfo=UTC)


class Texts:
    """Words as a language has them."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        syllables = [chr(rng.randrange(0xAC00, 0xD7A3)) for _ in range(700)]
        letters = "abcdefghijklmnopqrstuvwxyz"
        korean = ["".join(rng.choices(syllables, k=rng.choice((2, 2, 2, 3, 4)))) for _ in range(3000)]
        english = ["".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(3000)]
        self.words = [word for pair in zip(korean, english, strict=True) for word in pair]
        self._weights = [1 / (rank + 1) for rank in range(len(self.words))]

    def text(self, count: int) -> str:
        """So many words."""
        chosen = self._rng.choices(self.words, self._weights, k=count)
        return " ".join(word if word.isascii() else word + self._rng.choice(PARTICLES) for word in chosen)


def episode(number: int, count: int, texts: Texts, rng: random.Random) -> Episode:
    """One of ``count``, the last one newest."""
    tool = rng.choice(TOOLS)
    return Episode(
        TurnId(f"t{number}"),
        SessionId("s"),
        MAIN_AGENT if rng.random() < 0.8 else AgentId("karen"),
        SessionKind.CONVERSATION,
        rng.choices((TurnEnd.ANSWERED, TurnEnd.FAILED, TurnEnd.DENIED), (90, 7, 3))[0],
        NOW - timedelta(hours=count - number),
        4.2,
        Language.KOREAN,
        tool,
        kept(texts.text(rng.randint(4, 60)), REQUEST_CHARS),
        kept(texts.text(rng.randint(10, 220)), REPLY_CHARS),
        (KeptCall(tool, {"query": texts.text(6)}),),
    )


def scanned(path: Path, wanted: Recall) -> int:
    """The same recall without any index; how many it finds."""
    words = one_spelling(wanted.text).split()
    found = 0
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        for row in connection.execute(f"SELECT {episodes.COLUMNS} FROM episodes ORDER BY +at DESC"):
            one = episodes.episode_of(row)
            said = one_spelling(
                " ".join((one.request.head, one.request.tail, one.reply.head, one.reply.tail))
            )
            fits = (
                (wanted.agent_id in (None, one.agent_id))
                and (wanted.since is None or one.at >= wanted.since)
                and (wanted.until is None or one.at <= wanted.until)
                and (not wanted.tool or wanted.tool in {call.name for call in one.calls})
                and all(word in said for word in words)
            )
            found += fits
    return found


async def timed(work: Callable[[], Awaitable[object]], times: int) -> dict[str, Json]:
    """Milliseconds of ``times`` runs, by the clock and of the processor."""
    took: list[float] = []
    cpu: list[float] = []
    for _ in range(times):
        begun, begun_cpu = time.perf_counter(), time.process_time()
        await work()
        took.append((time.perf_counter() - begun) * 1000)
        cpu.append((time.process_time() - begun_cpu) * 1000)
    return {**spread(took), "cpu": round(statistics.median(cpu), 3)}


def recalls(texts: Texts) -> dict[str, Recall]:
    """What is asked for, from the most frequent words to the rarest."""
    common, usual, rare = texts.words[0], texts.words[60], texts.words[3000]
    own = MAIN_AGENT
    return {
        "text, in nearly all": Recall(common, agent_id=own),
        "text, usual": Recall(usual, agent_id=own),
        "text, rare": Recall(rare, agent_id=own),
        "text, part of a word": Recall(texts.words[120][:2], agent_id=own),
        "text, two common words": Recall(f"{common} {texts.words[2]}", agent_id=own),
        "text, never said": Recall("zzqqx 뷁쀍꿹", agent_id=own),
        "tool": Recall(tool="lh_notice", agent_id=own),
        "time": Recall(since=NOW - timedelta(days=200), until=NOW - timedelta(days=190), agent_id=own),
        "text, tool and time": Recall(
            usual, NOW - timedelta(days=300), NOW - timedelta(days=100), "bash", agent_id=own
        ),
    }


def request(text: str, number: int, session: SessionId, folder: Path) -> TurnRequest:
    """A turn's request."""
    return TurnRequest(
        TurnId(f"n{number}"),
        session,
        MAIN_AGENT,
        text,
        Origin.TYPED,
        Language.KOREAN,
        folder,
        datetime.now(UTC),
    )


async def filled(
    path: Path, count: int, texts: Texts, rng: random.Random
) -> tuple[SqliteStore, SqliteMemory]:
    """A database with ``count`` episodes and ``PATTERNS`` patterns."""
    catalog = Catalog(Language.ENGLISH)
    opened = await open_store(path, SystemClock(), catalog)
    memory = SqliteMemory(opened.store, path, SystemClock(), catalog)
    await memory.index_anew()

    def fill(connection: sqlite3.Connection) -> None:
        with transaction(connection):
            for number in range(count):
                episodes.add_episode(connection, episode(number, count, texts, rng))

    await opened.store.alone(fill)
    for number in range(PATTERNS):
        keywords = tuple(rng.choices(texts.words, k=6))
        await memory.teach(
            TaskPattern(MAIN_AGENT, f"p{number}", texts.text(8), keywords, texts.text(60)[:400], NOW)
        )
    return opened.store, memory


async def at_the_end(
    store_: SqliteStore, memory: SqliteMemory, texts: Texts, folder: Path, times: int
) -> list[float]:
    """What writing the episode takes after a turn has ended; nobody waits for it."""
    session = (await store_.begin_conversation(MAIN_AGENT, folder)).session_id
    took: list[float] = []
    for number in range(times):
        one = request(texts.text(60), number, session, folder)
        await store_.begin_turn(one)
        await store_.end_turn(one.turn_id, TurnEnd.ANSWERED, texts.text(200))
        await store_.add_messages(one.turn_id, [Message(Role.ASSISTANT, texts.text(200))])
        begun = time.perf_counter()
        await memory.remember(one)
        took.append((time.perf_counter() - begun) * 1000)
    return took


async def measure(count: int, times: int) -> dict[str, dict[str, Json]]:
    """Everything, by name."""
    rng = random.Random(SEED)
    texts = Texts(rng)
    results: dict[str, dict[str, Json]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "jarvis.db"
        store_, memory = await filled(path, count, texts, rng)
        try:
            for what, wanted in recalls(texts).items():
                took = await timed(lambda wanted=wanted: memory.recall(wanted), times)  # type: ignore[misc]  # bound at once
                begun = time.perf_counter()
                found = scanned(path, wanted)
                scan_ms = round((time.perf_counter() - begun) * 1000, 1)
                ratio = round(scan_ms / float(str(took["p50"])), 1)
                results[what] = {**took, "found": found, "scan_ms": scan_ms, "scan_by_recall": ratio}
            said = request(texts.text(20), 0, SessionId("s"), folder)
            results["start of a turn"] = await timed(lambda: memory.fitting(said), times)
            results["end of a turn"] = spread(await at_the_end(store_, memory, texts, folder, times))
            results["database in MB"] = {"p50": round(path.stat().st_size / 1e6, 1)}
            await memory.let_go("episodes", count // 2)
            results["forgetting one"] = await timed(lambda: _forgotten(memory), 1)
        finally:
            await store_.close()
    return results


async def _forgotten(memory: SqliteMemory) -> None:
    await memory.erase_leaving()
    await memory.scrub()


def main() -> None:
    """Measure, print a table, and store it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--n", type=int, default=10_000, help="episodes")
    parser.add_argument("--times", type=int, default=50, help="of each recall")
    parser.add_argument("--dry", action="store_true", help="do not store the results")
    arguments = parser.parse_args()
    results = asyncio.run(measure(arguments.n, arguments.times))
    print(f"{'ms':28}{'p50':>9}{'p95':>9}{'max':>9}{'cpu':>9}{'scan':>9}{'ratio':>8}{'found':>8}")
    for what, row in results.items():
        cells = (
            row.get(name, "") for name in ("p50", "p95", "max", "cpu", "scan_ms", "scan_by_recall", "found")
        )
        widths = (9, 9, 9, 9, 9, 8, 8)
        print(f"{what:28}" + "".join(f"{cell!s:>{width}}" for cell, width in zip(cells, widths, strict=True)))
    late = {
        what: row["p95"]
        for what, row in results.items()
        if "p95" in row and float(str(row["p95"])) > (START_MS if what == "start of a turn" else RECALL_MS)
    }
    late.pop("forgetting one", None)
    print(f"over the limit of {RECALL_MS:g} ms ({START_MS:g} ms at a turn's start): {late or 'nothing'}")
    if not arguments.dry:
        remarks = (f"{arguments.n} episodes, {PATTERNS} patterns", f"over the limit: {late or 'nothing'}")
        store(Run("bench_memory", results, SEED, remarks=remarks))


if __name__ == "__main__":
    main()
