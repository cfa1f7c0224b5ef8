"""The result about one judge: Δ in its readings, by group, and the verdicts they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from ..metrics.pairs import OUTCOMES
from ..stats.estimate import Estimate, significant
from ..stats.readings import Reading
from .verdicts_on_pairs import PairVerdicts, RunVerdicts

__all__ = ["GroupResult", "Measurement", "as_plain", "estimate_text"]

Estimates = Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupResult:
    """One group of faults under one judge.

    Attributes
    ----------
    name : str
        Such as ``type=skipped_check``.
    delta, recall : Estimate
        Δ of the judged pairs, and the share of scored faults that are flagged.
    outcomes : mapping
        How many pairs are ``hit`` (only the fault is flagged), ``reversed`` (only its
        parent), ``both``, ``neither`` and ``dropped`` (a side is unscored).
    p, p_holm : Estimate or None
        Of a type: the exact test of matched sets, and p adjusted over the types of all judges.
    """

    name: str
    delta: Estimate
    recall: Estimate
    outcomes: Estimates
    p: Estimate | None = None
    p_holm: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What is known of one judge. Every interval is one of 95 %, clustered by unit.

    Attributes
    ----------
    source, judge : str
        The study or file, and the judge.
    reading : Reading
        How an unscored run counts in `delta`.
    judged, cautious, gate : Estimate
        Δ = flag rate on faults − flag rate on their clean parents, in [-1, 1], in the three
        readings of an unscored run.
    control_delta, adjusted : Estimate
        Flag rate on controls − flag rate on their clean parents, and Δ minus it, both in the
        cautious reading: an unscored control counts as flagged, its parent as not flagged.
    recall, false_alarms, f1, coverage : Estimate
        Shares in [0, 1]: of scored faults and of scored clean runs that are flagged; F1; and
        of the pairs that were asked about, those of which both sides are scored (a count of
        this judge's runs, without an interval).
    precision : mapping
        By the share of runs that are faulty, ``"0.05"``: the share of flags that are right.
    auc, weighted : Estimate or None
        Paired AUC, where scores are given; Δ weighted by pair in this reading, where the
        weights are unequal.
    groups : tuple of GroupResult
        All pairs first, then strata, cells, types and scenarios that have a pair.
    controls, cost, passes : mapping
        Flips and control-Δ by kind of control; cost of a verdict; how passes agree.
    counts : mapping
        ``units``, ``runs``, ``clean``, ``faults``, ``controls``, ``pairs``.
    numbers : mapping
        Every number of the judge by the name that it has in ``numbers.json``.
    pairs, clean : PairVerdicts, RunVerdicts
        What the judge said of each pair and clean run, which `compare` needs.
    """

    source: str
    judge: str
    reading: Reading
    judged: Estimate
    cautious: Estimate
    gate: Estimate
    control_delta: Estimate
    adjusted: Estimate
    recall: Estimate
    false_alarms: Estimate
    f1: Estimate
    coverage: Estimate
    precision: Estimates
    auc: Estimate | None
    weighted: Estimate | None
    groups: tuple[GroupResult, ...]
    controls: Estimates
    cost: Estimates
    passes: Estimates
    counts: Mapping[str, int]
    numbers: Estimates
    pairs: PairVerdicts
    clean: RunVerdicts

    @property
    def delta(self) -> Estimate:
        """Return Δ in the reading asked for."""
        deltas = {
            Reading.JUDGED: self.judged,
            Reading.CAUTIOUS: self.cautious,
            Reading.GATE: self.gate,
        }
        return deltas[self.reading]

    @property
    def outcomes(self) -> dict[str, int]:
        """Return how many of all pairs are hit, reversed, both, neither and dropped."""
        return {name: int(self.groups[0].outcomes[name].estimate or 0) for name in OUTCOMES}

    def group(self, name: str) -> GroupResult:
        """Return the group of a name, such as ``type=skipped_check``.

        Raises
        ------
        KeyError
            If no pair is in it; the message names the groups.
        """
        for group in self.groups:
            if group.name == name:
                return group
        known = ", ".join(group.name for group in self.groups)
        raise KeyError(f"No pair is in a group '{name}'. Groups: {known}.")

    def summary(self) -> str:
        """Return the result as lines of text."""
        return "\n".join(self._lines())

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values for JSON, without the verdicts on single runs."""
        return {
            field.name: as_plain(getattr(self, field.name))
            for field in fields(self)
            if field.name not in ("pairs", "clean", "numbers")
        } | {"delta": as_plain(self.delta)}

    def _lines(self) -> Iterator[str]:
        counts = self.counts
        yield (
            f"{self.judge} on {self.source}: {counts['pairs']} pairs in {counts['units']} units, "
            f"{counts['clean']} clean runs, {counts['controls']} controls"
        )
        rows = {
            f"Δ, {self.reading}": self.delta,
            **{f"Δ, {reading}": value for reading, value in self._other_readings().items()},
            "coverage": self.coverage,
            "faults flagged": self.recall,
            "false alarms": self.false_alarms,
            "control-Δ": self.control_delta,
            "Δ minus control-Δ": self.adjusted,
            "Δ, weighted": self.weighted,
            "paired AUC": self.auc,
        }
        width = max(map(len, rows))
        for name, number in rows.items():
            if number is not None:
                sign = "+" if "Δ" in name else ""
                yield f"  {name:<{width}}  {estimate_text(number, sign)}"

    def _other_readings(self) -> dict[Reading, Estimate]:
        every = {
            Reading.CAUTIOUS: self.cautious,
            Reading.JUDGED: self.judged,
            Reading.GATE: self.gate,
        }
        return {reading: number for reading, number in every.items() if reading != self.reading}


def estimate_text(number: Estimate, sign: str = "+") -> str:
    """Return a number with its interval, or why it has none."""
    if number.estimate is None:
        return f"n/a: {number.reason}"
    value = f"{number.estimate:{sign}.3f}"
    if number.ci_low is None or number.ci_high is None:
        return f"{value} ({number.reason or number.method})"
    return f"{value} [{number.ci_low:{sign}.3f}, {number.ci_high:{sign}.3f}]"


def as_plain(value: object) -> Any:
    """Return a result as numbers, texts, lists and dicts; numbers have nine digits."""
    if isinstance(value, float):
        return significant(value)
    if isinstance(value, Mapping):
        return {str(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [as_plain(part) for part in value]
    if is_dataclass(value):
        return {field.name: as_plain(getattr(value, field.name)) for field in fields(value)}
    return str(value) if isinstance(value, Reading) else value
