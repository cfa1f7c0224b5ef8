"""The fixed shuffled order: fair at every place."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.records import Label, ReplyPolicy, Trajectory
from faultpair.sets.order import interleave, stratified_order, stratum_of

SIZES = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.integers(0, 40), max_size=7)


@given(SIZES)
def test_in_every_prefix_each_stratum_is_within_one_of_its_share(sizes):
    total = sum(sizes.values())
    seen = Counter()
    for place, name in enumerate(interleave(sizes), start=1):
        seen[name] += 1
        for stratum, size in sizes.items():
            assert abs(seen[stratum] - place * size / total) < 1
    assert seen == {name: size for name, size in sizes.items() if size}


@given(SIZES, st.integers())
def test_every_member_is_placed_once(sizes, seed):
    members, first = {}, 0
    for name, size in sizes.items():
        members[name] = range(first, first + size)
        first += size
    order = stratified_order(members, seed)
    assert sorted(order) == list(range(first))


def test_another_seed_gives_another_order_of_the_same_strata():
    members = {"clean": range(20), "faulty": range(20, 60)}
    one, other = (list(stratified_order(members, seed)) for seed in (1, 2))
    assert one != other
    assert [place < 20 for place in one] == [place < 20 for place in other]
    assert list(stratified_order(members, 1)) == one


def test_members_are_shuffled_within_their_stratum():
    order = stratified_order({"only": range(50)}, 0)
    assert list(order) != list(range(50))


def test_no_members_give_an_empty_order():
    assert list(stratified_order({}, 0)) == []
    assert list(interleave({"a": 0})) == []


@pytest.mark.parametrize(
    ("label", "stratum"),
    [
        (Label(False, None, None, True), "clean"),
        (Label(False, None, None, True, control="extra_read"), "control:extra_read"),
        (Label(True, 1, "wrong", True, reply_policy=ReplyPolicy.KEEP), "wrong:keep:silent"),
        (Label(True, 1, "wrong", False), "wrong:loud"),  # a model made it, under no policy
    ],
)
def test_a_stratum_names_fault_policy_and_outcome(label, stratum):
    assert stratum_of(Trajectory("t", "i", "goal", (), "", label)) == stratum
