"""`[stop]`: a judge is asked until its floor or margin is clear, at the same place every time."""

import json
from dataclasses import replace
from itertools import cycle, groupby
from operator import attrgetter

import numpy as np
import pytest

from faultpair.analysis.stats.sequential import always_valid
from faultpair.calls.session import EngineFactory, RunLimits
from faultpair.cli.display.stops import rule_of
from faultpair.engines.engine import EngineOptions
from faultpair.env.errors import StudyError
from faultpair.runner.order import RequestOrder
from faultpair.runner.panel import panel_of
from faultpair.runner.requests import plan_requests
from faultpair.runner.run import run_study
from faultpair.runner.selection import select_judges
from faultpair.runner.stopping import stops_of
from faultpair.sets.build import build
from faultpair.studies.exchanges import ExchangeLog, read_exchange_log
from faultpair.studies.folder import open_study
from faultpair.studies.runs import read_runs

from ...fake_engine import FakeEngine

DESK = """\
title = "Stopping"
domain = "support_desk"
seed = 7
{world}

[[faults]]
name = "wrong_tool"
count = 50

[[faults]]
name = "ignored_observation"
count = 30
"""
FLOOR = "[stop]\nfloor = 0.2\n"
ANSWER = '{"reasoning":"","faulty":%s,"failure_step":%s,"failure_type":null,"confidence":0.9}'
FAULTY, CLEAN = ANSWER % ("true", "0"), ANSWER % ("false", "null")


class Desk:
    """A study with `[stop]` in a folder, and the truth about each of its requests."""

    def __init__(self, out):
        self.out = out

    def study(self, *judges, stop=FLOOR, world=2, more="", other="clean"):
        tables = [
            f'[[model_judges]]\nid = "{judge}"\n'
            f'engine = "scripted:{"clean" if judge == "s" else other}"\n{more}'
            for judge in judges
        ]
        self.out.mkdir(exist_ok=True)
        text = "\n".join([DESK.format(world=f"world = {world}"), stop, *tables])
        (self.out / "study.toml").write_text(text, encoding="utf-8")
        self.folder = open_study(self.out)
        return self

    def run(self, reply, *, parallel=1, **limits):
        engine = reply if isinstance(reply, FakeEngine) else self.engine(reply)
        factory = EngineFactory(EngineOptions(parallel=parallel), lambda name, options: engine)
        rule = rule_of(self.folder.study.stop) if self.folder.study.stop else None
        limits = RunLimits(**limits)
        self.asked = engine
        return run_study(self.folder, limits=limits, engines=factory, stop=rule)

    def engine(self, reply):
        """Return an engine whose reply depends on the request and on whether its run is faulty."""
        if not self.folder.trajectories.exists():
            build(self.folder)
        runs = list(read_runs(self.folder.trajectories, self.folder.instances))
        faulty = {
            request.request().messages: run.label.faulty
            for request in plan_requests(panel_of(self.folder.study).assignments, runs)
            for run, _ in runs
            if run.trajectory_id == request.trajectory_id
        }
        return FakeEngine(lambda request: reply(faulty[request.messages]), name="scripted:clean")

    @property
    def stop(self):
        return json.loads(self.folder.manifest.read_text(encoding="utf-8"))["stop"]


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "desk")


def perfect(is_faulty):
    return FAULTY if is_faulty else CLEAN


def flags_all(is_faulty):
    return FAULTY


def moderate():
    """Return a judge that finds every fourth fault."""
    turns = cycle((FAULTY, CLEAN, CLEAN, CLEAN))
    return lambda is_faulty: next(turns) if is_faulty else CLEAN


def test_a_judge_that_is_clearly_above_the_floor_is_asked_no_more(desk):
    outcome = desk.study("s").run(perfect)
    (record,) = desk.stop["ended"].values()
    assert record["passed"] is True
    assert 0.2 < record["low"] < record["estimate"] == record["high"] == 1
    assert record["instances"] < record["of_instances"]
    assert desk.asked.n_calls == record["requests"] < record["of_requests"] / 2
    assert (outcome.n_open, outcome.n_failed) == (0, 0)
    assert outcome.ended["s"].passed


def test_a_judge_that_is_clearly_below_the_floor_is_asked_no_more(desk):
    desk.study("s").run(flags_all)
    record = desk.stop["ended"]["s"]
    assert record["passed"] is False
    assert record["low"] < record["estimate"] == 0 < record["high"] < 0.2


def test_a_judge_that_is_never_clear_is_asked_about_the_whole_set(desk):
    outcome = desk.study("s").run(moderate())
    record = desk.stop["ended"]["s"]
    assert record["passed"] is None
    assert record["instances"] == record["of_instances"]
    assert record["requests"] == record["of_requests"]
    assert record["low"] < 0.2 < record["high"]
    assert outcome.n_open == 0


def test_the_interval_is_that_of_the_first_instances_in_the_drawn_order(desk):
    desk.study("s").run(perfect)
    record = desk.stop["ended"]["s"]
    runs = list(read_runs(desk.folder.trajectories, desk.folder.instances))
    order = RequestOrder(desk.folder.study.seed, 2)
    requests = plan_requests(panel_of(desk.folder.study).assignments, runs, order)
    groups = [list(own) for _, own in groupby(requests, key=attrgetter("instance_id"))]
    sizes = [len(own) - 1 for own in groups]
    first = sizes[: record["instances"]]
    ends = always_valid(np.array(first), first, largest=max(sizes))
    assert (record["low"], record["high"]) == ends
    assert record["of_instances"] == len(sizes)


@pytest.mark.parametrize("parallel", [1, 5])
def test_a_run_that_was_stopped_at_any_place_stops_where_a_whole_one_does(desk, parallel, tmp_path):
    desk.study("s").run(perfect)
    whole = desk.stop["ended"]["s"]
    other = Desk(tmp_path / "other").study("s")
    for _ in range(100):
        outcome = other.run(perfect, parallel=parallel, verdicts=7)
        if outcome.ended.get("s") is not None and outcome.ended["s"].passed is not None:
            break
    again = other.stop["ended"]["s"]
    terms = ("estimate", "low", "high", "passed", "instances")
    assert [again[term] for term in terms] == [whole[term] for term in terms]


def test_a_run_after_the_stop_sends_nothing_and_goes_on_if_it_is_asked_to(desk):
    desk.study("s").run(perfect)
    before = desk.stop["ended"]["s"]
    assert desk.run(perfect).n_calls == 0
    assert desk.stop["ended"]["s"] == before
    outcome = desk.run(perfect, goes_on=True)
    assert outcome.n_calls == before["of_requests"] - before["requests"]
    after = desk.stop["ended"]["s"]
    assert after["went_on"]
    assert after["instances"] == before["instances"]
    assert desk.run(perfect).n_calls == 0
    assert desk.stop["ended"]["s"] == after


def test_each_judge_stops_by_itself_and_one_that_is_not_watched_is_asked_on(desk):
    stop = 'floor = 0.2\njudges = ["s"]\n'
    desk.study("s", "t", stop=f"[stop]\n{stop}").run(perfect)
    assert list(desk.stop["ended"]) == ["s"]
    settled = read_exchange_log(desk.folder.replies).settled
    asked = [key.judge_id for key in settled]
    assert asked.count("s") < asked.count("t") == desk.stop["ended"]["s"]["of_requests"]


def test_what_is_unscored_counts_against_a_judge(desk):
    desk.study("s").run(lambda is_faulty: CLEAN if not is_faulty else "I cannot say.")
    record = desk.stop["ended"]["s"]
    assert record["passed"] is False
    assert record["estimate"] == 0


def test_all_passes_of_an_instance_are_asked_and_the_first_counts(desk):
    desk.study("s", more="samples = 2\n").run(perfect)
    record = desk.stop["ended"]["s"]
    assert record["passed"]
    assert record["requests"] >= 2 * record["instances"] * 2


def test_two_judges_of_equal_worth_stop_together(desk):
    stop = '[stop]\nmargin = 0.6\njudge = "s"\nagainst = "t"\n'
    desk.study("s", "t", stop=stop).run(perfect)
    (name, record), *rest = desk.stop["ended"].items()
    assert (name, rest) == ("s minus t", [])
    assert record["passed"] is True
    assert record["low"] > -0.6
    assert record["requests"] < record["of_requests"]


def test_of_two_judges_with_two_engines_the_one_that_is_asked_last_is_stopped(desk):
    stop = '[stop]\nmargin = 0.6\njudge = "t"\nagainst = "s"\n'
    desk.study("s", "t", stop=stop, other="faulty").run(perfect)
    record = desk.stop["ended"]["t minus s"]
    assert record["passed"] is True
    asked = [key.judge_id for key in read_exchange_log(desk.folder.replies).settled]
    assert asked.count("t") < asked.count("s") == record["of_requests"] / 2


def test_in_world_1_the_order_is_drawn_if_a_study_stops(desk):
    desk.study("s", world=1).run(perfect)
    manifest = desk.folder.manifest.read_text(encoding="utf-8")
    assert '"order": "instances drawn"' in manifest


def test_the_mean_over_instances_can_be_watched(desk):
    desk.study("s", stop=FLOOR + 'over = "instances"\n').run(perfect)
    record = desk.stop["ended"]["s"]
    ones = np.ones(record["instances"])
    assert (record["low"], record["high"]) == always_valid(ones, ones, largest=1)


def test_after_void_answers_it_is_counted_from_the_first_instance_on(desk):
    desk.study("s").run(perfect)
    runs = list(read_runs(desk.folder.trajectories, desk.folder.instances))
    log = read_exchange_log(desk.folder.replies)
    selection = select_judges(desk.folder, (), RunLimits(), log)
    states = selection.states(runs, log)
    stops = stops_of(desk.folder, selection, runs, states, rule=rule_of(desk.folder.study.stop))
    stops.look(log)
    assert stops.ended() == {"s"}
    stops.look(ExchangeLog(desk.folder.replies), has_voids=True)
    assert stops.ended() == set()
    assert stops.watched[0].n_counted == 0


def test_a_floor_is_sealed_once_a_judge_has_answered(desk):
    desk.study("s").run(perfect, verdicts=0)
    desk.study("s", stop="[stop]\nfloor = 0.3\n").run(perfect, verdicts=3)
    assert desk.stop["floor"] == 0.3
    assert not desk.stop["post_hoc"]
    for stop in (FLOOR, "", '[stop]\nfloor = 0.3\nover = "instances"\n'):
        with pytest.raises(StudyError, match=r"table \[stop\] was sealed .*floor = 0.3"):
            desk.study("s", stop=stop).run(perfect)
    desk.study("s", stop="[stop]\nfloor = 0.3\n").run(perfect)
    assert desk.stop["ended"]["s"]["passed"]


def test_a_floor_that_is_declared_after_answers_is_post_hoc(desk):
    desk.study("s", stop="").run(perfect, verdicts=3)
    desk.study("s").run(perfect)
    assert desk.stop["post_hoc"]


def test_a_table_that_had_no_effect_may_be_taken_away(desk):
    desk.study("s").run(perfect, verdicts=0)
    desk.study("s", stop="").run(perfect, verdicts=0)
    assert "stop" not in desk.folder.manifest.read_text(encoding="utf-8").split('"judges"')[1]


def test_a_judge_that_asks_no_engine_cannot_stop(desk):
    desk.study("s", stop='[stop]\nfloor = 0.2\njudges = ["rules"]\n')
    with pytest.raises(StudyError, match="names the judge 'rules', which is none that asks"):
        desk.run(FakeEngine(CLEAN))


def test_without_a_rule_all_are_asked(desk):
    desk.study("s")
    engine = desk.engine(perfect)
    factory = replace(EngineFactory(), open=lambda name, options: engine)
    assert run_study(desk.folder, engines=factory).n_open == 0
    assert "ended" not in desk.stop
