"""The table of `[stop]`: where each judge became clear, with the interval that is valid there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from faultpair.studies.sealed_stop import SealedStop, StopRecord

from ..data.study_data import StudyData
from ..metrics.key import Numbers
from ..stats.estimate import Estimate
from ..stats.sequential import ALWAYS_VALID
from .table import Row, Style, Table, signed, words

__all__ = ["stopping", "uncorrected"]


INFERRED = (Style.RATE, Style.SIGNED, Style.P)
"""Styles of numbers that have an interval, or are a p."""


def stopping(study: StudyData, _: Numbers) -> Table:
    """Give what is known of each judge that is watched; no row without `[stop]`."""
    stop = study.stop
    rows: list[Row] = []
    for name, record in {} if stop is None else stop.ended.items():
        counts = (
            f"{record.instances:,} of {record.of_instances:,}",
            f"{record.requests:,} of {record.of_requests:,}",
        )
        rows.append((name, _reading(record), _estimate(record), *counts))
    columns = words("Judge", "Reading") + signed("Δ") + words("Instances", "Requests")
    notes = () if stop is None else tuple(_notes(stop))
    return Table("stopping", f"Stopped when it is clear, {study.name}", columns, tuple(rows), notes)


def uncorrected(tables: Iterable[Table], study: StudyData) -> Iterator[Table]:
    """Yield tables with a note on the judges that stopped, where intervals or p are not for that.

    A set whose order was drawn and which was asked to its end has nothing to correct.
    """
    ended = {} if study.stop is None else study.stop.ended
    names = [name for name, one in ended.items() if one.requests < one.of_requests]
    note = f"Not corrected for stopping: {', '.join(names)}. See the table stopping."
    for table in tables:
        has_intervals = any(column.style in INFERRED for column in table.columns)
        is_marked = names and has_intervals and table.name != "stopping"
        yield replace(table, notes=(*table.notes, note)) if is_marked else table


def _reading(record: StopRecord) -> str:
    if record.passed is None:
        return "not clear"
    return ("passes" if record.passed else "fails") + (", went on" if record.went_on else "")


def _estimate(record: StopRecord) -> Estimate:
    return Estimate(record.estimate, record.low, record.high, record.instances, ALWAYS_VALID)


def _notes(stop: SealedStop) -> list[str]:
    watched = "Δ over all pairs" if stop.over == "pairs" else "the mean over instances of their Δ"
    notes = [
        f"Watched: {watched}, {_region(stop)}. The interval is always valid: it is also 95 % after "
        "such a stop. Instances come in a drawn order. An unscored fault counts as missed, an "
        "unscored parent as flagged.",
        "For these judges this interval is the result. All other intervals and p of them, in other "
        "tables, are not corrected for stopping.",
    ]
    if stop.post_hoc:
        notes.append("Post hoc: [stop] was declared after one of its judges had answered.")
    return notes


def _region(stop: SealedStop) -> str:
    if stop.floor is not None:
        return f"against a floor of {stop.floor:g}"
    what = "non-inferiority" if stop.to_be == "non-inferior" else "equivalence"
    return f"for {what} with a margin of {stop.margin:g}"
