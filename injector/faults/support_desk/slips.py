"""Typing errors: a wrong digit, two swapped digits."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from faultpair.env.rng import below, pick

__all__ = ["mistyped", "swaps"]


def mistyped(number: str, rng: Random) -> str:
    """Return a number such as ``ORD-790080`` with one wrong digit."""
    at = pick(rng, [place for place, sign in enumerate(number) if sign.isdigit()])
    digit = (int(number[at]) + 1 + below(rng, 9)) % 10
    return f"{number[:at]}{digit}{number[at + 1 :]}"


def swaps(amount: str) -> list[str]:
    """Return every amount that results from swapping two neighbouring, different digits.

    >>> swaps("240.80"), swaps("55.55")
    (['420.80', '204.80', '248.00', '240.08'], [])
    """
    places = [place for place, sign in enumerate(amount) if sign != "."]
    swapped = (
        _swap(amount, left, right)
        for left, right in pairwise(places)
        if amount[left] != amount[right]
    )
    return [other for other in swapped if other[0] != "0"]


def _swap(text: str, left: int, right: int) -> str:
    signs = list(text)
    signs[left], signs[right] = signs[right], signs[left]
    return "".join(signs)
