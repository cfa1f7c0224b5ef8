"""A measurement has the numbers of the tables, whether from a study or from plain data of it."""

import json
from pathlib import Path

import numpy as np
import pytest

from faultpair.analysis.data.pair_data import PairData
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.measurement.assembly import measure_judges
from faultpair.analysis.measurement.measure import measure_pairs, measure_study
from faultpair.analysis.stats.estimate import significant
from faultpair.analysis.stats.readings import Reading
from faultpair.env.errors import UsageError
from faultpair.env.records import Cell

RESULTS = Path(__file__).resolve().parents[3] / "results"


def flat(number):
    return [significant(x) for x in (number.estimate, number.ci_low, number.ci_high)], number.n


def kept(study):
    text = (RESULTS / study / "numbers.json").read_text(encoding="utf-8")
    return json.loads(text)["numbers"]


@pytest.mark.parametrize(
    "study",
    ["paper", "ablation", "noise", "agent", pytest.param("balanced", marks=pytest.mark.slow)],
)
def test_every_number_is_that_of_numbers_json(study):
    numbers, n_compared = kept(study), 0
    for judge, found in measure_judges(load_study(RESULTS / study)).items():
        for name, number in found.numbers.items():
            other = numbers.get(f"{judge}/{name}")
            if other is None:  # of a newer version than the committed numbers
                continue
            ends = [other[part] for part in ("estimate", "ci_low", "ci_high")]
            assert flat(number) == (ends, other["n"]), (judge, name)
            n_compared += 1
    assert n_compared > 400


def test_the_fields_are_those_numbers():
    found, numbers = measure_study(load_study(RESULTS / "paper"), "step-1.5b"), kept("paper")
    fields = {
        "delta/all": found.judged,
        "recall/all": found.recall,
        "false-alarms": found.false_alarms,
        "f1": found.f1,
        "auc/all": found.auc,
        "precision/0.05": found.precision["0.05"],
        "delta/type=premature_stop": found.group("type=premature_stop").delta,
        "matched-sets/type=premature_stop/p-holm": found.group("type=premature_stop").p_holm,
    }
    for name, number in fields.items():
        assert significant(number.estimate) == numbers[f"step-1.5b/{name}"]["estimate"], name
    assert found.outcomes["hit"] == numbers["step-1.5b/pairs/all/hit"]["estimate"]


def rows_of(study):
    """Return the runs and all verdicts of a study as plain rows."""
    runs, verdicts = study.runs, study.passes
    for series, one in enumerate(verdicts.series):
        for row in np.flatnonzero(verdicts.judged[series]).tolist():
            parent, is_fault = int(runs.parent[row]), bool(runs.faulty[row])
            score = verdicts.score[series, row]
            cell = Cell.of(
                reply_changed=bool(runs.reply_changed[row]),
                outcome_survives=bool(runs.outcome_correct[row]),
            )
            yield {
                "judge": one.judge_id,
                "repeat": one.repeat,
                "unit": runs.instance.name(row),
                "run": runs.ids[row],
                "parent": runs.ids[parent] if parent >= 0 else "",
                "flagged": bool(verdicts.flagged[series, row])
                if verdicts.scored[series, row]
                else None,
                "score": None if np.isnan(score) else float(score),
                "type": runs.failure_type.name(row),
                "cell": cell if is_fault else "",
                "scenario": runs.scenario.name(row),
                "control": runs.control.name(row),
            }


@pytest.mark.parametrize("name", ["paper", "noise"])
def test_plain_rows_of_a_study_have_the_numbers_of_the_study(name):
    study = load_study(RESULTS / name)
    data = PairData.of(list(rows_of(study)))
    for judge, found in measure_judges(study).items():
        plain, n_compared = measure_pairs(data, judge=judge), 0
        assert flat(plain.cautious) == flat(found.cautious)
        assert flat(plain.adjusted) == flat(found.adjusted)
        for key, number in plain.numbers.items():
            other = found.numbers[key]
            # Views are not in the rows: nothing is zero by structure, as gaps of groups know.
            if other.method != "structural zero" and not key.startswith(
                ("cost", "rationales", "gap")
            ):
                assert flat(number) == flat(other), key
                n_compared += 1
        assert n_compared > 100


def tasks(n, flags, **more):
    """Return rows of n tasks with a clean run and one fault; ``flags`` gives both flags."""
    for task in range(n):
        clean, fault = flags(task)
        shared = {"unit": str(task)} | more
        yield shared | {"run": f"{task}-c", "parent": "", "flagged": clean}
        yield shared | {"run": f"{task}-f", "parent": f"{task}-c", "flagged": fault}


def test_silence_helps_in_the_judged_reading_alone():
    """Of 40 faults 20 are flagged; the silent judge says nothing of the other 20."""
    loud = measure_pairs(tasks(40, lambda task: (0, int(task < 20))))
    silent = measure_pairs(tasks(40, lambda task: (0, 1) if task < 20 else (0, None)))
    assert (loud.judged.estimate, silent.judged.estimate) == (0.5, 1.0)
    assert (loud.cautious, silent.cautious.estimate) == (loud.judged, 0.5)
    assert flat(silent.cautious) == flat(loud.cautious)
    assert silent.coverage.estimate == 0.5
    assert silent.delta == silent.cautious


def test_an_unscored_clean_run_counts_as_flagged_in_the_cautious_reading_and_passes_the_gate():
    found = measure_pairs(tasks(40, lambda task: (None if task < 10 else 0, 1)), reading="gate")
    assert found.cautious.estimate == 0.75
    assert found.delta == found.gate
    assert found.gate.estimate == 1.0


def test_a_judge_that_flags_every_edit_has_nothing_left_beside_control_delta():
    def rows():
        for row in tasks(40, lambda task: (0, 1)):
            yield row | {"control": ""}
            if row["parent"] == "":
                run = row["run"].replace("c", "k")
                yield row | {"run": run, "parent": row["run"], "control": "tidy", "flagged": 1}

    found = measure_pairs(rows())
    assert found.judged.estimate == found.control_delta.estimate == 1.0
    assert found.adjusted.estimate == 0.0
    assert found.adjusted.ci_low < 0 < found.adjusted.ci_high
    assert found.counts["controls"] == 40


def test_without_a_control_there_is_no_adjusted_delta_and_the_reason_is_told():
    found = measure_pairs(tasks(40, lambda task: (0, 1)))
    assert found.adjusted.estimate is None
    assert found.adjusted.reason == "no such control was judged"


def test_data_without_cells_have_no_strata():
    found = measure_pairs(tasks(40, lambda task: (0, 1)))
    assert [group.name for group in found.groups] == ["all"]
    with pytest.raises(KeyError, match=r"No pair is in a group 'silent'\. Groups: all\."):
        found.group("silent")


def test_few_units_with_several_faults_have_no_interval_and_the_reason():
    rows = [{"unit": "t", "run": "c", "parent": "", "flagged": 0}]
    rows += [{"unit": "t", "run": f"f{n}", "parent": "c", "flagged": 1} for n in range(30)]
    found = measure_pairs(rows)
    assert (found.delta.estimate, found.delta.ci_low) == (1.0, None)
    assert "fewer than 10 instances" in found.delta.reason


def test_one_of_several_judges_must_be_named():
    rows = [row | {"judge": name} for name in "ab" for row in tasks(12, lambda task: (0, 1))]
    with pytest.raises(UsageError, match="the data has 2 judges; name one of them: a, b"):
        measure_pairs(rows)
    with pytest.raises(UsageError, match=r"has no judge 'c'\. Judges: a, b\."):
        measure_pairs(rows, judge="c")


def test_the_result_is_plain_data_and_lines_of_text():
    found = measure_pairs(tasks(40, lambda task: (0, int(task < 20))))
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["delta"]["estimate"] == 0.5
    assert plain["reading"] == Reading.CAUTIOUS
    lines = found.summary().splitlines()
    assert lines[0] == "judge on the data: 40 pairs in 40 units, 40 clean runs, 0 controls"
    assert lines[1].startswith("  Δ, cautious        +0.500 [")


def test_equal_weights_change_nothing_and_a_weight_of_0_leaves_a_pair_out():
    rows = list(tasks(40, lambda task: (0, int(task < 20))))
    plain = measure_pairs(rows)
    assert measure_pairs([row | {"weight": 3} for row in rows]).weighted is None
    half = [row | {"weight": int(int(row["unit"]) < 20)} for row in rows]
    of_half = measure_pairs([row for row in rows if int(row["unit"]) < 20])
    assert flat(measure_pairs(half).weighted) == flat(of_half.judged)
    assert measure_pairs(half).judged == plain.judged
