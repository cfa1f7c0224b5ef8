import json
import math

import pytest

from faultpair.engines.engine import EngineOptions, Identity
from faultpair.engines.scripted import SCRIPTS, ScriptedEngine, fitting_reply, open_scripted
from faultpair.env.errors import EngineError, UsageError


def test_a_function_of_the_request_is_a_script(ask):
    engine = ScriptedEngine(lambda request: request.messages[-1].content.upper())
    assert engine.complete(ask("so be it")).text == "SO BE IT"


def test_replies_come_in_turn_and_the_last_repeats(ask):
    engine = ScriptedEngine(["a", "b"])
    assert [engine.complete(ask()).text for _ in range(4)] == ["a", "b", "b", "b"]


def test_one_text_is_the_reply_to_all(ask):
    assert ScriptedEngine("yes").complete(ask()).text == "yes"


def test_a_script_without_a_reply_is_refused():
    with pytest.raises(UsageError, match="expected at least one"):
        ScriptedEngine([])


def test_a_reply_is_looked_up_by_a_piece_of_the_prompt(ask):
    engine = ScriptedEngine({"ORD-1": "first", "ORD-2": "second", "": "else"})
    prompts = ("ORD-2", "ORD-1, ORD-2", "ORD-3")
    assert [engine.complete(ask(text)).text for text in prompts] == ["second", "first", "else"]


def test_a_prompt_that_a_script_does_not_know_is_a_final_error(ask):
    with pytest.raises(EngineError, match="one of: 'ORD-1'") as caught:
        ScriptedEngine({"ORD-1": "yes"}).complete(ask("ORD-3"))
    assert not caught.value.transient


def test_no_time_passes_and_a_word_is_a_token(ask):
    reply = ScriptedEngine("yes, it is").complete(ask("Is it faulty?"))
    assert reply.latency_s == 0.0
    assert reply.prompt_tokens == 5
    assert reply.tokens == ()


def test_a_verdict_has_a_chance_of_nine_in_ten_where_chances_are_asked_for(ask):
    reply = ScriptedEngine('{"faulty": true}').complete(ask(top_logprobs=2))
    assert "".join(token.token for token in reply.tokens) == reply.text
    (verdict,) = (token for token in reply.tokens if token.token == "true")
    chances = {token: round(math.exp(logprob), 6) for token, logprob in verdict.top}
    assert chances == {"true": 0.9, "false": 0.1}


def test_a_reply_longer_than_asked_for_says_so(ask):
    assert ScriptedEngine("a b c").complete(ask(max_tokens=3)).finish_reason == "length"
    assert ScriptedEngine("a b c").complete(ask(max_tokens=5)).finish_reason == "stop"


def test_the_context_is_what_the_options_say(ask):
    engine = open_scripted("clean", options=EngineOptions(context_tokens=4))
    assert engine.context_tokens() == 4
    assert engine.count_tokens(ask("Is it faulty?")) == 5


def test_identity_is_the_script():
    engine = open_scripted("coin", options=EngineOptions())
    assert engine.identify() == Identity("scripted", model="coin")


def test_an_unknown_script_is_refused_with_the_known():
    with pytest.raises(UsageError, match=r"No script is named 'yes'.*: clean, faulty, coin"):
        open_scripted("yes", options=EngineOptions())


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
def test_unreadable_scripts_are_unreadable(ask, verdict_schema, name):
    with pytest.raises(ValueError, match="line 1"):
        json.loads(SCRIPTS[name](ask(json_schema=verdict_schema)))


def test_the_broken_script_is_transient(ask):
    with pytest.raises(EngineError) as caught:
        SCRIPTS["broken"](ask())
    assert caught.value.transient
