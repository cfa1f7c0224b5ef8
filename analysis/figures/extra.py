"""The extra that figures need: matplotlib, which not everybody has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from faultpair.env.errors import UsageError

__all__ = ["needing_matplotlib"]


@contextmanager
def needing_matplotlib() -> Iterator[None]:
    """Import inside it what imports matplotlib; a module of ours that is missing stays a bug.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("matplotlib"):
            raise
        raise UsageError(
            "Figures need matplotlib: pip install 'faultpair[figures]', or use --no-figures."
        ) from error
