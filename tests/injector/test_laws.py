"""Laws that hold for any fault, any host and any edit."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.env.rng import stream
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.fault import Delete, Edit, Insert, Move, Replace, Truncate
from faultpair.injector.inject import apply, failure_step, inject, origins
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
TYPES = BUILT_IN["support_desk"].values()
INSTANCES = st.builds(DESK.generate, st.integers(0, 2**31), st.integers(0, 10**6))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
TOOLS = st.sampled_from([tool.name for tool in DESK.tools] + ["fly"])
NAMES = st.sampled_from(["email", "order_id", "sku", "amount_eur", "reason", "text"])
CALLS = st.builds(Call, TOOLS, st.dictionaries(NAMES, JSON, max_size=3))


@given(INSTANCES, st.sampled_from(TYPES), st.integers(0, 2**31), st.data())
def test_a_planted_run_replays_to_itself(instance, fault, seed, data):
    parent = clean_run(DESK, instance)
    sites = list(fault.sites(instance, parent))
    if sites:
        site, policy = data.draw(st.sampled_from(sites)), data.draw(st.sampled_from(fault.policies))
        rng = stream(seed, "laws")
        run = inject(DESK, instance, parent, fault, site, rng=rng, policy=policy)
        actions = [Action(step.call, step.thought) for step in run.steps]
        once = run_episode(DESK, instance, replay(actions, run.final_answer))
        assert once.steps == run.steps
        assert (once.final_answer, once.end_state) == (run.final_answer, run.end_state)


@given(INSTANCES, st.sampled_from(TYPES), st.integers(0, 2**31), st.data())
def test_a_fault_is_local(instance, fault, seed, data):
    parent = clean_run(DESK, instance)
    calls = tuple(step.call for step in parent.steps)
    sites = list(fault.sites(instance, parent))
    if sites:
        site = data.draw(st.sampled_from(sites))
        edit = fault.edit(instance, calls, site, stream(seed, "laws"))
        run = inject(DESK, instance, parent, fault, site, rng=stream(seed, "laws"))
        followed = {follow_up.at for follow_up in edit.follow_ups}
        came_from = origins(edit.operation, len(calls))
        for step, origin in zip(run.steps, came_from, strict=True):
            assert origin is None or origin in followed or step.call == calls[origin]
        n_touched = len(followed & set(came_from)) + sum(origin is None for origin in came_from)
        assert n_touched <= 2


@st.composite
def edits_of(draw, n_calls):
    at = draw(st.integers(0, n_calls - 1))
    return draw(
        st.one_of(
            st.builds(Replace, st.just(at), CALLS),
            st.builds(Insert, st.integers(0, n_calls), CALLS),
            st.just(Delete(at)),
            st.builds(Move, st.just(at), st.integers(0, n_calls - 1)),
            st.just(Truncate(at, "Bye.")),
        )
    )


@given(INSTANCES, st.data())
def test_any_edit_with_any_arguments_can_be_applied_and_written(instance, data):
    calls = tuple(step.call for step in clean_run(DESK, instance).steps)
    operation = data.draw(edits_of(len(calls)))
    actions = apply(Edit(operation, "words"), calls)
    assert len(actions) == len(origins(operation, len(calls)))
    assert failure_step(operation) >= 0
    episode = run_episode(DESK, instance, replay(actions, "Bye."))
    assert [step.call for step in episode.steps] == [action.call for action in actions]
    assert msgspec.json.encode(episode.steps)
