"""The layout of a table of the analysis on a terminal.

An interval has a column of its own, and a group that the table repeats becomes a heading.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rich import box
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from faultpair.analysis.metrics.baselines import baseline_names
from faultpair.analysis.stats.estimate import Estimate
from faultpair.analysis.tables.table import Cell, Style, Table, value_text

from .terminal import Output, console

__all__ = ["ends_text", "laid_out", "marked_tables", "show_tables", "widened", "without_ends"]

GROUPED = ["Group", "Judge"]
BASELINES = baseline_names()
BLIND = "structural zero"
NAME = 8
TERMINAL = 80
WIDEST = 1_000


@dataclass(frozen=True, slots=True)
class _Column:
    """The rounded texts of a column, one a row."""

    title: str
    texts: tuple[str, ...]
    is_number: bool

    @property
    def heading(self) -> str:
        """The title, broken into lines that are no wider than the texts or its longest word."""
        width = max(map(len, (*self.texts, *self.title.split())))
        return textwrap.fill(self.title, width, break_on_hyphens=False)


def show_tables(tables: Iterable[Table]) -> None:
    """Print tables: on a terminal fitted to its width, elsewhere with every cell whole."""
    for table in tables:
        if console.is_terminal:
            console.print(laid_out(table))
        else:
            console.print(widened(laid_out(table)), soft_wrap=True)


def laid_out(table: Table) -> Group:
    """Return the title, the rows and the notes; where the terminal is too narrow, names fold."""
    notes = [Text(note) for note in (*table.notes, *_legend(table))]
    title = Text(f"{table.title}\n", style="bold")
    return Group(title, _grid(table), "", *notes, "")


def widened(shown: Group) -> Group:
    """Give a table its full width, for a file or a pipe, which has no edge."""
    for part in shown.renderables:
        if isinstance(part, Grid):
            part.width = _full_width(part)
    return shown


def ends_text(cell: Cell, style: Style) -> str:
    """Return the ends of an interval in brackets, or an empty text if there is no interval."""
    if not isinstance(cell, Estimate) or cell.ci_low is None or cell.ci_high is None:
        return ""
    return f"[{value_text(cell.ci_low, style)}, {value_text(cell.ci_high, style)}]"


def without_ends(cell: Cell) -> Cell:
    """Return a cell without the interval of its estimate."""
    return replace(cell, ci_low=None, ci_high=None) if isinstance(cell, Estimate) else cell


def _grid(table: Table) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    is_grouped = [column.title for column in table.columns[:2]] == GROUPED
    columns = list(_columns(table, 1 if is_grouped else 0))
    for column in columns:
        grid.add_column(
            column.heading,
            justify="right" if column.is_number else "left",
            no_wrap=column.is_number,
            overflow="ellipsis" if column.is_number else "fold",
            min_width=None if column.is_number else NAME,
        )
    group: Cell = None
    for number, row in enumerate(table.rows):
        if is_grouped and row[0] != group:
            group = row[0]
            grid.add_section()
            grid.add_row(Text(str(group), style="bold"))
        texts = [Text(column.texts[number]) for column in columns]
        grid.add_row(*texts, style="dim" if row[0] in BASELINES else None)
    if _full_width(grid) > TERMINAL:
        grid.padding = 0
    return grid


def _full_width(grid: Grid) -> int:
    return Output(width=WIDEST).measure(grid).maximum


def _columns(table: Table, first: int) -> Iterator[_Column]:
    for place, column in enumerate(table.columns[first:], first):
        cells = [row[place] for row in table.rows]
        texts = tuple(_text(cell, column.style) for cell in cells)
        yield _Column(column.title, texts, column.style is not Style.TEXT)
        ends = tuple(ends_text(cell, column.style) for cell in cells)
        if any(ends):
            yield _Column("95 % interval", ends, is_number=True)


def _text(cell: Cell, style: Style) -> str:
    if not isinstance(cell, Estimate):
        return cell or ""
    if cell.method == BLIND and not cell.estimate:
        return "blind"
    return "n/a" if cell.estimate is None else value_text(cell.estimate, style)


def _legend(table: Table) -> Iterator[str]:
    """Yield the meaning of each word that replaces a number."""
    if not table.rows:
        yield "There is nothing to show."
    cells = [cell for row in table.rows for cell in row if isinstance(cell, Estimate)]
    if any(cell.method == BLIND and not cell.estimate for cell in cells):
        yield "blind: no fault of the group reaches what the judge is shown, so its Δ is 0."
    for reason in sorted({cell.reason or "" for cell in cells if cell.estimate is None}):
        yield f"n/a: {reason}."


def marked_tables(tables: Iterable[Table], mark: str) -> Iterator[Table]:
    """Yield tables with a mark among their notes, unless it is empty."""
    for table in tables:
        yield replace(table, notes=(f"{mark}.", *table.notes)) if mark else table
