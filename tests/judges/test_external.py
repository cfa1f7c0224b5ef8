"""Judges from outside: the document they are sent, and what is read of their answer."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from faultpair.env.catalog import DOMAINS
from faultpair.env.plans.records import ToolSchema
from faultpair.judges.engine_judge import Answer
from faultpair.judges.external import FORMAT, ExternalJudge, document_of
from faultpair.judges.model_judge import SPECIMEN

JUDGE = ExternalJudge("o", "cmd:judge", samples=2)


def read(**answer):
    return JUDGE.read(Answer(json.dumps(answer)), SPECIMEN)


def test_the_document_holds_what_the_exhibit_holds_and_the_procedure():
    document = json.loads(msgspec.json.encode(document_of(replace(SPECIMEN, domain="toy"))))
    assert list(document) == [
        "format", "domain", "procedure", "goal", "steps", "reply", "end_state",
    ]  # fmt: skip
    assert document["format"] == FORMAT
    assert document["procedure"] == [str(clause) for clause in DOMAINS["toy"].procedure]
    assert document["steps"][1] == {
        "index": 1,
        "thought": "I ask.",
        "call": {"tool": "ask", "args": {}},
        "observation": {"ok": False, "data": {}, "error": "nobody answered"},
    }
    assert document["steps"][2]["observation"] is None


def test_the_document_of_a_plan_holds_its_pool_of_tools_too():
    tool = ToolSchema("get_load", "Read the load.", {"properties": {}}, {"type": "object"})
    document = json.loads(msgspec.json.encode(document_of(replace(SPECIMEN, tools=(tool,)))))
    assert document["tools"] == [
        {
            "name": "get_load",
            "description": "Read the load.",
            "parameters": {"properties": {}},
            "returns": {"type": "object"},
        }
    ]


def test_a_request_is_the_document_alone_with_a_seed_for_each_pass():
    asked = [JUDGE.request(SPECIMEN, sample=s, repeat=r) for r in (0, 1) for s in (0, 1)]
    assert [one.seed for one in asked] == [0, 1, 2, 3]
    (message,) = asked[0].messages
    assert json.loads(message.content)["goal"] == SPECIMEN.goal
    assert asked[0].json_schema is None


def test_a_kind_that_we_have_no_name_for_is_kept():
    assert read(faulty=True, failure_type="rudeness").failure_type == "rudeness"
    assert read(faulty=True, failure_type=["x"]).failure_type is None


@pytest.mark.parametrize(
    ("score", "kept"),
    [(0.3, 0.3), (1, 1.0), (True, None), (1.2, None), ("0.3", None), (None, None)],
)
def test_a_score_is_kept_if_it_is_a_probability(score, kept):
    assert read(faulty=True, score=score).score == kept


def test_a_step_and_a_rationale_are_read_like_those_of_a_model():
    found = read(faulty=True, failure_step=2, rationale="So.", confidence=3)
    assert (found.failure_step, found.rationale, found.confidence) == (2, "So.", 1.0)
    assert read(faulty=True, failure_step=3).failure_step is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"score": 0.4}', "null", "{" * 50_000])
def test_an_answer_without_a_verdict_is_unscored(text):
    found = JUDGE.read(Answer(text), SPECIMEN)
    assert found.faulty is None
    assert found.score is None
    assert found.unscored


def test_its_settings_say_where_it_is():
    assert JUDGE.settings() == {
        "view": "whole-exhibit", "task": "its-own", "engine": "cmd:judge", "samples": 2,
    }  # fmt: skip
    assert JUDGE.prompt_hash() == ExternalJudge("p", "cmd:other").prompt_hash()
