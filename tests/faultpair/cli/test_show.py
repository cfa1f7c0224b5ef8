"""`faultpair show`: a planted run beside its clean parent, the differing step marked."""

import msgspec
import pytest

from faultpair.cli.show import find_pair, side_by_side
from faultpair.env.records import Trajectory


def rows(done):
    """Return (place, mark, left, right) of each line of the table."""
    lines = [line for line in done.out.splitlines() if line.startswith("│")]
    return [tuple(cell.strip() for cell in line.strip("│").split("│")) for line in lines]


def marked(done):
    return [
        (place, left != "—", right != "—") for place, mark, left, right in rows(done) if mark == "≠"
    ]


@pytest.fixture
def show(faultpair, balanced):
    """Return a function that shows the first run of a fault type in the balanced set."""

    def run(name, width=120):
        planted = next(
            run
            for run in balanced.runs
            if name in (run["label"]["failure_type"], run["label"]["control"])
            and run["label"]["reply_policy"] == "keep"
        )
        done = faultpair(
            "show", planted["trajectory_id"], "--study", balanced.folder.out, width=width
        )
        assert done.code == 0
        return done, planted["label"]

    return run


def test_a_replaced_call_is_marked_and_no_other_step(show):
    done, label = show("wrong_tool")
    assert marked(done) == [(str(label["failure_step"]), True, True)]


def test_a_deleted_call_shifts_no_other_step(show):
    done, _ = show("unverified_customer")
    assert marked(done) == [("", True, False)]


def test_an_inserted_call_has_no_call_beside_it(show):
    done, label = show("needless_escalation")
    assert marked(done) == [(str(label["failure_step"]), False, True)]


def test_a_moved_call_is_marked_at_both_places(show):
    done, _ = show("check_after_action")
    assert sorted(sides for _, *sides in marked(done)) == [[False, True], [True, False]]


def test_an_edited_reply_is_marked_at_its_step_and_as_the_reply(show):
    done, label = show("misstated_action")
    assert [place for place, *_ in marked(done)] == [str(label["failure_step"]), "reply"]


def test_a_lost_outcome_is_marked(show):
    done, _ = show("escalated_instead")
    assert marked(done)[-1][0] == "end"


def test_the_title_names_the_fault_its_step_and_its_cell(show):
    done, label = show("wrong_tool")
    told = " ".join(done.out.split("┏")[0].split())
    assert f"fault wrong_tool at step {label['failure_step']}, cell {label['cell']}: " in told
    assert label["edit"] in told


def test_the_columns_are_headed_by_parent_and_run(show):
    done, label = show("wrong_tool")
    heading = next(line for line in done.out.splitlines() if line.startswith("┃"))
    left, right = heading.strip("┃").split("┃")[2:]
    assert left.strip() == label["parent_id"]
    assert right.strip() == label["parent_id"].replace("clean", "wrong_tool")


def test_nothing_is_cut_off(show):
    done, _ = show("wrong_tool")
    assert "…" not in done.out


def test_nothing_is_cut_off_on_a_narrow_terminal(show):
    done, _ = show("wrong_tool", width=50)
    assert "…" not in done.out
    assert [line for line in done.out.splitlines() if len(line) > 50] == []


def test_text_that_looks_like_markup_is_shown_as_it_is(balanced, faultpair, tmp_path):
    planted = next(run for run in balanced.runs if run["label"]["failure_type"] == "wrong_tool")
    parent = next(
        run for run in balanced.runs if run["trajectory_id"] == planted["label"]["parent_id"]
    )
    planted = {**planted, "final_answer": "[bold]Hi[/] [/nonsense]"}
    (tmp_path / "trajectories.jsonl").write_bytes(
        b"".join(msgspec.json.encode(run) + b"\n" for run in (planted, parent))
    )
    done = faultpair("show", planted["trajectory_id"], "--study", tmp_path)
    assert "[bold]Hi[/] [/nonsense]" in done.out


@pytest.mark.parametrize(
    ("trajectory_id", "problem"),
    [
        ("INS-00000-nothing", "holds no trajectory 'INS-00000-nothing'"),
        ("INS-00000-clean", "INS-00000-clean is a clean run; name one"),
    ],
)
def test_an_id_that_cannot_be_shown_is_named(faultpair, small, trajectory_id, problem):
    done = faultpair("show", trajectory_id, "--study", small.folder.file)
    assert done.code == 2
    assert problem in done.err


def test_a_set_that_is_not_built_is_named(faultpair, tmp_path):
    done = faultpair("show", "x", "--study", tmp_path / "nowhere")
    assert done.code == 2
    assert f"There is no {tmp_path / 'nowhere' / 'trajectories.jsonl'}. Build the set" in done.err


def test_a_run_whose_parent_is_not_there_is_named(small, faultpair, tmp_path):
    planted = next(run for run in small.runs if run["label"]["parent_id"])
    (tmp_path / "trajectories.jsonl").write_bytes(msgspec.json.encode(planted) + b"\n")
    done = faultpair("show", planted["trajectory_id"], "--study", tmp_path)
    assert done.code == 2
    assert f"lacks the clean parent {planted['label']['parent_id']}" in done.err


def test_equal_runs_have_no_mark(small):
    planted = next(run["trajectory_id"] for run in small.runs if run["label"]["parent_id"])
    _, parent = find_pair(small.folder.trajectories, planted)
    assert isinstance(parent, Trajectory)
    assert set(side_by_side(parent, parent).columns[1].cells) == {""}
