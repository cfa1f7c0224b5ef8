"""Recruiting hosts: evenly, whole rounds at a time."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.sets.hosts import Spread

UNIT = st.floats(0, 1, exclude_max=True)


@given(st.integers(1, 300), st.data(), UNIT)
def test_so_many_rounds_are_due_as_wanted(n_rounds, data, phase):
    n_due = data.draw(st.integers(0, n_rounds))
    due = [Spread(n_due, n_rounds, phase).is_due(round_index) for round_index in range(n_rounds)]
    assert sum(due) == n_due


@given(st.integers(1, 100), st.data(), UNIT)
def test_due_rounds_are_spread_evenly(n_rounds, data, phase):
    n_due = data.draw(st.integers(1, n_rounds))
    spread = Spread(n_due, n_rounds, phase)
    due = [round_index for round_index in range(n_rounds) if spread.is_due(round_index)]
    gaps = {later - earlier for earlier, later in pairwise(due)}
    assert all(abs(gap - n_rounds / n_due) < 1 for gap in gaps)


@pytest.mark.parametrize("round_index", [10, 11, 500])
def test_every_later_round_is_due(round_index):
    assert Spread(1, 10, 0.5).is_due(round_index)


def test_hosts_of_a_type_are_balanced_over_its_scenarios(paper):
    """50 hosts over six scenarios: eight or nine of each."""
    scenario = {one["instance_id"]: one["difficulty"] for one in paper.instances}
    for name in ("wrong_tool", "hallucinated_argument", "premature_stop"):
        hosts = [
            scenario[run["instance_id"]]
            for run in paper.runs
            if run["label"]["failure_type"] == name
        ]
        shares = [hosts.count(one) for one in set(scenario.values())]
        assert sum(shares) == 50
        assert max(shares) - min(shares) <= 1, name
