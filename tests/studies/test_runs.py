"""Reading a set: each run with its instance, or a sentence that says what is wrong."""

import json

import pytest

from faultpair.env.errors import RecordError
from faultpair.studies import runs as stored
from faultpair.studies.runs import StoredRuns, read_runs


@pytest.fixture
def edited(small, tmp_path):
    """Return a function that writes the small set's first runs after an edit of the first."""

    def write(edit):
        runs = json.loads(json.dumps(small.runs[:3]))
        edit(runs)
        path = tmp_path / "trajectories.jsonl"
        path.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")
        return path

    return write


def read(path, small):
    return list(read_runs(path, small.folder.instances))


def test_each_run_comes_with_its_instance_in_the_order_of_the_file(small):
    runs = read(small.folder.trajectories, small)
    assert [run.trajectory_id for run, _ in runs] == [run["trajectory_id"] for run in small.runs]
    assert all(run.instance_id == instance.instance_id for run, instance in runs)


def test_an_end_state_that_is_not_recorded_is_supplied_by_a_replay(small, edited):
    path = edited(lambda runs: runs[0].update(end_state=None))
    (first, _), *_ = read(path, small)
    assert first.end_state == small.runs[0]["end_state"]


PROBLEMS = {
    "an id twice": (lambda runs: runs.append(runs[0]), "it is here a second time"),
    "no instance": (lambda runs: runs[0].update(instance_id="X"), "field instance_id: 'X' is not"),
    "another seed": (lambda runs: runs[0].update(goal="Hello."), "field goal: it is not that of"),
    "unknown domain": (lambda runs: runs[0].update(domain="moon"), "field domain: No domain is"),
    "other domain": (lambda runs: runs[0].update(domain="toy"), "field domain: it is 'toy'"),
    "misnumbered": (
        lambda runs: runs[0]["steps"][1].update(index=5),
        "field steps[1].index: expected 1, got 5",
    ),
    "step out of range": (
        lambda runs: runs[0]["label"].update(failure_step=99),
        "field label.failure_step: expected 0 to",
    ),
    "unknown field": (lambda runs: runs[0].update(colour=1), "unknown field `colour`"),
    "wrong type": (lambda runs: runs[0]["steps"][0].update(thought=1), "field steps[0].thought: "),
    "no runs at all": (lambda runs: runs.clear(), "holds no trajectory"),
}


@pytest.mark.parametrize(("edit", "problem"), PROBLEMS.values(), ids=list(PROBLEMS))
def test_a_run_that_does_not_fit_is_named(small, edited, edit, problem):
    path = edited(edit)
    with pytest.raises(RecordError) as refused:
        read(path, small)
    assert str(refused.value).startswith(str(path))
    assert problem in str(refused.value)


@pytest.mark.parametrize("n_held", [0, 5, 2048])
def test_stored_runs_are_those_of_the_file_in_any_order(small, tmp_path, monkeypatch, n_held):
    monkeypatch.setattr(stored, "N_HELD", n_held)
    lines = small.folder.trajectories.read_bytes().splitlines(keepends=True)
    path = tmp_path / "trajectories.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\n\n".join(lines))
    runs, expected = StoredRuns(path, small.folder.instances), read(path, small)
    assert len(runs) == len(expected) > 20
    assert [runs[place] for place in reversed(range(len(runs)))] == expected[::-1]
    assert (list(runs), runs[3:9:2], runs[-1]) == (expected, expected[3:9:2], expected[-1])
    with pytest.raises(IndexError):
        runs[len(runs)]


def test_stored_runs_have_the_end_states_of_a_replay_too(small, edited, monkeypatch):
    monkeypatch.setattr(stored, "N_HELD", 1)
    path = edited(lambda runs: [run.update(end_state=None) for run in runs])
    runs = StoredRuns(path, small.folder.instances)
    assert [run.end_state for run, _ in runs] == [run["end_state"] for run in small.runs[:3]]


def test_stored_runs_are_checked_as_a_whole_at_first(small, edited):
    path = edited(lambda runs: runs[2]["steps"][1].update(index=0))
    with pytest.raises(RecordError, match=r"field steps\[1\]\.index"):
        StoredRuns(path, small.folder.instances)
