"""``reply classify``: what spoken answers mean, with and without the real model."""

import json
from pathlib import Path

import pytest

from tests.integration.rules_cli.conftest import Cli
from tests.parts.ollama import RealOllama

CASES = Path(__file__).parents[2] / "data" / "cases" / "replies.jsonl"
REPLIES = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
FEW = {
    "yes": ("allow", "keyword"),
    "아니 하지 마": ("deny", "negation"),
    "항상 허용": ("always", "keyword"),
    "what does it do?": ("deny", "keyword"),
    "yesterday": ("deny", "model"),
    "네가 알아서 판단해": ("deny", "model"),
}
"""Decision and stage of some answers, whatever a model says."""


def classified(cli: Cli, texts: list[str], *options: str, **env: str) -> list[dict[str, str]]:
    done = cli("reply", "classify", *options, given="\n".join(texts) + "\n", **env)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.promise("T-070", "T-072")
def test_the_keyword_stage_alone_permits_nothing_that_must_be_denied(cli: Cli) -> None:
    found = classified(cli, [case["text"] for case in REPLIES], "--no-model", LC_ALL="C")
    assert len(found) == len(REPLIES)
    pairs = [(one["decision"], case["decision"]) for one, case in zip(found, REPLIES, strict=True)]
    assert [pair for pair in pairs if pair[0] != "deny" and pair[0] != pair[1]] == []
    assert sum(given == wanted for given, wanted in pairs) / len(pairs) >= 0.97
    assert {one["stage"] for one in found} == {"negation", "keyword"}
    assert {*found[0]} == {"label", "decision", "stage", "ms"}


@pytest.mark.real_ollama
@pytest.mark.promise("T-071")
def test_a_small_real_model_is_asked_only_about_the_rest_and_makes_no_yes_of_it(
    cli: Cli, real_ollama: RealOllama
) -> None:
    name = real_ollama.model("qwen05-schema")
    # As large a context as the other tests have, so that the model need not be loaded anew.
    here = {
        "JARVIS_MODEL__HOST": real_ollama.host,
        "JARVIS_MODEL__BACKEND": "ollama",
        "JARVIS_MODEL__CONTEXT_TOKENS": "4096",
    }
    found = classified(cli, [*FEW], "--model", name, **here)
    assert [(one["decision"], one["stage"]) for one in found] == [*FEW.values()]


def test_without_a_model_that_answers_the_rest_is_unclear(cli: Cli) -> None:
    nobody = {"JARVIS_MODEL__HOST": "http://127.0.0.1:9", "JARVIS_MODEL__BACKEND": "ollama"}
    assert [
        (one["label"], one["stage"])
        for one in classified(cli, ["permanently allow git status", "네"], **nobody)
    ] == [("unclear", "model"), ("allow", "keyword")]


def test_contradicting_options_are_explained(cli: Cli) -> None:
    done = cli("reply", "classify", "--no-model", "--model", "x")
    assert done.returncode == 2
    assert "either --no-model or --model" in done.stderr
