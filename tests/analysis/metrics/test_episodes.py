"""A study whose runs a model made: its table, and the labeller that is no judge there."""

import json

import pytest

from faultpair.analysis.data.study_data import LABELLER_ROW, load_study
from faultpair.analysis.metrics.catalog import compute, numbers_of
from faultpair.analysis.output.files import files_of
from faultpair.analysis.output.narrative import sentences
from faultpair.env.errors import RecordError, StudyError

from ..conftest import Records, named, run, sees_reply, sees_steps

KINDS = (None, None, None, "skipped", "skipped", "stop", "stop", "promise")
FACTS = {
    "scenario": "happy", "ended": "reply", "n_steps": 3, "n_refused": 1, "n_unreadable": 0,
    "labelled_by": None, "reply_is_oracles": False, "states_refund": None, "prompt_tokens": 50,
    "completion_tokens": 5,
}  # fmt: skip


@pytest.fixture
def played(tmp_path):
    """Eight episodes, two of them loud by their end state alone, judged by three judges."""
    records = Records(tmp_path / "results" / "played")
    records.trajectories = [run(number, kind) for number, kind in enumerate(KINDS)]
    for trajectory in records.trajectories:
        trajectory["label"] |= {"parent_id": None, "reply_changed": None}
        trajectory["domain"] = "support_desk"
    records.study_file = 'judges = ["rules"]\n[agent]\nengine = "scripted:clean"\nepisodes = 8\n'
    records.judged("rules", lambda r: r["label"]["failure_type"] not in (None, "stop"))
    records.judged("stepper", sees_steps, view="full-steps")
    return records.judged("zealot", sees_reply, view="goal-and-reply")


def facts_of(records, **of_run):
    """One line an episode; ``of_run`` says what is special about which."""
    lines = []
    for trajectory in records.trajectories:
        label, name = trajectory["label"], trajectory["trajectory_id"]
        kind = label["failure_type"]
        by = None if kind is None else "outcome" if kind == "stop" else "rule"
        own = {
            "trajectory_id": name,
            "instance_id": trajectory["instance_id"],
            "faulty": label["faulty"],
            "failure_type": kind,
            "outcome_correct": label["outcome_correct"],
            "labelled_by": by,
        }
        lines.append(json.dumps({**FACTS, **own, **of_run.get(name[:4], {})}))
    return "\n".join(lines) + "\n"


def write(records, **of_run):
    folder = records.write()
    (folder / "episodes.jsonl").write_text(facts_of(records, **of_run), encoding="utf-8")
    return folder


def numbers_in(records, **of_run):
    return numbers_of(compute(load_study(write(records, **of_run)), n_resamples=50))


def numbers_by_name(records, **of_run):
    return named(numbers_in(records, **of_run))


def shown(number):
    return number.estimate, number.n


def test_episodes_are_counted_by_kind_and_by_what_their_replies_say(played):
    numbers = numbers_by_name(
        played,
        T000={"reply_is_oracles": True, "states_refund": True},
        T001={"states_refund": False},
        T002={"ended": "turn-limit", "n_unreadable": 2},
        T003={"states_refund": True, "ended": "unreadable"},
    )
    assert shown(numbers["agent/faulty"]) == (5 / 8, 8)
    assert shown(numbers["agent/silent"]) == (3 / 8, 8)
    assert shown(numbers["agent/loud"]) == (2 / 8, 8)
    assert shown(numbers["agent/outcome-wrong"]) == (2 / 8, 8)
    assert shown(numbers["agent/by-rule"]) == (3 / 8, 8)
    assert shown(numbers["agent/by-outcome"]) == (2 / 8, 8)
    assert shown(numbers["agent/kind=skipped"]) == (2 / 8, 8)
    assert shown(numbers["agent/kind=promise"]) == (1 / 8, 8)
    assert shown(numbers["agent/oracle-reply"]) == (1 / 6, 6)
    assert shown(numbers["agent/states-refund"]) == (2 / 3, 3)
    assert shown(numbers["agent/turn-limit"]) == (1 / 8, 8)
    assert shown(numbers["agent/unreadable"]) == (1 / 8, 8)
    assert numbers["agent/answers-unreadable"].estimate == 2
    assert numbers["agent/calls"].estimate == 24
    assert numbers["agent/prompt-tokens"].estimate == 400


def test_the_rules_are_printed_as_the_labeller_last_and_left_out_of_comparisons(played):
    study = load_study(write(played))
    assert study.judges == ("stepper", "zealot", LABELLER_ROW)
    files = files_of(study, figures=False, n_resamples=50)
    summary = files["tables/summary.md"].decode()
    assert f"| {LABELLER_ROW} | 0.600 |" in summary
    assert "its findings are labels of these runs" in summary
    assert "| rules |" not in summary
    for table in ("differences", "panel"):
        assert "rules" not in files[f"tables/{table}.md"].decode()
    assert "| all 2, mean |" in files["tables/panel.md"].decode()
    (said,) = (s for s in sentences(study, numbers_in(played)) if s.startswith("rules"))
    assert said == f"{LABELLER_ROW} is no judge here: its findings are labels of these runs."


def test_the_agent_table_has_a_row_a_kind(played):
    files = files_of(load_study(write(played)), figures=False, n_resamples=50)
    table = files["tables/agent.md"].decode()
    assert "| faulty: stop | 2 | 8 | 0.250 [" in table
    assert "| episodes | 8 |" in table


def test_a_contrast_with_the_labeller_is_marked_as_none(played):
    played.study_file += '[[contrasts]]\nname = "c"\njudge = "rules"\nagainst = "stepper"\n'
    number = numbers_by_name(played)["contrast/c/difference"]
    assert number.reason == "rules is the labeller, not a judge"


def test_in_any_other_study_the_rules_are_a_judge(played):
    played.study_file = ""
    study = load_study(played.write())
    assert study.judges == ("rules", "stepper", "zealot")
    assert "tables/agent.md" not in files_of(study, figures=False, n_resamples=50)


def test_a_manifest_names_the_agent_without_a_study_file(played):
    played.study_file = ""
    folder = write(played)
    (folder / "manifest.json").write_text('{"agent": {"engine": "x"}}', encoding="utf-8")
    assert LABELLER_ROW in load_study(folder).judges


def test_episodes_that_are_missing_or_about_other_runs_are_refused(played):
    folder = played.write()
    with pytest.raises(StudyError, match=r"episodes.jsonl is missing"):
        load_study(folder)
    first = facts_of(played).partition("\n")[0]
    (folder / "episodes.jsonl").write_text(first + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"is not about the 8 runs of the study"):
        load_study(folder)


def test_a_domain_whose_replies_need_confirm_nothing_has_no_such_row(played):
    for trajectory in played.trajectories:
        trajectory["domain"] = "toy"
    study = load_study(write(played))
    assert "agent/states-refund" not in numbers_in(played)
    assert (
        "refund" not in files_of(study, figures=False, n_resamples=50)["tables/agent.md"].decode()
    )
