"""Requests of judges: their order, their state by the exchange log, and which are pending."""

from itertools import groupby
from pathlib import Path

import pytest

from faultpair.env.records import Exchange
from faultpair.judges.model_judge import ModelJudge
from faultpair.runner.panel import JudgeAssignment
from faultpair.runner.requests import RequestState, in_share, pending, plan_requests
from faultpair.studies.exchanges import ExchangeLog
from faultpair.studies.runs import read_runs

STEPS = ModelJudge("steps", "support_desk", "scripted:clean")
REPLY = ModelJudge(
    "reply", "support_desk", "scripted:clean", view="goal-and-reply", task="judge-reply"
)


@pytest.fixture(scope="module")
def runs(small):
    return list(read_runs(small.folder.trajectories, small.folder.instances))


@pytest.fixture
def ledger():
    return ExchangeLog(Path("nowhere"))


def settled(ask, **what):
    """Return an exchange that settles an ask."""
    judge_id, sample, repeat, digest = ask.key
    return Exchange(
        ask.trajectory_id, judge_id, sample, repeat, 1, digest, "p", "e", None, None,
        **(what or {"text": "yes"}),
    )  # fmt: skip


def asks_of(runs, *seats):
    return list(plan_requests(seats, runs))


def open_asks(asks, ledger, *, share=True, retry=False):
    states = [RequestState.of(ask, ledger, share=share) for ask in asks]
    return [state.request for state in pending(states, share=share, retry=retry)]


def test_every_judge_asks_about_every_run_once_a_pass(runs):
    asks = asks_of(runs, JudgeAssignment(STEPS, repeats=2), JudgeAssignment(REPLY))
    keys = [(ask.trajectory_id, ask.key[:3]) for ask in asks]
    assert len(set(keys)) == len(keys) == 3 * len(runs)


def test_runs_of_an_instance_stand_together_in_the_order_of_the_set(runs):
    instance_of = {run.trajectory_id: instance.instance_id for run, instance in runs}
    asks = asks_of(runs, JudgeAssignment(STEPS), JudgeAssignment(REPLY))
    order = [instance for instance, _ in groupby(instance_of[ask.trajectory_id] for ask in asks)]
    assert order == list(dict.fromkeys(instance_of.values()))


def test_within_an_instance_requests_are_sorted_by_their_text(runs):
    instance_of = {run.trajectory_id: instance.instance_id for run, instance in runs}
    asks = asks_of(runs, JudgeAssignment(STEPS), JudgeAssignment(REPLY))
    for _, group in groupby(asks, lambda ask: instance_of[ask.trajectory_id]):
        prompts = [ask.request().messages[1].content for ask in group]
        assert prompts == sorted(prompts)


def test_a_request_is_written_again_as_it_was_hashed(runs):
    from faultpair.engines.engine import request_hash

    warm = ModelJudge("warm", "support_desk", "scripted:clean", temperature=0.7, samples=2)
    asks = asks_of(runs, JudgeAssignment(warm, repeats=2))
    assert all(request_hash(ask.request()) == ask.key.request_hash for ask in asks)
    assert len({ask.key.request_hash for ask in asks}) == len(asks)


def test_at_temperature_0_the_passes_of_a_run_send_the_same_request(runs):
    asks = asks_of(runs[:1], JudgeAssignment(STEPS, repeats=3))
    assert len({ask.key.request_hash for ask in asks}) == 1
    assert len({ask.key for ask in asks}) == 3


def test_identical_requests_of_a_pass_are_asked_once(runs, ledger):
    asks = asks_of(runs, JudgeAssignment(REPLY))
    shared = open_asks(asks, ledger)
    assert len(shared) == len({ask.key for ask in asks}) < len(asks)
    assert open_asks(asks, ledger, share=False) == asks


def test_no_answer_is_shared_between_repeats_samples_or_judges(runs, ledger):
    twin = ModelJudge("twin", "support_desk", "scripted:clean")
    pair = ModelJudge("pair", "support_desk", "scripted:clean", samples=2)
    asks = asks_of(
        runs[:1], JudgeAssignment(STEPS, repeats=2), JudgeAssignment(twin), JudgeAssignment(pair)
    )
    assert len({ask.key.request_hash for ask in asks}) == 1
    ledger.note(settled(asks[0]))
    assert len(open_asks(asks, ledger)) == len(asks) - 1 == 4


def test_a_settled_request_is_not_sent_again(runs, ledger):
    asks = asks_of(runs, JudgeAssignment(STEPS))
    for ask, what in zip(asks, ({}, {"error": "gone"}, {"unsent": "too long"}), strict=False):
        ledger.note(settled(ask, **what))
    assert open_asks(asks, ledger) == asks[3:]


def test_a_retry_sends_failed_requests_and_continues_their_count(runs, ledger):
    asks = asks_of(runs, JudgeAssignment(STEPS))
    for ask, what in zip(asks, ({}, {"error": "gone"}, {"unsent": "too long"}), strict=False):
        ledger.note(settled(ask, **what))
    again = open_asks(asks, ledger, retry=True)
    assert [ask.trajectory_id for ask in again] == [ask.trajectory_id for ask in asks[1:]]
    assert [ask.n_attempts for ask in again[:3]] == [1, 0, 0]


def test_without_sharing_an_answer_for_another_run_is_none(runs, ledger):
    asks = asks_of(runs, JudgeAssignment(REPLY))
    for ask in open_asks(asks, ledger):
        ledger.note(settled(ask))
    assert not open_asks(asks, ledger)
    left = open_asks(asks, ledger, share=False)
    assert len(left) == len(asks) - len({ask.key for ask in asks})


def test_a_share_is_the_first_faults_with_their_parents(runs):
    chosen = in_share(JudgeAssignment(STEPS, pairs=3), runs)
    faults = [run for run, _ in runs if run.label.faulty][:3]
    assert chosen == {one for run in faults for one in (run.trajectory_id, run.label.parent_id)}
    assert {ask.trajectory_id for ask in asks_of(runs, JudgeAssignment(STEPS, pairs=3))} == chosen


def test_a_state_advances_with_the_log_and_an_answer_stays(runs, ledger):
    ask, *_ = asks_of(runs, JudgeAssignment(STEPS))
    state = RequestState.of(ask, ledger)
    assert state.is_open()
    ledger.note(settled(ask, error="gone"))
    state.advance(ledger)
    assert (state.is_open(), state.is_open(retry=True), state.has_failed) == (False, True, True)
    assert state.request.n_attempts == 1
    ledger.note(settled(ask))
    state.advance(ledger)
    assert (state.is_open(retry=True), state.has_failed) == (False, False)
    ledger.note(settled(ask, error="gone again"))
    state.advance(ledger)
    assert state.settled.text == "yes"


def test_an_unreadable_answer_makes_a_redraw_of_the_request(runs, ledger):
    class Persistent(ModelJudge):
        retries = 1

    ask, *_ = asks_of(runs, JudgeAssignment(Persistent("steps", "support_desk", "scripted:clean")))
    state = RequestState.of(ask, ledger)
    ledger.note(settled(ask, text="I would rather not"))
    state.advance(ledger)
    redraw = state.request
    assert (state.is_open(), redraw.n_redraws) == (True, 1)
    assert redraw.key != ask.key
    assert (redraw.request().seed, redraw.request().temperature) == (1_000_010, 0.5)
    ledger.note(settled(redraw, text="Still not"))
    state.advance(ledger)
    assert (state.is_open(), state.request) == (False, redraw)
    assert RequestState.of(ask, ledger) == state
