"""Several pieces of work at a time, each of which waits for a model most of its time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["parallel_map"]

T = TypeVar("T")
R = TypeVar("R")
_Post = queue.SimpleQueue[tuple[int, R] | BaseException]


def parallel_map(work: Callable[[T], R], items: Sequence[T], n_lanes: int) -> list[R]:
    """Return what the work makes of each item, in the order of the items.

    What breaks one piece is raised at once, and no other piece is begun. Those underway are
    not waited for: a call may take minutes. Whoever lends them something that is to be closed
    has to see to it that they find it closed.
    """
    if n_lanes == 1:
        return [work(item) for item in items]
    post: _Post[R] = queue.SimpleQueue()
    todo, is_over = enumerate(items), threading.Event()
    lock = threading.Lock()
    for _ in range(min(n_lanes, len(items))):
        told = (work, todo, lock, is_over, post)
        threading.Thread(target=_carry, args=told, daemon=True).start()
    try:
        made = dict(_come(post.get()) for _ in items)
    finally:
        is_over.set()
    return [made[number] for number in range(len(items))]


def _carry(
    work: Callable[[T], R],
    todo: Iterator[tuple[int, T]],
    lock: threading.Lock,
    is_over: threading.Event,
    post: _Post[R],
) -> None:
    try:
        while not is_over.is_set():
            with lock:
                taken = next(todo, None)
            if taken is None:
                return
            number, item = taken
            post.put((number, work(item)))
    except BaseException as error:  # noqa: BLE001 — raised again where the results are awaited
        post.put(error)


def _come(post: tuple[int, R] | BaseException) -> tuple[int, R]:
    if isinstance(post, BaseException):
        raise post
    return post
