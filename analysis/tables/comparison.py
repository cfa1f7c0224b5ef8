"""Tables that compare: judges with judges, passes of one judge, the errors of a panel."""

from __future__ import annotations

from itertools import combinations

from ..data.contrasts import Contrast
from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from .table import Column, Style, Table

__all__ = ["contrasts", "differences", "panel", "passes"]


def differences(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give every difference of two judges in the main numbers, from the shared resample."""
    rows = []
    for one, other in combinations(study.compared, 2):
        start = f"difference/{one}/{other}/"
        rows += [
            (one, other, name.removeprefix(start), estimate)
            for name, estimate in numbers.items()
            if name.startswith(start)
        ]
    columns = (
        Column("Judge"),
        Column("Minus"),
        Column("In"),
        Column("Difference", Style.SIGNED),
    )
    notes = ("Differences that nobody declared beforehand; no p is given for them.",)
    title = f"Differences between judges, {study.name}"
    return Table("differences", title, columns, tuple(rows), notes)


def contrasts(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give the declared contrasts, with their adjusted p and the reading fixed for each."""
    rows = tuple(
        (
            contrast.name,
            f"{contrast.judge} minus {contrast.against}",
            f"{contrast.metric}, {contrast.group}",
            numbers[f"contrast/{contrast.name}/difference"],
            numbers[f"contrast/{contrast.name}/p"],
            numbers[f"contrast/{contrast.name}/p-holm"],
            contrast.reading,
            _sealed(study, contrast),
        )
        for contrast in study.contrasts
    )
    columns = (
        Column("Contrast"),
        Column("Judges"),
        Column("In"),
        Column("Difference", Style.SIGNED),
        Column("p", Style.P),
        Column("Holm p", Style.P),
        Column("Reading fixed beforehand"),
        Column("Sealed before the verdicts"),
    )
    notes = ["p: sign flips over instances, two-sided."]
    title = f"Declared contrasts, {study.name}"
    if not rows:
        return Table("contrasts", title, columns[:-1], rows, tuple(notes))
    notes.append("Post hoc: declared when one of the judges had answered, or never sealed.")
    return Table("contrasts", title, columns, rows, tuple(notes))


def _sealed(study: StudyData, contrast: Contrast) -> str:
    """Say whether a contrast was sealed in time; one without a seal may yet be."""
    if contrast.post_hoc is None and not {contrast.judge, contrast.against} <= {*study.judges}:
        return "not yet"
    return "yes" if contrast.post_hoc is False else "no, post hoc"


def passes(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give how often two passes of one judge decide alike."""
    rows = []
    for name, estimate in numbers.items():
        judge, found, rest = name.partition("/agreement/")
        if found and rest.endswith("/decision"):
            first, second, _ = rest.split("/")
            letters = numbers[name.removesuffix("decision") + "rationale"]
            rows.append((judge, first, second, estimate, letters))
    columns = (
        Column("Judge"),
        Column("Pass"),
        Column("Pass again"),
        Column("Same decision", Style.RATE),
        Column("Same rationale too", Style.RATE),
    )
    notes = ("A pass is named sample.repeat.",)
    return Table("passes", f"Two passes of one judge, {study.name}", columns, tuple(rows), notes)


def panel(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give the correlation of errors, and how many independent judges the panel is worth."""
    rows: list[tuple[Estimate | str | None, ...]] = [
        (f"{one} and {other}", numbers[f"error-correlation/{one}/{other}"], None)
        for one, other in combinations(study.compared, 2)
    ]
    every = f"all {len(study.compared)}, mean"
    rows.append((every, numbers["error-correlation"], numbers["effective-judges"]))
    columns = (
        Column("Judges"),
        Column("Error correlation", Style.SIGNED),
        Column("Effective number", Style.AMOUNT),
    )
    return Table("panel", f"Errors of the panel, {study.name}", columns, tuple(rows))
