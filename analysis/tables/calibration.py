"""Tables of calibration: ECE with its bias, Brier score, the reliability curve."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.calibration import BRIER, ECE, N_BINS
from ..metrics.key import NumberKey, Numbers
from .rows import judge_rows
from .table import Table, counts, rates, words

__all__ = ["calibration", "reliability"]

NUMBERS = {
    ECE: "ECE",
    ECE._replace(part="bias"): "ECE if calibrated",
    BRIER: "Brier",
    BRIER._replace(group="faults"): "Brier of faults",
    BRIER._replace(group="clean"): "Brier of clean runs",
}


def calibration(study: StudyData, numbers: Numbers) -> Table:
    """Give ECE, what a calibrated judge would show at this n, and the Brier score."""
    rows = judge_rows(study.judges, numbers, NUMBERS)
    columns = words("Judge") + rates(*NUMBERS.values())
    notes = ("ECE and Brier of all runs depend on the share of faults in the study.",)
    return Table("calibration", f"Calibration, {study.name}", columns, rows, notes)


def reliability(study: StudyData, numbers: Numbers) -> Table:
    """Give mean confidence and share right in each of the ten bins that is not empty."""
    rows = []
    for judge in study.judges:
        for number in range(N_BINS):
            key = NumberKey("reliability", str(number), judge=judge)
            size = numbers[key._replace(part="n")]
            if size.estimate:
                bin_name = f"({number / N_BINS:.1f}, {(number + 1) / N_BINS:.1f}]"
                mean, right = (numbers[key._replace(part=p)] for p in ("confidence", "right"))
                rows.append((judge, bin_name, size, mean, right))
    columns = words("Judge", "Bin") + counts("Verdicts") + rates("Mean confidence", "Share right")
    return Table("reliability", f"Reliability, {study.name}", columns, tuple(rows))
