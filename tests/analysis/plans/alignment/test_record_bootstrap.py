"""The bootstrap over records."""

import numpy as np
import pytest

from faultpair.analysis.plans.alignment.cells import Weighting, tally
from faultpair.analysis.plans.alignment.marginals import marginal_means
from faultpair.analysis.plans.alignment.match_score import match
from faultpair.analysis.plans.alignment.record_bootstrap import Resample
from faultpair.judges.plan_metrics.metrics import METRICS


def test_each_resample_is_the_grid_with_its_records_copied_as_often_as_drawn(study):
    first = study.pass_of(0)
    resample = Resample.of(first, 30)
    cells = tally(first, match(first.reference, first.verdict), resample)
    drawn = marginal_means(cells, ("judge", "metric"), weighting=Weighting.COUNTS)
    for b in (0, 7, 29):
        times = np.zeros(len(first.record.names), dtype=np.int64)
        for records, counts in zip(resample.records, resample.times, strict=True):
            assert counts[b].sum() == len(records)
            times[records] = counts[b]
        copied = np.repeat(np.arange(len(first)), times[first.record.codes])
        for (judge, metric), number in drawn.items():
            rows = copied[first.judge.where(judge)[copied]]
            place = METRICS.index(metric)
            mu = 1 - np.abs(first.reference[rows, place] - first.verdict[rows, place])
            assert number.values[1 + b] == pytest.approx(mu.mean())
