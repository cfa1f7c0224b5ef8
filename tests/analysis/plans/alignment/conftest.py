"""Small grids, written row by row."""

import numpy as np
import pytest

from faultpair.analysis.data.columns import Coded
from faultpair.analysis.plans.alignment.catalog import Setup, alignment_numbers, compute
from faultpair.analysis.plans.alignment.cells import tally
from faultpair.analysis.plans.alignment.grid import Grid
from faultpair.analysis.plans.alignment.match_score import match
from faultpair.analysis.plans.alignment.record_bootstrap import Resample

from ...conftest import named

TIERS = ("easy", "medium", "hard")
LEVELS = (0.0, 0.5, 1.0)
FEW = Setup(n_resamples=20)
DEFAULTS = {
    "record": "r1",
    "generator": "g",
    "judge": "a",
    "tier": "easy",
    "topology": "linear",
    "condition": "with-gt",
}


def row(p, v, repeat=0, **names):
    """One judged plan; a single number stands for all four metrics."""
    four = tuple([x] * 4 if isinstance(x, int | float) else list(x) for x in (p, v))
    return {**DEFAULTS, **names, "p": four[0], "v": four[1], "repeat": repeat}


def grid_of(rows):
    """The rows as columns; tiers go from easy to hard, other names by the alphabet."""

    def column(factor, names=None):
        known = names or tuple(sorted({one[factor] for one in rows}))
        return Coded(known, np.array([known.index(one[factor]) for one in rows], dtype=np.int64))

    return Grid(
        record=column("record"),
        generator=column("generator"),
        judge=column("judge"),
        tier=column("tier", TIERS),
        topology=column("topology"),
        condition=column("condition"),
        reference=np.array([one["p"] for one in rows], dtype=np.float64),
        verdict=np.array([one["v"] for one in rows], dtype=np.float64),
        repeat=np.array([one["repeat"] for one in rows], dtype=np.int64),
    )


def study_rows(seed=1, judges=("a", "b", "c"), n_records=12):
    """A crossed study of chance: two generators, three tiers, three conditions, two passes."""
    rng = np.random.Generator(np.random.PCG64(seed))
    rows = []
    for number in range(n_records):
        topology = "linear" if number % 3 else "fan_in"
        for generator in ("g", "h"):
            for tier in TIERS:
                p = (rng.integers(0, 4, 4) / 3).tolist()
                names = {
                    "record": f"r{number:02d}", "generator": generator,
                    "tier": tier, "topology": topology,
                }  # fmt: skip
                for judge in judges:
                    for condition in ("with-gt", "without-gt", "corrupted-gt"):
                        for repeat in (0, 1) if tier == "hard" else (0,):
                            v = [LEVELS[place] for place in rng.integers(0, 3, 4)]
                            own = {**names, "judge": judge, "condition": condition}
                            rows.append(row(p, v, repeat, **own))
    return rows


def cells_of(grid, n_resamples=0):
    return tally(grid, match(grid.reference, grid.verdict), Resample.of(grid, n_resamples))


def numbers_in(rows, setup=FEW):
    return named(alignment_numbers(compute(grid_of(rows), setup)))


def observed(drawn):
    return {key: float(one.values[0]) for key, one in drawn.items()}


@pytest.fixture
def study():
    return grid_of(study_rows())
