"""`faultpair human-sample`: a table for people, and what becomes of one that they filled in."""

import csv
import json
from io import StringIO

import pytest

from faultpair.analysis.output.human_sheet import COLUMNS
from faultpair.analysis.rebuild import main as rebuild
from faultpair.calls.session import EngineFactory
from faultpair.engines.scripted import ScriptedEngine
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.runner.run import run_study
from faultpair.studies.folder import open_study

STUDY = """\
title = "Plans for people"
domain = "workflow"
seed = 7
clean = { linear = 8, fan_in = 1 }
tiers = ["hard", "easy"]

[[faults]]
name = "missing_call"
count = 4

[[controls]]
name = "siblings_swapped"
count = 2

[[plan_judges]]
id = "kind"
engine = "scripted:kind"
"""


def praise(request):
    grades = {metric: {"reason": "", "score": 1} for metric in METRICS}
    return json.dumps(grades)


@pytest.fixture
def folder(tmp_path, faultpair):
    """A study folder that holds a set without verdicts."""
    out = tmp_path / "results" / "plans"
    out.mkdir(parents=True)
    (out / "study.toml").write_text(STUDY, encoding="utf-8")
    assert faultpair("build", out).code == 0
    return out


@pytest.fixture
def sample(faultpair, folder):
    """Return a function that draws a sample and gives what was said, and the rows."""

    def draw(*options, file=folder / "human-sample.csv"):
        done = faultpair("human-sample", folder, *options)
        assert done.code == 0, done.err
        text = file.read_bytes().decode("utf-8-sig")
        return done, list(csv.DictReader(StringIO(text, newline="")))

    return draw


def save(folder, rows, columns=COLUMNS, encoding="utf-8"):
    with (folder / "human.csv").open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def agreed(rows):
    return [{**row, **{f"{metric}_agrees": "yes" for metric in METRICS}} for row in rows]


def judge(folder):
    run_study(
        open_study(folder),
        engines=EngineFactory(open=lambda name, options: ScriptedEngine(praise, name=name)),
    )


def test_a_row_has_what_a_reader_needs_and_what_is_to_be_filled_in(sample, folder):
    _, rows = sample()
    assert tuple(rows[0]) == COLUMNS
    planned = next(row for row in rows if row["generator"] == "missing_call")
    name = f"{planned['record']}-hard"
    records = map(json.loads, (folder / "instances.jsonl").read_text().splitlines())
    record = next(one for one in records if one["instance_id"] == name)
    assert planned["request"] == record["query_hard"]
    tools = planned["tools"].split("\n")
    assert [tool.partition("(")[0] for tool in tools] == [tool["name"] for tool in record["tools"]]
    reference, plan = (planned[column].split("\n") for column in ("reference_plan", "plan"))
    assert [call.split()[1] for call in reference] == [call["tool"] for call in record["plan"]]
    assert len(plan) == len(reference) - 1
    assert planned["sequence"] not in ("", "1")
    assert {planned[f"{metric}_agrees"] for metric in METRICS} == {""}


def test_the_file_is_marked_as_utf_8_and_quotes_lines_in_cells(sample, folder):
    sample()
    text = (folder / "human-sample.csv").read_bytes()
    assert text.startswith(b"\xef\xbb\xbfrecord,generator,tier,topology,request,tools,")
    assert b',"1. ' in text


def test_the_hardest_tier_is_sampled_unless_another_is_named(sample, faultpair, folder, tmp_path):
    _, rows = sample()
    assert {row["tier"] for row in rows} == {"hard"}
    file = tmp_path / "easy.csv"
    _, rows = sample("--tier", "easy", "--out", file, file=file)
    assert {row["tier"] for row in rows} == {"easy"}
    done = faultpair("human-sample", folder, "--tier", "medium", "--out", tmp_path / "m.csv")
    assert done.code == 2
    assert "holds no plan at tier medium. The study has the tiers hard, easy." in done.err


def test_at_most_twenty_of_a_topology_are_drawn_and_shortfalls_are_reported(sample):
    done, rows = sample()
    linear = [row for row in rows if row["topology"] == "linear"]
    assert sum(all(row[metric] == "1" for metric in METRICS) for row in linear) == 6
    assert "linear: 6 perfect" not in done.err
    assert "fan_in: " in done.err
    assert " imperfect plans, 14 wanted\n" in done.err
    assert f"{len(rows)} plans in " in done.out


def test_a_file_that_is_there_may_be_filled_in_and_stays(sample, faultpair, folder):
    sample()
    file = folder / "human-sample.csv"
    drawn = file.read_bytes()
    file.write_text("filled in", encoding="utf-8")
    done = faultpair("human-sample", folder)
    assert done.code == 2
    assert f"{file} exists, and may hold grades." in done.err
    assert file.read_text(encoding="utf-8") == "filled in"
    sample("--force")
    assert file.read_bytes() == drawn


@pytest.mark.parametrize("name", ["human.csv", "study.toml", "trajectories.jsonl"])
def test_grades_and_inputs_are_never_written_over(faultpair, folder, name):
    file = folder / name
    if not file.exists():
        file.write_text("grades", encoding="utf-8")
    before = file.read_bytes()
    done = faultpair("human-sample", folder, "--out", file, "--force")
    assert (done.code, f"{file} " in done.err) == (2, True)
    assert file.read_bytes() == before


def test_records_may_lie_elsewhere(sample, faultpair, folder, tmp_path):
    file = tmp_path / "study.toml"
    (folder / "study.toml").rename(file)
    done = faultpair("human-sample", file)
    assert done.code == 2
    assert f"There is no {tmp_path / 'trajectories.jsonl'}." in done.err
    assert "--records" in done.err
    assert faultpair("human-sample", file, "--records", folder).code == 0
    assert (folder / "human-sample.csv").is_file()


def test_a_study_without_plans_is_refused(faultpair, small):
    done = faultpair("human-sample", small.folder.file)
    assert done.code == 2
    assert "is of the domain support_desk, which has no plans" in done.err


def test_grades_of_people_are_a_second_reference_after_a_rebuild(sample, folder):
    rows = agreed(sample()[1])
    wrong = next(row for row in rows if row["generator"] == "siblings_swapped")
    wrong |= {"sequence_agrees": "No", "sequence_value": "1", "why": "Any order will do."}
    save(folder, rows, encoding="utf-8-sig")
    judge(folder)
    quick = ("--results", str(folder.parent), "--no-figures", "--resamples", "20")
    assert rebuild(quick) == 0
    numbers = json.loads((folder / "numbers.json").read_text())["numbers"]
    agrees = {
        metric: numbers[f"plans/human/agrees/metric={metric}"]["estimate"] for metric in METRICS
    }
    expected = {**dict.fromkeys(METRICS, 1), "sequence": 1 - 1 / len(rows)}
    assert agrees == pytest.approx(expected, abs=1e-6)
    difference = numbers["plans/human/difference/condition=without-gt/judge=scripted:kind"]
    makers = [row["generator"] for row in rows]  # all of them count alike
    n_values = len(METRICS) * makers.count(wrong["generator"]) * len(set(makers))
    gained = (1 - float(wrong["sequence"])) / n_values
    assert difference["estimate"] == pytest.approx(gained, abs=1e-6)
    assert "| tool_selection | 1.000 [" in (folder / "tables" / "human.md").read_text()
    assert rebuild((*quick, "--check")) == 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"sequence_agrees": "perhaps"}, "sequence_agrees is 'perhaps'; write yes or no."),
        ({"record": "WFL-99999"}, "WFL-99999 by "),
        ({"record": "second"}, " occurs twice; keep one row."),
    ],
)
def test_a_row_that_is_not_as_asked_for_is_named_with_its_line(
    sample, faultpair, folder, change, problem
):
    rows = agreed(sample()[1])
    if change == {"record": "second"}:
        change = rows[1]
    rows[0] |= change
    save(folder, rows)
    judge(folder)
    done = faultpair("rebuild", "--results", folder.parent, "--no-figures")
    assert done.code == 2
    row = 3 if change == rows[1] else 2
    assert f"{folder / 'human.csv'}, line " in done.err
    assert f" (row {row}): " in done.err
    assert problem in done.err


def test_a_file_that_is_no_table_of_these_columns_is_refused(sample, faultpair, folder):
    rows = agreed(sample()[1])
    judge(folder)
    save(folder, rows, [column for column in COLUMNS if column != "sequence_value"])
    done = faultpair("rebuild", "--results", folder.parent, "--no-figures")
    assert done.code == 2
    assert f"{folder / 'human.csv'}, line 1 (row 1): no column sequence_value." in done.err
    rows[0]["why"] = "größer"
    save(folder, rows, encoding="cp1252")
    done = faultpair("rebuild", "--results", folder.parent, "--no-figures")
    assert done.code == 2
    assert f"{folder / 'human.csv'} is not UTF-8 text" in done.err
