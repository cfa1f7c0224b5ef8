"""The packs on the public release: agreement with its rule engine, and what each pack covers."""

import json
from collections import Counter

import pytest

from faultpair.env.jsonl import read_records
from faultpair.env.records import Trajectory, Verdict
from faultpair.judges.exhibit import Exhibit
from faultpair.judges.rules.support_desk import PACKS, RULES, SEQUENCE, STRICT

SIX = (
    "hallucinated_argument",
    "ignored_observation",
    "premature_stop",
    "skipped_precondition",
    "unsupported_claim",
    "wrong_tool",
)


@pytest.fixture(scope="module")
def given(release_dir):
    lines = (release_dir / "instances.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["instance_id"]: row["given"] for row in map(json.loads, lines)}


@pytest.fixture(scope="module")
def judged_runs(release_dir):
    return list(read_records(release_dir / "raw/trajectories.jsonl", Trajectory))


@pytest.fixture(scope="module")
def late_parents(release_dir):
    return list(read_records(release_dir / "late_parents.jsonl", Trajectory))


@pytest.fixture(scope="module")
def published(release_dir):
    verdicts = read_records(release_dir / "raw/verdicts.jsonl", Verdict)
    return {v.trajectory_id: v for v in verdicts if v.judge_id == "programmatic"}


@pytest.fixture(scope="module")
def judge_with(given):
    def judge(pack, run):
        steps, reply = run.steps, run.final_answer
        return pack.judge(Exhibit(run.domain, run.goal, given[run.instance_id], steps, reply, None))

    return judge


def answer(finding):
    return finding.faulty, finding.failure_step, finding.failure_type, finding.confidence


def test_the_rules_agree_with_the_published_engine_on_400_of_400(
    judged_runs, published, judge_with
):
    agreed = [
        answer(judge_with(RULES, run)) == answer(published[run.trajectory_id])
        for run in judged_runs
    ]
    assert (sum(agreed), len(agreed)) == (400, 400)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.judge_id)
def test_no_pack_flags_any_of_the_41_late_parents(late_parents, judge_with, pack):
    findings = [judge_with(pack, run) for run in late_parents]
    assert (len(findings), sum(f.faulty for f in findings)) == (41, 0)


@pytest.mark.parametrize(
    ("pack", "covered"),
    [
        (RULES, {"unsupported_claim": 0, "wrong_tool": 0}),
        (SEQUENCE, {"unsupported_claim": 0, "ignored_observation": 0}),
        (STRICT, {"unsupported_claim": 0}),
    ],
    ids=lambda value: getattr(value, "judge_id", ""),
)
def test_a_pack_flags_all_50_of_a_type_or_none_and_no_clean_run(
    judged_runs, judge_with, pack, covered
):
    flagged = Counter(run.label.failure_type for run in judged_runs if judge_with(pack, run).faulty)
    expected = dict.fromkeys(SIX, 50) | covered
    assert {kind: flagged[kind] for kind in (*SIX, None)} == expected | {None: 0}


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("hallucinated_argument", "R4"),
        ("ignored_observation", "R2"),
        ("premature_stop", "R5"),
        ("skipped_precondition", "R1"),
    ],
)
def test_each_type_that_the_rules_see_is_seen_by_one_rule(judged_runs, judge_with, kind, rule):
    runs = [run for run in judged_runs if run.label.failure_type == kind]
    assert {judge_with(RULES, run).rationale[:3] for run in runs} == {f"{rule}_"}


@pytest.mark.parametrize("pack", [RULES, STRICT], ids=["rules", "strict"])
def test_step_and_type_of_every_found_fault_are_right(judged_runs, judge_with, pack):
    for run in judged_runs:
        finding = judge_with(pack, run)
        if finding.faulty:
            label = run.label
            assert (finding.failure_step, finding.failure_type) == (
                label.failure_step,
                label.failure_type,
            )
