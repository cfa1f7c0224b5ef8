"""The alignment of judges that do not look, predicted and simulated."""

from math import isclose

import pytest

from env.rng import pick, stream
from judges.reference.constant import SCALE, alignment_of_constant, alignment_of_random
from judges.reference.metrics import Scores

RECORDS = [
    Scores(
        *(pick(stream("records", place, metric), (0, 1 / 3, 0.5, 2 / 3, 1)) for metric in "tpsc")
    )
    for place in range(200)
]


def simulated(verdicts: list[tuple[float, ...]]) -> float:
    """Return the alignment as equations 4a, 4b and 5a have it, record by record."""
    matches = [
        sum(1 - abs(p - said) for p, said in zip(record.values, verdict, strict=True)) / 4
        for record, verdict in zip(RECORDS, verdicts, strict=True)
    ]
    return sum(matches) / len(matches)


@pytest.mark.parametrize("value", SCALE)
def test_a_constant_judge_reaches_what_the_closed_form_says(value):
    said = [(value,) * 4] * len(RECORDS)
    assert isclose(simulated(said), alignment_of_constant(RECORDS, value))


def test_a_judge_that_always_says_one_has_the_accuracy_of_the_generator():
    accuracy = sum(record.mean for record in RECORDS) / len(RECORDS)
    assert isclose(alignment_of_constant(RECORDS, 1), accuracy)


def test_a_random_judge_is_the_mean_of_the_constant_ones():
    each = [alignment_of_constant(RECORDS, value) for value in SCALE]
    assert isclose(alignment_of_random(RECORDS), sum(each) / 3)


def test_a_random_judge_comes_near_what_the_closed_form_says():
    rng = stream("random judge")
    passes = [
        simulated([tuple(pick(rng, SCALE) for _ in range(4)) for _ in RECORDS]) for _ in range(100)
    ]
    assert abs(sum(passes) / 100 - alignment_of_random(RECORDS)) < 0.005


def test_a_random_judge_has_a_half_only_where_all_is_right_or_wrong():
    assert isclose(alignment_of_random([Scores(1, 0, 1, 0)]), 0.5)
    assert isclose(alignment_of_random([Scores(0.5, 0.5, 0.5, 0.5)]), 2 / 3)


def test_over_no_record_the_alignment_is_undefined():
    with pytest.raises(ValueError, match="over no record"):
        alignment_of_constant([], 1)
