"""The graded readout against hand-counted pairs, and against functions written otherwise."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.auc import unpaired_aucs
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.metrics.key import ALL, NumberKey, design_key
from faultpair.analysis.output.files import files_of
from faultpair.analysis.stats.ranked import Ranked
from faultpair.analysis.tables import detection
from faultpair.env.errors import RecordError

from ..conftest import named, sees_steps, small_records, verdict

SCORES = (0.1, 0.3, 0.3, 0.8)


def graded(records, score, **fields):
    """Add a judge that flags above one half; ``score`` sees the trajectory."""
    for run in records.trajectories:
        value = score(run)
        faulty = None if value is None else value > 0.5
        lost = {} if value is not None else {"unscored": "cannot be read"}
        own = verdict(run, "grader", faulty, score=value, **lost, **fields)
        records.verdicts.append(own)
    return records


def numbers_in(records, n_resamples=300):
    return named(numbers_of(compute(load_study(records.write()), n_resamples=n_resamples)))


def by_place(run):
    """Score a run by its instance and kind, with ties."""
    place = int(run["instance_id"][1:]) + len(run["label"]["failure_type"] or "")
    return SCORES[place % len(SCORES)]


def half_ties(one, other):
    return Fraction(1) if one > other else Fraction(1, 2) if one == other else Fraction(0)


def pairs_of(records, kind=None):
    runs = {run["trajectory_id"]: run for run in records.trajectories}
    return [
        (by_place(run), by_place(runs[run["label"]["parent_id"]]))
        for run in runs.values()
        if run["label"]["faulty"] and kind in (None, run["label"]["failure_type"])
    ]


@pytest.fixture
def bare(tmp_path):
    return small_records(tmp_path / "results" / "small")


def test_four_pairs_counted_by_hand(bare):
    """Instance 1 has four faults: one scored above its parent, one equal, one below, one not."""
    bare.trajectories = [run for run in bare.trajectories if run["instance_id"] == "T001"]
    given_scores = {None: 0.4, "skipped": 0.9, "wrong_amount": 0.4, "promise": 0.2, "stop": None}
    graded(bare, lambda run: given_scores[run["label"]["failure_type"]], view="full-steps")
    numbers = numbers_in(bare)
    auc = numbers["grader/auc/all"]
    assert (auc.estimate, auc.n) == (0.5, 3)  # (1 + 1/2 + 0) / 3
    assert numbers["grader/score-gap/all"].estimate == pytest.approx(0.1)  # (0.5 + 0 - 0.2) / 3
    assert numbers["grader/score-pairs/all"].estimate == 3
    assert numbers["grader/auc/silent"].estimate == 0.5  # skipped above, promise below
    assert numbers["grader/auc/loud"].estimate == 0.5  # wrong_amount equal, stop not scored
    assert numbers["grader/auc/type=skipped"].estimate == 1.0
    assert numbers["grader/auc/cell=changed-survives"].estimate == 0.0
    stop = numbers["grader/auc/type=stop"]
    assert (stop.estimate, stop.reason) == (None, "no such pair has both scores")
    # Clean: one run, at 0.4; faults at 0.9, 0.4 and 0.2.
    assert numbers["grader/auc-unpaired/all"].estimate == 0.5
    assert numbers["grader/score/brier"].estimate == pytest.approx(
        (0.4**2 + 0.1**2 + 0.6**2 + 0.8**2) / 4
    )


def test_paired_and_unpaired_auc_are_those_of_plain_counts(bare):
    graded(bare, by_place, view="full-steps")
    numbers = numbers_in(bare)
    clean = [
        by_place(r)
        for r in bare.trajectories
        if not r["label"]["faulty"] and r["label"]["control"] is None
    ]
    for kind in (None, "skipped", "promise", "stop"):
        pairs = pairs_of(bare, kind)
        name = "all" if kind is None else f"type={kind}"
        paired = sum(half_ties(*pair) for pair in pairs) / len(pairs)
        every = [half_ties(fault, other) for fault, _ in pairs for other in clean]
        assert numbers[f"grader/auc/{name}"].estimate == pytest.approx(float(paired))
        unpaired = numbers[f"grader/auc-unpaired/{name}"].estimate
        assert unpaired == pytest.approx(float(sum(every) / len(every)))
        gap = sum(fault - parent for fault, parent in pairs) / len(pairs)
        assert numbers[f"grader/score-gap/{name}"].estimate == pytest.approx(gap)


def test_unpaired_auc_is_that_of_scipy(bare):
    from scipy.stats import mannwhitneyu

    graded(bare, by_place)
    study = load_study(bare.write())
    score = study.verdicts.score[0]
    faults, clean = score[study.runs.faulty], score[study.runs.clean]
    u = mannwhitneyu(faults, clean).statistic
    found = unpaired_aucs(study, 0, {ALL: study.runs.faulty})[NumberKey("auc-unpaired", ALL)]
    assert found.estimate == pytest.approx(u / (len(faults) * len(clean)))


def test_what_an_instance_adds_to_the_unpaired_auc_is_that_of_every_fault_beside_every_clean_run():
    """Obuchowski (1997), equation 6."""
    fault, clean = np.array([0.9, 0.4, 0.4, 0.7]), np.array([0.4, 0.8, 0.1])
    fault_unit, clean_unit = np.array([0, 0, 1, 2]), np.array([0, 1, 2])
    won = np.array([[float(half_ties(one, other)) for other in clean] for one in fault])
    ranked = Ranked.of(fault, clean, fault_unit, clean_unit)
    assert ranked.auc == pytest.approx(won.mean())
    added = np.zeros(3)
    np.add.at(added, fault_unit, (won.mean(axis=1) - won.mean()) / 4)
    np.add.at(added, clean_unit, (won.mean(axis=0) - won.mean()) / 3)
    assert ranked.added == pytest.approx(added)
    assert ranked.size.sum() == pytest.approx(4 * 4 * 3 / (4 + 3))


def test_unpaired_auc_of_few_instances_in_effect_has_no_interval(tmp_path):
    few, many = (
        numbers_in(graded(small_records(tmp_path / str(n), n), by_place))["grader/auc-unpaired/all"]
        for n in (8, 24)
    )
    assert (few.ci_low, few.method) == (None, "too few instances")
    assert many.ci_low < many.estimate < many.ci_high


def test_paired_auc_has_the_interval_of_a_judge_that_flags_the_better_ranked_side(tmp_path):
    """(1 + Δ) / 2, for scores of 0 and 1 that are the flags themselves."""
    records = small_records(tmp_path / "study", 24)
    graded(records, lambda run: float(sees_steps(run)), view="full-steps")
    numbers = numbers_in(records)
    for group in ("all", "all/percentile", "silent", "loud", "type=skipped"):
        delta, auc = numbers[f"grader/delta/{group}"], numbers[f"grader/auc/{group}"]
        for one, other in (
            (auc.estimate, delta.estimate),
            (auc.ci_low, delta.ci_low),
            (auc.ci_high, delta.ci_high),
        ):
            assert one == pytest.approx((1 + other) / 2)


@settings(max_examples=10)
@given(shift=st.sampled_from([0.5, 0.25, 0.125]))
def test_auc_depends_only_on_the_order_of_scores(shift, tmp_path_factory):
    folder = tmp_path_factory.mktemp("order")
    plain = graded(small_records(folder / "one", 4), by_place)
    shifted = graded(small_records(folder / "two", 4), lambda run: by_place(run) * shift)
    before, after = numbers_in(plain, 20), numbers_in(shifted, 20)
    for name in before:
        if "/auc/" in name or "/auc-unpaired/" in name:
            assert before[name] == after[name]


def test_ranks_distinguish_scores_that_are_very_close(bare):
    graded(bare, lambda run: 0.4 + (1e-13 if run["label"]["faulty"] else 0.0))
    numbers = numbers_in(bare)
    assert numbers["grader/auc/all"].estimate == 1.0
    assert numbers["grader/score-gap/all"].estimate == 0.0


def test_what_a_judge_is_not_shown_it_ranks_at_one_half_by_structure(bare):
    graded(bare, lambda run: sum(run["final_answer"].encode()) % 7 / 7, view="goal-and-reply")
    numbers = numbers_in(bare)
    blind = numbers["grader/auc/cell=unchanged-survives"]
    assert (blind.estimate, blind.method, blind.ci_low) == (0.5, "structural zero", None)
    assert numbers["grader/auc/cell=changed-survives"].method != "structural zero"


def test_a_judge_without_scores_has_no_graded_numbers_table_or_column(bare):
    bare.judged("stepper", sees_steps, view="full-steps")
    study = load_study(bare.write())
    files = files_of(study, figures=False, n_resamples=50)
    names = json.loads(files["numbers.json"])["numbers"]
    assert not [name for name in names if "/auc" in name or "/score" in name]
    assert "tables/graded.md" not in files
    assert b"AUC" not in files["tables/summary.md"]


def test_the_graded_column_follows_delta_and_is_blank_for_others(bare):
    bare.judged("stepper", sees_steps, view="full-steps")
    graded(bare, by_place, view="full-steps")
    files = files_of(load_study(bare.write()), figures=False, n_resamples=50)
    for table, after in (("summary", "Δ silent"), ("main", "Step, of detected")):
        head, _, *rows = files[f"tables/{table}.md"].decode().splitlines()[2:]
        titles = [cell.strip() for cell in head.split("|")]
        place = titles.index("Paired AUC")
        assert titles[place - 3 : place + 2] == [
            "Δ",
            "Control-Δ",
            "Adjusted Δ",
            "Paired AUC",
            after,
        ]
        cells = {
            row.split("|")[1].strip(): row.split("|")[place].strip() for row in rows if "|" in row
        }
        assert cells["stepper"] == cells["flag all"] == ""
        assert cells["grader"].startswith("0.")
    lines = files["tables/graded.md"].decode().splitlines()
    assert [line for line in lines if line.startswith("| all | grader | 36 | 36 |")]
    assert not [line for line in lines if "| stepper |" in line]


def test_a_score_out_of_range_is_refused(bare):
    graded(bare, lambda _: 0.5)
    bare.verdicts[2]["score"] = 1.2
    with pytest.raises(RecordError, match=r"verdicts.jsonl, line 3.*score"):
        load_study(bare.write())


def test_a_judge_of_some_pairs_is_reported_with_their_number(bare):
    graded(bare, by_place)
    bare.verdicts = [
        row
        for row in bare.verdicts
        if row["judge_id"] != "grader" or int(row["trajectory_id"][1:4]) % 2
    ]
    study = load_study(bare.write())
    numbers = numbers_of(compute(study, n_resamples=300))
    table = detection.summary(study, numbers)
    n = numbers[NumberKey("delta", ALL, judge="grader")].n
    there_are = numbers[design_key("pairs")].estimate
    assert 0 < n < there_are
    assert f"grader: rests on {n} of {there_are:.0f} pairs." in table.notes
    assert not any(note.startswith("reader: rests") for note in table.notes)
