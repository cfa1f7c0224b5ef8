"""Tables of what a study can show and costs."""

from dataclasses import dataclass

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.stats.planned_judge import Answers, PlannedJudge
from faultpair.analysis.tables.power import (
    Aim,
    Load,
    calls_table,
    contrast_power_table,
    power_table,
)
from faultpair.analysis.tables.table import as_markdown


def test_the_tables_of_a_plan_name_groups_and_judges(records):
    runs = load_study(records.write()).runs
    power = as_markdown(power_table("small", runs, PlannedJudge(0.05), Aim()))
    assert "| type=skipped | 12 | 12 |" in power
    assert "12 clean runs without a flag allow a false-alarm rate of up to 26.5%." in power


def test_what_is_assumed_of_a_judge_is_said(records):
    runs = load_study(records.write()).runs
    judge = PlannedJudge(0.1, Answers.FRESH, abstains=0.25)
    table = power_table("small", runs, judge, Aim(floor=0.2))
    assert [column.title for column in table.columns][3:6] == [
        "Least Δ found",
        "Least Δ found, judged",
        "Least Δ above 0.2",
    ]
    assert table.notes[0] == (
        "For a judge that flags 10% of clean runs and decides on each run afresh."
    )
    assert "It leaves 25% of runs unscored" in table.notes[2]


@dataclass(frozen=True)
class Declared:
    name: str
    metric: str
    group: str = "all"
    judge: str = "a"
    against: str = "b"


def test_contrasts_are_planned_for_alone_and_as_the_first_of_their_family(records):
    runs = load_study(records.write()).runs
    contrasts = [
        Declared("one", "delta"),
        Declared("two", "false-alarms"),
        Declared("three", "delta", "type=unheard-of"),
    ]
    table = contrast_power_table("small", runs, contrasts, PlannedJudge(0.05))
    one, two, three = table.rows
    assert table.columns[-1].title == "First of 3"
    assert one[-2].estimate < one[-1].estimate
    assert (two[2], two[3].estimate) == ("false alarms", 12)
    assert three[-1].estimate is None
    assert three[-1].reason == "there is no such pair"


def test_judges_without_a_model_have_no_calls_and_add_none():
    loads = {"a": Load("goal-and-reply", 30, 12), "b": Load("full-steps", 30)}
    table = as_markdown(calls_table("small", loads))
    assert "| a | goal-and-reply | 30 | 12 |" in table
    assert "| b | full-steps | 30 | no calls |" in table
    assert "| all |  | 60 | 12 |" in table
