"""After a spoken ALWAYS: the second yes to the rule that was read back. And what a model is asked about."""

import asyncio
from dataclasses import replace

import pytest

from jarvis_desktop.core.items.commands import AnswerQuestion, DecideSaving, Interrupt
from jarvis_desktop.core.items.decisions import Answer, AnsweredBy, Question, RuleOffer
from jarvis_desktop.core.items.errors import ModelTrouble, ModelUnavailableError
from jarvis_desktop.core.items.events import AnswerUnclear, QuestionAsked, SavingEnded, SavingOffered
from jarvis_desktop.core.items.rules import RuleLine
from jarvis_desktop.core.items.speech import ListenFor
from jarvis_desktop.core.items.spoken import saving_id
from jarvis_desktop.core.voice.answer_model import LIMIT_S
from tests.fakes.chat_model import ScriptedModel, says
from tests.unit.voice_in.scene import Scene, scene

OFFER = RuleOffer((RuleLine("bash", "make test"),), "approvals/main.yaml", ("make test",), (), True)


async def offered(s: Scene) -> Question:
    """A question whose call was allowed by a spoken ALWAYS, its rule read back."""
    await s.turn_starts()
    question = replace(s.question("q", spoken=True), offer=OFFER)
    await s.tell(QuestionAsked(question))
    await s.read_out(question)
    await reply(s, s.whisper.teach("Always allow."))
    assert s.commands == [answer(question, Answer.ALWAYS)]
    s.commands.clear()
    await s.settles(question)
    await s.tell(SavingOffered(question))
    assert s.listening_for is not ListenFor.ANSWER, "nothing can be saved before it was read back"
    await read_back(s, question)
    return question


async def read_back(s: Scene, question: Question) -> None:
    await s.read_out(replace(question, question_id=saving_id(question.question_id)))


def answer(question: Question, given: Answer) -> AnswerQuestion:
    return AnswerQuestion(question.question_id, question.digest, given, AnsweredBy.VOICE)


def decided(question: Question, *, save: bool) -> DecideSaving:
    return DecideSaving(question.question_id, question.digest, save)


async def reply(s: Scene, value: int) -> None:
    await s.say(value)
    await s.silence(2.4)


@pytest.mark.parametrize("text", ["Yes.", "네, 허용해", "Always allow."])
async def test_x56_a_second_clear_yes_saves_the_rule_that_was_read_back(text: str) -> None:
    async with scene() as s:
        question = await offered(s)
        await reply(s, s.whisper.teach(text))
        assert s.commands == [decided(question, save=True)]
        await s.tell(SavingEnded(question.question_id, saved=True))
        assert s.listening_for is ListenFor.STOP


@pytest.mark.parametrize("text", ["No.", "아니요", "what is a rule?", "hmm let me see", "stop"])
async def test_x56_anything_but_a_clear_yes_saves_nothing_and_is_not_asked_again(text: str) -> None:
    async with scene() as s:
        question = await offered(s)
        await reply(s, s.whisper.teach(text))
        assert s.commands == [decided(question, save=False)]
        assert AnswerUnclear(question.question_id) not in s.told()


@pytest.mark.parametrize("biased", ["goat head", "no"])
async def test_the_second_yes_needs_two_recognitions_as_well(biased: str) -> None:
    async with scene() as s:
        question = await offered(s)
        await reply(s, s.whisper.teach("Yes, go ahead.", biased=biased))
        assert s.commands == [decided(question, save=False)]


async def test_silence_saves_nothing() -> None:
    async with scene() as s:
        question = await offered(s)
        await s.silence(9)
        assert s.commands == [decided(question, save=False)]


async def test_a_yes_while_the_rule_is_being_read_saves_nothing_and_a_no_ends_it() -> None:
    async with scene() as s:
        await s.turn_starts()
        question = replace(s.question("q", spoken=True), offer=OFFER)
        await s.tell(SavingOffered(question))
        await s.voice_starts("Save the rule?", replace(question, question_id=saving_id(question.question_id)))
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == []
        await reply(s, s.whisper.teach("No, don't."))
        assert s.commands == [decided(question, save=False)]


async def test_while_a_rule_is_not_being_read_back_a_stop_stops_everything() -> None:
    async with scene() as s:
        await s.turn_starts()
        await s.tell(SavingOffered(replace(s.question("q", spoken=True), offer=OFFER)))
        await s.voice_starts("Here is the answer.")
        await reply(s, s.whisper.teach("Stop."))
        assert s.commands == [Interrupt()]


async def test_only_the_first_answer_to_the_rule_is_given() -> None:
    async with scene() as s:
        question = await offered(s)
        await reply(s, s.whisper.teach("No."))
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [decided(question, save=False)]


async def test_the_next_question_is_what_a_yes_answers_from_then_on() -> None:
    async with scene() as s:
        first = await offered(s)
        await s.tell(SavingEnded(first.question_id, saved=False))
        second = await s.asks("second")
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == []
        await s.read_out(second)
        await reply(s, s.whisper.teach("Yes, do it."))
        assert s.commands == [answer(second, Answer.ALLOW)]


@pytest.mark.parametrize("way", ["wake word", "mute"])
async def test_whoever_turns_to_something_else_saves_nothing(way: str) -> None:
    async with scene() as s:
        question = await offered(s)
        if way == "mute":
            s.ears.set_muted(True)
        else:
            await s.wake()
        await s.silence(0.1)
        assert decided(question, save=False) in s.commands
        assert all(isinstance(one, DecideSaving | Interrupt) for one in s.commands)


# --- the model --------------------------------------------------------------------------------------


@pytest.mark.promise("T-071")
async def test_what_keywords_do_not_explain_is_settled_by_the_model_and_repeated_by_both_biases() -> None:
    model = ScriptedModel(says('"allow"'))
    async with scene(model=model) as s:
        await s.turn_starts()
        question = await s.asks()
        await s.read_out(question)
        await reply(s, s.whisper.teach("Approve git status please."))
        assert s.commands == [answer(question, Answer.ALLOW)]
        assert (len(model.requests), len(s.whisper.calls)) == (1, 3)


@pytest.mark.promise("T-071", "T-072")
@pytest.mark.parametrize(
    ("biased", "given"), [("Approve it, status, please?", None), ("Don't approve.", Answer.DENY)]
)
async def test_a_yes_of_the_model_that_bias_hears_otherwise_permits_nothing(
    biased: str, given: Answer | None
) -> None:
    async with scene(model=ScriptedModel(says('"allow"'))) as s:
        await s.turn_starts()
        question = await s.asks()
        await s.read_out(question)
        await reply(s, s.whisper.teach("Approve git status please.", biased=biased))
        assert s.commands == ([] if given is None else [answer(question, given)])


@pytest.mark.promise("T-071")
async def test_an_answer_that_keywords_decide_never_waits_for_the_model() -> None:
    model = ScriptedModel()
    async with scene(model=model) as s:
        await s.turn_starts()
        question = await s.asks()
        await s.read_out(question)
        await reply(s, s.whisper.teach("Yes, go ahead."))
        assert s.commands == [answer(question, Answer.ALLOW)]
        assert model.requests == []


@pytest.mark.promise("T-071", "T-072")
async def test_a_no_of_the_model_denies_at_once_and_its_doubt_is_asked_again() -> None:
    for label, given in (("deny", Answer.DENY), ("unclear", None)):
        async with scene(model=ScriptedModel(says(f'"{label}"'))) as s:
            await s.turn_starts()
            question = await s.asks()
            await s.read_out(question)
            await reply(s, s.whisper.teach("I would prefer something quieter"))
            assert s.commands == ([] if given is None else [answer(question, given)])
            assert (AnswerUnclear(question.question_id) in s.told()) is (given is None)


@pytest.mark.promise("T-072")
@pytest.mark.parametrize("kind", ModelTrouble)
async def test_x59_without_a_model_that_works_an_answer_that_is_not_plain_is_unclear(
    kind: ModelTrouble,
) -> None:
    down = (ModelUnavailableError(kind, "not now"),)
    async with scene(model=ScriptedModel(down, down)) as s:
        await s.turn_starts()
        question = await s.asks()
        await s.read_out(question)
        await reply(s, s.whisper.teach("Approve git status please."))
        assert s.commands == []
        assert AnswerUnclear(question.question_id) in s.told()
        await s.read_out(question)
        await reply(s, s.whisper.teach("Approve git log please."))
        assert s.commands == [answer(question, Answer.DENY)]


@pytest.mark.promise("T-072")
async def test_x59_a_model_that_is_too_slow_permits_nothing_even_when_it_says_yes_in_the_end() -> None:
    later = asyncio.Event()
    async with scene(model=ScriptedModel((later, *says('"allow"')))) as s:
        await s.turn_starts()
        question = await s.asks()
        await s.read_out(question)
        await s.say(s.whisper.teach("Approve git status please."))
        await s.silence(LIMIT_S + 1.5)
        assert s.commands == []
        assert AnswerUnclear(question.question_id) in s.told()
        later.set()
        await s.silence(0.5)
        assert s.commands == []
