"""The equations on the paper's own examples, and at their edges."""

from faultpair.env.records import Call
from faultpair.judges.plan_metrics.metrics import METRICS, Scores, extras_credited, prepare, score


def plan(*names: str) -> tuple[Call, ...]:
    """Return calls of tools without arguments."""
    return tuple(Call(name, {}) for name in names)


def call(name: str, *keys: str) -> Call:
    return Call(name, dict.fromkeys(keys, 1))


def test_the_worked_example_of_appendix_i_scores_as_the_paper_has_it():
    when = call("calculate_temporal_transaction_deviation", "timestamp", "daily_count")
    amount = call("calculate_amount_based_deviation", "amount", "daily_amount")
    both = call("compute_composite_behavior_anomaly_score", "temporal", "amount")
    scores = score((amount, when, both), (when, amount, both))
    assert [round(value, 2) for value in scores.values] == [1.0, 1.0, 0.33, 1.0]
    assert round(scores.mean, 3) == 0.833


def test_the_first_case_study_misses_its_third_call():
    expected = plan("growth_rate", "storage_temperature", "shelf_life")
    assert round(score(expected[:2], expected).sequence, 2) == 0.67


def test_against_two_calls_no_plan_has_the_sequence_of_the_second_case_study():
    expected = plan("deviation_risk", "forecast")
    plans = (
        plan(first, second)
        for first in ("deviation_risk", "forecast", "other")
        for second in ("deviation_risk", "forecast", "other")
    )
    assert {score(made, expected).sequence for made in plans} == {0.0, 0.5, 1.0}


def test_the_extra_call_of_the_third_case_study_costs_selection_and_no_coverage():
    expected = plan("duration_risk", "headroom")
    scores = score(plan("duration_risk", "fatigue_risk", "headroom"), expected)
    assert (scores.query_coverage, scores.tool_selection) == (1.0, 0.5)


def test_two_empty_plans_agree():
    assert score((), ()).values == (1, 1, 1, 1)


def test_an_empty_plan_has_no_wrong_structure_and_nothing_else():
    assert score((), plan("a", "b")).values == (0, 1, 0, 0)


def test_where_nothing_is_expected_every_call_is_wrong_and_all_is_covered():
    assert score(plan("a"), ()).values == (0, 0, 0, 1)


def test_extra_keys_cost_half_and_a_missing_key_all():
    expected = (call("a", "x", "y"),)
    made = {"same": ("y", "x"), "extra": ("x", "y", "z"), "missing": ("x",), "other": ("x", "z")}
    scores = {
        name: score((call("a", *keys),), expected).parameter_structure
        for name, keys in made.items()
    }
    assert scores == {"same": 1.0, "extra": 0.5, "missing": 0.0, "other": 0.0}


def test_values_are_not_compared():
    assert score((Call("a", {"x": 1}),), (Call("a", {"x": "$b.y"}),)).perfect


def test_each_use_of_a_tool_is_held_against_the_same_use_in_the_reference():
    expected = (call("a", "x"), call("a", "x", "y"))
    assert score(expected, expected).parameter_structure == 1.0
    assert score(expected[::-1], expected).parameter_structure == 0.25


def test_a_use_too_many_is_held_against_the_last_of_the_reference():
    expected = (call("a", "x"), call("a", "x", "y"))
    assert score((*expected, call("a", "x", "y")), expected).parameter_structure == 1.0
    assert score((*expected, call("a", "x")), expected).parameter_structure == 2 / 3


def test_a_call_in_front_moves_all_others_out_of_place():
    expected = plan("a", "b", "c")
    assert score(plan("z", "a", "b", "c"), expected).sequence == 0.0
    assert score(plan("a", "b", "c", "z"), expected).sequence == 1.0


def test_a_tool_counts_once_with_any_number_of_uses():
    scores = score(plan("a", "a", "a"), plan("a"))
    assert scores.perfect


def test_the_upper_bound_credits_extra_keys_and_nothing_else():
    reference = prepare((call("a", "x"), call("b", "x")))
    assert extras_credited((call("a", "x", "z"), call("b")), reference) == 0.5


def test_the_metrics_stand_in_the_order_of_the_paper():
    assert METRICS == ("tool_selection", "parameter_structure", "sequence", "query_coverage")
    assert Scores(0.1, 0.2, 0.3, 0.4).values == (0.1, 0.2, 0.3, 0.4)
