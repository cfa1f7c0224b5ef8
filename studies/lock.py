"""A lock on a folder, so that two runs do not send the same requests and mix their files.

The lock is on the folder itself and not on a file in it, as the package filelock would make:
no file is left beside the committed records, and the system releases it however a run ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from faultpair.env.errors import InfrastructureError, UsageError
from faultpair.env.forks import close_in_forks, forget

try:
    import fcntl
except ImportError:  # Windows has no such lock, and cannot open a folder either
    fcntl = None  # type: ignore[assignment]

__all__ = ["held"]


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make a folder if it is missing, and lock it; a `UsageError` if another process has."""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InfrastructureError(f"Cannot write in {folder}: {error.strerror}.") from error
    try:
        with _locked(folder):
            yield
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()  # it is empty if nothing was written


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    close_in_forks(descriptor)  # a forked child would hold the lock after our end
    try:
        _lock(descriptor, folder)
        yield
    finally:
        forget(descriptor)
        os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"Another process is at work on {folder}. Wait for it to end, or give this run a "
            "folder of its own with --out."
        ) from None
    except OSError:
        pass  # some network file systems have no locks
