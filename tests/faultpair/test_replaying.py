"""`faultpair replay`: does the world still answer as it did?"""

import json

import pytest


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
        f"{len(small.runs)} trajectories, {n_observations} observations replayed: 0 differ"
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
    assert done.out.endswith(" observations replayed: 0 differ\n")


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
