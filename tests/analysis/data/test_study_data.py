"""Reading a study: bad records and study files are refused by name, gaps have a reason."""

import json

import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.rebuild import main
from faultpair.env.errors import RecordError, StudyError

from ..conftest import named

HEAD = 'title = "t"\ndomain = "toy"\nseed = 1\n'
BAD = {
    "no TOML": ("title = ", "is not TOML"),
    "no seed": ('title = "t"\ndomain = "toy"\nclean = 1\n', "seed: it is missing"),
    "an unknown key": (HEAD + "clean = 1\ncolour = 1\n", "colour: there is no such key here"),
    "no runs": (HEAD, "asks for no runs"),
}


def numbers_in(records):
    return named(numbers_of(compute(load_study(records.write()), n_resamples=200)))


def refusal(records):
    with pytest.raises((RecordError, StudyError)) as caught:
        load_study(records.write())
    return str(caught.value)


def test_a_good_study_is_read(records):
    study = load_study(records.write())
    assert study.judges == ("reader", "stepper")
    assert study.verdicts.scored.all()
    assert list(study.runs.ids) == sorted(study.runs.ids)


def test_verdict_for_an_unknown_trajectory(records):
    records.verdicts[4]["trajectory_id"] = "nobody"
    message = refusal(records)
    assert "verdicts.jsonl, line 5" in message
    assert "field trajectory_id: no trajectory is called 'nobody'" in message


def test_two_verdicts_of_one_key_that_differ(records):
    records.verdicts.append(records.verdicts[2] | {"confidence": 0.51})
    message = refusal(records)
    assert f"lines 3 and {len(records.verdicts)}: two verdicts of judge 'stepper'" in message


def test_the_same_verdict_twice_counts_once(records):
    before = numbers_in(records)
    records.verdicts.append(records.verdicts[2])
    assert numbers_in(records) == before


def test_a_fault_without_a_parent_is_unpaired(records):
    fault = next(run for run in records.trajectories if run["label"]["faulty"])
    fault["label"]["parent_id"] = None
    numbers = numbers_in(records)
    assert numbers["design/unpaired"].estimate == 1
    assert numbers["stepper/recall/all"].n == numbers["design/faults"].estimate


def test_no_parents_at_all_leave_delta_null_with_a_reason(records):
    for run in records.trajectories:
        run["label"]["parent_id"] = None
    delta = numbers_in(records)["stepper/delta/all"]
    assert (delta.estimate, delta.reason) == (None, "no such pair was judged")


@pytest.mark.parametrize("token", ["NaN", "Infinity"])
def test_a_confidence_that_is_no_number(records, token):
    folder = records.write()
    lines = (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].replace("0.9", token).replace("0.8", token)
    (folder / "verdicts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"verdicts.jsonl, line 2: field confidence"):
        load_study(folder)


@pytest.mark.parametrize("value", [1.5, -0.1, "high"])
def test_a_confidence_out_of_range(records, value):
    records.verdicts[1]["confidence"] = value
    message = refusal(records)
    assert "line 2" in message
    assert "confidence" in message


@pytest.mark.parametrize("step", [3, -1, 99])
def test_a_step_out_of_range(records, step):
    records.verdicts[0] |= {"faulty": True, "failure_step": step}
    message = refusal(records)
    assert f"line 1: field failure_step: {step} is no step of a run of 3" in message


def test_a_failure_step_out_of_range(records):
    fault = next(run for run in records.trajectories if run["label"]["faulty"])
    fault["label"]["failure_step"] = 7
    assert "field label.failure_step: 7 is no step of a run of 3" in refusal(records)


def test_a_duplicate_trajectory(records):
    records.trajectories.append(records.trajectories[0])
    assert "field trajectory_id: 'T000-clean' occurs twice" in refusal(records)


def test_a_parent_that_is_faulty(records):
    faults = [run for run in records.trajectories if run["label"]["faulty"]]
    faults[0]["label"]["parent_id"] = faults[1]["trajectory_id"]
    assert "a parent must be a clean run of the same instance" in refusal(records)


def test_a_label_that_contradicts_its_run(records):
    fault = next(run for run in records.trajectories if run["label"]["faulty"])
    fault["label"]["reply_changed"] = not fault["label"]["reply_changed"]
    assert "but its run and its parent make it" in refusal(records)


def test_an_empty_study(records):
    records.trajectories = records.verdicts = []
    assert "Study 'small' is empty: it has no trajectory." in refusal(records)


def test_a_study_without_verdicts(records):
    records.verdicts = []
    assert "runs have no verdict" in refusal(records)


def test_a_decision_without_a_reason_for_none(records):
    records.verdicts[0]["faulty"] = None
    assert "field unscored: a verdict without a decision must say why" in refusal(records)


def test_every_verdict_unscored(records):
    for verdict in records.verdicts:
        verdict |= {"faulty": None, "unscored": "no JSON", "confidence": None}
        verdict |= {"failure_step": None, "failure_type": None}
    numbers = numbers_in(records)
    for name in ("recall/all", "false-alarms", "delta/all", "ece", "precision/0.05"):
        number = numbers[f"stepper/{name}"]
        assert number.estimate is None
        assert number.reason
    assert numbers["stepper/runs/unscored"].estimate == len(records.trajectories)


def test_errors_are_counted_apart_and_not_scored(records):
    for verdict in records.verdicts[:3]:
        verdict["error"] = "timeout"
    numbers = numbers_in(records)
    assert numbers["stepper/runs/errors"].estimate == 3
    assert numbers["stepper/runs/unscored"].estimate == 0
    assert numbers["stepper/pairs/all/dropped"].estimate > 0
    bound = numbers["stepper/bounds/all"]
    assert bound.ci_low < bound.ci_high


def test_one_judge_only(records):
    records.verdicts = [v for v in records.verdicts if v["judge_id"] == "stepper"]
    numbers = numbers_in(records)
    assert numbers["effective-judges"].reason == "one judge only"
    assert not [name for name in numbers if name.startswith("difference/")]


def test_a_cell_without_a_fault(records):
    records.trajectories = [
        run for run in records.trajectories if run["label"]["failure_type"] != "stop"
    ]
    kept = {run["trajectory_id"] for run in records.trajectories}
    records.verdicts = [v for v in records.verdicts if v["trajectory_id"] in kept]
    numbers = numbers_in(records)
    assert numbers["design/faults/cell=changed-lost"].estimate == 0
    assert numbers["stepper/recall/cell=changed-lost"].reason == "no such fault was judged"
    assert numbers["stepper/delta/cell=changed-lost"].estimate is None


def test_a_line_cut_off_in_the_middle(records):
    folder = records.write()
    with (folder / "verdicts.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"trajectory_id": "T0')
    with pytest.raises(RecordError, match="cut off in mid-record"):
        load_study(folder)


def test_a_wrong_type_names_the_field(records):
    records.verdicts[5]["faulty"] = "yes"
    assert "line 6: field faulty" in refusal(records)


def test_a_judge_with_two_views(records):
    records.verdicts[3]["view"] = "goal-and-reply"
    assert "line 4: field view: judge 'stepper' has two views" in refusal(records)


def test_unknown_fields_are_passed_over(records):
    records.verdicts[0]["mood"] = "sunny"
    assert json.dumps(records.verdicts[0])
    assert load_study(records.write()).judges == ("reader", "stepper")


def test_an_instance_that_the_file_lacks(records):
    records.instances.pop()
    assert "which the instances file does not hold" in refusal(records)


def test_an_empty_file_of_instances(records):
    records.instances.clear()
    assert "instances.jsonl is empty" in refusal(records)


@pytest.mark.parametrize("name", ["instances", "trajectories", "verdicts"])
def test_a_byte_order_mark_makes_no_difference(records, name):
    whole = numbers_in(records)
    file = records.folder / f"{name}.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert named(numbers_of(compute(load_study(records.folder), n_resamples=200))) == whole


@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens", "failure_step"])
@pytest.mark.parametrize("value", [2**53 + 1, 2**63, 10**20, -(10**20)])
def test_a_number_that_no_column_can_hold(records, field, value):
    records.verdicts[3][field] = value
    assert f"line 4: field {field}" in refusal(records)


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=list(BAD))
def test_a_study_file_that_is_not_valid_is_refused_with_its_problem(records, capsys, text, problem):
    folder = records.write()
    (folder / "study.toml").write_text(text, encoding="utf-8")
    assert main(["--results", str(folder.parent), "--no-figures"]) == StudyError.exit_code
    error = capsys.readouterr().err
    assert f"\nThe study {folder / 'study.toml'} " in error  # after what is not sealed
    assert problem in error


def test_a_study_of_a_domain_that_is_not_installed_is_read(records):
    folder = records.write()
    text = HEAD.replace("toy", "of-a-plug-in") + 'clean = 1\njudges = ["stepper"]\n'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    assert load_study(folder).expected == ("stepper",)


def test_records_without_a_study_file_are_read(records):
    folder = records.write()
    (folder / "study.toml").unlink()
    study = load_study(folder)
    assert (study.contrasts, study.votes, study.expected) == ((), (), ())
