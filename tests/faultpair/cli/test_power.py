"""`faultpair power`: what a study can show, said before a judge is asked."""

from pathlib import Path

import pytest

from faultpair.analysis.stats.planned_judge import PlannedJudge
from faultpair.analysis.tables.power import Aim
from faultpair.cli.power import power_tables
from faultpair.studies.folder import open_study

ROOT = Path(__file__).resolve().parents[3]
REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'

ASKED = {"judges": [PlannedJudge(0.05)], "aim": Aim()}


def words(done):
    return [line.split() for line in done.out.splitlines()]


def test_it_prints_power_the_bound_of_the_clean_runs_and_the_calls(faultpair, small):
    done = faultpair("power", small.folder.file)
    assert (done.code, done.err) == (0, "")
    rows = {row[0]: row[1:] for row in words(done) if row}
    assert rows["loud"][0] == "5"
    assert rows["type=wrong_tool"][:2] == ["8", "8"]
    clean = sum(
        run["label"]["control"] is None and not run["label"]["faulty"] for run in small.runs
    )
    assert f"{clean} clean runs without a flag allow a false-alarm rate of up to" in done.out
    assert rows["rules"] == ["full-steps", str(len(small.runs)), "no", "calls"]


@pytest.mark.parametrize(
    ("lines", "verdicts", "requests"),
    [
        (REPLY, 9, 6),  # three of the nine replies are equal to another
        (REPLY + "repeats = 2\nsamples = 3\n", 54, 36),
        (REPLY + "repeats = 2\npairs = 1\n", 4, 2),
        ("", 9, 9),
    ],
)
def test_requests_are_those_that_a_run_would_make(faultpair, lab, lines, verdicts, requests):
    folder = lab.study({"asks": lines}).folder
    done = faultpair("power", folder.file)
    rows = {row[0]: row[1:] for row in words(done) if row}
    assert rows["asks"][1:] == [str(verdicts), str(requests)]
    forecast = faultpair("run", folder.file, "--dry-run").out
    assert f"asks: {verdicts} verdicts, 0 of them known; {requests} requests to make" in forecast


def test_a_vote_costs_no_calls_of_its_own(faultpair, lab):
    vote = '[[votes]]\nid = "majority"\nof = "asks"\n'
    folder = lab.study({"asks": REPLY + "repeats = 3\n" + vote}).folder
    rows = {row[0]: row[1:] for row in words(faultpair("power", folder.file)) if row}
    assert rows["majority"] == ["goal-and-reply", "9", "no", "calls"]
    assert rows["all"] == ["36", "18"]


def test_a_study_of_only_model_judges_has_its_table():
    tables = power_tables(open_study(ROOT / "results" / "ablation"), **ASKED)
    assert [table.name for table in tables] == ["power", "contrast-power", "calls"]
    assert [row[0] for row in tables[-1].rows] == ["A", "B", "C", "D", "all"]
    assert tables[-1].rows[-1][3].estimate == 528


def test_groups_inside_a_cell_or_a_type_are_left_to_the_files(faultpair, small):
    done = faultpair("power", small.folder.file)
    assert "scenario=" in done.out
    assert "policy=" not in done.out
    assert "variant=" not in done.out


def test_a_base_rate_may_be_given_again_and_gets_a_table_of_its_own(faultpair, small):
    done = faultpair("power", small.folder.file, "--base-rate", 0.05, "--base-rate", 0.33)
    assert "For a judge that flags 5% of clean runs" in done.out
    assert "For a judge that flags 33% of clean runs" in done.out


def test_a_floor_silence_and_the_way_of_answering_may_be_given(faultpair, small):
    done = faultpair("power", small.folder.file, "--floor", 0.2, "--abstain", 0.1)
    assert "Least Δ above 0.2" in done.out
    assert "It leaves 10% of runs unscored" in done.out
    assert "gives one answer to all faults of an instance." in done.out
    done = faultpair("power", small.folder.file, "--answers", "independent")
    assert "decides on each run afresh." in done.out


def test_the_wanted_width_and_the_delta_are_those_asked_for(small):
    wide, _ = power_tables(small.folder, **ASKED | {"aim": Aim(0.1, 0.2)})
    narrow, _ = power_tables(small.folder, **ASKED | {"aim": Aim(0.05, 0.2)})
    assert [column.title for column in wide.columns][-3:] == [
        "Half-width at Δ = 0.2",
        "Pairs for ±0.1",
        "Instances for ±0.1",
    ]
    ratio = narrow.rows[0][-1].estimate / wide.rows[0][-1].estimate
    assert ratio == pytest.approx(4, rel=0.1)


def test_no_delta_is_planned_for_that_a_base_rate_leaves_no_room_for(small):
    table, _ = power_tables(small.folder, **ASKED | {"judges": [PlannedJudge(0.75)]})
    assert table.columns[4].title == "Half-width at Δ = 0.25"


def test_a_study_without_a_set_is_built_elsewhere_and_leaves_nothing(faultpair, small, study_file):
    file = study_file()
    made, kept = faultpair("power", file), faultpair("power", small.folder.file)
    name, other = file.parent.name, small.folder.file.parent.name
    assert (made.code, made.out.replace(name, other)) == (0, kept.out)
    assert [path.name for path in file.parent.iterdir()] == ["study.toml"]


def test_the_plan_is_for_the_study_file_as_it_is_now(faultpair, study_file):
    file = study_file()
    assert faultpair("build", file).code == 0
    file.write_text(file.read_text(encoding="utf-8").replace("count = 8", "count = 9"), "utf-8")
    rows = {row[0]: row[1:] for row in words(faultpair("power", file)) if row}
    assert rows["type=wrong_tool"][0] == "9"


def test_a_manifest_that_is_none_is_refused(faultpair, study_file):
    file = study_file()
    (file.parent / "manifest.json").write_text("[]", encoding="utf-8")
    done = faultpair("power", file)
    assert (done.code, "Cannot read the manifest" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--base-rate", "1", "from 0 to less than 1; it is 1."),
        ("--base-rate", "nan", "from 0 to less than 1; it is nan."),
        ("--half-width", "0", "above 0 and at most 1; it is 0."),
        ("--delta", "-0.1", "from 0 to 1; it is -0.1."),
        ("--floor", "1", "above -1 and below 1; it is 1."),
        ("--abstain", "1", "from 0 to less than 1; it is 1."),
    ],
)
def test_a_number_out_of_range_is_refused(faultpair, small, option, value, expected):
    done = faultpair("power", small.folder.file, option, value)
    assert (done.code, done.out) == (2, "")
    assert done.err.strip() == f"faultpair: {option} must be {expected}"


def test_what_does_not_exist_is_refused(faultpair, study_file, tmp_path, small):
    assert faultpair("power", tmp_path / "nowhere").code == 2
    text = small.folder.file.read_text(encoding="utf-8")
    done = faultpair("power", study_file(text.replace("flag-none", "nobody")))
    assert done.code == 2
    assert "No judge is named 'nobody'" in done.err
