"""Rows of tables from numbers by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from faultpair.judges.baselines import CONSTANT_GRADES

from ..metrics.key import NumberKey, Numbers
from ..plans.alignment.catalog import Alignment
from ..plans.alignment.key import PlanKey, PlanNumbers
from .table import Row

__all__ = ["across", "filled", "judge_rows", "judges_and_floors", "of_judge", "places"]


def of_judge(numbers: Numbers, keys: Iterable[NumberKey], judge: str) -> Row:
    """Return the numbers of one judge under these keys."""
    return tuple(numbers.get(key._replace(judge=judge)) for key in keys)


def judge_rows(
    judges: Iterable[str], numbers: Numbers, keys: Iterable[NumberKey]
) -> tuple[Row, ...]:
    """Return one row a judge, the name first."""
    return tuple((judge, *of_judge(numbers, keys, judge)) for judge in judges)


def places(alignment: Alignment, *factors: str) -> Iterator[dict[str, str]]:
    """Yield every combination of the names of factors, the last one fastest."""
    for names in product(*(alignment.grid.of(factor).names for factor in factors)):
        yield dict(zip(factors, names, strict=True))


def judges_and_floors(alignment: Alignment) -> list[tuple[PlanKey, str]]:
    """Return the key and the label of every judge, and then of every constant judge."""
    judges = [(PlanKey("alignment", judge=name), name) for name in alignment.grid.judge.names]
    return judges + [(PlanKey("floor", judge=n), f"floor: {n}") for n in CONSTANT_GRADES]


def across(numbers: PlanNumbers, key: PlanKey, field: str, names: Iterable[str]) -> Row:
    """Return the numbers under a key with each name in one field; "" is the key without any."""
    return tuple(numbers.get(key._replace(**{field: name})) for name in names)


def filled(rows: Iterable[tuple[tuple[str, ...], Row]]) -> tuple[Row, ...]:
    """Join the labels and the numbers of each row that has a number."""
    return tuple((*labels, *cells) for labels, cells in rows if any(c is not None for c in cells))
