"""Descriptors that a forked child must not hold, such as that of a lock.

A plug-in, or a judge function in this process, may fork a child that outlives the run. The
lock would be held, and the socket to a supervisor open, until that child ends.
"""

from __future__ import annotations

import os
from contextlib import suppress

__all__ = ["close_in_forks", "forget"]

_DESCRIPTORS: set[int] = set()


def close_in_forks(descriptor: int) -> None:
    """Close a descriptor in each child that is forked from now on."""
    _DESCRIPTORS.add(descriptor)


def forget(descriptor: int) -> None:
    """Leave a descriptor to forked children again; call it just before the descriptor is closed."""
    _DESCRIPTORS.discard(descriptor)


def _close_all() -> None:
    if not _DESCRIPTORS:
        return
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in _DESCRIPTORS:
        with suppress(OSError):
            # Its number stays taken: an object of the parent may yet close it in the child.
            os.dup2(null, descriptor, inheritable=False)
    os.close(null)
    _DESCRIPTORS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_all)
