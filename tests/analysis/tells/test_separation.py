"""An AUC with the exact moments of its permutations inside instances."""

from itertools import product

import numpy as np
import pytest

from faultpair.analysis.tells.separation import N_FOLDS, folds_of, separation

ONE_FOLD = np.zeros(6, np.int64)
STRATA = np.array([0, 0, 0, 1, 1, 1])
SCORES = np.array([0.1, 0.9, 0.9, 0.3, 0.2, 0.8])


def auc(scores, labels):
    one, other = scores[labels], scores[~labels]
    wins = (one[:, None] > other).sum() + (one[:, None] == other).sum() / 2
    return wins / (len(one) * len(other))


def test_moments_of_single_runs_are_those_of_all_permutations_inside_instances():
    labels = np.array([True, False, False, True, True, False])
    own = separation(SCORES, labels, ONE_FOLD, STRATA, in_pairs=False)
    every = [
        auc(SCORES, np.array(flags, bool))
        for flags in product([0, 1], repeat=6)
        if sum(flags[:3]) == 1 and sum(flags[3:]) == 2
    ]
    assert own.auc == pytest.approx(auc(SCORES, labels))
    assert own.mean == pytest.approx(np.mean(every))
    assert own.sd == pytest.approx(np.std(every))


def test_moments_of_pairs_are_those_of_swaps_of_all_pairs_of_an_instance_together():
    labels, strata = np.array([True, False] * 3), np.array([0, 0, 0, 0, 1, 1])
    own = separation(SCORES, labels, ONE_FOLD, strata, in_pairs=True)
    every = [
        auc(SCORES, np.where(np.array([a, a, a, a, b, b]), ~labels, labels))
        for a, b in product([False, True], repeat=2)
    ]
    assert own.auc == pytest.approx(auc(SCORES, labels))
    assert own.mean == pytest.approx(np.mean(every)) == pytest.approx(0.5)
    assert own.sd == pytest.approx(np.std(every))


def test_runs_are_compared_inside_their_fold():
    """The scores of two classifiers have no common scale."""
    scores = np.array([0.1, 0.2, 0.8, 0.9])
    labels, folds = np.array([False, True] * 2), np.array([0, 0, 1, 1])
    assert separation(scores, labels, folds, folds, in_pairs=True).auc == 1.0


def test_equal_scores_separate_nothing():
    labels = np.array([True, False] * 3)
    own = separation(np.full(6, 0.3), labels, ONE_FOLD, STRATA, in_pairs=False)
    assert (own.auc, own.mean, own.sd) == (0.5, 0.5, 0.0)


def test_a_fold_without_one_of_the_labels_is_left_out():
    labels = np.array([True, False, False, True, True, True])
    own = separation(SCORES, labels, STRATA, STRATA, in_pairs=False)
    assert own.auc == pytest.approx(auc(SCORES[:3], labels[:3]))
    assert separation(SCORES, labels | True, ONE_FOLD, STRATA, in_pairs=False).auc == 0.5


def test_folds_have_equal_numbers_of_instances_whatever_their_order():
    names = [f"i{number}" for number in range(50)]
    folds = folds_of(names)
    assert sorted(np.bincount(list(folds.values()))) == [10] * N_FOLDS
    assert folds == folds_of(names[::-1] * 2)
