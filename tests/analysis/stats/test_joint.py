"""F1 and precision: neither recall nor false alarms are taken as known."""

import numpy as np
import pytest

from faultpair.analysis.stats.clusters import Share
from faultpair.analysis.stats.joint import Rates, f1_ends, precision_ends

STUDIES = 1_000


def rates(recall, alarms, size, seed=2, shape=(STUDIES,)):
    rng = np.random.Generator(np.random.PCG64(seed))
    caught = (rng.random((*shape, len(size))) < recall) * size  # one answer an instance
    clean = np.ones(len(size), np.int64)
    return Rates(caught, size, rng.binomial(1, alarms, (*shape, len(size))), clean)


@pytest.mark.parametrize(("recall", "alarms"), [(0.3, 0.05), (0.7, 0.2), (0.9, 0.02)])
def test_precision_and_f1_cover_where_one_answer_serves_an_instance(recall, alarms):
    """Of the percentile bootstrap over runs .47 to .88 of the intervals of recall do."""
    size = np.arange(120) % 4 + 1
    drawn = rates(recall, alarms, size)
    true = recall * 0.05 / (recall * 0.05 + alarms * 0.95)
    low, high = precision_ends(drawn, 0.05)
    assert np.mean((low <= true) & (true <= high)) >= 0.93
    n_faults, n_clean = size.sum(), len(size)
    true = 2 * recall * n_faults / (recall * n_faults + alarms * n_clean + n_faults)
    low, high = f1_ends(drawn)
    assert np.mean((low <= true) & (true <= high)) >= 0.93


def test_precision_of_a_known_recall_would_be_the_exact_bound_of_false_alarms():
    size = np.full(100_000, 1)
    drawn = rates(1.0, 0.0, size, shape=())
    alarms = Share.of(drawn.alarms, drawn.clean).ends()[1]
    low, high = precision_ends(drawn, 0.05)
    assert low == pytest.approx(0.05 / (0.05 + 0.95 * alarms), rel=1e-3)
    assert high == 1.0


def test_uncertain_recall_lowers_the_floor_of_precision():
    few = rates(0.5, 0.05, np.full(12, 1), seed=4, shape=())
    recall, alarms = Share.of(few.caught, few.faults), Share.of(few.alarms, few.clean)
    point = recall.value * 0.05 / (recall.value * 0.05 + alarms.ends()[1] * 0.95)
    assert precision_ends(few, 0.05)[0] < point
