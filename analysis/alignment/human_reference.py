"""What people said as a second reference: does it bear out the first, and rank judges alike?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from env.errors import RecordError

from ..columns import BoolArray, FloatArray, IntArray
from ..estimate import Estimate
from ..intervals import proportion
from ..resample import Drawn
from .cells import Cells, shared, tally
from .crossing import NO_PLAN, estimated, number_name
from .grid import METRICS, Grid
from .human import HumanRow
from .match import match
from .ranking import same_ranking
from .resampling import Resample

__all__ = ["human_numbers", "plans_read", "second_reference"]

NOTHING = "nobody has said anything"


def human_numbers(grid: Grid, rows: Sequence[HumanRow], *, n_resamples: int) -> dict[str, Estimate]:
    """Return agreement with the reference by metric and topology, and judges against both.

    The alignment of a judge with people is taken on the plans of the study, where their
    values stand in for the programmatic ones; ρ compares the two rankings of judges.
    """
    numbers = _agreement(grid, rows)
    before = plans_read(grid, rows)
    after = second_reference(grid, rows)
    resample = Resample.of(before, n_resamples)
    programmatic, human = (
        tally(one, match(one.reference, one.verdict), resample) for one in (before, after)
    )
    return numbers | _alignments(programmatic, human)


def plans_read(grid: Grid, rows: Sequence[HumanRow]) -> Grid:
    """Return the verdicts on the plans that people read.

    Raises
    ------
    RecordError
        If a plan was never judged.
    """
    return grid.take(_line_of(grid, rows) >= 0)


def second_reference(grid: Grid, rows: Sequence[HumanRow]) -> Grid:
    """Return the same verdicts with the values of people as their reference."""
    line = _line_of(grid, rows)
    kept = grid.take(line >= 0)
    values: FloatArray = np.array([row.values for row in rows]).reshape(-1, len(METRICS))
    # Where people agree, the file holds a rounded value: the reference itself stands.
    agrees: BoolArray = np.array([row.agrees for row in rows]).reshape(-1, len(METRICS))
    of = line[line >= 0]
    return replace(kept, reference=np.where(agrees[of], kept.reference, values[of]))


def _line_of(grid: Grid, rows: Sequence[HumanRow]) -> IntArray:
    """Return for every row of the grid the number of the human row about its plan, or -1."""
    keys = grid.key("record", "generator", "tier")
    named: list[int] = []
    for row in rows:
        key = 0
        for factor, name in zip(
            ("record", "generator", "tier"), (row.record, row.generator, row.tier), strict=True
        ):
            known = grid.of(factor).names
            if name not in known:
                raise RecordError(
                    f"The human study names the {factor} '{name}', which is not there."
                )
            key = key * len(known) + known.index(name)
        named.append(key)
    line = {key: number for number, key in enumerate(named)}
    absent = sorted(set(named) - set(keys.tolist()))
    if absent:
        row = rows[line[absent[0]]]
        raise RecordError(
            f"The human study tells of {row.record} by {row.generator} at tier {row.tier}, "
            "which nobody judged; sample it from this study."
        )
    return np.array([line.get(key, -1) for key in keys.tolist()], dtype=np.int64)


def _agreement(grid: Grid, rows: Sequence[HumanRow]) -> dict[str, Estimate]:
    agrees = np.array([row.agrees for row in rows], dtype=np.bool_).reshape(-1, len(METRICS))
    found = {
        number_name("human/agrees", metric=metric): _share(agrees[:, place])
        for place, metric in enumerate(METRICS)
    }
    found["human/agrees"] = _share(agrees)
    codes = dict(zip(grid.record.codes.tolist(), grid.topology.codes.tolist(), strict=True))
    topology = np.array(
        [codes[grid.record.names.index(row.record)] for row in rows], dtype=np.int64
    )
    for code, name in enumerate(grid.topology.names):
        own = agrees[topology == code]
        if len(own):
            found[number_name("human/agrees", topology=name)] = _share(own)
    return found


def _share(agrees: BoolArray) -> Estimate:
    return proportion(int(agrees.sum()), int(agrees.size), NOTHING)


def _alignments(programmatic: Cells, human: Cells) -> dict[str, Estimate]:
    found: dict[str, Estimate] = {}
    for condition in programmatic.names["condition"]:
        judges = shared(programmatic, condition=condition)
        before, after = (
            {judge: cells.values(own).mean(axis=1) for judge, own in judges.items()}
            for cells in (programmatic, human)
        )
        for judge, own in judges.items():
            place = {"condition": condition, "judge": judge}
            difference = after[judge] - before[judge]
            for stem, values in (
                ("programmatic", before[judge]),
                ("people", after[judge]),
                ("difference", difference),
            ):
                drawn = Drawn(values, programmatic.n(own), NO_PLAN)
                found[number_name(f"human/{stem}", **place)] = estimated(drawn)
        if judges:
            rho = estimated(same_ranking(before, after))
            found[number_name("human/spearman", condition=condition)] = rho
    return found
