"""The tables that a report begins with."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.key import Numbers
from ..tables.comparison import contrasts
from ..tables.cost import controls
from ..tables.detection import summary
from ..tables.pairing import cells, types
from ..tables.stopping import stopping, uncorrected
from ..tables.table import Table

__all__ = ["report_tables"]


def report_tables(study: StudyData, numbers: Numbers) -> list[Table]:
    """Return the first tables of a report: stops, summary, cells, types, controls, contrasts.

    Stops, controls and declared contrasts have a table if there are any.
    """
    tables = [summary(study, numbers), cells(study, numbers), types(study, numbers)]
    if study.runs.control.names:
        tables.append(controls(study, numbers))
    if study.contrasts:
        tables.append(contrasts(study, numbers))
    stopped = stopping(study, numbers)
    return [*([stopped] if stopped.rows else []), *uncorrected(tables, study)]
