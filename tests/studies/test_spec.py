"""What a study file leaves out is the same wherever it is read."""

from dataclasses import asdict

import msgspec

from faultpair.agents.planner import PlannerSettings
from faultpair.analysis.plans.settings import PlanJudgeEntry
from faultpair.judges.plans.plan_judge import PlanJudge
from faultpair.studies.spec import PlanJudgeSpec, PlannerSpec

NAMED = {"id": "grader", "engine": "scripted:clean"}


def shared(one, other):
    """Both, as far as they have the same keys."""
    keys = one.keys() & other.keys()
    return {key: one[key] for key in keys}, {key: other[key] for key in keys}


def test_a_plan_judge_has_the_same_defaults_in_the_file_the_judge_and_the_tables():
    spec = PlanJudgeSpec(**NAMED).model_dump()
    judge = asdict(PlanJudge(*NAMED.values()))
    in_file, in_judge = shared(spec, judge)
    assert in_file == in_judge
    assert in_file.keys() == spec.keys() - {"id", "repeats", "tiers"}
    in_file, in_tables = shared(spec, msgspec.structs.asdict(PlanJudgeEntry(*NAMED.values())))
    assert in_file == in_tables
    assert in_file.keys() == spec.keys() - {"repeats"}


def test_a_planner_has_the_same_defaults_in_the_file_and_where_it_plans():
    in_file, in_planner = shared(PlannerSpec(**NAMED).model_dump(), asdict(PlannerSettings()))
    assert in_file == in_planner
    assert in_planner == asdict(PlannerSettings())
