"""Requests dealt out: a carrier stays with an instance, and helps when none is left."""

from faultpair.calls.affinity_queue import AffinityQueue
from faultpair.judges.model_judge import SPECIMEN, ModelJudge
from faultpair.runner.requests import JudgeRequest
from faultpair.studies.exchanges import RequestKey

JUDGE = ModelJudge("j", "toy", "scripted:own")


def asks(**sizes):
    """Return so many asks of each instance, one instance after the other."""
    for instance, n in sizes.items():
        for number in range(n):
            trajectory = f"{instance}{number}"
            yield JudgeRequest(
                JUDGE, trajectory, instance, SPECIMEN, RequestKey("j", 0, 0, trajectory)
            )


def taken(lanes, *order):
    """Return what the lanes take, in the order in which they ask."""
    return [ask and ask.trajectory_id for ask in map(lanes.next_of, order)]


def test_a_carrier_goes_through_an_instance_before_it_takes_the_next():
    lanes = AffinityQueue(asks(a=2, b=3, c=1), 2)
    assert taken(lanes, 0, 1, 1, 0, 0, 1) == ["a0", "b0", "b1", "a1", "c0", "b2"]
    assert taken(lanes, 0, 1) == [None, None]


def test_one_with_no_instance_left_helps_where_most_is_left_to_do():
    lanes = AffinityQueue(asks(a=2, b=4, c=1), 3)
    assert taken(lanes, 0, 1, 2, 2, 2, 2) == ["a0", "b0", "c0", "b1", "b2", "b3"]
    assert taken(lanes, 2, 0, 1) == ["a1", None, None]


def test_an_instance_is_begun_only_when_a_carrier_comes_for_it():
    seen = []
    stream = (seen.append(ask.instance_id) or ask for ask in asks(a=1, b=1, c=1))
    lanes = AffinityQueue(stream, 1)
    assert taken(lanes, 0) == ["a0"]
    assert "c" not in seen


def test_nothing_to_carry_is_nothing_taken():
    assert taken(AffinityQueue([], 2), 0, 1) == [None, None]
