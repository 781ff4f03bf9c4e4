"""Every verdict has a sentence of its own for a person, in either language."""

import pytest

from jarvis_desktop.adapters.catalog import Catalog
from jarvis_desktop.core.items.decisions import RuleOffer, Verdict, VerdictKind
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.speech import Language
from jarvis_desktop.core.policy.command_facts import Obstacle
from jarvis_desktop.core.policy.danger import Detector
from jarvis_desktop.core.policy.proposals import proposal
from jarvis_desktop.core.policy.rules import Weakness
from jarvis_desktop.core.policy.wording import reason, remarks, weakness_text
from tests.fakes.texts import PlainTexts
from tests.unit.policy3.support import DEFAULT_DANGER, command_facts, decided

ENGLISH = PlainTexts()


@pytest.mark.parametrize("detector", Detector)
def test_each_detector_has_a_sentence_of_its_own(detector: Detector) -> None:
    sentence = reason(Verdict(VerdictKind.BLOCK, "", f"danger:{detector}"), ENGLISH)
    assert sentence.endswith(".")
    assert "that you set" not in sentence


@pytest.mark.parametrize("obstacle", Obstacle)
def test_each_obstacle_has_a_sentence(obstacle: Obstacle) -> None:
    assert reason(Verdict(VerdictKind.ASK, "", f"unclear:{obstacle}"), ENGLISH).endswith(".")


def test_a_rule_and_an_entry_of_ones_own_are_named() -> None:
    assert reason(decided("git status", "git status"), ENGLISH) == (
        "Covered by a remembered rule: bash: git status"
    )
    assert reason(Verdict(VerdictKind.BLOCK, "", "danger:drop:x"), ENGLISH).endswith(": drop:x")


@pytest.mark.promise("T-091")
def test_a_proposal_says_that_it_runs_without_asking_from_then_on() -> None:
    runner, reader = (proposal(command_facts(text), DEFAULT_DANGER) for text in ("npm test", "ls -la"))
    assert runner is not None
    assert reader is not None
    assert len(remarks(reader, ENGLISH)) == 1
    assert "without asking" in remarks(reader, ENGLISH)[0]
    assert "project" in remarks(runner, ENGLISH)[1]


@pytest.mark.parametrize("weakness", Weakness)
def test_each_weak_rule_has_a_reason(weakness: Weakness) -> None:
    assert "never allows" in weakness_text(weakness, Catalog(Language.ENGLISH))


@pytest.mark.parametrize("kind", ["script", "content"])
def test_danger_inside_a_file_names_its_entry(kind: str) -> None:
    assert reason(Verdict(VerdictKind.ASK, "", f"{kind}:privilege"), ENGLISH) == (
        "What it would run is on the list of dangerous commands: privilege."
    )


@pytest.mark.parametrize("source", ["no-sandbox", "risky-option", "guarded-path", "odd-path", "redirection"])
def test_other_reasons_have_a_sentence_of_their_own_in_both_languages(source: str) -> None:
    verdict = Verdict(VerdictKind.ASK, "", source)
    unknown = Verdict(VerdictKind.ASK, "", "something-new")
    for texts in (ENGLISH, Catalog(Language.KOREAN)):
        assert (
            reason(verdict, texts)
            != reason(unknown, texts)
            == reason(Verdict(VerdictKind.ASK, "", "no-rule"), texts)
        )


def test_what_cannot_be_read_for_certain_says_so() -> None:
    assert (
        reason(Verdict(VerdictKind.ASK, "", "unclear:else"), ENGLISH)
        == "The command cannot be read for certain."
    )


@pytest.mark.promise("T-091")
@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("bash", "whatever words follow"),
        ("write_file", "files in this folder are written"),
        ("edit_file", "files in this folder are written"),
        ("web_fetch", "every call of this tool"),
    ],
)
def test_the_warning_before_saving_says_how_far_the_rule_reaches(tool: str, said: str) -> None:
    offer = RuleOffer((RuleLine(tool, "x"),), "approvals/main.yaml", (), (), project_decides=False)
    (warning,) = remarks(offer, ENGLISH)
    assert said in warning
    assert "without asking" in warning
