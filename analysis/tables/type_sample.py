"""The table of fault types as a sample."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.key import ALL, Group, NumberKey, Numbers
from ..metrics.type_sample import MEAN, NEW, SHRUNKEN, SPREAD
from ..stats.hierarchy import LEAST_NEW, LEAST_TYPES
from .rows import of_judge
from .table import Row, Table, rates, signed, words

__all__ = ["types_as_a_sample"]

NOTES = (
    "The model: the true Δ of types has a mean and a spread, and is observed with an error of "
    "each type and with one that types share because they share clean runs. Both errors are "
    "taken from sums over instances.",
    "The types of a study are a convenience sample, not drawn from all faults that there are. A "
    "mean over types and a new type are of types that might have been thought of as these were.",
    "Over types: the mean, each type with the same weight; its interval takes types as the unit. "
    "A type: its Δ, drawn to that mean as far as it is uncertain; the intervals cover on average "
    "over types, not for each.",
    "SD of types: of the true Δ of the types that were planted, without the errors.",
    "New type: where the true Δ of a type that was never planted is expected, 95 %; not where "
    "its Δ would be observed.",
    f"There is no model for fewer than {LEAST_TYPES} types, no prediction for fewer than "
    f"{LEAST_NEW}, and no interval for fewer than 10 instances in effect.",
)


def types_as_a_sample(study: StudyData, numbers: Numbers) -> Table:
    """Give one row a judge for all types, then one for each of its types."""
    judges = [judge for judge in study.judges if MEAN._replace(judge=judge) in numbers]
    rows: list[Row] = []
    for judge in judges:
        own = [key for key in numbers if (key.judge, key.stat) == (judge, SHRUNKEN)]
        delta = NumberKey("delta", ALL)
        rows.append((judge, "all types", *of_judge(numbers, (delta, MEAN, SPREAD, NEW), judge)))
        rows += [
            (judge, str(key.group), numbers.get(_delta(key.group, judge)), numbers[key], None, None)
            for key in own
        ]
    columns = words("Judge", "Of") + signed("Δ", "Over types, shrunken")
    columns += rates("SD of types") + signed("New type")
    title = f"Fault types as a sample, {study.name}"
    return Table("types-as-a-sample", title, columns, tuple(rows), NOTES)


def _delta(group: Group | str, judge: str) -> NumberKey:
    return NumberKey("delta", group, judge=judge)
