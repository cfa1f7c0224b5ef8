"""The public release: an invented sentence is seen, and so is one that every refund reply has.

Each of its refund replies says "It should reach your account within five working
days", which nothing observed and no clause supports. So the judge flags clean
refund runs there, rightly, and Δ is that of the escalations alone; with that one
sentence set aside nothing clean is flagged.
"""

import json
from collections import Counter

import msgspec
import pytest

from faultpair.env.jsonl import read_records
from faultpair.env.records import Call, Trajectory
from faultpair.judges.catalog import find_judge
from faultpair.judges.exhibit import Exhibit

PROMISED = " It should reach your account within five working days."


@pytest.fixture(scope="module")
def given(release_dir):
    lines = (release_dir / "instances.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["instance_id"]: row["given"] for row in map(json.loads, lines)}


@pytest.fixture(scope="module")
def runs(release_dir):
    files = ("raw/trajectories.jsonl", "late_parents.jsonl")
    return [run for file in files for run in read_records(release_dir / file, Trajectory)]


def without_promise(step):
    text = step.call.args.get("text")
    if text is None:
        return step
    call = Call(step.call.tool, {"text": text.replace(PROMISED, "")})
    return msgspec.structs.replace(step, call=call)


@pytest.fixture(scope="module", params=["as it is", "set aside"])
def findings(request, runs, given):
    """The findings on all runs by id, with the promise as it is or set aside."""
    judge = find_judge("reply-grounding", "support_desk")
    found = {}
    for run in runs:
        steps, reply = run.steps, run.final_answer
        if request.param == "set aside":
            steps, reply = tuple(map(without_promise, steps)), reply.replace(PROMISED, "")
        exhibit = Exhibit(run.domain, run.goal, given[run.instance_id], steps, reply, None)
        found[run.trajectory_id] = judge.judge(exhibit)
    return request.param, found


def test_clean_replies_are_flagged_for_that_promise_and_for_nothing_else(runs, findings):
    which, found = findings
    clean = [run for run in runs if not run.label.faulty]
    flagged = [run for run in clean if found[run.trajectory_id].faulty]
    assert (len(clean), len(flagged)) == (141, 75 if which == "as it is" else 0)
    assert all("five working days" in run.final_answer for run in flagged)


def test_all_50_invented_sentences_are_flagged_and_their_parents_as_above(runs, findings):
    which, found = findings
    flags = {name: int(finding.faulty) for name, finding in found.items()}
    invented = [run for run in runs if run.label.failure_type == "unsupported_claim"]
    pairs = [flags[run.trajectory_id] - flags[f"{run.instance_id}-clean"] for run in invented]
    assert sum(flags[run.trajectory_id] for run in invented) == len(pairs) == 50
    assert sum(pairs) == (32 if which == "as it is" else 50)


def test_its_other_findings_without_the_promise(runs, findings):
    which, found = findings
    if which == "as it is":
        pytest.skip("every refund reply is flagged")
    seen = Counter(run.label.failure_type for run in runs if found[run.trajectory_id].faulty)
    assert seen == {
        "ignored_observation": 50,
        "premature_stop": 50,
        "skipped_precondition": 50,
        "unsupported_claim": 50,
    }
    for run in runs:
        if found[run.trajectory_id].faulty:
            assert found[run.trajectory_id].failure_step == run.label.failure_step
            assert found[run.trajectory_id].failure_type == run.label.failure_type
