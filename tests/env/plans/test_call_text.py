"""Calls written as text are parsed, in whatever dress a model puts them, and never run."""

import pytest

from faultpair.env.plans.call_text import calls_in, names_in
from faultpair.env.records import Call


@pytest.mark.parametrize(
    "text",
    [
        "[geo.route(start='Ulm', km=4)]",
        'geo.route(start="Ulm", km=4)',
        "[geo.route(start='Ulm', km=4)]\n<end_of_turn>",
        "  [geo.route(start='Ulm', km=4)]<|im_end|><|endoftext|>\n",
        "[\n  geo.route(\n    start='Ulm',\n    km=4,\n  ),\n]",
    ],
)
def test_the_dress_makes_no_difference(text):
    assert calls_in(text) == (Call("geo.route", {"start": "Ulm", "km": 4}),)


def test_several_calls_stand_in_their_order():
    assert [call.tool for call in calls_in("[b(x=1), a(), b(x=2)]")] == ["b", "a", "b"]
    assert [call.tool for call in calls_in("b(x=1), a()")] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2.5", -2.5),
        ("True", True),
        ("true", True),
        ("null", None),
        ("(1, 'two')", [1, "two"]),
        ("{'a': [1, {'b': None}], 2: 3}", {"a": [1, {"b": None}], "2": 3}),
        ("x ** 2", "x ** 2"),
        ("__import__('os').getcwd()", "__import__('os').getcwd()"),
        ("{**a}", "{**a}"),
        (r"'C:\data'", r"C:\data"),
    ],
)
def test_an_argument_is_a_plain_value_or_the_text_that_it_is(text, value):
    assert calls_in(f"[f(x={text})]") == (Call("f", {"x": value}),)


def test_an_empty_list_is_a_plan_without_calls():
    assert calls_in("[]") == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("<end_of_turn>", "is empty"),
        ("Error during inference: 429", "no list of calls"),
        ("I cannot help with that.", "no list of calls"),
        ("[f(x=1)", "no list of calls"),
        ("[f(x=1), 3]", "more than calls"),
        ("[f(x=1)], [g()]", "no list of calls|more than calls"),
        ("[f(1)]", "a call of f gives an argument without a name"),
        ("[f(**x)]", "a call of f gives an argument without a name"),
        ("[f(x=1, x=2)]", "or one twice"),
        ("[f()(x=1)]", "not a name"),
        ("[" * 400, "no list of calls"),
        ("f(x=" + "1+" * 20_000 + "1)", "nested too deep|no list of calls"),
        ("\0", "no list of calls"),
    ],
)
def test_any_other_text_is_refused_with_its_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        calls_in(text)


def test_names_need_no_names_of_arguments():
    assert names_in("[sort('a.txt'), cd(folder='b')]") == ("sort", "cd")
