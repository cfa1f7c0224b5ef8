"""`faultpair report`: the main tables of a study, as a terminal holds them, and sentences."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from faultpair.analysis.data.study_data import StudyData
from faultpair.analysis.metrics.baselines import baseline_names
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.output.narrative import report_tables, sentences
from faultpair.analysis.tables.table import Cell, Column, Table
from faultpair.env.catalog import DOMAINS
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.seals import edited_mark

from .display.current_study import load_current
from .display.plan_report import plan_tables, without_empty
from .display.table_layout import ends_text, marked_tables, show_tables, without_ends
from .display.terminal import AcceptEdits, OutFolder, StudyPath, console

__all__ = ["Report", "command", "report"]

IN_FILES_ONLY = frozenset({"Faults", "Coin", "Both", "Neither", "Dropped", "Matched sets p"})
"""Columns that a terminal has no room for."""

MORE_READINGS = frozenset({"Coverage", "Adjusted Δ"})
"""Columns of a summary with silent judges or controls, which leave less room for others."""

GIVE_WAY = frozenset({"Δ silent", "Δ loud", "Control-Δ"})
"""Columns that give way to them: they are in other tables of the report, and in the files."""

IN_NOTES = ("Judges", "In", "Reading fixed beforehand")
"""Columns whose content is moved into the notes of the table."""


@dataclass(frozen=True, slots=True)
class Report:
    """The tables to read first, one sentence a judge, and the command for all other tables."""

    tables: tuple[Table, ...]
    sentences: tuple[str, ...]
    rest: str


def command(study: StudyPath, out: OutFolder = None, accept_edits: AcceptEdits = False) -> None:
    """Show the main tables of a judged study, and what they mean."""
    shown = report(replace(open_study(study, out), accepts_edits=accept_edits))
    show_tables(shown.tables)
    for sentence in shown.sentences:
        console.print(f"{sentence}\n", highlight=False, soft_wrap=not console.is_terminal)
    console.print(shown.rest, highlight=False, soft_wrap=True)


def report(folder: StudyFolder) -> Report:
    """Return the tables and sentences to read first of a study; errors as in `load_current`."""
    study, plans = load_current(folder, accept_edits=folder.accepts_edits)
    numbers = numbers_of(compute(study, is_brief=True))
    first, *rest = (_short(table, study) for table in report_tables(study, numbers))
    if DOMAINS[folder.study.domain].plans is not None:
        rest = [*plan_tables(study, plans), *without_empty(rest, study)]
    tables = tuple(marked_tables((first, *rest), edited_mark(study.edited)))
    return Report(tables, tuple(sentences(study, numbers)), _rest(folder))


def _rest(folder: StudyFolder) -> str:
    out = folder.out if folder.out.name not in ("", "..") else folder.out.resolve()
    command = ["faultpair", "rebuild", "--results", str(out.parent), "--study", out.name]
    return f"All other tables and the figures of this study: {shlex.join(command)}"


def _short(table: Table, study: StudyData) -> Table:
    """Return a table as far as a terminal has room for it."""
    if table.name == "contrasts":
        return _contrasts(table, study)
    if table.name == "summary":
        return _summary(table)
    return table if table.name == "controls" else _brief(table)


def _summary(table: Table) -> Table:
    """Make room for the readings of Δ and for what controls say."""
    titles = [column.title for column in table.columns]
    if MORE_READINGS.isdisjoint(titles):
        return table
    kept = [place for place, title in enumerate(titles) if title not in GIVE_WAY]
    alarms = titles.index("False alarms")
    rows = (
        tuple(without_ends(row[place]) if place == alarms else row[place] for place in kept)
        for row in table.rows
    )
    return replace(table, columns=tuple(table.columns[p] for p in kept), rows=tuple(rows))


def _contrasts(table: Table, study: StudyData) -> Table:
    """Move the definition and the reading of each contrast into the notes of the table."""
    kept = [n for n, column in enumerate(table.columns) if column.title not in IN_NOTES]
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
    hidden = IN_FILES_ONLY if has_dropped else IN_FILES_ONLY | {"Worst case"}
    # The note on the worst case explains what is dropped.
    hidden_in_notes = hidden - {"Dropped"} if has_dropped else hidden
    kept = [place for place, title in enumerate(titles) if title not in hidden]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(_brief_cell(row[p], table.columns[p]) for p in kept) for row in rows),
        notes=tuple(_notes(table.notes, hidden_in_notes)),
    )


def _notes(notes: Sequence[str], hidden: frozenset[str]) -> Iterator[str]:
    """Yield the notes without the parts that explain hidden columns."""
    for note in notes:
        if note.partition(":")[0] not in hidden:
            parts = note.removesuffix(".").split("; ")
            kept = (part for part in parts if part.partition(":")[0].capitalize() not in hidden)
            yield f"{'; '.join(kept)}."


def _has_dropped(rows: Sequence[Sequence[Cell]], titles: Sequence[str]) -> bool:
    return any(row[titles.index("Worst case")] is not None for row in rows)


def _brief_cell(cell: Cell, column: Column) -> Cell:
    """Name a group without its kind, and give a recall or a worst case in one column."""
    if isinstance(cell, str):
        return cell.partition("=")[2] if column.title == "Group" else cell
    if column.title == "Recall":
        return without_ends(cell)
    return ends_text(cell, column.style) if column.title == "Worst case" else cell
