"""Plans against studies that are simulated anew, in small and in the committed counts."""

import json
from pathlib import Path

import pytest

from faultpair.analysis.simulation.planned import (
    PlannedCell,
    Question,
    planned_cells,
    planned_counts,
)
from faultpair.analysis.simulation.rules import planned_table
from faultpair.analysis.stats.planned_judge import Answers
from faultpair.analysis.tables.table import as_markdown

ROOT = Path(__file__).resolve().parents[3]
COUNTS = ROOT / "results" / "validity" / "counts.json"


@pytest.fixture(scope="module")
def counts():
    return json.loads(COUNTS.read_text(encoding="utf-8"))["planned"]


def test_every_plan_of_a_committed_study_holds_within_three_hundredths(counts):
    assert len(counts) == len(planned_cells())
    for cell in counts:
        assert cell["simulations"] >= 2000
        assert cell["found"] / cell["simulations"] == pytest.approx(cell["planned"], abs=0.03), cell


def test_four_fifths_power_is_planned_for_wherever_there_is_a_least_delta(counts):
    stated = [cell for cell in counts if cell["least"] is not None]
    assert {cell["planned"] for cell in stated} == {0.8}
    assert {cell["shape"] for cell in stated} == {
        "paper", "balanced", "ablation", "noise", "plan-faults",
    }  # fmt: skip


def test_noise_has_no_interval_and_so_no_power_but_for_contrasts(counts):
    noise = [cell for cell in counts if cell["shape"] == "noise"]
    found = {cell["question"] for cell in noise if cell["found"]}
    assert found == {Question.CONTRAST}


@pytest.mark.parametrize("question", Question)
def test_a_plan_holds_in_small(question):
    found = planned_counts(PlannedCell(question, "ablation", 0.05, Answers.ONE), 400)
    assert found["found"] / 400 == pytest.approx(found["planned"], abs=0.07)


def test_a_committed_plan_is_what_the_code_counts_today(counts):
    cell = next(
        place
        for place, cell in enumerate(planned_cells())
        if (cell.shape, cell.answers, cell.question)
        == ("plan-faults", Answers.ONE, Question.CONTRAST)
    )
    assert planned_counts(planned_cells()[cell], counts[cell]["simulations"]) == counts[cell]


def test_the_table_says_where_nothing_is_found():
    cell = planned_counts(PlannedCell(Question.DELTA, "noise", 0.05, Answers.ONE), 20)
    table = as_markdown(planned_table([cell]))
    assert (
        "| Δ above 0 | noise | one answer | 0.05 | n/a | 0.000 | 0.000 [0.000, 0.168]† |" in table
    )
