"""Sets of plans at several tiers."""

from collections import Counter, defaultdict

import pytest

from faultpair.env.errors import StudyError
from faultpair.env.records import Call
from faultpair.env.registry import Registry
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.fault import Edit, Fault, Replace, Site
from faultpair.studies.folder import open_study

PLANS = """\
title = "Plans"
domain = "workflow"
seed = 7
tiers = ["easy", "hard"]
clean = { fan_in = 3, loop_like = 2 }

[[faults]]
name = "any_tool"
count = 4
"""


class AnyTool(Fault):
    """End with whatever tool comes to mind."""

    name = "any_tool"
    domain = "workflow"

    def sites(self, instance, run):
        yield Site(len(run.steps) - 1)

    def edit(self, instance, run, site, rng):
        tool = rng.choice(instance.tools).name
        return Edit(Replace(site.step, Call(tool, {})), f"{tool} ends the plan")

    def examples(self):
        return ()


@pytest.fixture
def plans(built, monkeypatch):
    faults = Registry("fault")
    faults.add("any_tool", AnyTool())
    monkeypatch.setitem(BUILT_IN, "workflow", faults)
    return built(PLANS)


def test_each_record_appears_once_at_each_tier_of_the_study(plans):
    instances, _ = plans
    tiers = defaultdict(list)
    for one in instances:
        tiers[one["record_id"]].append(one["tier"])
        assert one["goal"] == one[f"query_{one['tier']}"]
    assert set(map(tuple, tiers.values())) == {("easy", "hard")}


def test_each_tier_has_its_clean_run_and_all_that_is_planted_in_the_record(plans):
    instances, runs = plans
    tier_of = {one["instance_id"]: one["tier"] for one in instances}
    made = Counter(
        (tier_of[run["instance_id"]], run["label"]["failure_type"] or "clean") for run in runs
    )
    assert made["easy", "any_tool"] == made["hard", "any_tool"] == 4
    assert made["easy", "clean"] == made["hard", "clean"] == len(instances) / 2 >= 5
    ids = {run["trajectory_id"] for run in runs}
    for run in runs:
        parent = run["label"]["parent_id"]
        assert parent is None or (parent in ids and parent.startswith(run["instance_id"]))


def test_the_tiers_of_a_record_hold_one_and_the_same_edit(plans):
    _, runs = plans
    edits = defaultdict(set)
    for run in runs:
        if run["label"]["faulty"]:
            edits[run["instance_id"].rpartition("-")[0]].add(run["label"]["edit"])
    assert len(edits) == 4
    assert all(len(found) == 1 for found in edits.values())


def test_without_tiers_named_plans_are_built_at_the_easy_one(built):
    head = 'title = "t"\ndomain = "workflow"\nseed = 7\n'
    instances, _ = built(head + "clean = 3\n")
    assert [one["tier"] for one in instances] == ["easy"] * 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (PLANS.replace('"hard"', '"harsh"'), "tiers.1: Input should be 'easy', 'medium' or 'hard'"),
        (PLANS.replace('["easy", "hard"]', "[]"), "tiers: Tuple should have at least 1 item"),
    ],
)
def test_tiers_that_are_not_there_are_refused(study_file, text, problem):
    with pytest.raises(StudyError, match=problem):
        open_study(study_file(text))
