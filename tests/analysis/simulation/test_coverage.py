"""How often intervals cover and tests err, counted now and in the committed counts.

The committed counts are held to what docs/decisions/0036-intervals-that-cover.md claims.
"""

import json
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from scipy.special import gammaincinv, gammaln, xlogy

from faultpair.analysis.simulation.coverage import KINDS, cell_counts
from faultpair.analysis.simulation.design import Cell, Dependence, study_cells
from faultpair.analysis.simulation.published import BOUNDS, KINDS_OF_METHOD, kinds_of
from faultpair.analysis.simulation.samples import OVER_PASSES
from faultpair.analysis.simulation.silence import KINDS as SILENT_KINDS
from faultpair.analysis.simulation.tables import LEAST_STEPS
from faultpair.analysis.simulation.type_effects import TYPE_KINDS

ROOT = Path(__file__).resolve().parents[3]
COUNTS = ROOT / "results" / "validity" / "counts.json"
BOOTSTRAPS = ("Δ by bootstrap", "paired AUC by bootstrap")


@pytest.fixture(scope="module")
def counts():
    return json.loads(COUNTS.read_text(encoding="utf-8"))


def test_the_same_cell_is_counted_the_same_twice_and_every_kind_is_counted():
    cell = Cell("4 each", 50, 0.1, 0.3, Dependence.NONE)
    once, again = (cell_counts(cell, 40) for _ in range(2))
    assert once == again
    assert list(once) == list(KINDS)
    assert all(tally is not None for tally in once.values())


def test_a_shape_of_few_instances_has_intervals_of_clean_runs_alone():
    noise = next(cell for cell in study_cells() if cell.shape == "noise")
    given = {name for name, tally in cell_counts(noise, 20).items() if tally is not None}
    assert given == {"false alarms", "difference of false alarms"}


def of_kind(counts, kind):
    place = counts["kinds"].index(kind)
    cells = [*counts["studies"], *counts["design"]]
    return [(cell, cell["counts"][place]) for cell in cells if cell["counts"][place] is not None]


def test_the_committed_counts_are_of_the_kinds_that_are_published(counts):
    assert counts["kinds"] == list(KINDS)
    assert min(counts["simulations"][name] for name in ("studies", "design")) >= 2000


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in BOOTSTRAPS])
def test_every_interval_covers_on_both_sides_in_every_committed_cell(counts, kind):
    for cell, (n, above, below, *_) in of_kind(counts, kind):
        assert 1 - (above + below) / n >= 0.93, cell
        assert max(above, below) / n <= 0.04, cell


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in BOOTSTRAPS])
def test_no_interval_is_much_wider_than_what_the_estimates_vary_by(counts, kind):
    """Not counted: where these vary by a few steps, in which no interval can be near."""
    wide = [
        width / own
        for _, (*_, width, own, steps) in of_kind(counts, kind)
        if own and not 0 <= steps < LEAST_STEPS
    ]
    assert median(wide) <= 1.25


@pytest.mark.parametrize("kind", BOOTSTRAPS)
def test_the_bootstrap_beside_it_falls_short_where_it_is_known_to(counts, kind):
    covered = [1 - (above + below) / n for _, (n, above, below, *_) in of_kind(counts, kind)]
    assert min(covered) < 0.5


def test_no_test_errs_more_often_than_it_says_in_the_committed_counts(counts):
    for cell in counts["errors"]:
        n = cell["simulations"]
        assert cell["rejected"] / n <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / n), cell


def test_the_stated_bias_of_ece_is_that_of_calibrated_judges_in_the_committed_counts(counts):
    for cell in counts["calibration"]:
        n = cell["simulations"]
        mean = cell["ece"] / n
        error = np.sqrt((cell["ece_squared"] / n - mean**2) / n)
        assert abs(mean - cell["bias"] / n) <= 4 * error


@pytest.mark.slow
def test_a_committed_cell_is_what_the_code_counts_today(counts):
    found = cell_counts(study_cells()[0], counts["simulations"]["studies"])
    assert list(found.values()) == counts["studies"][0]["counts"]


def committed_intervals():
    for path in sorted((ROOT / "results").glob("*/numbers.json")):
        for name, number in json.loads(path.read_text(encoding="utf-8"))["numbers"].items():
            if number["ci_low"] is not None:
                yield f"{path.parent.name}/{name}", number["method"]


def test_every_committed_interval_is_of_a_method_that_is_simulated():
    unknown = {
        method: name
        for name, method in committed_intervals()
        if method not in BOUNDS and not kinds_of(method)
    }
    assert unknown == {}


def test_an_interval_that_falls_short_stands_beside_another_alone():
    alone = {
        method: name
        for name, method in committed_intervals()
        if set(kinds_of(method)) & set(BOOTSTRAPS) and "/percentile" not in name
    }
    assert alone == {}


def test_every_kind_stands_for_a_method():
    simulated = {*KINDS, *SILENT_KINDS, *TYPE_KINDS, OVER_PASSES}
    assert {kind for kinds in KINDS_OF_METHOD.values() for kind in kinds} == simulated


def test_a_kind_is_counted_alone_as_among_all():
    cell = Cell("1 to 4", 20, 0.1, 0.3, Dependence.EFFECT)
    every = cell_counts(cell, 30)
    for kind in KINDS:
        if "bootstrap" not in kind:
            assert cell_counts(cell, 30, [kind]) == {kind: every[kind]}


def poisson_width(mean):
    """Width of the central 95 % of a Poisson count, and of its exact interval over that."""
    count = np.arange(80)
    chance = np.exp(xlogy(count, mean) - mean - gammaln(count + 1))
    low = np.where(count == 0, 0, gammaincinv(np.maximum(count, 1), 0.025))
    high = gammaincinv(count + 1, 0.975)
    steps = int(np.subtract(*np.searchsorted(chance.cumsum(), (0.975, 0.025))))
    return steps, (chance * (high - low)).sum() / steps


def test_few_steps_are_those_at_which_the_exact_interval_of_a_count_may_be_wide():
    found = [poisson_width(mean) for mean in np.arange(0.2, 20, 0.05)]
    assert max(ratio for steps, ratio in found if steps >= LEAST_STEPS) <= 1.25
    assert max(ratio for steps, ratio in found if steps == LEAST_STEPS - 1) > 1.25
