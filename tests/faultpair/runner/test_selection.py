"""Which judges a run asks, about which runs, and which verdicts it keeps."""

import json

import pytest

from faultpair.env.errors import UsageError

from .conftest import REPLY, asked


def test_only_the_judges_that_are_named_ask(lab):
    outcome = lab.study({"s": "", "r": REPLY}).run(only=("r",))
    assert {one["judge_id"] for one in lab.verdicts} == {"r"}
    assert outcome.n_open == 0


def test_an_unknown_judge_cannot_be_the_only_one(lab):
    with pytest.raises(UsageError, match=r"The study has no judge 'q'\. Its judges: s\."):
        lab.study({"s": ""}).run(only=("q",))


def test_a_judge_that_was_named_once_keeps_its_verdicts(lab):
    lab.study({"s": ""}).run(extra=("scripted:coin",))
    lab.run()
    assert {one["judge_id"] for one in lab.verdicts} == {"s", "scripted:coin"}


def test_repeats_that_were_made_once_keep_their_verdicts(lab):
    lab.study({"s": ""}).run(repeats=3)
    engine = asked()
    lab.run(engine)
    assert engine.n_calls == 0
    assert len(lab.verdicts) == 27


def test_a_judge_of_some_pairs_asks_about_these_faults_and_their_parents(lab):
    lab.study({"s": "pairs = 2\n"}).run()
    runs = [json.loads(line) for line in lab.folder.trajectories.read_bytes().splitlines()]
    faults = [run for run in runs if run["label"]["faulty"]][:2]
    wanted = {one for run in faults for one in (run["trajectory_id"], run["label"]["parent_id"])}
    assert {one["trajectory_id"] for one in lab.verdicts} == wanted
