"""The schema of a study file: its defaults are those of the parts that it describes."""

from dataclasses import asdict

from faultpair.agents.planner import PlannerSettings
from faultpair.judges.plans.plan_judge import PlanJudge
from faultpair.studies.spec import PlanJudgeSpec, PlannerSpec

NAMED = {"id": "grader", "engine": "scripted:clean"}


def shared(one, other):
    """Both, as far as they have the same keys."""
    keys = one.keys() & other.keys()
    return {key: one[key] for key in keys}, {key: other[key] for key in keys}


def test_a_plan_judge_has_the_same_defaults_in_the_file_and_the_judge():
    spec = PlanJudgeSpec(**NAMED).model_dump()
    judge = asdict(PlanJudge(*NAMED.values()))
    in_file, in_judge = shared(spec, judge)
    assert in_file == in_judge
    assert in_file.keys() == spec.keys() - {"id", "repeats", "tiers", "key_from"}


def test_a_planner_has_the_same_defaults_in_the_file_and_where_it_plans():
    in_file, in_planner = shared(PlannerSpec(**NAMED).model_dump(), asdict(PlannerSettings()))
    assert in_file == in_planner
    assert in_planner == asdict(PlannerSettings())
