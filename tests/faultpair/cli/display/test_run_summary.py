"""What a run shows at its end: the main table, and below it what that does not show."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from faultpair.analysis.stats.estimate import Estimate
from faultpair.cli.display.run_summary import Completeness, main_table
from faultpair.cli.display.table_layout import laid_out
from faultpair.studies.folder import open_study

RESULTS = Path(__file__).resolve().parents[3] / "results"

JUDGE = """
def judge(document):
    return {ANSWER}
"""


def run_with(faultpair, study_file, tmp_path, answer, *options):
    module = "says_odd" if "verdict" in answer else "says_clean"
    (tmp_path / f"{module}.py").write_text(JUDGE.replace("ANSWER", answer), encoding="utf-8")
    text = (
        'title = "t"\ndomain = "toy"\nseed = 1\nclean = 4\njudges = ["rules"]\n'
        f'[[model_judges]]\nid = "own"\nengine = "python:{module}:judge"\n'
    )
    return faultpair("run", study_file(text), "--out", tmp_path / "out", *options)


def test_a_judge_whose_every_answer_is_unreadable_is_no_success(
    faultpair, study_file, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = run_with(faultpair, study_file, tmp_path, '"verdict": "yes"')
    assert done.code == 3
    why = "the answer does not say whether the run is faulty (4)"
    assert f"own: 4 of 4 verdicts are unscored: {why}." in done.err


def test_a_run_that_stopped_at_its_limit_says_what_it_rests_on(
    faultpair, study_file, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = run_with(faultpair, study_file, tmp_path, '"faulty": False', "--limit", "1")
    assert done.code == 0
    assert "own: 1 of 4 runs are judged." in done.err
    assert "The limit is reached; 3 requests are open." in done.err


def test_a_judge_of_all_runs_without_a_loss_is_not_spoken_of():
    completeness = Completeness("rules", 1, judged={"INS-1-clean"}, n_verdicts=1)
    assert list(completeness.lines()) == []
    assert not completeness.is_empty


NUMBERS = ("recall/all", "false-alarms", "delta/all", "delta/silent", "delta/loud", "runs/unscored")


def kept_row(name, numbers):
    """Return the cells of a judge from the committed numbers, which have all the intervals."""
    cells = [numbers.get(f"{name}/{number}") for number in NUMBERS]
    cells = [None if cell is None else Estimate(**cell) for cell in cells]
    without = {"ci_low": None, "ci_high": None}
    return [
        cell if cell is None or number == "delta/all" else replace(cell, **without)
        for number, cell in zip(NUMBERS, cells, strict=True)
    ]


def printed(table):
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    console.print(laid_out(table))
    return console.file.getvalue()


@pytest.mark.parametrize(
    "study", sorted(path.parent.name for path in RESULTS.glob("*/numbers.json"))
)
def test_the_main_table_prints_the_committed_numbers_of_a_study(study):
    table = main_table(open_study(RESULTS / study))
    numbers = json.loads((RESULTS / study / "numbers.json").read_bytes())["numbers"]
    rows = tuple((row[0], *kept_row(row[0], numbers)) for row in table.rows)
    assert len(rows) > 3
    assert printed(table) == printed(replace(table, rows=rows))


def test_the_main_table_of_a_silent_judge_shows_its_cautious_delta_and_its_coverage(
    faultpair, small, tmp_path
):
    assert faultpair("run", small.folder.file, "--out", tmp_path).code == 0
    file = tmp_path / "verdicts.jsonl"
    verdicts = [json.loads(line) for line in file.read_bytes().splitlines()]
    planted = {run["trajectory_id"] for run in small.runs if run["label"]["faulty"]}
    lost = next(v for v in verdicts if v["judge_id"] == "rules" and v["trajectory_id"] in planted)
    lost |= {"faulty": None, "unscored": "a reply that could not be read"}
    file.write_text("".join(f"{json.dumps(v)}\n" for v in verdicts), encoding="utf-8")
    table = main_table(open_study(small.folder.file, tmp_path))
    titles = [column.title for column in table.columns]
    assert titles[3:6] == ["cautious Δ", "judged Δ", "coverage"]
    cautious, judged, coverage = next(row for row in table.rows if row[0] == "rules")[3:6]
    assert (cautious.n, judged.n) == (13, 12)
    assert cautious.estimate < judged.estimate
    assert coverage.estimate == pytest.approx(12 / 13)
    assert table.notes[0].endswith("an unscored clean run as flagged.")
