"""Tables that compare: judges with judges, passes of one judge, the errors of a panel."""

from __future__ import annotations

from itertools import combinations

from ..data.study_data import Contrast, StudyData
from ..metrics.agreement import CORRELATION, EFFECTIVE
from ..metrics.contrasts import contrast_key
from ..metrics.key import NumberKey, Numbers
from ..metrics.repeatability import passes_of
from ..metrics.silence import is_silent
from .table import Row, Style, Table, amounts, columns, rates, signed, words

__all__ = ["contrasts", "differences", "panel", "passes"]


def differences(study: StudyData, numbers: Numbers) -> Table:
    """Give every difference of two judges in the main numbers, on the runs that both judged."""
    rows = tuple(
        (key.judge, key.against, str(NumberKey(key.stat, key.group, key.part)), estimate)
        for key, estimate in numbers.items()
        if key.family == "difference"
    )
    shown = words("Judge", "Minus", "In") + signed("Difference")
    notes = ("These differences are not declared beforehand; no p is given for them.",)
    title = f"Differences between judges, {study.name}"
    return Table("differences", title, shown, rows, notes)


def contrasts(study: StudyData, numbers: Numbers) -> Table:
    """Give the declared contrasts, with their adjusted p and the reading fixed for each."""
    rows: tuple[Row, ...] = tuple(
        (
            contrast.name,
            f"{contrast.judge} minus {contrast.against}",
            f"{contrast.metric}, {contrast.group}",
            *(numbers[contrast_key(contrast, part)] for part in ("difference", "p", "p-holm")),
            contrast.reading,
            _sealed(study, contrast),
        )
        for contrast in study.contrasts
    )
    shown = words("Contrast", "Judges", "In") + signed("Difference")
    shown += columns(Style.P, "p", "Holm p") + words("Reading fixed beforehand")
    notes = [
        "p: sign flips over instances, two-sided. Holm p: over all declared contrasts, an open one "
        "counted as p = 1. It decides; the interval says how large the difference may be, and is "
        "widened to 0 where p is above 0.05.",
    ]
    if is_silent(study, numbers):
        notes.append("Δ of a contrast is the judged one, on the pairs that both judges scored.")
    if rows:
        shown += words("Sealed before the verdicts")
        notes.append("Post hoc: declared when one of the judges had answered, or never sealed.")
    return Table("contrasts", f"Declared contrasts, {study.name}", shown, rows, tuple(notes))


def _sealed(study: StudyData, contrast: Contrast) -> str:
    """Return whether a contrast was sealed in time; one without a seal may still be sealed."""
    if contrast.post_hoc is None and not {contrast.judge, contrast.against} <= {*study.judges}:
        return "not yet"
    return "yes" if contrast.post_hoc is False else "no, post hoc"


def passes(study: StudyData, numbers: Numbers) -> Table:
    """Give how often two passes of one judge have the same decision."""
    rows: list[Row] = []
    for judge in study.judges:
        for first, second in combinations(passes_of(study, judge).series, 2):
            key = NumberKey("agreement", f"{first.name}/{second.name}", judge=judge)
            shares = (numbers[key._replace(part=part)] for part in ("decision", "rationale"))
            rows.append((judge, first.name, second.name, *shares))
    shown = words("Judge", "Pass", "Pass again") + rates("Same decision", "Same rationale too")
    notes = ("A pass is named sample.repeat.",)
    return Table("passes", f"Two passes of one judge, {study.name}", shown, tuple(rows), notes)


def panel(study: StudyData, numbers: Numbers) -> Table:
    """Give the correlation of errors, and how many independent judges the panel is worth."""
    rows: list[Row] = []
    erring: set[str] = set()
    for one, other in combinations(study.compared, 2):
        correlation = numbers[CORRELATION._replace(judge=one, against=other)]
        rows.append((f"{one} and {other}", correlation, None))
        erring |= set() if correlation.estimate is None else {one, other}
    n, is_every = len(study.compared), len(erring) in (0, len(study.compared))
    every = f"all {n}, mean" if is_every else f"the {len(erring)} that err, mean"
    rows.append((every, numbers[CORRELATION], numbers[EFFECTIVE]))
    shown = words("Judges") + signed("Error correlation") + amounts("Effective number")
    note = "A judge that is always right, or always wrong, has no error correlation."
    notes = () if is_every else (note,)
    return Table("panel", f"Errors of the panel, {study.name}", shown, tuple(rows), notes)
