"""Two judges: agreement, confusion, κ, levels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.plans.alignment.pairwise import kappa, levels

from .conftest import numbers_in, row


@pytest.mark.filterwarnings("default")
@settings(max_examples=30)
@given(st.lists(st.integers(0, 9), min_size=9, max_size=9))
def test_kappa_is_that_of_statsmodels(counts):
    from statsmodels.stats.inter_rater import cohens_kappa

    matrix = np.array(counts, dtype=np.float64).reshape(3, 3)
    n, chance = matrix.sum(), (matrix.sum(0) * matrix.sum(1)).sum()
    if n * n == chance:
        assert np.isnan(kappa(matrix))
    else:
        expected = cohens_kappa(matrix, return_results=False)
        assert kappa(matrix) == pytest.approx(expected)


def test_agreement_confusion_and_where_two_judges_part():
    rows = [
        row(1, (0, 0.5, 1, 1), record="r1", judge="a"),
        row(1, (0, 1.0, 1, 0), record="r1", judge="b"),
        row(1, 1, record="r2", judge="a"),  # b did not judge it
    ]
    numbers = numbers_in(rows)
    place = "a/b/condition=with-gt"
    assert (numbers[f"agreement/{place}"].estimate, numbers[f"agreement/{place}"].n) == (0.5, 4)
    assert numbers[f"confusion/{place}/0.5/1"].estimate == 1
    assert numbers[f"confusion/{place}/1/0"].estimate == 1
    assert numbers[f"confusion/{place}/1/0.5"].estimate == 0
    at_half = numbers[f"at-half/{place}"]
    assert (at_half.estimate, at_half.n) == (0.5, 2)
    # po = 1/2; pe = (1·2 + 1·0 + 2·2) / 16.
    assert numbers[f"kappa/{place}"].estimate == pytest.approx((1 / 2 - 3 / 8) / (1 - 3 / 8))


def test_two_judges_with_one_constant_verdict_have_no_kappa_and_never_disagree():
    numbers = numbers_in([row(1, 1, judge=judge) for judge in "ab"])
    kappa_of = numbers["kappa/a/b/condition=with-gt"]
    assert (kappa_of.estimate, kappa_of.reason) == (
        None,
        "both judges give one and the same verdict throughout",
    )
    assert numbers["at-half/a/b/condition=with-gt"].reason == "the two judges never disagree"
    assert numbers["kappa/condition=with-gt"].estimate is None


def test_a_verdict_off_the_scale_counts_as_the_nearest_level():
    assert levels(np.array([0.0, 0.2, 0.25, 0.5, 0.74, 0.75, 1.0])).tolist() == [
        0, 0, 1, 1, 1, 2, 2,
    ]  # fmt: skip
