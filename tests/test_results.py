"""The sets under results/: that they are what their studies build, and what is in them."""

import json
from collections import Counter, defaultdict

import pytest

from faultpair.env.records import Cell, ReplyPolicy
from faultpair.studies.manifest import SEALED

FILES = ("trajectories.jsonl", "instances.jsonl", "manifest.json")
PAPER = [
    "wrong_tool", "hallucinated_argument", "skipped_precondition", "ignored_observation",
    "premature_stop", "unsupported_claim",
]  # fmt: skip


@pytest.mark.parametrize("study", ["paper", "balanced"])
@pytest.mark.parametrize("name", FILES)
def test_a_committed_set_is_what_a_fresh_build_writes(study, name, request):
    made = request.getfixturevalue(study).folder
    committed = made.file.parent / name
    if not committed.exists():
        pytest.skip(f"{committed.relative_to(made.file.parents[2])} is not committed yet")
    if name == "manifest.json":  # what was sealed came with the answers, after the build
        kept, built = (json.loads(path.read_text("utf-8")) for path in (committed, made.out / name))
        del kept["sha256"]["verdicts.jsonl"]
        sealed = (*SEALED, "generated", "digest")
        assert {key: kept[key] for key in kept if key not in sealed} == {
            key: built[key] for key in built if key not in sealed
        }
    else:
        assert committed.read_bytes() == (made.out / name).read_bytes()


def test_the_papers_set_has_100_clean_runs_and_50_of_each_of_its_six_types(paper):
    study = paper.folder.study
    assert study.clean == 100
    faults = Counter(run["label"]["failure_type"] for run in paper.runs if run["label"]["faulty"])
    assert faults == dict.fromkeys(PAPER, 50)
    clean = [run["instance_id"] for run in paper.runs if not run["label"]["faulty"]]
    assert len(clean) >= 100
    assert {f"INS-{index:05d}" for index in range(100)} <= set(clean)


def test_the_papers_types_have_its_outcomes(paper):
    outcomes = defaultdict(set)
    for run in paper.runs:
        outcomes[run["label"]["failure_type"]].add(run["label"]["outcome_correct"])
    assert outcomes["ignored_observation"] == outcomes["premature_stop"] == {False}
    assert outcomes["skipped_precondition"] == {True, False}
    for name in ("wrong_tool", "hallucinated_argument", "unsupported_claim"):
        assert outcomes[name] == {True}


@pytest.fixture(scope="module")
def faults(balanced):
    return [run["label"] for run in balanced.runs if run["label"]["faulty"]]


def test_every_cell_holds_at_least_four_types_with_at_least_50_faults(faults):
    types = Counter((label["cell"], label["failure_type"]) for label in faults)
    for cell in Cell:
        held = [name for (where, name), n in types.items() if where == cell and n >= 50]
        assert len(held) >= 4, cell


def test_at_least_three_types_appear_with_both_outcomes(faults):
    outcomes = defaultdict(set)
    for label in faults:
        outcomes[label["failure_type"]].add(label["outcome_correct"])
    assert sum(len(seen) == 2 for seen in outcomes.values()) >= 3


def test_at_least_three_types_appear_under_both_policies(faults):
    policies = defaultdict(set)
    for label in faults:
        policies[label["failure_type"]].add(label["reply_policy"])
    assert sum(seen == set(ReplyPolicy) for seen in policies.values()) >= 3


def test_at_least_four_controls_are_planted_on_many_hosts(balanced):
    controls = Counter(run["label"]["control"] for run in balanced.runs if run["label"]["control"])
    assert len(controls) >= 4
