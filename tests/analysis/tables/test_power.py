"""Tables of what a study can show and costs."""

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.tables.power import Load, calls_table, power_table
from faultpair.analysis.tables.table import as_markdown


def test_the_tables_of_a_plan_name_groups_and_judges(records):
    runs = load_study(records.write()).runs
    power = as_markdown(power_table("small", runs))
    assert "| type=skipped | 12 | 12 |" in power
    assert "12 clean runs without a flag allow a false-alarm rate of up to 26.5%." in power


def test_judges_without_a_model_have_no_calls_and_add_none():
    loads = {"a": Load("goal-and-reply", 30, 12), "b": Load("full-steps", 30)}
    table = as_markdown(calls_table("small", loads))
    assert "| a | goal-and-reply | 30 | 12 |" in table
    assert "| b | full-steps | 30 | no calls |" in table
    assert "| all |  | 60 | 12 |" in table
