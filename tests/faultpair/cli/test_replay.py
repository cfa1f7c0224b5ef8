"""`faultpair replay`: does the world still answer as it did?"""

import json

import pytest

from faultpair.sets.build import build
from faultpair.studies.folder import open_study


@pytest.fixture
def replay(faultpair, small, tmp_path):
    """Return a function that replays the small set after an edit of its runs."""

    def run(edit=lambda runs: None):
        runs = json.loads(json.dumps(small.runs))
        edit(runs)
        path = tmp_path / "trajectories.jsonl"
        path.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")
        return faultpair("replay", "--instances", small.folder.instances, "--trajectories", path)

    return run


def test_a_set_replays_without_a_difference(replay, small):
    n_observations = sum(len(run["steps"]) for run in small.runs)
    done = replay()
    assert done.code == 0
    assert done.out.strip() == (
        f"{len(small.runs)} trajectories, {n_observations} observations and "
        f"{len(small.runs)} end states replayed: 0 differ"
    )


def test_the_release_replays_without_a_difference(faultpair, release_dir, tmp_path):
    kept = tmp_path / "release.jsonl"
    kept.write_bytes(
        (release_dir / "raw" / "trajectories.jsonl").read_bytes()
        + (release_dir / "late_parents.jsonl").read_bytes()
    )
    done = faultpair(
        "replay", "--instances", release_dir / "instances.jsonl", "--trajectories", kept
    )
    assert done.code == 0
    assert done.out.startswith("441 trajectories, ")
    assert done.out.endswith(" observations and 0 end states replayed: 0 differ\n")


def test_a_changed_observation_is_named_by_trajectory_and_step(replay, small):
    def change(runs):
        runs[2]["steps"][1]["observation"]["data"]["status"] = "lost"

    done = replay(change)
    assert done.code == 1
    first, last = done.out.strip().splitlines()
    run = small.runs[2]
    assert first.startswith(f"{run['trajectory_id']}, step 1 ({run['steps'][1]['call']['tool']}): ")
    assert "'status': 'lost'" in first.partition("replayed")[0]
    assert last.endswith(": 1 differ")


def test_a_changed_argument_shows_in_what_is_observed(replay):
    done = replay(lambda runs: runs[0]["steps"][0]["call"]["args"].clear())
    assert done.code == 1
    assert "replayed (False, {})" in done.out


def test_free_text_is_not_compared(replay):
    def reword(runs):
        for run in runs:
            for step in run["steps"]:
                if step["call"]["tool"] == "check_eligibility":
                    step["observation"]["data"]["reason"] = "in other words"
                if step["observation"]["error"]:
                    step["observation"]["error"] = "in other words"

    assert replay(reword).code == 0


def test_an_observation_that_was_lost_differs(replay):
    assert replay(lambda runs: runs[0]["steps"][0].update(observation=None)).code == 1


def test_a_changed_end_state_is_named(replay, small):
    done = replay(lambda runs: runs[1]["end_state"].update(action="nothing"))
    assert done.code == 1
    first, last = done.out.strip().splitlines()
    assert first.startswith(f"{small.runs[1]['trajectory_id']}, end state: kept {{'action': 'no")
    assert last.endswith(": 1 differ")


def test_an_end_state_that_is_not_recorded_is_not_counted(replay, small):
    done = replay(lambda runs: runs[0].update(end_state=None))
    assert done.code == 0
    assert f" and {len(small.runs) - 1} end states replayed: 0 differ" in done.out


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """A folder with four records of plans."""
    out = tmp_path_factory.mktemp("plans")
    text = 'title = "Plans"\ndomain = "workflow"\nseed = 3\nclean = 4\n'
    (out / "study.toml").write_text(text, encoding="utf-8")
    build(open_study(out))
    return out


@pytest.fixture
def replay_plans(faultpair, plans, tmp_path):
    """Return a function that replays plans, with some fields of their records changed."""

    def run(**changes):
        lines = (plans / "instances.jsonl").read_text(encoding="utf-8").splitlines()
        path = tmp_path / "instances.jsonl"
        edited = (json.dumps(json.loads(line) | changes) + "\n" for line in lines)
        path.write_text("".join(edited), encoding="utf-8")
        runs = plans / "trajectories.jsonl"
        return faultpair("replay", "--instances", path, "--trajectories", runs)

    return run


def test_of_plans_the_end_states_are_compared_and_no_observation_is_counted(replay_plans):
    done = replay_plans()
    assert done.code == 0
    assert done.out == "4 trajectories, 0 observations and 4 end states replayed: 0 differ\n"


@pytest.mark.parametrize("field", ["tools", "plan"])
def test_plans_of_records_that_lost_something_differ(replay_plans, field):
    done = replay_plans(**{field: []})
    assert done.code == 1
    assert ", end state: kept {'delivered': [[" in done.out
    assert done.out.endswith(" replayed: 4 differ\n")
