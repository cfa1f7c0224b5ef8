"""Comparing two measurements: two judges, two studies, or two runs of one judge.

On runs that both were asked about, the difference is taken pair by pair and summed by unit;
measurements that share no run are independent, and their intervals are put together by the
squares of distances.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from faultpair.env.errors import UsageError

from ..data.columns import IntArray
from ..stats.estimate import NO_INTERVAL, NO_PAIR, Estimate, point, undefined
from ..stats.intervals import ADDED, ALPHA, ONE_SIDE, delta_estimate
from ..stats.margins import LARGEST_P, MarginTest, equivalence, non_inferiority, within
from ..stats.paired_difference import Clustered, ends_of_difference, interval
from ..stats.readings import Reading
from .result import Measurement, as_plain, estimate_text

__all__ = ["Comparison", "compare"]

NO_CLEAN = "no such clean run was judged"
HALF_SHARED = (
    "the two share units and no pair, so they are neither paired nor independent; give both "
    "judges the same runs, or runs of other units"
)
NOT_LOWER, SAME_DELTA = "Δ not lower", "Δ equivalent"
NOT_HIGHER, SAME_ALARMS = "false alarms not higher", "false alarms equivalent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One measurement minus another.

    Attributes
    ----------
    one, other : str
        Judge and source of each.
    is_paired : bool
        Whether both judged the same runs.
    n_pairs, n_units : int
        What both have in common; 0 if they are independent.
    delta, cautious, false_alarms : Estimate
        The differences in the judged Δ, in the cautious Δ and in the false-alarm rate.
    tests : mapping of str to MarginTest
        With a margin: whether the cautious Δ of the first is not lower, and the same, and
        whether its false alarms are not higher, and the same, within the margin. Each at
        5 % by itself.
    reason : str or None
        Why the two cannot be compared.
    """

    one: str
    other: str
    is_paired: bool
    n_pairs: int
    n_units: int
    delta: Estimate
    cautious: Estimate
    false_alarms: Estimate
    tests: Mapping[str, MarginTest]
    reason: str | None = None

    def summary(self) -> str:
        """Return the result as lines of text."""
        return "\n".join(self._lines())

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values for JSON."""
        return {field.name: as_plain(getattr(self, field.name)) for field in fields(self)}

    def _lines(self) -> Iterator[str]:
        on = f"on {self.n_pairs} pairs of {self.n_units} units" if self.is_paired else "independent"
        yield f"{self.one} minus {self.other}, {self.reason or on}"
        rows = {
            "Δ, cautious": self.cautious, "Δ, judged": self.delta,
            "false alarms": self.false_alarms,
        }  # fmt: skip
        for name, number in rows.items():
            yield f"  {name:<12}  {estimate_text(number)}"
        for name, test in self.tests.items():
            yield f"  {name} within {test.margin:g}: {_verdict(test)}"


def compare(one: Measurement, other: Measurement, *, margin: float | None = None) -> Comparison:
    """Compare two measurements.

    Runs are the same if their ids, units and, in studies, contents are the same.

    Parameters
    ----------
    one, other : Measurement
        Of two judges, of two studies, or of two runs of one judge.
    margin : float, optional
        A difference above 0 that is of no account, declared before the verdicts are seen.

    Raises
    ------
    UsageError
        If the margin is not above 0 and below 1.

    Examples
    --------
    >>> from faultpair.stats import measure_pairs
    >>> rows = [
    ...     {"judge": judge, "unit": task, "run": f"{task}-{side}",
    ...      "parent": f"{task}-clean" if side == "fault" else "",
    ...      "flagged": side == "fault" and task % step > 0}
    ...     for judge, step in (("large", 8), ("small", 2))
    ...     for task in range(40) for side in ("clean", "fault")
    ... ]
    >>> found = compare(*(measure_pairs(rows, judge=name) for name in ("large", "small")))
    >>> print(found.summary())
    large on the data minus small on the data, on 40 pairs of 40 units
      Δ, cautious   +0.375 [+0.145, +0.554]
      Δ, judged     +0.375 [+0.145, +0.554]
      false alarms  +0.000 [-0.088, +0.088]
    """
    if margin is not None and not 0 < margin < 1:
        raise UsageError(f"A margin is above 0 and below 1, and {margin:g} is not.")
    names = tuple(f"{side.judge} on {side.source}" for side in (one, other))
    left, right = _common(one.pairs.key, other.pairs.key)
    if len(left):
        return _paired((one, other), names, (left, right), margin)
    return _independent((one, other), names, margin)


Sides = tuple[Measurement, Measurement]


def _common(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[IntArray, IntArray]:
    """Return the places of what both have, in the order of the first."""
    place = {key: row for row, key in enumerate(other)}
    rows = [(row, place[key]) for row, key in enumerate(one) if key in place]
    both = np.array(rows, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _paired(
    sides: Sides, names: Sequence[str], rows: tuple[IntArray, IntArray], margin: float | None
) -> Comparison:
    pairs = [side.pairs.take(own) for side, own in zip(sides, rows, strict=True)]
    unit = pairs[0].unit
    n_units = len(unit.names)

    def difference(reading: Reading) -> Clustered:
        (one, counts), (other, counts_2) = (side.differences(reading) for side in pairs)
        both = counts & counts_2
        return Clustered.of(unit.codes[both], (one - other)[both], n_units, steps=2)

    places = _common(sides[0].clean.key, sides[1].clean.key)
    left, right = (side.clean.take(own) for side, own in zip(sides, places, strict=True))
    both = (left.code >= 0) & (right.code >= 0)
    more = (left.code - right.code)[both]
    cleans = left.unit.codes[both]
    alarms, fewer = (Clustered.of(cleans, sign * more, len(left.unit.names)) for sign in (1, -1))
    cautious = difference(Reading.CAUTIOUS)
    return Comparison(
        one=names[0],
        other=names[1],
        is_paired=True,
        n_pairs=len(rows[0]),
        n_units=len(np.unique(unit.codes)),
        delta=delta_estimate(difference(Reading.JUDGED), NO_PAIR, steps=2),
        cautious=delta_estimate(cautious, NO_PAIR, steps=2),
        false_alarms=delta_estimate(alarms, NO_CLEAN),
        tests=_paired_tests(cautious, fewer, margin),
    )


def _paired_tests(
    delta: Clustered, fewer: Clustered, margin: float | None
) -> Mapping[str, MarginTest]:
    tests: dict[str, MarginTest] = {}
    if margin is not None and delta.n:
        tests[NOT_LOWER] = non_inferiority(delta, margin, steps=2)
        tests[SAME_DELTA] = equivalence(delta, margin, steps=2)
    if margin is not None and fewer.n:
        tests[NOT_HIGHER] = non_inferiority(fewer, margin)
        tests[SAME_ALARMS] = equivalence(fewer, margin)
    return MappingProxyType(tests)


def _independent(sides: Sides, names: Sequence[str], margin: float | None) -> Comparison:
    reason = HALF_SHARED if _share_units(sides) else None

    def of(reading: Reading) -> tuple[Clustered, Clustered]:
        one, other = (side.pairs.clustered(reading) for side in sides)
        return one, other

    cautious = of(Reading.CAUTIOUS)
    alarms = sides[0].clean.flags, sides[1].clean.flags
    refused = undefined(reason) if reason else None
    return Comparison(
        one=names[0],
        other=names[1],
        is_paired=False,
        n_pairs=0,
        n_units=0,
        delta=refused or _gap(of(Reading.JUDGED), NO_PAIR),
        cautious=refused or _gap(cautious, NO_PAIR),
        false_alarms=refused or _gap(alarms, NO_CLEAN),
        tests=MappingProxyType(
            {} if margin is None or reason else _independent_tests(cautious, alarms, margin)
        ),
        reason=reason,
    )


Both = tuple[Clustered, Clustered]


def _share_units(sides: Sides) -> bool:
    """Return whether two measurements without a common pair have runs of one unit."""
    one, other = (side.clean.key for side in sides)
    has_contents = any(marks for *_, marks in (*one[:1], *other[:1]))
    if has_contents:
        return not set(one).isdisjoint(other)
    return not set(sides[0].pairs.unit.names).isdisjoint(sides[1].pairs.unit.names)


def _independent_tests(delta: Both, alarms: Both, margin: float) -> dict[str, MarginTest]:
    tests: dict[str, MarginTest] = {}
    if all(side.n for side in delta):
        test = partial(within, partial(_ends, *delta), delta[0].delta - delta[1].delta, margin)
        tests |= {NOT_LOWER: test(), SAME_DELTA: test(is_two_sided=True)}
    if all(side.n for side in alarms):
        fewer = alarms[1].delta - alarms[0].delta
        test = partial(within, partial(_ends, alarms[1], alarms[0]), fewer, margin)
        tests |= {NOT_HIGHER: test(), SAME_ALARMS: test(is_two_sided=True)}
    return tests


def _gap(both: Both, undefined_reason: str) -> Estimate:
    one, other = both
    if not one.n or not other.n:
        return undefined(undefined_reason)
    value, n = one.delta - other.delta, one.n + other.n
    ends = _ends(one, other, ALPHA / 2)
    return (
        point(value, n, NO_INTERVAL, ONE_SIDE) if ends is None else Estimate(value, *ends, n, ADDED)
    )


def _ends(one: Clustered, other: Clustered, tail: float) -> tuple[float, float] | None:
    """Return the ends of a difference of two means of which neither tells of the other."""
    left, right = interval(one, tail), interval(other, tail)
    if left is None or right is None:
        return None
    first, second = (np.array([s.delta, *e[:2]]) for s, e in ((one, left), (other, right)))
    low, high = ends_of_difference(first, second, np.array(0.0))
    return float(low), float(high)


def _verdict(test: MarginTest) -> str:
    if test.p is None:
        return f"n/a: {test.reason}"
    shown = f"p = {test.p:.4f}" if test.p < LARGEST_P else f"p at least {LARGEST_P}"
    return f"{'yes' if test.is_held else 'not shown'}, {shown}"
