"""Judges among themselves: κ, rankings, jury, bias, flips, decisions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.plans.alignment.binary import collapsed
from faultpair.analysis.plans.alignment.cells import tally
from faultpair.analysis.plans.alignment.decision import decisions
from faultpair.analysis.plans.alignment.jury import JURY, with_jury
from faultpair.analysis.plans.alignment.match_score import match
from faultpair.analysis.plans.alignment.pairwise import kappa, levels
from faultpair.analysis.plans.alignment.ranking import WEIGHTINGS
from faultpair.analysis.plans.alignment.record_bootstrap import Resample
from faultpair.analysis.stats.tests import ranks, spearman

from .conftest import grid_of, row
from .test_means import Setup, numbers_in


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


@pytest.mark.filterwarnings("default")
@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=9))
def test_spearman_is_that_of_scipy(pairs):
    from scipy.stats import rankdata, spearmanr

    one, other = np.array(pairs, dtype=np.float64).T
    assert ranks(one) == pytest.approx(rankdata(one))
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert np.isnan(spearman(one, other))
    else:
        assert spearman(one, other) == pytest.approx(spearmanr(one, other).statistic)


def test_two_sums_that_differ_in_their_last_bit_are_a_tie():
    assert ranks(np.array([0.1 + 0.2, 0.3, 1.0])).tolist() == [1.5, 1.5, 3.0]


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


def test_two_judges_that_always_say_the_same_have_no_kappa_and_never_part():
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


def test_the_binary_collapse_goes_to_the_side_of_the_reference():
    reference, verdict = np.array([0.49, 0.5, 1, 0, 0.4]), np.array([0.5, 0.5, 0.5, 1, 0])
    assert collapsed(reference, verdict).tolist() == [0, 1, 1, 1, 0]


def test_a_judge_that_hedges_gains_by_the_collapse():
    rows = [row(1, 0.5, judge="hedger"), row(1, (1, 1, 1, 0), judge="bold")]
    numbers = numbers_in(rows)
    place = "condition=with-gt/judge="
    assert numbers[f"binary/gain/{place}hedger"].estimate == 0.5
    assert numbers[f"binary/collapsed/{place}bold"].estimate == 0.75
    assert numbers[f"half-rate/{place}hedger"].estimate == 1.0
    assert numbers["binary/spearman/condition=with-gt"].estimate is None  # two judges only
    assert numbers["floor/binary/condition=with-gt/judge=always 0.5"].estimate == 1.0


def test_under_the_collapse_nothing_beats_never_deciding():
    numbers = numbers_in([row((0.25, 0.5, 1, 0), 0.5)])
    place = "condition=with-gt/judge="
    hedging = numbers[f"floor/binary/{place}always 0.5"].estimate
    assert hedging == numbers[f"binary/collapsed/{place}a"].estimate == (0.75 + 0.5 + 1 + 1) / 4
    for other in ("always 0", "always 1", "random"):
        assert numbers[f"floor/binary/{place}{other}"].estimate < hedging


def test_rankings_under_other_weights():
    said = {"a": (1, 1, 0, 1), "b": (1, 0, 1, 1), "c": (0, 0, 0, 1)}
    numbers = numbers_in([row(1, v, judge=judge) for judge, v in said.items()])
    place = "condition=with-gt"
    assert set(WEIGHTINGS) <= {name.split("/")[1] for name in numbers if "weighting" in name}
    assert numbers[f"weighting/sequence × 2/{place}/judge=b"].estimate == 4 / 5
    assert numbers[f"weighting/without parameters/{place}/judge=a"].estimate == 2 / 3
    assert numbers[f"weighting/equal/spearman/{place}"].estimate == pytest.approx(1)
    # Equal: a = b > c, ranks 2.5, 2.5, 1; sequence twice: b > a > c.
    rho = numbers[f"weighting/sequence × 2/spearman/{place}"].estimate
    assert rho == pytest.approx(np.sqrt(3) / 2)


def test_a_jury_is_the_mean_of_all_judges_on_the_plans_that_all_judged():
    rows = [
        row(0.5, 1, record="r1", judge="a"),
        row(0.5, 0, record="r1", judge="b"),
        row(1, 1, record="r2", judge="a"),
    ]
    jury = with_jury(grid_of(rows))
    assert jury.verdict[jury.judge.where(JURY)].tolist() == [[0.5] * 4]
    numbers = numbers_in(rows)
    assert numbers["jury/alignment/condition=with-gt"].estimate == 1.0
    assert numbers["jury/gain/condition=with-gt/tier=easy"].estimate == 0.5
    assert not len(with_jury(grid_of(rows[:1])))


def test_leaning_and_self_preference_by_hand():
    rows = [
        row(0.5, 1, generator="own"),
        row(0.5, 0.5, generator="g"),
        row(0.5, 0, generator="h"),
    ]
    numbers = numbers_in(rows, Setup(n_resamples=20, own={"a": "own"}))
    place = "condition=with-gt/judge=a"
    assert numbers[f"bias/{place}/generator=own/metric=sequence"].estimate == 0.5
    assert numbers[f"bias/{place}"].estimate == pytest.approx(0)
    found = {
        part: numbers[f"self/{part}/{place}/metric=overall"].estimate
        for part in ("own", "lowest", "highest", "excess")
    }
    assert found == {"own": 0.5, "lowest": -0.5, "highest": 0.0, "excess": 0.75}


def test_a_judge_of_its_own_plans_alone_has_nothing_to_compare():
    numbers = numbers_in([row(0.5, 1)], Setup(n_resamples=5, own={"a": "g"}))
    excess = numbers["self/excess/condition=with-gt/judge=a/metric=overall"]
    assert (excess.estimate, excess.reason) == (None, "the judge judged no other generator")


def test_flips_count_the_plans_that_were_judged_twice():
    rows = [
        row(1, (1, 1, 0, 1), record="r1"),
        row(1, (1, 1, 0.5, 1), 1, record="r1"),
        row(1, 1, record="r2"),
        row(1, 1, 1, record="r2"),
        row(1, 1, record="r3"),
    ]
    numbers = numbers_in(rows)
    place = "flips/condition=with-gt/judge=a/metric="
    assert numbers[f"{place}sequence"].estimate == 0.5
    assert numbers[f"{place}tool_selection"].estimate == 0.0
    assert (numbers[f"{place}any"].estimate, numbers[f"{place}any"].n) == (0.5, 2)
    assert numbers["alignment/condition=with-gt/judge=a"].n == 3  # first passes


def test_the_decision_names_the_best_judge_and_how_far_the_next_is_behind():
    rows = [
        row(1, 1, judge="a", tier="easy"),
        row(1, 0.5, judge="b", tier="easy"),
        row(1, 0, judge="a", tier="hard"),
    ]
    grid = grid_of(rows)
    made = decisions(tally(grid, match(grid.reference, grid.verdict), Resample.of(grid, 5)))
    easy, hard = made
    assert (easy.tier, easy.best, easy.runner_up) == ("easy", "a", "b")
    assert (easy.distance.estimate, easy.holds.estimate) == (0.5, 1.0)
    assert (hard.best, hard.runner_up) == ("a", None)
    assert hard.distance.reason == "only one judge judged there"
