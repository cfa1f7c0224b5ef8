"""A table: rows of numbers and words, written as Markdown and as CSV.

Numbers are rounded here, once, when they are written. Words may come from outside: a table
holds them as plain text, and each kind of file escapes what it would read as markup.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import assert_never

from faultpair.env.plain_text import plain

from ..stats.estimate import NO_INTERVAL, Estimate, significant
from .escapes import AsWritten, cell_text, csv_text, line_text, markdown_text

__all__ = [
    "Cell", "Column", "Row", "Style", "Table", "amounts", "as_csv", "as_markdown", "columns",
    "counts", "rates", "shown", "signed", "value_text", "words",
]  # fmt: skip

Cell = Estimate | str | None
Row = tuple[Cell, ...]


class Style(StrEnum):
    """How a column of numbers is written."""

    TEXT = "text"
    COUNT = "count"
    RATE = "rate"
    SIGNED = "signed"
    P = "p"
    AMOUNT = "amount"


WIDE = (Style.RATE, Style.SIGNED, Style.P, Style.AMOUNT)
"""Styles of numbers whose interval, n and reason have columns of their own in CSV."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and the style of the numbers below it."""

    title: str
    style: Style = Style.TEXT


def columns(style: Style, *titles: str) -> tuple[Column, ...]:
    """Return columns with these titles whose numbers are written in one style."""
    return tuple(Column(title, style) for title in titles)


words, counts = partial(columns, Style.TEXT), partial(columns, Style.COUNT)
rates, signed = partial(columns, Style.RATE), partial(columns, Style.SIGNED)
amounts = partial(columns, Style.AMOUNT)


@dataclass(frozen=True, slots=True)
class Table:
    """A named table with notes below it. A cell that does not apply is None.

    Its texts have no control characters: what is shown of a name is on one line.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        heading = tuple(replace(column, title=plain(column.title)) for column in self.columns)
        object.__setattr__(self, "title", plain(self.title))
        object.__setattr__(self, "columns", heading)
        object.__setattr__(self, "rows", tuple(tuple(map(_plain, row)) for row in self.rows))
        object.__setattr__(self, "notes", tuple(map(_plain_note, self.notes)))


def as_markdown(table: Table) -> str:
    """Return the table with its title, its notes, and the reasons of what is undefined."""
    styles = [column.style for column in table.columns]
    heading = (cell_text(column.title) for column in table.columns)
    lines = [f"**{markdown_text(table.title)}**", "", _line(heading)]
    lines.append(_line("---" if style is Style.TEXT else "---:" for style in styles))
    for row in table.rows:
        lines.append(_line(shown(*cell) for cell in zip(row, styles, strict=True)))
    notes = [*table.notes, *_legend(table)]
    if not table.rows:
        notes.insert(0, "There is nothing to show.")
    return (
        "\n".join([*lines, *(["", *(f"- {_note(note)}" for note in notes)] if notes else [])])
        + "\n"
    )


def as_csv(table: Table) -> str:
    """Return the table with its ends of intervals, n and reasons in columns of their own."""
    heading: list[str] = []
    for column in table.columns:
        heading.append(csv_text(column.title))
        if column.style in WIDE:
            heading += [
                csv_text(f"{column.title} {part}") for part in ("low", "high", "n", "reason")
            ]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    for row in table.rows:
        cells: list[str] = []
        for column, cell in zip(table.columns, row, strict=True):
            cells += _csv_cells(cell, column.style)
        writer.writerow(cells)
    return text.getvalue()


def shown(cell: Cell, style: Style) -> str:
    """Return a cell as text in a Markdown table."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell_text(cell)
    if cell.estimate is None:
        return "n/a"
    text = value_text(cell.estimate, style)
    if cell.method == "structural zero":
        return f"{text} (blind)"
    if cell.ci_low is None or cell.ci_high is None:
        return text
    ends = f"[{value_text(cell.ci_low, style)}, {value_text(cell.ci_high, style)}]"
    return f"{text} {ends}{'†' if cell.method == 'Clopper-Pearson' else ''}"


def value_text(value: float, style: Style) -> str:
    """Round a number for reading.

    >>> value_text(0.8286852, Style.SIGNED), value_text(-0.0, Style.RATE)
    ('+0.829', '0.000')
    """
    if style is Style.COUNT:
        return f"{value:.0f}"
    if style is Style.P:
        return "<0.0001" if value < 0.0001 else f"{value:.4f}"
    if style is Style.AMOUNT:
        return f"{value:.2f}"
    if style is Style.SIGNED:
        return f"{round(value, 3) + 0.0:+.3f}"
    if style is Style.RATE or style is Style.TEXT:
        return f"{round(value, 3) + 0.0:.3f}"
    assert_never(style)


def _plain(cell: Cell) -> Cell:
    if isinstance(cell, Estimate):
        return replace(cell, reason=plain(cell.reason)) if cell.reason else cell
    return cell and plain(cell)


def _plain_note(note: str) -> str:
    return note if isinstance(note, AsWritten) else plain(note)


def _note(note: str) -> str:
    return note if isinstance(note, AsWritten) else line_text(note)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _legend(table: Table) -> list[str]:
    """Explain the marks that occur, and why numbers are missing."""
    cells = [cell for row in table.rows for cell in row if isinstance(cell, Estimate)]
    notes = []
    if any(cell.method == "Clopper-Pearson" and cell.ci_low is not None for cell in cells):
        notes.append("†: exact interval (Clopper-Pearson).")
    if any(cell.method == "structural zero" for cell in cells):
        notes.append("blind: no fault of the group reaches what the judge is shown.")
    few = sorted({cell.reason or "" for cell in cells if cell.method == NO_INTERVAL})
    notes += [f"{reason[0].upper()}{reason[1:]}." for reason in few if reason]
    reasons = sorted({cell.reason or "" for cell in cells if cell.estimate is None})
    return notes + [f"n/a: {reason}." for reason in reasons]


def _csv_cells(cell: Cell, style: Style) -> list[str]:
    if not isinstance(cell, Estimate):
        return [csv_text(cell or ""), *([""] * 4 if style in WIDE else [])]
    number = significant(cell.estimate)
    if style not in WIDE:
        return ["" if number is None else f"{number:.9g}"]
    ends = (significant(cell.ci_low), significant(cell.ci_high))
    texts = ["" if value is None else f"{value:.9g}" for value in (number, *ends)]
    return [*texts, str(cell.n), csv_text(cell.reason or "")]
