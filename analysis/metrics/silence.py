"""Δ in its three readings of a silent judge, the coverage beside them, and the order of judges.

The headline is the cautious Δ, and judges are ordered by its low end: a judge that says
nothing gains nothing by it. What each reading counts is in `analysis.stats.readings`. Where
all that was asked is scored, the readings are one number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.estimate import NO_PAIR, Estimate, point, undefined
from ..stats.intervals import delta_estimate
from ..stats.paired_difference import Clustered
from ..stats.readings import NOT_ASKED, UNSCORED, Reading, differences
from .groups import reached
from .key import ALL, PAIRED, Group, NumberKey, Numbers
from .pairs import structural_zero, with_known_ends

__all__ = [
    "CAUTIOUS",
    "COVERAGE",
    "GATE",
    "HEADLINE",
    "ReadPairs",
    "codes_of",
    "is_silent",
    "ranked",
    "read_pairs",
    "reading_numbers",
    "standing",
]

CAUTIOUS, GATE = "cautious-delta", "gate-delta"
HEADLINE = NumberKey(CAUTIOUS, ALL)
COVERAGE = NumberKey("coverage", "pairs")
COVERED_RUNS = NumberKey("coverage", "runs")
OWN = "a count of this judge's runs"


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """The pairs of one judge in one reading; every array has one entry a pair.

    Attributes
    ----------
    reading : Reading
        How an unscored side counts.
    difference : array of int
        flag(fault) − flag(parent), 0 where the pair does not count.
    counts : array of bool
        Whether the pair counts in this reading.
    is_whole : array of bool
        Whether both sides are scored.
    is_uneven : array of bool
        Whether one side alone is scored.
    reach : array of bool or None
        Whether the fault reaches the judge's view; None if what it shows is not known.
    instance : array of int
        The instance of the fault, by its code.
    """

    reading: Reading
    difference: IntArray
    counts: BoolArray
    is_whole: BoolArray
    is_uneven: BoolArray
    reach: BoolArray | None
    instance: IntArray

    def clustered(self, rows: BoolArray, n_instances: int) -> Clustered:
        """Sum some of the pairs that count by instance."""
        rows = rows & self.counts
        return Clustered.of(self.instance[rows], self.difference[rows], n_instances)

    def is_blind(self, rows: BoolArray) -> bool:
        """Return whether Δ of these pairs, of which some count, is 0 by structure.

        No fault reaches the view; and, as one unscored side counts against the judge in the
        cautious reading, no pair has one.
        """
        rows = rows & self.counts
        if self.reach is None or not rows.any() or self.reach[rows].any():
            return False
        return self.reading is not Reading.CAUTIOUS or not bool(self.is_uneven[rows].any())


def codes_of(study: StudyData, judge: int) -> IntArray:
    """Return what a judge said of every run in its first pass, as `differences` takes it."""
    verdicts = study.verdicts
    code = np.where(verdicts.scored[judge], verdicts.flagged[judge], UNSCORED)
    return np.where(verdicts.judged[judge], code, NOT_ASKED).astype(np.int64)


def read_pairs(
    study: StudyData,
    judge: int,
    fault: IntArray,
    parent: IntArray,
    reading: Reading = Reading.CAUTIOUS,
) -> ReadPairs:
    """Read pairs of runs, given by the rows of both sides, as one judge has answered."""
    code = codes_of(study, judge)
    one, other = code[fault], code[parent]
    reach = reached(study.runs, study.verdicts.view[judge], fault, parent)
    is_alike = None if reach is None else ~reach
    difference, counts = differences(one, other, reading, is_alike=is_alike)
    return ReadPairs(
        reading=reading,
        difference=difference,
        counts=counts,
        is_whole=(one >= 0) & (other >= 0),
        is_uneven=counts & ((one >= 0) != (other >= 0)),
        reach=reach,
        instance=study.runs.instance.codes[fault],
    )


def reading_numbers(
    study: StudyData, judge: int, groups: dict[Group, BoolArray], judged: Numbers
) -> Numbers:
    """Return the cautious Δ and the gate's Δ of the main groups, and what share is scored.

    ``judged`` holds the Δ of the judged, which stands for the others where both sides of all
    pairs that were asked about are scored.
    """
    verdicts, own = study.verdicts, [group for group in PAIRED if group in groups]
    n_scored, n_asked = (int(rows[judge].sum()) for rows in (verdicts.scored, verdicts.judged))
    covered = {COVERED_RUNS: _share(n_scored, n_asked)}
    if n_scored == n_asked:
        asked = verdicts.judged[judge]
        n = int((asked[study.fault] & asked[study.parent]).sum())
        numbers = {
            NumberKey(stat, group): judged[NumberKey("delta", group)]
            for group in own
            for stat in (CAUTIOUS, GATE)
        }
        return numbers | {COVERAGE: _share(n, n)} | covered
    read = read_pairs(study, judge, study.fault, study.parent)
    gate = read_pairs(study, judge, study.fault, study.parent, Reading.GATE)
    numbers = {
        NumberKey(stat, group): _delta(
            study, pairs, groups[group], judged[NumberKey("delta", group)]
        )
        for group in own
        for stat, pairs in ((CAUTIOUS, read), (GATE, gate))
    }
    n_whole, n_counted = int((read.counts & read.is_whole).sum()), int(read.counts.sum())
    return numbers | {COVERAGE: _share(n_whole, n_counted)} | covered


def is_silent(study: StudyData, numbers: Numbers) -> bool:
    """Return whether a judge left a run unscored that it was asked about, in a study with pairs."""
    shares = (numbers.get(COVERED_RUNS._replace(judge=judge)) for judge in study.compared)
    return len(study.fault) > 0 and any(
        share is not None and share.estimate is not None and share.estimate < 1 for share in shares
    )


def ranked(judges: Iterable[str], numbers: Numbers) -> list[str]:
    """Order judges by the low end of their cautious Δ, the best first.

    A judge without an interval comes after all that have one, by its Δ; one without a Δ is last.
    Of judges that are alike, the one that scored more comes first, then they go by name.
    """

    def place(judge: str) -> tuple[tuple[int, float], float, str]:
        delta, share = (numbers.get(key._replace(judge=judge)) for key in (HEADLINE, COVERAGE))
        covered = 0.0 if share is None or share.estimate is None else share.estimate
        return standing(delta), -covered, judge

    return sorted(judges, key=place)


def standing(delta: Estimate | None) -> tuple[int, float]:
    """Return the rank of a Δ among others: the lower, the better it is."""
    if delta is None or delta.estimate is None:
        return 2, 0.0
    low = with_known_ends(delta).ci_low
    return (1, -delta.estimate) if low is None else (0, -low)


def _delta(study: StudyData, read: ReadPairs, members: BoolArray, judged: Estimate) -> Estimate:
    """Return Δ in a reading; as judged if nothing is unscored."""
    rows = members & read.counts
    if not (rows & ~read.is_whole).any():
        return judged
    delta = delta_estimate(read.clustered(rows, len(study.runs.instance.names)), NO_PAIR)
    if read.is_blind(rows):
        return structural_zero(delta, int(np.count_nonzero(read.difference[rows])))
    return delta


def _share(some: int, n: int) -> Estimate:
    return point(some / n, n, "share", OWN) if n else undefined("nothing was asked about")
