"""Rows of tables from numbers by name: what has no number at all has no row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from ..plans.alignment.constant_judges import FLOORS
from ..plans.alignment.marginals import number_name
from ..plans.alignment.numbers import Alignment
from ..stats.estimate import Estimate
from .table import Cell, Column, Style

__all__ = ["Numbers", "across", "columns", "filled", "judges_and_floors", "places"]

Numbers = dict[str, Estimate]
Row = tuple[Cell, ...]


def columns(labels: Iterable[str], titles: Iterable[str], style: Style) -> tuple[Column, ...]:
    """Return columns of words, and then columns of numbers in one style."""
    return (*map(Column, labels), *(Column(title, style) for title in titles))


def places(alignment: Alignment, *factors: str) -> Iterator[dict[str, str]]:
    """Yield every combination of the names of factors, the last one fastest."""
    for names in product(*(alignment.grid.of(factor).names for factor in factors)):
        yield dict(zip(factors, names, strict=True))


def judges_and_floors(alignment: Alignment) -> list[tuple[str, str, str]]:
    """Return the stem, the name and the label of every judge, and then of every floor."""
    judges = [("alignment", name, name) for name in alignment.grid.judge.names]
    return judges + [("floor", name, f"floor: {name}") for name in FLOORS]


def across(
    numbers: Numbers, stem: str, place: dict[str, str], factor: str, names: Sequence[str]
) -> Row:
    """Return the numbers of one place along a factor."""
    return tuple(numbers.get(number_name(stem, **place, **{factor: name})) for name in names)


def filled(rows: Iterable[tuple[tuple[str, ...], Row]]) -> tuple[Row, ...]:
    """Join the labels and the numbers of each row that has a number."""
    return tuple((*labels, *cells) for labels, cells in rows if any(c is not None for c in cells))
