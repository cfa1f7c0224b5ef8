"""Sets with clean runs by scenario, and sets of plans at several tiers."""

import json
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.env.records import Call
from faultpair.env.registry import Registry
from faultpair.env.workflow.plan.topologies import COUNTS
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.fault import Edit, Fault, Replace, Site
from faultpair.sets.build import build
from faultpair.studies.folder import open_study

ROOT = Path(__file__).resolve().parents[3]
DESK = 'title = "t"\ndomain = "support_desk"\nseed = 3\n'
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


def table(**counts):
    return "[clean]\n" + "".join(f"{name} = {n}\n" for name, n in counts.items())


def records(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
def built(study_file, tmp_path):
    """Return a function that builds a study and returns its instances and its runs."""

    def make(text):
        folder = open_study(study_file(text), tmp_path / "out")
        build(folder)
        return records(folder.instances), records(folder.trajectories)

    return make


# Clean runs by scenario.


def test_clean_runs_are_wanted_until_each_scenario_has_its_count(built):
    instances, runs = built(DESK + table(expired=4, happy=1, restocking=0))
    assert Counter(one["difficulty"] for one in instances) == {"expired": 4, "happy": 1}
    assert len(runs) == 5


def test_they_are_the_first_of_their_scenario(built):
    instances, _ = built(DESK + table(restocking=3))
    assert [one["instance_id"] for one in instances] == ["INS-00001", "INS-00007", "INS-00013"]


def test_as_many_of_each_scenario_are_as_many_in_all(built):
    names = DOMAINS["support_desk"].scenarios
    fault = '[[faults]]\nname = "wrong_tool"\ncount = 8\n'
    by_number = built(f"{DESK}clean = {3 * len(names)}\n{fault}")
    assert built(DESK + table(**dict.fromkeys(names, 3)) + fault) == by_number


def test_a_scenario_that_the_domain_does_not_have_is_refused_with_those_it_has(
    faultpair, study_file, tmp_path
):
    done = faultpair("build", study_file(DESK + table(exprired=4)), "--out", tmp_path / "out")
    assert done.code == 2
    assert "'exprired', which support_desk does not have. Its scenarios: happy, " in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (table(happy=-1), "clean.happy: Input should be greater than or equal to 0"),
        (table(happy='"4"'), "clean.happy: Input should be a valid integer"),
        (table(happy=0), "asks for no runs"),
        ("[clean]\n", "asks for no runs"),
        ("clean = [4]\n", "clean: Input should be a valid integer"),
    ],
)
def test_a_table_that_says_nothing_sensible_is_refused_by_its_key(study_file, text, problem):
    with pytest.raises(StudyError, match=problem):
        open_study(study_file(DESK + text))


# Plans at several tiers.


@pytest.fixture
def plans(built, monkeypatch):
    faults = Registry("fault")
    faults.add("any_tool", AnyTool())
    monkeypatch.setitem(BUILT_IN, "workflow", faults)
    return built(PLANS)


def test_a_record_stands_once_at_each_tier_of_the_study(plans):
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
        (DESK + 'clean = 2\ntiers = ["easy"]\n', "names tiers, which only domains of plans have"),
        (PLANS.replace('"hard"', '"easy"'), "names a tier twice"),
        (PLANS.replace('"hard"', '"harsh"'), "tiers.1: Input should be 'easy', 'medium' or 'hard'"),
        (PLANS.replace('["easy", "hard"]', "[]"), "tiers: Tuple should have at least 1 item"),
    ],
)
def test_tiers_that_are_not_there_are_refused(study_file, text, problem):
    with pytest.raises(StudyError, match=problem):
        open_study(study_file(text))


# The large set, of which only the manifest is kept.


@pytest.fixture
def large():
    return open_study(ROOT / "results" / "workflow")


def test_a_set_without_judges_is_left_out_of_a_rebuild(faultpair, study_file, tmp_path):
    folder = tmp_path / "results" / "plans"
    folder.mkdir(parents=True)
    study_file('title = "t"\ndomain = "workflow"\nseed = 7\nclean = 3\n').rename(
        folder / "study.toml"
    )
    assert faultpair("build", folder).code == 0
    for more in ((), ("--check",)):
        done = faultpair("rebuild", "--results", folder.parent, "--no-figures", *more)
        assert done.code == 0
        assert "Study 'plans' is a set without judges and is left out." in done.out
    assert not (folder / "tables").exists()


def test_the_large_set_has_each_topology_as_often_as_the_paper(large):
    assert large.study.wanted == {str(name): n for name, n in COUNTS.items()}
    assert sum(large.study.wanted.values()) == 3808


@pytest.mark.slow
def test_a_fresh_build_of_the_large_set_has_the_hashes_that_are_kept(large, tmp_path):
    folder = open_study(large.file, tmp_path)
    build(folder)
    assert folder.manifest.read_bytes() == large.manifest.read_bytes()
    kept = json.loads(large.manifest.read_text(encoding="utf-8"))
    assert (kept["n_instances"], kept["n_trajectories"]) == (3808, 3808)
    for file in (folder.instances, folder.trajectories):
        assert kept["sha256"][file.name] == sha256(file.read_bytes()).hexdigest()
    topologies = Counter(one["difficulty"] for one in records(folder.instances))
    assert topologies == large.study.wanted
