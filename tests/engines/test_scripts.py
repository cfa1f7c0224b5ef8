import json

import pytest

from faultpair.engines.scripts import SCRIPTS, fitting_reply
from faultpair.env.errors import EngineError


def fill(ask, schema, *, faulty):
    return json.loads(fitting_reply(ask(json_schema=schema), faulty=faulty))


def test_a_faulty_verdict_has_a_step_and_a_type(ask, verdict_schema):
    assert fill(ask, verdict_schema, faulty=True) == {
        "reasoning": "As the script says.",
        "faulty": True,
        "failure_step": 0,
        "failure_type": "late",
        "confidence": 0.9,
    }


def test_a_clean_verdict_leaves_null_what_may_be_null(ask, verdict_schema):
    verdict = fill(ask, verdict_schema, faulty=False)
    assert verdict["faulty"] is False
    assert verdict["failure_step"] is None
    assert verdict["failure_type"] is None


def test_properties_keep_the_order_of_the_schema(ask, verdict_schema):
    reply = fitting_reply(ask(json_schema=verdict_schema), faulty=True)
    assert list(json.loads(reply)) == list(verdict_schema["properties"])


@pytest.mark.parametrize(
    ("schema", "faulty", "clean"),
    [
        ({"enum": ["no", "yes"]}, "yes", "no"),
        ({"enum": ["clean", "faulty"]}, "faulty", "clean"),
        ({"type": "string", "enum": ["late", "wrong"]}, "late", "late"),
        ({"const": 7}, 7, 7),
        ({"type": "string", "maxLength": 5}, "As th", "As th"),
        ({"type": "string", "minLength": 21}, "As the script says...", "As the script says..."),
        ({"type": "integer", "minimum": 3}, 3, 3),
        ({"type": "integer", "maximum": -2}, -2, -2),
        ({"type": "number", "maximum": 0.5}, 0.5, 0.5),
        ({"type": "number", "minimum": 0, "maximum": 1}, 0, 1),
        ({"enum": [0, 0.5, 1]}, 0, 1),
        ({"type": "array", "items": {"type": "boolean"}}, [], []),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [True] * 2, [False] * 2),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 0, None),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, 0, 0),
        ({"$ref": "#/$defs/word", "$defs": {"word": {"enum": ["yes", "no"]}}}, "yes", "no"),
        ({"type": "null"}, None, None),
        ({"type": "object"}, {}, {}),
        ({}, None, None),
    ],
)
def test_a_reply_fits_its_schema(ask, schema, faulty, clean):
    assert fill(ask, schema, faulty=True) == faulty
    assert fill(ask, schema, faulty=False) == clean


def test_without_a_schema_it_is_a_word(ask):
    assert SCRIPTS["faulty"](ask()) == "yes"
    assert SCRIPTS["clean"](ask()) == "no"


def test_the_coin_falls_by_the_request_and_on_both_sides(ask):
    tosses = [SCRIPTS["coin"](ask(f"run {i}")) for i in range(20)]
    assert tosses == [SCRIPTS["coin"](ask(f"run {i}")) for i in range(20)]
    assert set(tosses) == {"yes", "no"}


@pytest.mark.parametrize("name", ["garbage", "cut"])
def test_what_is_to_be_unreadable_is(ask, verdict_schema, name):
    with pytest.raises(ValueError, match="line 1"):
        json.loads(SCRIPTS[name](ask(json_schema=verdict_schema)))


def test_the_broken_script_may_always_be_asked_again(ask):
    with pytest.raises(EngineError) as caught:
        SCRIPTS["broken"](ask())
    assert caught.value.transient
