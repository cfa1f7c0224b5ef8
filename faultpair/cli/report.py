"""`faultpair report`: the main tables of a study, as a terminal holds them, and sentences."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.output.narrative import sentences
from faultpair.analysis.output.report_tables import report_tables
from faultpair.analysis.tables.table import Table
from faultpair.env.catalog import DOMAINS
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.seals import edited_mark

from .display.brief_tables import brief
from .display.current_study import load_current
from .display.plan_report import plan_tables, without_empty
from .display.table_layout import marked_tables, show_tables
from .display.terminal import AcceptEdits, OutFolder, StudyPath, console

__all__ = ["Report", "command", "report"]


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
    first, *rest = (brief(table, study) for table in report_tables(study, numbers))
    if DOMAINS[folder.study.domain].plans is not None:
        rest = [*plan_tables(study, plans), *without_empty(rest, study)]
    tables = tuple(marked_tables((first, *rest), edited_mark(study.edited)))
    return Report(tables, tuple(sentences(study, numbers)), _rest(folder))


def _rest(folder: StudyFolder) -> str:
    out = folder.out if folder.out.name not in ("", "..") else folder.out.resolve()
    command = ["faultpair", "rebuild", "--results", str(out.parent), "--study", out.name]
    return f"All other tables and the figures of this study: {shlex.join(command)}"
