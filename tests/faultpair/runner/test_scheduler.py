"""How many requests a run sends, how many at once, and when it stops."""

import threading

from faultpair.env.errors import EngineError

from ...fake_engine import FakeEngine
from .conftest import REPLY, VERDICT, asked


def test_an_attempt_shared_by_several_runs_is_reported_once_with_its_verdict(lab):
    attempts = []

    class Listener:
        def on_built(self, n): ...
        def on_message(self, text): ...
        def on_start(self, total):
            attempts.append(total)

        def on_attempt(self, judge_id, verdict):
            attempts.append((judge_id, verdict.faulty))

    lab.study({"r": REPLY}).run(listener=Listener())
    assert attempts == [6, *[("r", False)] * 6]
    assert len(lab.verdicts) == 9


def test_a_limit_of_verdicts_is_kept_across_engines(lab):
    lab.study({"s": "", "t": 'engine = "scripted:faulty"\n'})
    outcome = lab.run(verdicts=12)
    assert (outcome.n_asked, outcome.reached_limit, outcome.n_open) == (12, True, 6)


def test_a_limit_of_zero_sends_no_request_and_opens_no_engine(lab):
    lab.study({"s": ""})
    for limit in ({"verdicts": 0}, {"calls": 0}):
        assert lab.run(FakeEngine(identity=AssertionError()), **limit).reached_limit
    assert lab.replies == lab.verdicts == []


def test_a_limit_of_calls_counts_those_that_fail(lab):
    engine = asked(fail=lambda n: EngineError("busy", transient=True) if n == 1 else None)
    outcome = lab.study({"s": ""}).run(engine, calls=4)
    assert (engine.n_calls, outcome.n_calls, outcome.n_asked) == (4, 4, 3)
    assert outcome.reached_limit


def test_as_many_requests_are_underway_as_is_allowed(lab):
    meet = threading.Barrier(3)

    def script(request):
        meet.wait(10)
        return VERDICT

    outcome = lab.study({"s": ""}).run(FakeEngine(script), parallel=3)
    assert outcome.n_asked == 9


def test_repeated_failure_stops_the_run_and_keeps_earlier_answers(lab):
    engine = asked(fail=lambda n: EngineError("down") if n > 4 else None)
    outcome = lab.study({"s": "", "t": 'engine = "scripted:faulty"\n'}).run(engine)
    assert outcome.stopped == "3 requests in a row failed. The last: down"
    assert engine.n_calls == 7
    assert len(lab.verdicts) == 7
