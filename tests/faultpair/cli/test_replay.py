"""`faultpair replay`: does the world still answer as it did?"""

import json
import shutil
from pathlib import Path

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


def _row(table, field, source):
    """Return the line of the table about a field and what it is compared with."""
    return next(line for line in table if line.startswith(f"{field:<15}{source:<16}"))


def test_a_set_replays_without_a_difference(replay, small):
    n_observations = sum(len(run["steps"]) for run in small.runs)
    done = replay()
    assert done.code == 0
    assert done.out.splitlines()[-1] == (
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
    *table, summary = done.out.splitlines()
    assert summary.startswith("441 trajectories, ")
    assert summary.endswith(" observations and 0 end states replayed: 0 differ")
    assert "  441: no study.toml beside the runs" in _row(table, "labels", "set built anew")
    answers = _row(table, "final answers", "last reply")
    assert answers.split()[4:6] == ["391", "0"]
    assert answers.endswith("  50: no call of the run replies")


def test_a_changed_observation_is_named_by_trajectory_and_step(replay, small):
    def change(runs):
        runs[2]["steps"][1]["observation"]["data"]["status"] = "lost"

    done = replay(change)
    assert done.code == 1
    first, *_, last = done.out.strip().splitlines()
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
    first, *_, last = done.out.strip().splitlines()
    assert first.startswith(f"{small.runs[1]['trajectory_id']}, end state: kept {{'action': 'no")
    assert last.endswith(": 1 differ")


def test_an_end_state_that_is_not_recorded_is_not_counted(replay, small):
    done = replay(lambda runs: runs[0].update(end_state=None))
    assert done.code == 0
    assert f" and {len(small.runs) - 1} end states replayed: 0 differ" in done.out


def _replies(run):
    return any(step["call"]["tool"] == "reply" for step in run["steps"])


def test_a_changed_final_answer_is_compared_with_the_last_reply(replay, small):
    place = next(place for place, run in enumerate(small.runs) if _replies(run))
    done = replay(lambda runs: runs[place].update(final_answer="Nothing was done."))
    assert done.code == 1
    first, *_ = done.out.splitlines()
    start = f"{small.runs[place]['trajectory_id']}, final answer: kept 'Nothing was done.', replied"
    assert first.startswith(start)


@pytest.fixture
def replay_study(faultpair, small, tmp_path):
    """Return a function that replays the small set beside its study file, after an edit."""
    folder = tmp_path / "study"
    shutil.copytree(small.folder.out, folder)

    def run(edit, name="trajectories.jsonl"):
        path = folder / name
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        edit(lines)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        files = ("--instances", folder / "instances.jsonl")
        runs = folder / "trajectories.jsonl"
        return faultpair("replay", *files, "--trajectories", runs, "--accept-edits")

    return run


def _number(*keys, value):
    def edit(runs):
        part = runs[3]
        for key in keys[:-1]:
            part = part[key]
        assert part[keys[-1]] != value or repr(part[keys[-1]]) != repr(value)
        part[keys[-1]] = value

    return edit


EDITS = {
    "a thought": (_number("steps", 0, "thought", value="Hm."), "step 0: kept 'Hm.', built"),
    "a time": (_number("steps", 0, "end_s", value=99), "step 0: kept (0, 99), built"),
    "free text": (_number("steps", 0, "observation", "error", value="x"), "step 0: kept Obs"),
    "a final answer": (_number("final_answer", value="Done."), "final answer: kept 'Done.', built"),
    "a label's type": (_number("label", "failure_type", value="x"), "label: kept Label("),
    "a label's outcome": (_number("label", "variant", value="x"), "label: kept Label("),
    "a number's kind": (_number("steps", 0, "call", "args", value={"n": 1.0}), "step 0: kept Call"),
    "an id": (_number("trajectory_id", value="INS-X"), "run: kept 'INS-X', built none"),
    "a deleted run": (lambda runs: runs.pop(3), "run: kept none, built 'INS-"),
    "an order": (lambda runs: runs.insert(9, runs.pop(3)), "place in the set: kept 'after"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_a_set_that_its_study_file_makes_is_named(replay_study, name):
    edit, named = EDITS[name]
    done = replay_study(edit)
    assert done.code == 1
    assert named in done.out


def test_a_kind_of_number_is_compared_where_a_set_is_built_anew(replay_study):
    def edit(runs):
        data = [step["observation"]["data"] for run in runs for step in run["steps"]]
        entry, key = next((d, k) for d in data for k in d if d[k] is True)
        entry[key] = 1

    done = replay_study(edit)
    assert done.code == 1
    assert " replayed: 1 differ. " in done.out


def test_an_edit_of_an_instance_is_named(replay_study, small):
    name = small.instances[2]["instance_id"]
    done = replay_study(lambda lines: lines[2].update(difficulty="none"), "instances.jsonl")
    assert done.code == 1
    assert f"instances, {name}: kept " in done.out


def test_a_set_and_its_study_file_agree_on_every_field(replay_study, small):
    done = replay_study(lambda runs: None)
    assert done.code == 0
    *table, _ = done.out.splitlines()
    counts = {line[:15].strip(): line for line in table if "set built anew" in line}
    assert set(counts) == {
        "calls", "end states", "final answers", "instances", "labels", "observations", "requests",
        "runs", "thoughts", "times",
    }  # fmt: skip
    n_steps = sum(len(run["steps"]) for run in small.runs)
    assert counts["thoughts"].split()[4:6] == [str(n_steps), "0"]
    assert counts["labels"].split()[4:6] == [str(len(small.runs)), "0"]


def test_runs_that_models_made_say_why_labels_are_not_compared(faultpair):
    played = Path(__file__).resolve().parents[2] / "studies" / "version_0_1" / "played"
    files = ("--instances", played / "instances.jsonl")
    done = faultpair("replay", *files, "--trajectories", played / "trajectories.jsonl")
    assert done.code == 0
    table = done.out.splitlines()
    assert _row(table, "labels", "set built anew").endswith("  2: models made the runs")


def test_every_field_of_a_run_is_compared():
    from faultpair.env.records import Step, Trajectory

    compared = {"domain", "instance_id", "goal", "steps", "final_answer", "label", "end_state"}
    assert {"trajectory_id", *compared} == set(Trajectory.__struct_fields__)
    steps = {"index", "thought", "call", "observation", "start_s", "end_s"}
    assert steps == set(Step.__struct_fields__)


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
    *table, summary = done.out.splitlines()
    assert summary == "4 trajectories, 0 observations and 4 end states replayed: 0 differ"
    assert ": plans hold none" in _row(table, "observations", "fresh world")
    assert ": no call of the run replies" in _row(table, "final answers", "last reply")


@pytest.mark.parametrize("field", ["tools", "plan"])
def test_plans_of_records_that_lost_something_differ(replay_plans, field):
    done = replay_plans(**{field: []})
    assert done.code == 1
    assert ", end state: kept {'delivered': [[" in done.out
    assert "instances, WFL-" in done.out
    assert done.out.endswith(" replayed: 8 differ\n")  # four end states, four instances
