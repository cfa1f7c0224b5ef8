"""Resamples: how they are drawn, and sums over them."""

import numpy as np
import pytest

from faultpair.analysis.stats.bootstrap import UnitColumns, draws, raw_words


def test_every_resample_draws_as_many_units_as_there_are():
    kind = np.array([0, 1, 2, 2, 1, 0, 0])
    counts = np.vstack([block for _, block in draws(raw_words("test"), kind, 50)])
    assert counts.shape == (50, 3)
    assert (counts.sum(axis=1) == len(kind)).all()


def test_a_ledger_sums_exactly_what_it_resamples():
    ledger = UnitColumns(6)
    ledger.add("ones", np.ones(6, np.int64))
    ledger.add("odd", np.array([1, 0, 1, 0, 1, 0]))
    sums = ledger.sums(np.array([0, 0, 0, 1, 1, 1]), purpose="test", n_resamples=500)
    assert (sums["ones"] == 6).all()
    assert sums["odd"][0] == 3
    assert abs(sums["odd"][1:].mean() - 3) < 0.2


def test_a_column_too_large_to_be_exact_is_refused():
    with pytest.raises(OverflowError):
        UnitColumns(10).add("big", np.full(10, 2**50))
