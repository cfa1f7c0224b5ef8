"""`faultpair report`: the tables to read first, and a sentence a judge."""

import json

import pytest

from ...conftest import seal_as_is


@pytest.fixture
def judged(faultpair, small, tmp_path):
    """A folder with the records of the small set and its verdicts."""
    assert faultpair("run", small.folder.file, "--out", tmp_path).code == 0
    return tmp_path


def test_the_report_shows_tables_and_says_what_they_mean(faultpair, small, judged):
    done = faultpair("report", small.folder.file, "--out", judged)
    assert (done.code, done.err) == (0, "")
    titles = ("Summary of", "Recall and Δ by cell", "Recall and Δ by fault type")
    places = [done.out.index(title) for title in titles]
    assert places == sorted(places)
    (rules,) = (line for line in done.out.splitlines() if line.startswith("rules flags faults"))
    assert "13 pairs" in rules
    assert "flag-none cannot be said to tell faults from the clean runs" in done.out


def test_a_group_of_faults_is_a_heading_without_the_rows_of_baselines(faultpair, small, judged):
    lines = faultpair("report", small.folder.file, "--out", judged).out.splitlines()
    place = next(n for n, line in enumerate(lines) if line.strip() == "ignored_observation")
    assert lines[place + 1].startswith("flag-none")
    assert lines[place + 2].split()[:4] == ["rules", "5", "1.000", "+1.000"]
    assert lines[place + 3].strip() == ""


def test_the_study_is_named_after_its_own_folder(faultpair, small, judged):
    done = faultpair("report", small.folder.file, "--out", judged)
    assert f"Summary of {small.folder.file.parent.name}\n" in done.out


def test_every_line_of_a_table_fits_a_terminal(faultpair, small, judged):
    done = faultpair("report", small.folder.file, "--out", judged, width=80)
    tables = done.out.partition("\nrules flags faults")[0].splitlines()
    rows = [line for line in tables if "─" in line or "[" in line]
    assert rows
    assert all(len(line) <= 80 for line in rows)


def test_only_shown_notes_are_explained(faultpair, small, judged):
    done = faultpair("report", small.folder.file, "--out", judged)
    assert "Hit: only the fault is flagged; reversed: only its parent.\n" in done.out
    assert not any(word in done.out for word in ("dropped", "Coin:", "Worst case", "contrast"))


CONTRAST = """
[[contrasts]]
name = "rules or nobody"
judge = "rules"
against = "flag-none"
group = "loud"
reading = "Above 0, rules help."
"""


def test_declared_contrasts_have_a_table_and_their_readings(faultpair, study_file, small):
    text = small.folder.file.read_text(encoding="utf-8")
    file = study_file(text + CONTRAST)
    assert faultpair("run", file).code == 0
    done = faultpair("report", file)
    assert "Declared contrasts" in done.out
    (row,) = (line for line in done.out.splitlines() if line.startswith("rules or nobody  "))
    assert row.split()[3:] == ["+1.000", "0.0625", "0.0625", "yes"]
    meant = "rules or nobody: rules minus flag-none in delta, loud. Above 0, rules help.\n"
    assert meant in done.out
    assert "Post hoc" not in done.out


def test_the_last_line_is_a_command_that_makes_all_other_tables(faultpair, small, judged):
    done = faultpair("report", small.folder.file, "--out", judged)
    last = done.out.splitlines()[-1].partition("study: ")[2]
    assert last == f"faultpair rebuild --results {judged.parent} --study {judged.name}"
    assert faultpair(*last.split()[1:], "--no-figures").code == 0
    assert (judged / "tables" / "main.md").is_file()


def test_in_the_folder_itself_the_study_has_its_name(faultpair, study_file, monkeypatch, tmp_path):
    study_file()
    monkeypatch.chdir(tmp_path)
    unjudged = faultpair("report", ".")
    assert unjudged.code == 2
    assert f"Study '{tmp_path.name}' has no trajectories.jsonl in .; run it first." in unjudged.err
    assert "If its records lie elsewhere, name their folder with --out." in unjudged.err
    assert faultpair("run", ".").code == 0
    assert (
        faultpair("report", ".")
        .out.rstrip()
        .endswith(f"--results {tmp_path.parent} --study {tmp_path.name}")
    )


def test_dropped_pairs_show_the_worst_case(faultpair, small, judged):
    file = judged / "verdicts.jsonl"
    verdicts = [json.loads(line) for line in file.read_bytes().splitlines()]
    planted = {run["trajectory_id"] for run in small.runs if run["label"]["faulty"]}
    lost = next(v for v in verdicts if v["judge_id"] == "rules" and v["trajectory_id"] in planted)
    lost["unscored"], lost["faulty"] = "a reply that could not be read", None
    file.write_text("".join(f"{json.dumps(v)}\n" for v in verdicts), encoding="utf-8")
    seal_as_is(judged)
    done = faultpair("report", small.folder.file, "--out", judged)
    assert "Worst case: Δ whatever the dropped pairs were." in done.out
    assert "reversed: only its parent; dropped: a side is unscored.\n" in done.out
    assert "1 of its" in done.out


def test_the_state_check_appears_once_where_it_is_also_a_judge(faultpair, study_file, small):
    text = small.folder.file.read_text(encoding="utf-8").replace("flag-none", "state-check")
    file = study_file(text)
    run, report = faultpair("run", file), faultpair("report", file)
    for done in (run, report):
        assert done.code == 0
        assert "state-check" in done.out
        assert "state check" not in done.out


@pytest.mark.parametrize("missing", ["trajectories.jsonl", "verdicts.jsonl"])
def test_a_study_that_is_not_judged_is_refused(faultpair, small, judged, missing):
    (judged / missing).unlink()
    done = faultpair("report", small.folder.file, "--out", judged)
    assert (done.code, done.out) == (2, "")
    assert f"has no {missing} in {judged}; run it first." in done.err


def test_a_set_without_verdicts_is_refused(faultpair, small, judged):
    (judged / "verdicts.jsonl").write_bytes(b"")
    seal_as_is(judged)
    done = faultpair("report", small.folder.file, "--out", judged)
    assert done.code == 2
    assert "runs have no verdict" in done.err


def test_an_unknown_study_is_refused(faultpair, tmp_path):
    done = faultpair("report", tmp_path / "nowhere")
    assert done.code == 2
    assert done.err.startswith(f"faultpair: Cannot read the study {tmp_path / 'nowhere'}")


PLANS = """\
title = "Planted plans"
domain = "workflow"
seed = 3
clean = 8
judges = ["rules"]

[[faults]]
name = "missing_call"
count = 4
"""
GRADER = """
[[plan_judges]]
id = "grader"
engine = "scripted:clean"
ground_truth = "shown"
"""


def test_graded_plans_show_alignment_and_aim_and_no_cells(faultpair, study_file):
    file = study_file(PLANS + GRADER)
    assert faultpair("run", file).code == 0
    done = faultpair("report", file)
    assert (done.code, done.err) == (0, "")
    titles = ("Summary of", "Alignment with the reference", "Are the right", "Recall and Δ by f")
    places = [done.out.index(title) for title in titles]
    assert places == sorted(places)
    assert "by cell" not in done.out
    assert "floor: always 1" in done.out
    assert "reference, corrected" in done.out


@pytest.mark.parametrize(
    ("text", "shown", "absent"),
    [
        (PLANS, "Recall and Δ by fault type", "Alignment"),
        (
            PLANS.partition("\n[[faults]]")[0] + GRADER,
            "Alignment with the reference",
            "by fault type",
        ),
    ],
    ids=["without grades", "without pairs"],
)
def test_plans_have_no_table_of_what_they_lack(faultpair, study_file, text, shown, absent):
    file = study_file(text)
    assert faultpair("run", file).code == 0
    done = faultpair("report", file)
    assert done.code == 0
    assert shown in done.out
    for title in ("by cell", absent, "Are the right"):
        assert title not in done.out
