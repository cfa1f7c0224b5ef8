"""Asking again: an answer that cannot be read is asked for once more, drawn anew.

The same request would bring the same answer. So each further one has another seed,
and a temperature where it had none, since at temperature 0 no seed has a say. It is a
request of its own with a hash of its own, and both answers are kept.
"""

from __future__ import annotations

from msgspec.structs import replace

from faultpair.engines.engine import Request

__all__ = ["redraw"]

SEED_STEP = 1_000_003
"""Far more than a judge makes passes, so that no other pass has the seed."""

LEAST_TEMPERATURE = 0.5


def redraw(request: Request, again: int) -> Request:
    """Return a request as it is made for the again-th further time; 0 is the first time.

    >>> first = Request((), seed=7)
    >>> second = redraw(first, 1)
    >>> second.seed, second.temperature
    (1000010, 0.5)
    """
    if not again:
        return request
    return replace(
        request,
        seed=request.seed + again * SEED_STEP,
        temperature=request.temperature or LEAST_TEMPERATURE,
    )
