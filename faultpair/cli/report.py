"""`faultpair report`: the main tables of a judged study, and what they mean in sentences."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from faultpair.analysis.data.study_data import StudyData, load_study
from faultpair.analysis.metrics.baselines import baseline_names
from faultpair.analysis.metrics.catalog import compute, main_numbers, numbers_of
from faultpair.analysis.metrics.detection import FALSE_ALARMS
from faultpair.analysis.metrics.key import ALL, LOUD, SILENT, NumberKey
from faultpair.analysis.output.narrative import report_tables, sentences
from faultpair.analysis.plans.data import load_plans
from faultpair.analysis.stats.estimate import Estimate
from faultpair.analysis.tables.table import Cell, Column, Style, Table
from faultpair.env.errors import StudyError
from faultpair.studies.folder import StudyFolder, open_study

from .plan_report import are_plans, plan_tables, without_empty
from .table_layout import ends_text, show_tables
from .terminal import OutFolder, StudyPath, console

__all__ = ["Report", "command", "main_table", "report", "show_main_table"]

DELTA = NumberKey("delta", ALL)
MAIN = (
    (NumberKey("recall", ALL), Column("recall", Style.RATE)),
    (FALSE_ALARMS, Column("false alarms", Style.RATE)),
    (DELTA, Column("paired Δ", Style.SIGNED)),
    (NumberKey("delta", SILENT), Column("Δ silent", Style.SIGNED)),
    (NumberKey("delta", LOUD), Column("Δ loud", Style.SIGNED)),
    (NumberKey("runs/unscored"), Column("unscored", Style.COUNT)),
)
NOTES = (
    "paired Δ: flag rate on faults minus flag rate on the clean runs they came from.",
    "Silent faults leave the required end state as it is, loud ones lose it.",
)
IN_FILES_ONLY = frozenset({"Faults", "Coin", "Both", "Neither", "Dropped", "McNemar p"})
"""Columns that a terminal has no room for."""

SAID_BELOW = ("Judges", "In", "Reading fixed beforehand")


@dataclass(frozen=True, slots=True)
class Report:
    """The tables to read first, one sentence a judge, and the command for all other tables."""

    tables: tuple[Table, ...]
    sentences: tuple[str, ...]
    rest: str


def command(study: StudyPath, out: OutFolder = None) -> None:
    """Show the main tables of a study that is judged, and say what they mean."""
    found = report(open_study(study, out))
    show_tables(found.tables)
    for sentence in found.sentences:
        console.print(Text(f"{sentence}\n"), soft_wrap=not console.is_terminal)
    console.print(found.rest, markup=False, highlight=False, soft_wrap=True)


def show_main_table(folder: StudyFolder) -> None:
    """Print the main table of a study whose runs are judged."""
    show_tables([main_table(folder)])


def main_table(folder: StudyFolder) -> Table:
    """Return one row a judge, the baselines below, of a study whose runs are judged."""
    study = load_study(folder.out)
    numbers = main_numbers(study)
    rows = tuple(
        (name, *(_main_cell(numbers.get(key._replace(judge=name)), key) for key, _ in MAIN))
        for name in (*study.judges, *baseline_names(study.judges))
    )
    columns = (Column("judge"), *(column for _, column in MAIN))
    return Table("main", folder.study.title, columns, rows, NOTES)


def report(folder: StudyFolder) -> Report:
    """Return what a reader wants first of a study whose runs are judged.

    Raises
    ------
    StudyError
        If the folder holds no trajectories or no verdicts.
    RecordError
        If a record in it does not fit.
    """
    name = folder.file.resolve().parent.name
    _require_records(folder, name)
    # Records may lie elsewhere than the study file, whose folder gives the study its name.
    study = replace(load_study(folder.out), name=name)
    numbers = numbers_of(compute(study), with_tests=False)
    first, *rest = (_short(table, study) for table in report_tables(study, numbers))
    if are_plans(folder.study.domain):
        plans = load_plans(folder.out, study)
        rest = [*plan_tables(study, plans), *without_empty(rest, study)]
    return Report((first, *rest), tuple(sentences(study, numbers)), _rest(folder))


def _require_records(folder: StudyFolder, name: str) -> None:
    for file in (folder.trajectories, folder.verdicts):
        if not file.is_file():
            raise StudyError(
                f"Study '{name}' has no {file.name} in {folder.out}; run it first. "
                "If its records lie elsewhere, name their folder with --out."
            )


def _rest(folder: StudyFolder) -> str:
    out = folder.out if folder.out.name not in ("", "..") else folder.out.resolve()
    command = ["faultpair", "rebuild", "--results", str(out.parent), "--study", out.name]
    return f"All other tables and the figures of this study: {shlex.join(command)}"


def _main_cell(number: Estimate | None, key: NumberKey) -> Cell:
    """Keep the interval of Δ alone."""
    return number if key == DELTA else _without_ends(number)


def _without_ends(number: Estimate | None) -> Estimate | None:
    return None if number is None else replace(number, ci_low=None, ci_high=None)


def _short(table: Table, study: StudyData) -> Table:
    """Return a table as far as a terminal has room for it."""
    if table.name == "contrasts":
        return _contrasts(table, study)
    return table if table.name in ("summary", "controls") else _brief(table)


def _contrasts(table: Table, study: StudyData) -> Table:
    """Say below the table, where lines may be long, what each contrast is and means."""
    kept = [n for n, column in enumerate(table.columns) if column.title not in SAID_BELOW]
    is_post_hoc = any("post hoc" in str(row[-1]) for row in table.rows)
    notes = [note for note in table.notes if is_post_hoc or not note.startswith("Post hoc")]
    notes.insert(1, f"Holm p: adjusted for all {len(table.rows)} declared contrasts.")
    for contrast in study.contrasts:
        what = f"{contrast.judge} minus {contrast.against} in {contrast.metric}, {contrast.group}"
        notes.append(f"{contrast.name}: {what}. {contrast.reading}".rstrip())
    columns = tuple(table.columns[place] for place in kept)
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, columns=columns, rows=rows, notes=tuple(notes))


def _brief(table: Table) -> Table:
    """Leave out columns for which there is no room, and the rows of baselines.

    A baseline does not look at a run, so it has the same rates in every group of faults.
    """
    rows = [row for row in table.rows if row[1] not in baseline_names()]
    titles = [column.title for column in table.columns]
    has_dropped = _has_dropped(rows, titles)
    gone = IN_FILES_ONLY if has_dropped else IN_FILES_ONLY | {"Worst case"}
    unsaid = gone - {"Dropped"} if has_dropped else gone  # the worst case is one of what is dropped
    kept = [place for place, title in enumerate(titles) if title not in gone]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(_brief_cell(row[p], table.columns[p]) for p in kept) for row in rows),
        notes=tuple(_notes(table.notes, unsaid)),
    )


def _notes(notes: Sequence[str], unsaid: frozenset[str]) -> Iterator[str]:
    """Yield the notes, or what is left of them, without the words that nothing shows."""
    for note in notes:
        if note.partition(":")[0] not in unsaid:
            parts = note.removesuffix(".").split("; ")
            said = (part for part in parts if part.partition(":")[0].capitalize() not in unsaid)
            yield f"{'; '.join(said)}."


def _has_dropped(rows: Sequence[Sequence[Cell]], titles: Sequence[str]) -> bool:
    return any(row[titles.index("Worst case")] is not None for row in rows)


def _brief_cell(cell: Cell, column: Column) -> Cell:
    """Name a group without its kind, and give a recall or a worst case in one column."""
    if isinstance(cell, str):
        return cell.partition("=")[2] if column.title == "Group" else cell
    if column.title == "Recall":
        return _without_ends(cell)
    return ends_text(cell, column.style) if column.title == "Worst case" else cell
