"""What one judge said of each pair and of each clean run: the data that a comparison needs.

A run is known by its id, its instance and its parts, so that runs of two sets that have the
same name by chance are not taken for one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ..data.columns import BoolArray, Coded, FloatArray, IntArray
from ..data.study_data import StudyData
from ..metrics.groups import reached
from ..metrics.silence import codes_of
from ..stats.paired_difference import Clustered
from ..stats.readings import Reading, differences

__all__ = ["Known", "PairVerdicts", "RunVerdicts"]

Key = tuple[str, str, bytes]
"""The id of a run, its instance, and the fingerprint of its parts."""


@dataclass(frozen=True, slots=True)
class RunVerdicts:
    """What a judge said of some runs: 1, 0, `UNSCORED` or `NOT_ASKED` of each."""

    key: tuple[Key, ...]
    unit: Coded
    code: IntArray

    def take(self, rows: IntArray) -> Self:
        """Return a choice of the runs, in the order given."""
        key = tuple(self.key[row] for row in rows.tolist())
        return replace(self, key=key, unit=self.unit.take(rows), code=self.code[rows])

    @property
    def flags(self) -> Clustered:
        """Return the scored runs as gains where they are flagged, summed by unit."""
        rows = self.code >= 0
        return Clustered.of(self.unit.codes[rows], self.code[rows], len(self.unit.names))


@dataclass(frozen=True, slots=True)
class PairVerdicts:
    """What a judge said of both sides of each pair, in the order of the fault's id.

    Attributes
    ----------
    key : tuple of keys
        The fault of each pair and its parent.
    fault, parent : array of int, shape (pairs,)
        1, 0, `UNSCORED` or `NOT_ASKED`.
    weight : array of float, shape (pairs,)
        1 where none is given.
    is_alike : array of bool, shape (pairs,)
        Whether the judge is shown the same of both sides, as far as that is known.
    """

    key: tuple[tuple[Key, Key], ...]
    unit: Coded
    fault: IntArray
    parent: IntArray
    weight: FloatArray
    is_alike: BoolArray

    def take(self, rows: IntArray) -> Self:
        """Return a choice of the pairs, in the order given."""
        return replace(
            self,
            key=tuple(self.key[row] for row in rows.tolist()),
            unit=self.unit.take(rows),
            fault=self.fault[rows],
            parent=self.parent[rows],
            weight=self.weight[rows],
            is_alike=self.is_alike[rows],
        )

    def differences(self, reading: Reading) -> tuple[IntArray, BoolArray]:
        """Return flag(fault) − flag(parent) of each pair, and which pairs count."""
        return differences(self.fault, self.parent, reading, is_alike=self.is_alike)

    def clustered(self, reading: Reading, rows: BoolArray | None = None) -> Clustered:
        """Sum the pairs that count in a reading, or some of them, by unit."""
        difference, counts = self.differences(reading)
        rows = counts if rows is None else counts & rows
        return Clustered.of(self.unit.codes[rows], difference[rows], len(self.unit.names))


@dataclass(frozen=True, slots=True)
class Known:
    """What the pairs and the clean runs of a study are known by, the same for all judges."""

    study: StudyData
    pairs: tuple[tuple[Key, Key], ...]
    clean: tuple[Key, ...]
    clean_rows: IntArray
    weight: FloatArray

    @classmethod
    def of(cls, study: StudyData, weight: FloatArray | None = None) -> Self:
        """Name pairs and clean runs; ``weight`` is that of each run, a pair has its fault's."""
        runs = study.runs
        n, marks = len(runs.ids), list(runs.marks.values())
        prints = np.stack(marks, axis=1) if marks else np.zeros((n, 0))
        key = [
            (name, unit, part.tobytes())
            for name, unit, part in zip(runs.ids, runs.instance.texts(), prints, strict=True)
        ]
        sides = zip(study.fault.tolist(), study.parent.tolist(), strict=True)
        clean = np.flatnonzero(runs.clean)
        return cls(
            study=study,
            pairs=tuple((key[fault], key[parent]) for fault, parent in sides),
            clean=tuple(key[row] for row in clean.tolist()),
            clean_rows=clean,
            weight=np.ones(len(study.fault)) if weight is None else weight[study.fault],
        )

    def said_of_pairs(self, judge: int) -> PairVerdicts:
        """Return what a judge said of both sides of each pair."""
        study, code = self.study, codes_of(self.study, judge)
        unit = study.runs.instance.take(study.fault)
        reach = reached(study.runs, study.verdicts.view[judge], study.fault, study.parent)
        return PairVerdicts(
            key=self.pairs,
            unit=unit,
            fault=code[study.fault],
            parent=code[study.parent],
            weight=self.weight,
            is_alike=np.zeros(len(self.pairs), np.bool_) if reach is None else ~reach,
        )

    def said_of_clean(self, judge: int) -> RunVerdicts:
        """Return what a judge said of each clean run."""
        rows = self.clean_rows
        unit = self.study.runs.instance.take(rows)
        return RunVerdicts(self.clean, unit, codes_of(self.study, judge)[rows])
