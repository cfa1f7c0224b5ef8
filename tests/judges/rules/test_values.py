import pytest

from faultpair.judges.rules.values import is_grounded, number_in, number_under, show, word_in


@pytest.mark.parametrize("value", [True, None, "1", [1], float("nan"), float("inf"), 10**400])
def test_a_value_that_is_no_finite_number_gives_none(value):
    assert number_in(value) is None


def test_a_number_within_a_cent_is_grounded_and_two_cents_off_is_not():
    known = [{"total_eur": 12.5}]
    assert is_grounded(12.5, known)
    assert is_grounded(12.51, known)
    assert not is_grounded(12.52, known)


def test_values_deep_inside_objects_and_lists_ground_too():
    known = [{}, {"orders": [{"ids": ["ORD-1", "ORD-2"], "total": 7}]}]
    assert is_grounded("ORD-2", known)
    assert is_grounded(7.0, known)
    assert not is_grounded("ORD-3", known)


def test_a_truth_value_grounds_no_number_and_a_key_no_word():
    known = [{"eligible": True}]
    assert not is_grounded(1, known)
    assert not is_grounded(1.0, known)
    assert not is_grounded("eligible", known)


@pytest.mark.parametrize("value", [None, [], {}, float("nan"), 10**400])
def test_what_is_neither_word_nor_number_is_never_grounded(value):
    assert not is_grounded(value, [{"it": value}])


def test_a_nest_deeper_than_the_stack_is_searched():
    nest = "core"
    for _ in range(100_000):
        nest = [nest]
    assert is_grounded("core", [{"nest": nest}])


def test_an_amount_is_found_by_its_prefix_with_its_currency():
    assert number_under({"max_refund_gbp": 3}, "max_refund_") == ("gbp", 3.0)
    assert number_under({"max_refund_gbp": "3"}, "max_refund_") is None
    assert number_under({}, "max_refund_") is None


def test_a_word_is_a_text():
    assert word_in({"sku": "SKU-1"}, "sku") == "SKU-1"
    assert word_in({"sku": 1}, "sku") is None
    assert word_in({}, "sku") is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (2.5, "2.5"),
        (True, "True"),
        ({"a": 1}, "an object"),
        pytest.param(-(10**5000), "a huge number", id="huge"),
        ("\ud800", r"'\ud800'"),
        ("x" * 61, f"'{'x' * 60}'…"),
    ],
)
def test_any_value_is_shown_short_and_printable(value, shown):
    assert show(value) == shown
