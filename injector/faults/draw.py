"""Drawing from a stream by `Random.random` alone, whose values no Python release changes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

__all__ = ["below", "pick"]

T = TypeVar("T")


def below(rng: Random, bound: int) -> int:
    """Return an integer in [0, bound)."""
    return int(rng.random() * bound)


def pick(rng: Random, options: Sequence[T]) -> T:
    """Return one of several options, each as likely as the others."""
    return options[int(rng.random() * len(options))]
