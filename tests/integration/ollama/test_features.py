"""Versions of Ollama and what they can do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jarvis_desktop.adapters.ollama_features import SINCE, Feature, lacking, model_since, read_version
from jarvis_desktop.core.items.errors import ModelTrouble
from tests.fakes.ollama_script import Script
from tests.integration.ollama.asking import model_on
from tests.parts.ollama_script import StartsScript


@pytest.mark.parametrize(
    ("written", "version"),
    [
        ("0.5.4-ipexllm-20250407", (0, 5, 4)),
        ("0.9.3", (0, 9, 3)),
        ("v0.12.0-rc1", (0, 12, 0)),
        ("1.0", (1, 0, 0)),
        ("0.0.0", None),
        ("", None),
        ("main-3f2a", None),
        ("2026.01.02.4", None),
        ("٣.٤.٥x", (3, 4, 5)),
    ],
)
def test_a_version_is_read_from_its_beginning(written: str, version: tuple[int, int, int] | None) -> None:
    assert read_version(written) == version


@given(st.text(max_size=20))
def test_a_version_that_nobody_can_read_is_never_refused(written: str) -> None:
    if read_version(written) is None:
        assert lacking(written) == ()


@pytest.mark.parametrize("feature", list(Feature))
def test_each_feature_is_there_from_its_version_on_and_not_before(feature: Feature) -> None:
    major, minor, patch = SINCE[feature]
    assert feature not in lacking(f"{major}.{minor}.{patch}")
    assert feature in lacking(f"{major}.{minor - 1}.99")


@pytest.mark.parametrize(
    ("name", "since"),
    [("gemma4:e2b", "0.20.0"), ("gemma4:12b", "0.30.3"), ("someone/Gemma4", "0.20.0"), ("gemma3:270m", "")],
)
def test_the_version_that_runs_a_model_is_known_for_our_own_models(name: str, since: str) -> None:
    assert model_since(name) == since


@pytest.mark.parametrize("version", ["0.5.4-ipexllm-20250407", "0.9.3", "0.0.0", "who knows"])
async def test_these_servers_are_not_refused(ollama_script: StartsScript, version: str) -> None:
    assert (await model_on(ollama_script(script=Script(version=version))).status()).trouble is None


@pytest.mark.parametrize(
    ("version", "calls", "words"),
    [
        ("0.4.7", "auto", "too old for answers in a fixed form: 0.5.0 or later is needed"),
        ("0.2.8", "native", "too old for handing tools to a model: 0.3.0 or later is needed"),
    ],
)
async def test_a_server_that_lacks_what_we_cannot_do_without_is_named_with_both_versions(
    ollama_script: StartsScript, version: str, calls: str, words: str
) -> None:
    server = ollama_script(script=Script(version=version))
    trouble = (await model_on(server, calls=calls).status()).trouble
    assert trouble is not None
    assert trouble.kind is ModelTrouble.TOO_OLD
    assert str(trouble) == (
        f"Ollama {version} at {server.host} is {words}. Update it from https://ollama.com/download."
    )
