"""Reading can leak: what may be a secret is asked about before the model reads it (decision 38)."""

import pytest

from jarvis_desktop.core.items.decisions import Allowed, Answer, VerdictKind
from jarvis_desktop.core.policy.paths import Place, is_secret
from tests.fakes.reading import World
from tests.unit.policy.test_deciding import asks, decided, matter

SECRETS = (
    "/home/u/.ssh/id_rsa",
    "/home/u/.gnupg/x",
    ".env",
    "keys/server.pem",
    "/home/u/.mozilla/firefox",
    "/home/u/.jarvis/settings.yaml",
    "/home/u/.jarvis/jarvis.db-wal",
    "/home/u/.jarvis/jarvis.db.v3.bak",
    "/mnt/home/.jarvis/settings.yaml",
    "/proc/self/environ",
    "/proc/7/task/7/environ",
)


@pytest.mark.parametrize("tool", ["read_file", "grep"])
@pytest.mark.parametrize("path", SECRETS)
async def test_a_secret_asks_although_reading_needs_no_approval(tool: str, path: str) -> None:
    desk = await asks(World(), matter(tool, path=path))
    question = next(event.question for event in desk.events if hasattr(event, "question"))
    assert (question.why.kind, question.why.source, question.offer) == (VerdictKind.ASK, "secret", None)


@pytest.mark.parametrize("name", ["settings.yaml", "jarvis.db", "jarvis.db-wal"])
def test_our_own_secrets_are_secrets_wherever_the_home_lies(name: str) -> None:
    place = Place("/", "/home/u", "/data/ours")
    assert is_secret(f"/data/ours/{name}", place)
    assert not is_secret(f"/data/others/{name}", place)


async def test_a_link_to_a_secret_asks_too() -> None:
    world = World()
    world.disk.links["/home/u/Jarvis/notes.txt"] = "/home/u/.ssh/id_rsa"
    await asks(world, matter("read_file", path="notes.txt"))


async def test_no_rule_covers_a_secret_and_a_person_can() -> None:
    world = World()
    world.rules.add("read_file", "*")
    await asks(world, matter("read_file", path=".env"))
    decision, _ = await decided(world, matter("read_file", path=".env"), Answer.ALLOW)
    assert isinstance(decision, Allowed)


@pytest.mark.parametrize(
    "path", ["notes.txt", ".env.example", "src/main.py", "settings.yaml", "/home/u/.jarvis/team/ann.yaml"]
)
async def test_anything_else_is_read_unasked(path: str) -> None:
    decision, _ = await decided(World(), matter("read_file", path=path))
    assert isinstance(decision, Allowed)
