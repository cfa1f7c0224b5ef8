import json
from copy import deepcopy

import pytest

from faultpair.engines.engine import Reply
from faultpair.engines.openai_wire import ANSWER, body_of, is_open, reply_of, strict
from faultpair.env.records import TokenChoice


def read(**choice):
    answer = ANSWER.decode(json.dumps({"choices": [choice]}))
    return reply_of(answer, latency_s=0.5)


def test_a_request_is_sent_with_its_seed_and_bounds(ask):
    body = json.loads(body_of("org/model", ask("Well?", temperature=0.7, seed=3, max_tokens=9)))
    assert body == {
        "model": "org/model",
        "messages": [
            {"role": "system", "content": "You judge."},
            {"role": "user", "content": "Well?"},
        ],
        "temperature": 0.7,
        "seed": 3,
        "max_tokens": 9,
    }


def test_log_probabilities_are_asked_for_by_number(ask):
    body = json.loads(body_of("m", ask(top_logprobs=20)))
    assert body["logprobs"] is True
    assert body["top_logprobs"] == 20


def test_a_schema_is_sent_strict_closed_and_in_order_without_bounds(ask, verdict_schema):
    before = deepcopy(verdict_schema)
    form = json.loads(body_of("m", ask(json_schema=verdict_schema)))["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["name"] == "reply"
    assert form["json_schema"]["strict"] is True
    sent = form["json_schema"]["schema"]
    assert sent["additionalProperties"] is False
    assert sent["required"] == list(sent["properties"]) == list(verdict_schema["properties"])
    assert sent["properties"]["reasoning"] == {"type": "string"}
    assert sent["properties"]["confidence"] == {"type": "number"}
    assert verdict_schema == before


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({"type": "array", "maxItems": 2, "items": {"maximum": 3}}, {"type": "array", "items": {}}),
        ({"anyOf": [{"minimum": 1, "type": "integer"}]}, {"anyOf": [{"type": "integer"}]}),
        ({"$defs": {"a": {"pattern": "x"}}}, {"$defs": {"a": {}}}),
        ({"enum": [1, 2.5, "x", True, None]}, {"integer", "number", "string", "boolean", "null"}),
    ],
)
def test_bounds_are_dropped_at_any_depth_and_enumerations_say_their_types(schema, sent):
    found = strict(schema)
    assert (set(found["type"]) if isinstance(sent, set) else found) == sent


def test_a_property_that_is_named_like_a_bound_stays():
    sent = strict({"properties": {"minimum": {"type": "integer", "minimum": 1}}})
    assert sent["properties"] == {"minimum": {"type": "integer"}}


OPEN = {"type": "object", "additionalProperties": {"type": "string", "maxLength": 9}}


def test_a_schema_with_an_open_object_is_sent_as_it_is_and_not_strict(ask):
    schema = {
        "type": "object",
        "properties": {"tool": {"enum": ["find"]}, "args": OPEN},
        "required": ["tool", "args"],
        "additionalProperties": False,
    }
    form = json.loads(body_of("m", ask(json_schema=schema)))["response_format"]["json_schema"]
    assert form == {"name": "reply", "schema": schema, "strict": False}


@pytest.mark.parametrize(
    "schema",
    [
        OPEN,
        {"type": "object"},
        {"properties": {"a": {"type": "string"}}, "additionalProperties": True},
        {"type": "array", "items": OPEN},
        {"anyOf": [{"type": "null"}, OPEN]},
        {"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": OPEN}},
    ],
)
def test_an_open_object_is_found_at_any_depth(schema):
    assert is_open(schema)


def test_objects_that_name_all_their_keys_are_closed(verdict_schema):
    assert not is_open(verdict_schema)
    assert not is_open({"type": "object", "additionalProperties": False})
    assert not is_open({"anyOf": [{"type": "string"}, {"type": "null"}]})


def test_a_schema_is_named_by_its_title(ask):
    form = json.loads(body_of("m", ask(json_schema={"title": "A verdict!"})))["response_format"]
    assert form["json_schema"]["name"] == "A_verdict_"


def test_an_answer_is_read_with_its_counts():
    answer = ANSWER.decode(
        json.dumps(
            {
                "choices": [{"message": {"content": "yes"}, "finish_reason": "length"}],
                "usage": {
                    "prompt_tokens": 7,
                    "completion_tokens": 1,
                    "prompt_tokens_details": {"cached_tokens": 5},
                },
            }
        )
    )
    expected = Reply("yes", 7, 1, cached_tokens=5, latency_s=0.5, finish_reason="length")
    assert reply_of(answer, latency_s=0.5) == expected


def test_log_probabilities_are_read_the_likeliest_first():
    other, likeliest = {"token": "no", "logprob": -2}, {"token": "yes", "logprob": -0.1}
    token = {**likeliest, "bytes": list(b"yes"), "top_logprobs": [other, likeliest]}
    reply = read(message={"content": "yes"}, logprobs={"content": [token]})
    assert reply.tokens == (TokenChoice("yes", -0.1, (("yes", -0.1), ("no", -2.0))),)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": None}, ""),
        ({}, ""),
    ],
)
def test_a_refusal_is_a_text_like_any_other_and_no_content_an_empty_one(message, text):
    assert read(message=message) == Reply(text, latency_s=0.5)
