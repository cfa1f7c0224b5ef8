"""From counts to tables, and what the committed counts say."""

import json
from pathlib import Path

import pytest

from faultpair.analysis.rebuild import main as rebuild
from faultpair.analysis.tells.rule import Verdict
from faultpair.analysis.tells.tables import findings_of, tells_tables
from faultpair.sets.build import built_set
from faultpair.studies.folder import open_study
from faultpair.studies.manifest import read_manifest

TELLS = Path(__file__).resolve().parents[3] / "results" / "tells"
CELL = {"set": "desk", "contrast": "wrong_tool", "group": "thoughts", "pairs": 50, "instances": 50}
HIGH = CELL | {"differ": 50, "auc": 0.9, "mean": 0.5, "sd": 0.05}
JUDGE = {"set": "desk", "judge": "order", "of": "0", "repeats": 200, "pairs": 50}


def mask(name, auc, differ=0):
    return {"mask": name, "differ": differ, "auc": auc}


def verdict(**changes):
    (finding,) = findings_of({"cells": [HIGH | {"masks": []} | changes]})
    return finding.verdict


@pytest.fixture(scope="module")
def counts():
    return json.loads((TELLS / "counts.json").read_text(encoding="utf-8"))


def test_an_auc_that_no_mask_explains_is_a_tell():
    assert verdict() is Verdict.TELL
    assert verdict(masks=[mask("the edited calls", 0.9)]) is Verdict.TELL


def test_an_auc_that_a_mask_brings_down_is_the_fault_itself():
    assert verdict(masks=[mask("the edited calls", 0.55)]) is Verdict.FAULT


def test_a_mask_of_other_thoughts_explains_nothing_by_itself():
    masks = [mask("the edited calls", 0.9), mask("and other thoughts", 0.5)]
    assert verdict(masks=masks) is Verdict.TELL


@pytest.mark.parametrize("changes", [{"auc": 0.6}, {"sd": 0.3}])
def test_what_is_low_or_uncertain_is_chance(changes):
    assert verdict(**changes) is Verdict.CHANCE


def test_p_values_are_adjusted_over_the_whole_table():
    """One cell of 0.68 is sure, one of a thousand is not."""
    cell = HIGH | {"auc": 0.68, "sd": 0.07, "masks": []}
    (alone,) = findings_of({"cells": [cell]})
    others = [HIGH | {"auc": 0.5} for _ in range(999)]
    among = findings_of({"cells": [cell, *others]})[0]
    assert (alone.verdict, among.verdict) == (Verdict.TELL, Verdict.CHANCE)


def test_a_trait_of_instances_is_told_from_a_tell():
    cell = {"auc": 0.65, "mean": 0.65, "sd": 0.01}
    assert verdict(**cell, masks=[mask("the instance", 0.5)]) is Verdict.INSTANCE
    assert verdict(**cell, masks=[mask("the instance", 0.7)]) is Verdict.TELL


def test_the_table_names_the_masks_that_take_something():
    masks = [mask("the edited calls", 0.9, 50), mask("and the reply", 0.5)]
    judges = [JUDGE | {"delta": 0.002, "low": -0.01, "high": 0.01}]
    tables = tells_tables({"cells": [HIGH | {"masks": masks}], "judges": judges})
    (row,) = tables["tells"].rows
    assert row[:3] == ("desk", "wrong_tool", "thoughts")
    assert row[5] == "the reply"
    assert row[6].estimate == 0.5
    assert row[7] == "the fault itself"
    assert tables["judges"].rows[0][-1] == "yes"


def test_a_judge_outside_its_range_is_marked():
    judges = [JUDGE | {"delta": 0.02, "low": -0.01, "high": 0.01}]
    (row,) = tells_tables({"cells": [], "judges": judges})["judges"].rows
    assert row[-1] == "no"


def test_counts_that_lack_a_field_are_refused_with_the_command_that_makes_them(tmp_path, capsys):
    folder = tmp_path / "results" / "tells"
    folder.mkdir(parents=True)
    (folder / "counts.json").write_text('{"cells": [{}]}', encoding="utf-8")
    assert rebuild(["--results", str(tmp_path / "results")]) == 2
    assert "make tells" in capsys.readouterr().err


def test_the_sets_of_world_2_have_no_tell(counts):
    tells = [one for one in findings_of(counts) if one.verdict is Verdict.TELL]
    assert [(one.cell["set"], one.cell["contrast"], one.cell["group"]) for one in tells] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["desk", "plans"])
def test_the_committed_counts_are_of_the_sets_as_they_are_now(name, counts):
    """Else run `make tells`."""
    (row,) = (row for row in counts["sets"] if row["set"] == name)
    with built_set(open_study(TELLS.parent / row["study"])) as made:
        assert row["sha256"] == read_manifest(made.manifest).sha256[made.trajectories.name]


def test_each_judge_that_reads_no_run_is_in_its_range(counts):
    assert {row["set"] for row in counts["judges"]} == {"desk", "plans"}
    for row in counts["judges"]:
        assert row["low"] <= row["delta"] <= row["high"], row
        assert row["repeats"] == 200
