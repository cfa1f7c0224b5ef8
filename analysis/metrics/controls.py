"""Controls: what a harmless edit does to a judge's decisions, and Δ less that.

A judge that flags whatever departs from the usual path has a high Δ and no false alarm. An
edit that must change nothing departs, too: control-Δ is what the judge makes of it, and the
adjusted Δ is what is left of Δ when it is taken off.
"""

from __future__ import annotations

import math

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.clusters import TAIL, Sums
from ..stats.estimate import Estimate
from ..stats.intervals import delta_estimate, gap
from ..stats.paired_difference import Clustered
from .detection import FALSE_ALARMS, share_of
from .key import ALL, NumberKey, Numbers
from .pairs import STRUCTURAL, structural_zero, with_known_ends
from .silence import ReadPairs, read_pairs

__all__ = [
    "ADJUSTED",
    "ALARMS_WITH_CONTROLS",
    "CONTROL_DELTA",
    "CONTROL_HEADLINE",
    "HALF_WIDTH",
    "NO_CONTROL",
    "adjusted_numbers",
    "control_numbers",
    "least_controls",
]

NO_CONTROL = "no such control was judged"
CONTROL_DELTA = "control-delta"
CONTROL_HEADLINE = NumberKey("cautious-control-delta", ALL)
ADJUSTED = NumberKey("adjusted-delta", ALL)
ALARMS_WITH_CONTROLS = FALSE_ALARMS._replace(group="with-controls")

HALF_WIDTH = 0.05
"""How far the interval of a control-Δ of 0 may reach before a study has too few controls."""


def control_numbers(study: StudyData, judge: int) -> Numbers:
    """Return how often a control changes the decision of its parent, and control-Δ.

    Control-Δ is Δ with controls in place of faults: flag(control) − flag(parent). A judge
    that reacts to any edit, and not to faults alone, has one above 0. False alarms are also
    given over clean runs and controls together: none of them has a fault.
    """
    runs, verdicts = study.runs, study.verdicts
    scored, flagged = verdicts.scored[judge], verdicts.flagged[judge]
    numbers: Numbers = {}
    every: list[IntArray] = []
    for name in runs.control.names:
        rows = np.flatnonzero(runs.control.where(name) & (runs.parent >= 0) & scored)
        rows = rows[scored[runs.parent[rows]]]
        asked, flipped = (np.zeros(len(runs.ids), np.bool_) for _ in range(2))
        asked[rows] = True
        flipped[rows] = flagged[rows] != flagged[runs.parent[rows]]
        numbers[NumberKey("flips", name)] = share_of(study, asked, flipped, NO_CONTROL)
        every.append(rows)
        numbers[NumberKey(CONTROL_DELTA, name)] = _control_delta(study, flagged, rows)
    if every:
        rows = np.concatenate(every)
        numbers[NumberKey(CONTROL_DELTA, ALL)] = _control_delta(study, flagged, rows)
        sound = (runs.clean | (runs.control.codes >= 0)) & scored
        alarms = share_of(study, sound, flagged, "no run without a fault was judged")
        numbers[ALARMS_WITH_CONTROLS] = alarms
    return numbers


def adjusted_numbers(study: StudyData, judge: int, headline: Estimate) -> Numbers:
    """Return the cautious control-Δ, and the cautious Δ less it; nothing without a control.

    An unscored control counts as flagged, its unscored parent as not flagged: silence makes
    control-Δ no lower. Where no control reaches the view, and no decision changes all the same,
    control-Δ is 0 by structure.
    """
    runs = study.runs
    control = np.flatnonzero((runs.control.codes >= 0) & (runs.parent >= 0))
    if not len(control):
        return {}
    pairs = read_pairs(study, judge, study.fault, study.parent)
    # A control that must not be flagged is, to the reading, the parent that must not be.
    edits = read_pairs(study, judge, runs.parent[control], control)
    every = np.ones(len(control), np.bool_)
    of_edits = edits.clustered(every, len(runs.instance.names))
    turned = Clustered(of_edits.loss, of_edits.gain, of_edits.size)
    delta = delta_estimate(turned, NO_CONTROL)
    if edits.is_blind(every) and not edits.difference.any():
        delta = structural_zero(delta, unequal=0)
    sums = (_sums(study, pairs, 1), _sums(study, edits, -1))
    return {CONTROL_HEADLINE: delta, ADJUSTED: _adjusted(headline, delta, sums)}


def least_controls() -> int:
    """Return how many controls, one a clean run, bound a control-Δ of 0 to ± `HALF_WIDTH`.

    With n pairs and not one decision changed, the interval ends at 1 − .025^(1/n), which is
    that of Clopper and Pearson for no event.

    >>> least_controls()
    72
    """
    return math.ceil(math.log(TAIL) / math.log1p(-HALF_WIDTH))


def _control_delta(study: StudyData, flagged: BoolArray, rows: IntArray) -> Estimate:
    runs = study.runs
    difference = flagged[rows].astype(np.int64) - flagged[runs.parent[rows]]
    unit = runs.instance.codes[rows]
    return delta_estimate(Clustered.of(unit, difference, len(runs.instance.names)), NO_CONTROL)


def _adjusted(headline: Estimate, control: Estimate, sums: tuple[Sums, Sums]) -> Estimate:
    if headline.method == control.method == STRUCTURAL:
        return headline
    reason = control.reason if control.estimate is None else headline.reason
    return gap(with_known_ends(headline), with_known_ends(control), sums, reason or NO_CONTROL)


def _sums(study: StudyData, pairs: ReadPairs, sign: int) -> Sums:
    """Return the summed difference and the pairs of every instance."""
    n = len(study.runs.instance.names)
    instance, difference = pairs.instance[pairs.counts], pairs.difference[pairs.counts]
    total = np.bincount(instance, sign * difference, minlength=n).astype(np.int64)
    return total, np.bincount(instance, minlength=n)
