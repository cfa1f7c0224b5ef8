"""Tables of validity: how often intervals cover and tests err, under judges of known behaviour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from ..stats.estimate import Estimate, point
from ..stats.intervals import proportion
from ..tables.table import Cell as TableCell
from ..tables.table import Row, Table, amounts, rates, words
from ..tables.table import counts as whole_numbers
from .design import COMMITTED

__all__ = [
    "KIND_NOTES",
    "calibration_table",
    "coverage_tables",
    "error_table",
    "shares",
    "silence_tables",
    "size_note",
    "summary",
]

Counts = dict[str, Any]
Tally = list[float]

LEAST, MOST_MISSED = 0.93, 0.04
LEAST_STEPS = 8
"""From so many steps on, the exact interval of a Poisson count is at most 1.25 times as wide as
the central 95 % of the counts."""

DESIGN = words("Shape", "Instances", "Base rate", "Δ", "Dependence")
KIND_NOTES = (
    "Covered: the share of studies whose interval holds the true value. Above and below: the "
    "share whose interval lies wholly above it, and wholly below it; nominal is 0.025 each. "
    "Given: the share with an interval; one that is not given misses nothing.",
    "Width: mean width over that of the central 95 % of the estimates of all studies of the cell.",
    f"Few steps: cells in which that central 95 % spans fewer than {LEAST_STEPS} steps; a step "
    "is what one instance of usual size moves the number by. With so few, even the exact interval "
    "of a Poisson count may be more than 1.25 times as wide. Median width: of the others; numbers "
    "without such a step have all cells there. Of all cells: the same without this rule.",
    "▼: covered in less than 93 %, or missed on one side in more than 4 %.",
)
TITLES = {
    "kinds": "Coverage of every kind of 95 % interval",
    "silence": "Coverage of 95 % intervals with silent judges and with controls",
}
SILENCE = (
    "Cautious and gate's: the judge is silent on half of its errors and on a tenth of what it has "
    "right; where the faults of an instance share an answer, they share the silence.",
    "Adjusted: Δ minus control-Δ, with one control for each instance, that is flagged more often "
    "than its parent by a quarter of Δ.",
)
BESIDE = (
    "By bootstrap: the percentile interval of the paper, which stands beside the published one. "
    "It falls short with few instances, rare flags and few misses.",
    "Cautious and gate Δ, Δ of a group and Δ of a pass are made as Δ; shares of equal answers as "
    "recall.",
)
REFUSED = (
    "Refused: cells with fewer than 10 instances in effect, (Σk)² / Σk² with k the faults of an "
    "instance. No interval is published there, single runs apart."
)


def coverage_tables(
    kinds: Sequence[str], studies: Sequence[Counts], design: Sequence[Counts], simulations: int
) -> list[Table]:
    """Return the summary of every kind of interval, and a table of all cells of each kind.

    Parameters
    ----------
    kinds : sequence of str
        The kinds of interval, in the order of the counts of a cell.
    studies, design : sequence of dict
        The cells in the shapes of the committed studies, and those of the covering design.
    simulations : int
        The studies that are simulated in a cell.
    """
    notes = (size_note(simulations), *KIND_NOTES, REFUSED)
    return [
        _kinds("kinds", kinds, {"studies": studies, "design": design}, (*notes, *BESIDE)),
        *_cells("cells", kinds, (*studies, *design), notes),
    ]


def silence_tables(cells: Sequence[Counts], kinds: Sequence[str], simulations: int) -> list[Table]:
    """Return the summary and all cells of the intervals of silent judges and of controls."""
    notes = (size_note(simulations), *KIND_NOTES, REFUSED, *SILENCE)
    parts = {
        name: [cell for cell in cells if (cell["shape"] in COMMITTED) is is_committed]
        for name, is_committed in (("studies", True), ("design", False))
    }
    return [_kinds("silence", kinds, parts, notes), *_cells("silence", kinds, cells, notes)]


def _kinds(
    name: str,
    kinds: Sequence[str],
    cells: Mapping[str, Sequence[Counts]],
    notes: tuple[str, ...],
) -> Table:
    rows: tuple[Row, ...] = tuple(
        (kind, which, *summary([cell["counts"][place] for cell in some]))
        for place, kind in enumerate(kinds)
        for which, some in cells.items()
    )
    columns = words("Interval", "Cells of") + whole_numbers("Cells", "Refused", "▼")
    columns += rates("Least covered", "Most above", "Most below")
    columns += whole_numbers("Few steps") + amounts("Median width", "Of all cells")
    return Table(name, TITLES[name], columns, rows, notes)


def _cells(
    name: str, kinds: Sequence[str], cells: Sequence[Counts], notes: tuple[str, ...]
) -> Iterator[Table]:
    columns = DESIGN + words("Covered", "Above", "Below", "Given", "Width")
    for place, kind in enumerate(kinds):
        rows: tuple[Row, ...] = tuple(
            (*_place(cell), *shares(cell["counts"][place])) for cell in cells
        )
        title = f"Coverage of 95 % intervals: {kind}"
        yield Table(f"{name}-{place + 1:02d}", title, columns, rows, notes)


def error_table(cells: Sequence[Counts]) -> Table:
    """Give how often each test rejects a true null hypothesis."""
    rows: list[Row] = []
    for cell in cells:
        n = cell["simulations"]
        share = proportion(cell["rejected"], n, "nothing was simulated")
        place = (cell["test"], str(cell["instances"]), str(cell["faults"]), str(cell["base_rate"]))
        rows.append((*place, f"{n:,}", share))
    columns = words("Test", "Instances", "Faults each", "Base rate", "Studies") + rates("Rejected")
    notes = (
        "Share of studies in which a true null hypothesis is rejected at 5 %.",
        "Matched sets: a judge that flags each run afresh. Contrast: sign flips, two judges alike. "
        "Five contrasts: three are answered and two open; any Holm-adjusted p at most .05.",
        "Equivalence and non-inferiority: a Δ exactly at the margin, or at the floor, of 0.1.",
        "Ten blind judges, forty types: any of 400 Holm-adjusted p of matched sets at most .05.",
    )
    return Table("errors", "False positives of the tests", columns, tuple(rows), notes)


def calibration_table(cells: Sequence[Counts]) -> Table:
    """Compare the ECE of calibrated judges with the expected one that tables give."""
    rows = []
    for cell in cells:
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


def summary(tallies: Sequence[Tally | None]) -> Row:
    """Return how many cells there are, and the least and most of what covers in them."""
    known = [tally for tally in tallies if tally is not None]
    n = len(known)
    counts: Row = (_whole(n), _whole(len(tallies) - n))
    if not known:
        return (*counts, _whole(0), None, None, None, _whole(0), None, None)
    covered, above, below = (
        [share(tally) for tally in known] for share in (_covered, _above, _below)
    )
    ends = (min(covered), max(above), max(below))
    few = [tally for tally in known if 0 <= tally[6] < LEAST_STEPS]
    others = [tally for tally in known if tally not in few]
    return (
        *counts,
        _whole(sum(map(_is_short, known))),
        *(point(end, n, "simulated") for end in ends),
        _whole(len(few)),
        _median_width(others),
        _median_width(known),
    )


def _median_width(tallies: Sequence[Tally]) -> Estimate | None:
    wide = [tally[4] / tally[5] for tally in tallies if tally[5]]
    return point(median(wide), len(wide), "median") if wide else None


def shares(tally: Tally | None) -> tuple[TableCell, ...]:
    """Return how often the interval of a cell covers, and how wide it is."""
    if tally is None:
        return ("refused", *[""] * 4)
    mark = " ▼" if _is_short(tally) else ""
    width = f"{tally[4] / tally[5]:.2f}" if tally[5] else "n/a"
    ends = (f"{_above(tally):.3f}", f"{_below(tally):.3f}")
    return (f"{_covered(tally):.3f}{mark}", *ends, f"{tally[3] / tally[0]:.3f}", width)


def _covered(tally: Tally) -> float:
    return 1 - _above(tally) - _below(tally)


def _above(tally: Tally) -> float:
    return tally[1] / tally[0]


def _below(tally: Tally) -> float:
    return tally[2] / tally[0]


def _is_short(tally: Tally) -> bool:
    return _covered(tally) < LEAST or max(_above(tally), _below(tally)) > MOST_MISSED


def _place(cell: Counts) -> tuple[str, ...]:
    rates_of = (f"{cell['base_rate']:.2f}", f"{cell['delta']:.2f}")
    return (cell["shape"], str(cell["instances"]), *rates_of, cell["dependence"])


def _whole(value: int) -> Estimate:
    return point(float(value), value, "count")


def size_note(n: int) -> str:
    """Return the note that gives the Monte Carlo error."""
    errors = (1.96 * math.sqrt(p * (1 - p) / n) for p in (0.95, 0.025))
    both = " and of 2.5 % ±".join(f"{error:.4f}" for error in errors)
    return f"{n:,} studies a cell; the Monte Carlo error of 95 % is ±{both}."
