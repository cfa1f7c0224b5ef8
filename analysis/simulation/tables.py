"""Tables of validity: how often intervals cover and tests err, under judges of known behaviour."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..stats.estimate import Estimate
from ..stats.intervals import proportion
from ..tables.table import Cell, Table, rates, words
from ..tables.table import counts as whole_numbers

__all__ = ["validity_tables"]

Counts = dict[str, Any]

TITLES = {
    "score": "Score",
    "union": "Union",
    "t": "t",
    "percentile": "Percentile",
    "bca": "BCa",
    "difference": "Difference",
}
TESTS = {"McNemar": "McNemar, exact", "sign flips": "Sign flips"}
LEAST, MOST = 0.93, 0.97
DESIGN = words("Instances", "Base rate", "Judge", "Δ")
NOTES = (
    "Score: Tango's at the effective number of pairs, the default. Union: two exact intervals, "
    "of hits and of reversed pairs. t: between instances. Percentile and BCa: bootstrap over "
    "instances. Difference: percentile interval of Δ of two judges alike.",
    "anew: the judge decides on the fault afresh; keeps: it keeps a flag of the parent.",
)
MARKS = (
    "▼: below 93 %; ▲: above 97 %, so longer than it need be. An interval that is not given, "
    "or has no width, covers nothing.",
)


def validity_tables(counts: Counts) -> dict[str, Table]:
    """Return every table of the counts of `python -m analysis.validate`, by name."""
    builders = (methods, coverage, bias, widths, errors, calibration)
    tables = (build(counts) for build in builders)
    return {table.name: table for table in tables}


def methods(counts: Counts) -> Table:
    """Summarise the coverage of every method over the grid."""
    rows = tuple(_summary(_possible(counts), name) for name in TITLES)
    columns = words("Interval") + rates("Least", "Largest")
    columns += whole_numbers("Below 93 %", "93 to 97 %", "Above 97 %")
    columns += rates("Mean width, 100 instances")
    notes = (*_size(counts), *NOTES)
    return Table("methods", "Coverage of 95 % intervals over the grid", columns, rows, notes)


def coverage(counts: Counts) -> Table:
    """Give the coverage of every method in every cell, or the reason why there is none."""
    return _grid(counts, "coverage", "Coverage of 95 % intervals of Δ", _covered, MARKS)


def widths(counts: Counts) -> Table:
    """Give the mean width of every method in every cell."""
    note = ("Means over the intervals that were given.",)
    return _grid(counts, "widths", "Mean width of 95 % intervals of Δ", _width, note)


def bias(counts: Counts) -> Table:
    """Compare the mean estimate of Δ with the true one."""
    rows = []
    for cell in _possible(counts):
        mean = cell["sum"] / cell["simulations"]
        variance = cell["sum_of_squares"] / cell["simulations"] - mean**2
        error = math.sqrt(variance / cell["simulations"]) / cell["pairs"]
        away = mean / cell["pairs"] - cell["delta"]
        ratio = f"{away / error:+.1f}" if error > 0 else "n/a"
        rows.append((*_place(cell), f"{away:+.4f}", f"{error:.4f}", ratio))
    columns = DESIGN + words("Mean Δ − Δ", "Standard error", "Ratio")
    notes = (*_size(counts), "n/a: every judge gives the same value.", NOTES[1])
    return Table("bias", "Is Δ recovered without bias?", columns, tuple(rows), notes)


def errors(counts: Counts) -> Table:
    """Give how often each test rejects a true null hypothesis."""
    rows: list[tuple[Cell, ...]] = []
    for cell in counts["errors"]:
        shares = [proportion(cell[test], cell["simulations"], "") for test in TESTS]
        rows.append((str(cell["instances"]), str(cell["base_rate"]), *shares))
    columns = words("Instances", "Base rate") + rates(*TESTS.values())
    notes = (
        "Share of p ≤ 0.05; nominal is 0.05.",
        "McNemar: pairs of one type, Δ = 0. Sign flips: two judges alike, Δ = 0.1.",
    )
    return Table("errors", "False positives of the tests", columns, tuple(rows), notes)


def calibration(counts: Counts) -> Table:
    """Compare the ECE of calibrated judges with the expected one that tables give."""
    rows = []
    for cell in counts["calibration"]:
        n = cell["simulations"]
        mean, expected = cell["ece"] / n, cell["bias"] / n
        error = math.sqrt(max(0.0, cell["ece_squared"] / n - mean**2) / n)
        place = (str(cell["instances"]), str(cell["verdicts"]), f"{n:,}")
        parts = (f"{mean:.4f}", f"{expected:.4f}", f"{error:.5f}")
        rows.append((*place, *parts, f"{(mean - expected) / error:+.1f}"))
    columns = words("Instances", "Verdicts", "Judges")
    columns += words("Mean ECE", "Stated bias", "Standard error", "Ratio")
    notes = (
        "Judges that are right exactly as often as their stated confidence says.",
        "Ratio: mean ECE minus stated bias, in standard errors.",
    )
    return Table("calibration", "ECE of calibrated judges", columns, tuple(rows), notes)


def _grid(
    counts: Counts, name: str, title: str, shown: Callable[[Counts], str], notes: tuple[str, ...]
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    impossible = set()
    for cell in counts["coverage"]:
        if cell["reason"] is None:
            texts = [shown(cell["methods"][method]) for method in TITLES]
        else:
            texts = ["n/a"] * len(TITLES)
            impossible.add(f"n/a: {cell['reason']}.")
        rows.append((*_place(cell), *texts))
    columns = DESIGN + words(*TITLES.values())
    every = (*_size(counts), *notes, *NOTES, *sorted(impossible))
    return Table(name, title, columns, tuple(rows), every)


def _covered(tally: Counts) -> str:
    share = tally["covered"] / tally["of"]
    return f"{share:.3f}" + (" ▼" if share < LEAST else " ▲" if share > MOST else "")


def _width(tally: Counts) -> str:
    given = tally["of"] - tally["none"]
    return f"{tally['width'] / given:.3f}" if given else "none"


def _summary(cells: list[Counts], name: str) -> tuple[Cell, ...]:
    tallies = [cell["methods"][name] for cell in cells]
    shares = [tally["covered"] / tally["of"] for tally in tallies]
    below, above = sum(s < LEAST for s in shares), sum(s > MOST for s in shares)
    middle = [cell["methods"][name] for cell in cells if cell["instances"] == 100]
    given = sum(tally["of"] - tally["none"] for tally in middle)
    width = math.fsum(tally["width"] for tally in middle) / max(given, 1)
    parts = (min(shares), max(shares), below, len(shares) - below - above, above, width)
    return (TITLES[name], *(Estimate(part, None, None, len(shares), "count") for part in parts))


def _possible(counts: Counts) -> list[Counts]:
    return [cell for cell in counts["coverage"] if cell["reason"] is None]


def _place(cell: Counts) -> tuple[str, ...]:
    rate, delta = f"{cell['base_rate']:.2f}", f"{cell['delta']:.2f}"
    return (str(cell["instances"]), rate, cell["behaviour"], delta)


def _size(counts: Counts) -> tuple[str]:
    n, resamples = counts["simulations"], counts["resamples"]
    return (f"{n:,} judges a cell, {resamples:,} resamples; 95 % of {n:,} is ±{_noise(n):.3f}.",)


def _noise(n: int) -> float:
    return 1.96 * math.sqrt(0.95 * 0.05 / n)
