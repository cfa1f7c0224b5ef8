"""The panel: which names are of engines, and which studies are refused."""

import re

import pytest

from faultpair.analysis.data.study_data import LABELLER_ROW
from faultpair.analysis.metrics.baselines import baseline_names
from faultpair.env.errors import StudyError, UsageError
from faultpair.runner.panel import names_an_engine, panel_of
from faultpair.studies.spec import ModelJudgeSpec, StudySpec, VoteSpec


def study(*judges, models=(), votes=(), domain="support_desk"):
    return StudySpec(
        title="t", domain=domain, seed=1, clean=1, judges=judges, model_judges=models, votes=votes
    )


@pytest.mark.parametrize(
    ("name", "asks"),
    [
        ("rules", False),
        ("state-check", False),
        ("ollama:qwen2.5:14b", True),
        ("ollama/qwen2.5:14b", True),
        ("openai:gpt-4o-mini", True),
        ("local:smollm2-135m", True),
        ("scripted:clean", True),
        ("replay:some/file.jsonl", True),
        ("python:package.module:function", True),
        ("cmd:judge --fast", True),
        ("https://host/judge", True),
        ("http://host/judge", True),
    ],
)
def test_a_name_says_whether_an_engine_is_asked(name, asks):
    assert names_an_engine(name) is asks
    assert panel_of(study("rules", *([name] if asks else []))).ids[1:] == ((name,) if asks else ())


def test_judges_keep_their_order_those_without_a_model_first():
    models = (ModelJudgeSpec(id="m", engine="scripted:clean", repeats=3),)
    panel = panel_of(
        study("rules", "scripted:coin", models=models, votes=(VoteSpec(id="v", of="m"),))
    )
    assert panel.ids == ("rules", "m", "scripted:coin", "v")


def test_an_extra_judge_joins_once():
    assert panel_of(study("rules"), ("sequence", "rules")).ids == ("rules", "sequence")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (study("rulez"), "No judge is named 'rulez'"),
        (study(models=(ModelJudgeSpec(id="m", engine="e", view="x-ray"),)), "No view is named"),
        (study(models=(ModelJudgeSpec(id="m", engine="e", task="guess"),)), "No task is named"),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(made, said):
    with pytest.raises(UsageError, match=said):
        panel_of(made)


@pytest.mark.parametrize(
    "name",
    [*baseline_names(), "floor: always 1", "floor: random", LABELLER_ROW],
)
def test_a_judge_may_not_have_the_name_of_a_row_that_every_table_has(name):
    judge = ModelJudgeSpec(id=name, engine="scripted:clean")
    with pytest.raises(StudyError, match=re.escape(f"reads like {name!r}")):
        panel_of(study(models=(judge,)))


@pytest.mark.parametrize(
    "name",
    [
        "Flag All", "flag all ", " flag all", "flag  all", "flag\tall", "flag\u00a0all",
        "flag\u200b all", "\u202eflag all", "fl\u0430g \u0430ll", "flág all", "\uff46lag all",
        "f1ag all", "fIag aII", "flag\u2800all", "flag a\u2113\u2113", "\U0001d41flag all",
    ],
)  # fmt: skip
def test_a_judge_may_not_have_a_name_that_reads_like_that_of_a_baseline(name):
    judge = ModelJudgeSpec(id=name, engine="scripted:clean")
    with pytest.raises(StudyError, match="reads like 'flag all'"):
        panel_of(study(models=(judge,)))


def test_a_name_of_another_alphabet_that_reads_like_that_of_a_baseline_is_refused():
    name = "\u0455\u0442\u0430\u0442\u0435 \u0441\u04bb\u0435\u0441\u043a"
    judge = ModelJudgeSpec(id=name, engine="scripted:clean")
    with pytest.raises(StudyError, match="reads like 'state check'"):
        panel_of(study(models=(judge,)))


@pytest.mark.parametrize("name", ["flag-all", "flag alls", "a flag all", "标记 全部", "flog all"])
def test_a_judge_may_have_another_name(name):
    judge = ModelJudgeSpec(id=name, engine="scripted:clean")
    assert panel_of(study(models=(judge,))).ids == (name,)


def test_two_judges_of_one_id_are_refused():
    with pytest.raises(StudyError, match="Two judges of the study have the id 'rules'"):
        panel_of(study("rules", models=(ModelJudgeSpec(id="rules", engine="scripted:clean"),)))


def test_a_vote_of_an_unknown_judge_is_refused():
    with pytest.raises(StudyError, match="'v' is on 'rules', which is no judge that asks a model"):
        panel_of(study("rules", votes=(VoteSpec(id="v", of="rules"),)))


def test_a_vote_of_more_passes_than_are_made_is_refused():
    models = (ModelJudgeSpec(id="m", engine="scripted:clean", samples=2),)
    with pytest.raises(StudyError, match="'v' takes 3 passes, and 'm' makes 2"):
        panel_of(study(models=models, votes=(VoteSpec(id="v", of="m", k=3),)))


def test_a_judge_from_outside_may_have_an_id_and_passes_of_its_own():
    models = (ModelJudgeSpec(id="ours", engine="cmd:judge", samples=2, repeats=3, pairs=4),)
    (seat,) = panel_of(study(models=models)).assignments
    assert (seat.judge.judge_id, seat.judge.engine, seat.judge.samples) == ("ours", "cmd:judge", 2)
    assert (seat.repeats, seat.pairs, seat.judge.view) == (3, 4, "whole-exhibit")


def test_an_external_judge_has_no_choice_of_view():
    models = (ModelJudgeSpec(id="ours", engine="cmd:judge", view="calls-only", seed=3),)
    with pytest.raises(StudyError, match=r"'ours' is an external judge, .* so seed, view has no"):
        panel_of(study(models=models))


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("scripted:clean", "'m' asks a model, which runs in no process of its own, so folder has"),
        ("http://127.0.0.1/", "'m' is an endpoint, which this run does not start, so folder has"),
    ],
)
def test_a_judge_without_a_process_of_its_own_has_no_settings_of_one(engine, reason):
    models = (ModelJudgeSpec(id="m", engine=engine, folder="."),)
    with pytest.raises(StudyError, match=reason):
        panel_of(study(models=models))


@pytest.mark.parametrize("engine", ["cmd:judge", "python:a:b"])
def test_settings_of_a_process_are_no_part_of_the_judge(engine):
    plain = ModelJudgeSpec(id="m", engine=engine)
    given = ModelJudgeSpec(id="m", engine=engine, env=("A",), folder=".", memory_mb=9)
    judges = [panel_of(study(models=(one,))).assignments[0].judge for one in (plain, given)]
    assert judges[0].settings() == judges[1].settings()


def test_a_model_that_judges_runs_is_refused_where_there_are_only_plans():
    models = (ModelJudgeSpec(id="m", engine="scripted:clean"),)
    for made, name in (
        (study(domain="workflow", models=models), "m"),
        (study("openai:gpt-4o-mini", domain="workflow"), "openai:gpt-4o-mini"),
    ):
        with pytest.raises(StudyError, match=rf"judge '{name}' asks .* of \[\[plan_judges\]\]"):
            panel_of(made)


def test_a_judge_from_outside_may_judge_plans():
    assert panel_of(study("cmd:judge", domain="workflow")).ids == ("cmd:judge",)


def test_samples_and_repeats_together_have_a_bound(lab):
    lab.study({"s": "samples = 40\nrepeats = 25\ntemperature = 0.7\n"})
    assert panel_of(lab.folder.study).assignments[0].passes == 1000
    lab.study({"s": "samples = 40\nrepeats = 26\ntemperature = 0.7\n"})
    with pytest.raises(StudyError, match=r"would make 1,040 verdicts on a run.*1,000 is the most"):
        panel_of(lab.folder.study)
