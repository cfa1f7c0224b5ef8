"""Random streams, one for each purpose: the only source of randomness.

A stream depends on its key alone, so drawing more from one never moves another,
and nothing depends on the order in which streams are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any, TypeVar

__all__ = ["below", "drawn_order", "key_of", "pick", "serial_number", "stream"]

T = TypeVar("T")


def key_of(*purpose: int | str) -> int:
    """Return the 64-bit key of a purpose, the same in every process and Python.

    >>> key_of(7, "docs", 0)
    4149881293982366315
    """
    name = "/".join(map(str, purpose))
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")


class Stream(Random):
    """A `random.Random` that is seeded when it is first drawn from.

    Seeding costs about 7 µs and most edits never draw.
    """

    def __init__(self, *purpose: int | str) -> None:
        self._purpose = purpose
        self.gauss_next = None

    def random(self) -> float:
        """Return the next number in [0, 1)."""
        self._wake()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of k random bits."""
        self._wake()
        return super().getrandbits(k)

    def getstate(self) -> tuple[Any, ...]:
        """Return the state, as of a stream that has been seeded."""
        self._wake()
        return super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Continue from a state instead of the own seed."""
        self._wake()
        super().setstate(state)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Start again from another seed."""
        super().seed(a, version)
        self._answer_in_c()

    def _wake(self) -> None:
        # A method that was bound before the first draw is called again: seed once.
        if "random" not in vars(self):
            # Straight to the C seeding: for an integer, Random.seed adds nothing.
            super(Random, self).seed(key_of(*self._purpose))
            self._answer_in_c()

    def _answer_in_c(self) -> None:
        vars(self).update(random=super().random, getrandbits=super().getrandbits)


def stream(*purpose: int | str) -> Random:
    """Return a fresh random stream for a purpose such as ``(seed, "docs", 12)``.

    >>> stream(7, "docs").random() == stream(7, "docs").random()
    True
    """
    return Stream(*purpose)


def below(rng: Random, bound: int) -> int:
    """Return an integer in [0, bound).

    This and `pick` draw by `Random.random`, whose values no Python release
    changes, and cost a tenth of `Random.randrange` and `Random.choice`.
    """
    return int(rng.random() * bound)


def pick(rng: Random, options: Sequence[T]) -> T:
    """Return one of several options, each as likely as the others."""
    return options[int(rng.random() * len(options))]


@lru_cache(maxsize=256)
def drawn_order(n: int, *purpose: int | str) -> tuple[int, ...]:
    """Return the numbers below n in an order that is drawn for a purpose.

    >>> drawn_order(6, 7, "docs")
    (4, 0, 2, 3, 5, 1)
    """
    rng = stream(*purpose)
    return tuple(sorted(range(n), key=lambda _: rng.random()))


def serial_number(nth: int, *purpose: int | str) -> int:
    """Return the nth of the numbers of eight digits below 90,000,000, in a drawn order.

    No two of the first 80,000,000 are equal, and none tells its place: a Feistel network of
    four rounds is one to one, and each round adds a hash of the other half.

    >>> serial_number(0, 7, "docs"), serial_number(1, 7, "docs")
    (11602824, 63107413)
    """
    left, right = divmod(nth, _RIGHT)
    if not 0 <= left < _LEFT:
        raise ValueError(f"There are {_LEFT * _RIGHT} serial numbers, and no number {nth}.")
    for turn in range(0, 4, 2):
        left = (left + key_of(*purpose, turn, right)) % _LEFT
        right = (right + key_of(*purpose, turn + 1, left)) % _RIGHT
    return _FIRST + left * _RIGHT + right


_FIRST = 10_000_000
_LEFT, _RIGHT = 8_000, 10_000
"""The two halves of a serial number have so many values."""
