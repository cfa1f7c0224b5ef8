"""The judge that is a model: what it asks, what it keeps of a reply, what it finds in it."""

import dataclasses

import pytest

from faultpair.engines.engine import Reply
from faultpair.engines.scripted import ScriptedEngine, fitting_reply
from faultpair.env.records import TokenChoice
from faultpair.judges.engine_judge import Answer
from faultpair.judges.model_judge import SPECIMEN, ModelJudge
from faultpair.judges.task import AnswerForm
from faultpair.judges.token_probability import N_ALTERNATIVES

STEPS = ModelJudge("s", "toy", "scripted:own")
WORD = ModelJudge("w", "toy", "scripted:own", form=AnswerForm.WORD)
TEXT = (
    '{"reasoning":"r","faulty":true,"failure_step":1,"failure_type":"wrong_tool","confidence":0.8}'
)


def request(judge, sample=0, repeat=0):
    return judge.request(SPECIMEN, sample=sample, repeat=repeat)


def judged(judge, *, faulty):
    engine = ScriptedEngine(lambda asked: fitting_reply(asked, faulty=faulty))
    return judge.read(judge.answer(engine.complete(request(judge))), SPECIMEN)


@pytest.mark.parametrize("judge", [STEPS, WORD], ids=["step", "word"])
@pytest.mark.parametrize("faulty", [True, False])
def test_a_fitting_reply_is_read_as_its_verdict(judge, faulty):
    found = judged(judge, faulty=faulty)
    assert found.faulty is faulty
    assert found.score == pytest.approx(0.9 if faulty else 0.1)


def test_at_temperature_0_all_passes_ask_the_same():
    assert request(STEPS) == request(STEPS, sample=2, repeat=3)


def test_above_it_every_sample_of_every_repeat_has_a_seed_of_its_own():
    warm = dataclasses.replace(STEPS, temperature=0.7, samples=3)
    seeds = [request(warm, sample, repeat).seed for repeat in range(4) for sample in range(3)]
    assert seeds == list(range(7, 19))


def test_the_request_has_all_settings_in_it():
    asked = request(dataclasses.replace(STEPS, max_tokens=99, graded=False, temperature=0.1))
    assert (asked.max_tokens, asked.top_logprobs, asked.temperature) == (99, 0, 0.1)
    assert asked.json_schema["required"][0] == "reasoning"
    assert request(STEPS).top_logprobs == N_ALTERNATIVES


def test_one_word_is_one_token_without_a_schema_and_always_graded():
    asked = request(dataclasses.replace(WORD, graded=False))
    assert (asked.max_tokens, asked.json_schema, asked.top_logprobs) == (1, None, N_ALTERNATIVES)


def test_settings_and_prompt_hash_differ_between_judges():
    assert STEPS.prompt_hash() == dataclasses.replace(STEPS, seed=9, judge_id="t").prompt_hash()
    for change in ({"view": "calls-only"}, {"task": "name-fault"}, {"domain": "support_desk"},
                   {"form": AnswerForm.REPLY}):  # fmt: skip
        assert dataclasses.replace(STEPS, **change).prompt_hash() != STEPS.prompt_hash()
    assert dataclasses.replace(STEPS, graded=False).settings() != STEPS.settings()
    assert STEPS.settings()["form"] == "verdict-with-step"


def test_only_the_token_of_the_verdict_is_kept():
    pieces = tuple(TokenChoice(piece, -0.5) for piece in ('{"faulty":', "true", "}"))
    answer = STEPS.answer(Reply("text", tokens=pieces, finish_reason="length"))
    assert answer == Answer("text", "length", pieces[1])


def test_a_finding_carries_the_score_and_an_unscored_one_does_not():
    decision = TokenChoice("true", -0.1, (("true", -0.1), ("false", -3.0)))
    assert STEPS.read(Answer(TEXT, decision=decision), SPECIMEN).score > 0.9
    found = STEPS.read(Answer(TEXT[:30], "length", decision), SPECIMEN)
    assert (found.score, found.unscored) == (None, "the answer was cut off at its longest")


@pytest.mark.parametrize(
    ("answer", "faulty", "confidence"),
    [
        (Answer("yes"), True, 0.5),
        (
            Answer("no", decision=TokenChoice("no", -0.1, (("no", -1.0), ("yes", -2.0)))),
            False,
            0.731,
        ),
        (
            Answer("yes", decision=TokenChoice("yes", -2.0, (("no", -1.0), ("yes", -2.0)))),
            True,
            0.5,
        ),
        (Answer("maybe", decision=TokenChoice("maybe", -0.1, (("yes", -1.0),))), True, 1.0),
        (Answer("maybe"), None, None),
    ],
)
def test_the_word_of_the_reply_counts_else_the_likelier_of_the_two(answer, faulty, confidence):
    found = WORD.read(answer, SPECIMEN)
    assert found.faulty is faulty
    assert found.confidence == (confidence and pytest.approx(confidence, abs=0.001))
    assert (found.unscored is None) == (faulty is not None)
