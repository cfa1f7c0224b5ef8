"""One run of a folder at a time: two would ask the same twice and write into one another.

The lock is on the folder itself, so that it leaves no file behind, and the system
lets go of it however a run ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from faultpair.env.errors import InfrastructureError, UsageError

try:
    import fcntl
except ImportError:  # Windows has no such lock, and cannot open a folder either
    fcntl = None  # type: ignore[assignment]

__all__ = ["held"]


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder, made if need be, for as long as it is written in.

    Raises
    ------
    UsageError
        If another process holds it.
    InfrastructureError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InfrastructureError(f"Cannot write in {folder}: {error.strerror}.") from error
    try:
        with _locked(folder):
            yield
    finally:
        with suppress(OSError):
            folder.rmdir()  # it is empty only if nothing came of the work


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if fcntl is None:
        yield
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        _lock(place, folder)
        yield
    finally:
        os.close(place)


def _lock(place: int, folder: Path) -> None:
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"Another process is at work on {folder}. Wait for it to end, or give this run a "
            "folder of its own with --out."
        ) from None
    except OSError:
        pass  # some network file systems have no locks; there, nothing can be promised
