"""Rows of tables from numbers by key: a row without a number is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.constant_judges import CONSTANT_JUDGES
from ..plans.alignment.key import PlanKey, PlanNumbers
from .table import Cell, Column, Style

__all__ = ["across", "columns", "filled", "judges_and_floors", "places"]

Row = tuple[Cell, ...]


def columns(labels: Iterable[str], titles: Iterable[str], style: Style) -> tuple[Column, ...]:
    """Return columns of words, and then columns of numbers in one style."""
    return (*map(Column, labels), *(Column(title, style) for title in titles))


def places(alignment: Alignment, *factors: str) -> Iterator[dict[str, str]]:
    """Yield every combination of the names of factors, the last one fastest."""
    for names in product(*(alignment.grid.of(factor).names for factor in factors)):
        yield dict(zip(factors, names, strict=True))


def judges_and_floors(alignment: Alignment) -> list[tuple[PlanKey, str]]:
    """Return the key and the label of every judge, and then of every constant judge."""
    judges = [(PlanKey("alignment", judge=name), name) for name in alignment.grid.judge.names]
    return judges + [(PlanKey("floor", judge=n), f"floor: {n}") for n in CONSTANT_JUDGES]


def across(numbers: PlanNumbers, key: PlanKey, factor: str, names: Sequence[str]) -> Row:
    """Return the numbers of one place along a factor."""
    return tuple(numbers.get(key._replace(**{factor: name})) for name in names)


def filled(rows: Iterable[tuple[tuple[str, ...], Row]]) -> tuple[Row, ...]:
    """Join the labels and the numbers of each row that has a number."""
    return tuple((*labels, *cells) for labels, cells in rows if any(c is not None for c in cells))
