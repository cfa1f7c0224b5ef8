"""A fault reaches a view if and only if what the view shows differs from the parent's."""

from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.data.study_data import read_runs as read_columns
from faultpair.analysis.metrics.groups import PARTS_SHOWN, parts_of, reached
from faultpair.env.records import Call, Instance, Label, Observation, Step, Trajectory
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.plans.page import page_of
from faultpair.judges.view import VIEWS
from faultpair.studies.files import encode
from faultpair.studies.runs import read_runs

RESULTS = Path(__file__).resolve().parents[3] / "results"


@pytest.fixture(scope="module")
def balanced():
    """The balanced set: its runs by id, and its columns."""
    folder = RESULTS / "balanced"
    files = folder / "trajectories.jsonl", folder / "instances.jsonl"
    exhibits = {run.trajectory_id: exhibit_of(run, inst) for run, inst in read_runs(*files)}
    return exhibits, read_columns([files[0]], {})


@pytest.mark.parametrize("view", list(VIEWS))
def test_reach_is_what_two_renderings_say_on_every_planted_run(balanced, view):
    exhibits, runs = balanced
    child = np.flatnonzero(runs.parent >= 0)
    parent = runs.parent[child]
    render = VIEWS[view].render
    differs = [
        render(exhibits[runs.ids[one]]) != render(exhibits[runs.ids[other]])
        for one, other in zip(child, parent, strict=True)
    ]
    assert reached(runs, view, child, parent).tolist() == differs
    assert len(child) > 500


def test_every_part_of_every_view_is_known():
    assert {part for name in VIEWS for part in VIEWS[name].parts} == set(PARTS_SHOWN)


@pytest.mark.parametrize("view", [None, "", "full", "full-steps-and-more", "goal-and-reply "])
def test_a_view_is_recognised_only_by_its_exact_name(view, records):
    assert parts_of(view) == ()
    runs = read_columns([records.write() / "trajectories.jsonl"], {})
    assert reached(runs, view, np.array([1]), np.array([0])) is None


def test_a_reference_adds_nothing_to_what_a_fault_can_change():
    assert parts_of("end-state-with-reference") == ("goal", "end_state")
    assert parts_of("full-steps-with-reference") == parts_of("full-steps")
    assert parts_of("plan-with-reference") == parts_of("plan") == ("goal", "calls")
    assert parts_of("plan-with-corrupted-reference") == parts_of("plan")


CLEAN = (
    Step(0, "I look.", Call("look", {"id": 1}), Observation(True, {"coat": "red"}, None), 0, 5),
    Step(1, "I ask.", Call("ask", {}), Observation(False, {}, "nobody answered"), 5, 9),
)
ALONE = {
    "a thought": (Step(0, "Hm.", CLEAN[0].call, CLEAN[0].observation), CLEAN[1]),
    "an argument": (Step(0, "I look.", Call("look", {"id": 2}), CLEAN[0].observation), CLEAN[1]),
    "an answer": (Step(0, "I look.", CLEAN[0].call, Observation(True, {}, None)), CLEAN[1]),
    "why it failed": (CLEAN[0], Step(1, "I ask.", Call("ask", {}), Observation(False, {}, "no"))),
    "a step less": CLEAN[:1],
    "simulated times": (CLEAN[0], Step(1, "I ask.", CLEAN[1].call, CLEAN[1].observation, 5, 99)),
    "data of a refusal": (
        CLEAN[0],
        Step(1, "I ask.", Call("ask", {}), Observation(False, {"n": 1}, "nobody answered")),
    ),
}


@pytest.mark.parametrize("change", ALONE)
def test_a_change_reaches_those_views_that_render_it(change, tmp_path):
    runs = [
        Trajectory(
            name, "T0", "Goal", steps, "Done.",
            Label(kind is not None, None, kind, True, parent_id="a" if kind else None),
            "toy", {"done": True},
        )
        for name, steps, kind in (("a", CLEAN, None), ("b", ALONE[change], "odd"))
    ]  # fmt: skip
    file = tmp_path / "trajectories.jsonl"
    file.write_bytes(b"".join(encode(run) for run in runs))
    columns = read_columns([file], {})
    shown = [exhibit_of(run, Instance("T0", "calm", "Goal", {})) for run in runs]
    for name in VIEWS:
        differs = VIEWS[name].render(shown[0]) != VIEWS[name].render(shown[1])
        assert reached(columns, name, np.array([1]), np.array([0])).tolist() == [differs], name
    clean, changed = (page_of(exhibit, with_reference=False) for exhibit in shown)
    assert reached(columns, "plan", np.array([1]), np.array([0])).tolist() == [clean != changed]
