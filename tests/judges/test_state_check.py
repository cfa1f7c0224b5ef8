import math

import pytest

from faultpair.judges.exhibit import Exhibit
from faultpair.judges.state_check import StateCheck

REFUND = {"action": "refund", "amount_gbp": 45.0}
HAND_OVER = {"action": "escalate", "amount_gbp": None}


def judged(ended, required):
    return StateCheck().judge(Exhibit("support_desk", "", {}, (), "", ended, required))


@pytest.mark.parametrize("required", [REFUND, HAND_OVER])
def test_the_required_state_is_not_flagged(required):
    assert judged(dict(required), required).faulty is False


@pytest.mark.parametrize(
    "ended",
    [
        HAND_OVER,
        {"action": "none", "amount_gbp": None},
        {"action": "refund", "amount_gbp": 45.02},
        {"action": "refund", "amount_gbp": math.nan},
        {"action": "refund", "amount_gbp": "45.0"},
        {"action": "refund", "amount_eur": 45.0},
        {"action": ["refund"]},
        {},
    ],
)
def test_any_other_state_is_flagged_without_step_or_type(ended):
    finding = judged(ended, REFUND)
    assert (finding.faulty, finding.failure_step, finding.failure_type) == (True, None, None)


def test_a_cent_is_tolerated():
    assert judged({"action": "refund", "amount_gbp": 45.01}, REFUND).faulty is False


@pytest.mark.parametrize("nothing", [None, 0.0])
def test_no_amount_null_and_zero_are_the_same(nothing):
    assert (
        judged({"action": "escalate"}, {"action": "escalate", "amount_eur": nothing}).faulty
        is False
    )


def test_the_words_name_what_differs():
    words = judged({"action": "refund", "amount_gbp": 50.0}, REFUND).rationale
    assert words == "amount_gbp is 50.0, the reference has 45.0"


def test_book_keeping_beside_the_required_entries_costs_nothing():
    assert judged(REFUND | {"n_lookups": 3}, REFUND).faulty is False


@pytest.mark.parametrize(
    ("ended", "required", "missing"),
    [(None, REFUND, "end state"), (REFUND, None, "reference end state")],
)
def test_without_either_state_there_is_no_finding_but_a_reason(ended, required, missing):
    finding = judged(ended, required)
    assert (finding.faulty, finding.confidence) == (None, None)
    assert finding.unscored == f"the exhibit has no {missing}"
