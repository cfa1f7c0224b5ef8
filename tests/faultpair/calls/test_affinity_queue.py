"""A worker stays with a group of items, and helps the others when no group is left."""

from faultpair.calls.affinity_queue import AffinityQueue


def items(**sizes):
    """Yield so many items of each group, one group after the other."""
    return (f"{group}{number}" for group, n in sizes.items() for number in range(n))


def queue(stream, n_workers):
    return AffinityQueue(stream, n_workers, lambda item: item[0])


def taken(todo, *workers):
    """Return what some workers take, one after the other."""
    return [todo.next_of(worker) for worker in workers]


def test_a_worker_finishes_a_group_before_it_takes_the_next():
    todo = queue(items(a=2, b=3, c=1), 2)
    assert taken(todo, 0, 1, 1, 0, 0, 1) == ["a0", "b0", "b1", "a1", "c0", "b2"]
    assert taken(todo, 0, 1) == [None, None]


def test_a_worker_without_a_group_takes_from_the_one_with_most_left():
    todo = queue(items(a=2, b=4, c=1), 3)
    assert taken(todo, 0, 1, 2, 2, 2, 2) == ["a0", "b0", "c0", "b1", "b2", "b3"]
    assert taken(todo, 2, 0, 1) == ["a1", None, None]


def test_a_group_is_read_from_the_stream_only_when_a_worker_takes_it():
    seen = []
    todo = queue((seen.append(item[0]) or item for item in items(a=1, b=1, c=1)), 1)
    assert taken(todo, 0) == ["a0"]
    assert "c" not in seen


def test_an_empty_stream_gives_nothing():
    assert taken(queue([], 2), 0, 1) == [None, None]
