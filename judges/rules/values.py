"""Unchecked JSON values: null, NaN, lists in place of words, integers of a thousand digits.

These functions return a usable value or None, and never raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

__all__ = ["TOLERANCE", "is_grounded", "number_in", "number_under", "show", "word_in"]

TOLERANCE = 0.01
"""Numbers with at most this difference count as equal."""

_SHOWN = 60
_NUMBERS = (int, float)
_LISTS = (list, tuple)


def word_in(values: Mapping[str, Any], key: str) -> str | None:
    """Return the text under a key, None if there is none."""
    value = values.get(key)
    return value if isinstance(value, str) else None


def number_in(value: object) -> float | None:
    """Return a value as a finite number; None for a truth value, NaN, text and the rest."""
    if isinstance(value, bool) or not isinstance(value, _NUMBERS):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def number_under(values: Mapping[str, Any], prefix: str) -> tuple[str, float] | None:
    """Return (rest of the key, number) from the first key with a prefix.

    >>> number_under({"is_open": True, "length_min": 45}, "length_")
    ('min', 45.0)
    """
    for key, value in values.items():
        if key.startswith(prefix):
            number = number_in(value)
            return None if number is None else (key[len(prefix) :], number)
    return None


def is_grounded(value: object, known: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a word or number occurs in known values, at any depth.

    Numbers may differ by `TOLERANCE`. Other values (null, a list, NaN) are never grounded.
    """
    if isinstance(value, str):
        return _at_top_level(value, known) or any(value == scalar for scalar in _scalars(known))
    number = number_in(value)
    if number is None:
        return False
    # True equals 1 and False 0, so the quick way is for greater numbers alone.
    quick = number > 1 and _at_top_level(number, known)
    return quick or any(_same_number(number, scalar) for scalar in _scalars(known))


def show(value: object) -> str:
    """Return a value as a short printable text for a rationale.

    >>> show("ticket 7"), show([1, 2]), show(10**400)
    ("'ticket 7'", 'a list', 'a huge number')
    """
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}…"
    if isinstance(value, _LISTS):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, int) and abs(value) > 10**_SHOWN:
        return "a huge number"
    return "null" if value is None else str(value)


def _at_top_level(value: str | float, known: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a value occurs at the top level, as nearly all do."""
    for values in known:  # noqa: SIM110 - a generator takes three times as long
        if value in values.values():
            return True
    return False


def _scalars(known: Iterable[Mapping[str, Any]]) -> Iterator[object]:
    """Yield every value that is neither an object nor a list, at any depth."""
    waiting: list[object] = [*known]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting.extend(value.values())
        elif isinstance(value, _LISTS):
            waiting.extend(value)
        else:
            yield value


def _same_number(number: float, scalar: object) -> bool:
    other = number_in(scalar)
    return other is not None and abs(number - other) <= TOLERANCE
