"""The table of what faults do to the references, and the command that prints it."""

import pytest

from faultpair.analysis.plans.effects import main
from faultpair.analysis.plans.reference_effects import (
    MeasuredEffect,
    effect_numbers,
    measured_effects,
    promise,
)
from faultpair.analysis.tables.plan_pairs import effect_table
from faultpair.injector.catalog import BUILT_IN
from faultpair.judges.plan_metrics.metrics import METRICS

from ..conftest import named

FEW = 60


@pytest.fixture(scope="module")
def rows():
    return measured_effects(FEW)


def test_every_fault_and_control_keeps_its_promise(rows):
    assert [row.fault.name for row in rows] == [*BUILT_IN["workflow"]]
    assert [row.fault.name for row in rows if not row.keeps_its_promise] == []


def test_what_a_fault_lowers_falls_at_every_site_and_what_it_keeps_at_none(rows):
    numbers = named(effect_numbers(rows))
    shares = {"lowers": {1.0}, "keeps": {0.0}}
    for row in rows:
        for metric in METRICS:
            found = numbers[f"effect/{row.fault.name}/printed/metric={metric}"]
            assert found.n == row.n_sites > 0
            word = promise(row.fault.name, metric)
            assert word == "depends" or {found.estimate} == shares[word]


def test_the_corrected_reference_does_not_penalise_a_control(rows):
    controls = [row for row in rows if row.fault.is_control]
    assert [row.lowered["corrected"] for row in controls] == [[0] * 4] * 3


def test_a_broken_promise_is_reported():
    row = MeasuredEffect(BUILT_IN["workflow"]["duplicate_call"], n_records=1, n_sites=2)
    row.lowered["printed"] = [0, 1, 1, 0]
    assert not row.keeps_its_promise
    assert effect_table([row]).rows[0][4] == "no"


def test_a_fault_of_a_plug_in_declares_no_effects():
    assert promise("any_tool", "sequence") == "depends"


def test_the_command_prints_the_table(capsys):
    assert main(["--records", str(FEW)]) == 0
    printed = capsys.readouterr().out
    assert "| missing_argument | fault | parameter_structure |" in printed
    assert f"first {FEW} records of seed 0" in printed


def test_a_fault_without_a_site_has_no_share(capsys):
    assert main(["--records", "1"]) == 1
    assert "n/a: these records have no site for it." in capsys.readouterr().out
