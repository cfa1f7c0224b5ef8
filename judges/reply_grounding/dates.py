"""Dates as people write them, as the ISO days that they can mean."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date

from faultpair.env.months import MONTHS

__all__ = ["DATE", "readings_of"]

_MONTH = rf"(?:{'|'.join(MONTHS)})"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"

DATE = (
    r"\b\d{4}-\d{2}-\d{2}\b"
    rf"|\b{_DAY}\s(?:of\s)?{_MONTH},?\s\d{{4}}\b"
    rf"|\b{_MONTH}\s{_DAY},?\s\d{{4}}\b"
    r"|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b"
)
"""A pattern of dates without a group, so that another pattern can contain it."""


def readings_of(text: str) -> tuple[str, ...]:
    """Return the days that a date can mean: two where day and month could be swapped.

    >>> readings_of("2026-02-11"), readings_of("11 February 2026"), readings_of("11/02/2026")
    (('2026-02-11',), ('2026-02-11',), ('2026-02-11', '2026-11-02'))
    """
    numbers = [int(digits) for digits in re.findall(r"\d+", text)]
    named = [month for month, name in enumerate(MONTHS, start=1) if name in text]
    if named:
        day, year = numbers
        return _valid((year, named[0], day))
    first, second, third = numbers
    if first > 31:
        return _valid((first, second, third))
    return _valid((third, second, first), (third, first, second))


def _valid(*readings: tuple[int, int, int]) -> tuple[str, ...]:
    days = []
    for year, month, day in readings:
        with suppress(ValueError):
            days.append(date(year, month, day).isoformat())
    return tuple(days)
