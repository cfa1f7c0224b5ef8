"""How long alignment takes on a grid of the size of AgentJudgeBench, and how much memory.

The grid is made up: five generators, six judges, three tiers, 53,608 plans, each judged
with and without ground truth, 643,296 verdicts of four metrics in all. Tables and
numbers are made in a fresh process on one core, from columns that lie in memory, with the
2,000 resamples of the real thing; figures are not drawn. Seconds of processor stand beside
those of the clock, for machines that are busy.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from faultpair.analysis.data.columns import Coded
from faultpair.analysis.plans.alignment.catalog import Setup, alignment_numbers, compute
from faultpair.analysis.plans.alignment.grid import Grid
from faultpair.analysis.tables.catalog import alignment_tables

__all__ = ["report"]

ROOT = Path(__file__).resolve().parent.parent
TOPOLOGIES = {
    "linear": 812, "fan_out": 399, "fan_in": 1049,
    "diamond": 501, "optional_enrichment": 823, "loop_like": 224,
}  # fmt: skip
TIERS = ("easy", "medium", "hard")
CONDITIONS = ("with-gt", "without-gt")
GENERATORS = tuple(f"generator-{n}" for n in range(5))
JUDGES = tuple(f"judge-{n}" for n in range(6))
N_PLANS = 53_608
ERRORS = (0.06, 0.12, 0.25)
SETUP = Setup(own={JUDGES[-1]: GENERATORS[-1]})


def report() -> None:
    """Print seconds and memory beside their targets."""
    sys.stdout.flush()
    one_core = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-m", __name__], cwd=ROOT, check=True, env=one_core)


def made_up() -> Grid:
    """Return the grid: harder tiers fail more; verdicts vary at random and are biased upwards."""
    rng = np.random.Generator(np.random.PCG64(5))
    n_records = sum(TOPOLOGIES.values())
    places = n_records * len(TIERS) * len(GENERATORS)
    plan = np.sort(rng.permutation(places)[:N_PLANS])
    record, rest = np.divmod(plan, len(TIERS) * len(GENERATORS))
    tier, generator = np.divmod(rest, len(GENERATORS))
    topology = np.repeat(np.arange(len(TOPOLOGIES)), list(TOPOLOGIES.values()))[record]
    chance = np.array(ERRORS)[tier] * (1 + generator / 4)
    failed = rng.random((N_PLANS, 4)) < chance[:, np.newaxis]
    calls = rng.integers(2, 6, N_PLANS)[:, np.newaxis]
    reference = np.where(failed, rng.integers(0, 5, (N_PLANS, 4)) % calls / calls, 1.0)
    times = len(JUDGES) * len(CONDITIONS)
    judge, condition = np.divmod(np.repeat(np.arange(times), N_PLANS), len(CONDITIONS))
    every = np.tile(np.arange(N_PLANS), times)
    noise = rng.normal(0.05, 0.1 + 0.05 * judge[:, np.newaxis], (len(every), 4))
    verdict = np.clip(np.rint((reference[every] + noise) * 2) / 2, 0, 1)
    names = tuple(f"WFL-{number:05d}" for number in range(n_records))
    return Grid(
        record=Coded(names, record[every]),
        generator=Coded(GENERATORS, generator[every]),
        judge=Coded(JUDGES, judge),
        tier=Coded(TIERS, tier[every]),
        topology=Coded(tuple(TOPOLOGIES), topology[every]),
        condition=Coded(CONDITIONS, condition),
        reference=reference[every],
        verdict=verdict,
        repeat=np.zeros(len(every), dtype=np.int64),
    )


def _measure() -> None:
    grid = made_up()
    start, spent = time.perf_counter(), time.process_time()
    alignment = compute(grid, SETUP)
    numbers = alignment_numbers(alignment)
    tables = alignment_tables(alignment, numbers)
    seconds, spent = time.perf_counter() - start, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    what = f"alignment of {len(grid):,} verdicts"
    print(f"{what:37} {seconds:>10.2f} s (target 60), {spent:.2f} s of processors")
    made = f"its {len(numbers):,} numbers, {len(tables)} tables"
    print(f"{made:37} {peak:>10.2f} GiB (target 2.00)")


if __name__ == "__main__":
    _measure()
