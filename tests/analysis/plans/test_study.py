"""Studies of plans from their file to their tables, judged and planned by scripts."""

import json
import re

import pytest

from faultpair import open_study
from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.output.files import files_of
from faultpair.analysis.plans.catalog import plan_results
from faultpair.analysis.plans.data import load_plans
from faultpair.analysis.plans.graders import grader_passes
from faultpair.analysis.rebuild import main
from faultpair.analysis.tables.catalog import OF_MODELS, OF_PLANS, plan_tables
from faultpair.calls.session import EngineFactory
from faultpair.engines.scripted import ScriptedEngine
from faultpair.env.errors import RecordError, StudyError
from faultpair.runner.run import run_study
from faultpair.studies.folder import read_study
from faultpair.studies.manifest import read_manifest, write_manifest

from ..conftest import named

HEAD = 'title = "Plans"\ndomain = "workflow"\nseed = 7\nclean = 4\ntiers = ["easy", "hard"]\n'
RULES = 'judges = ["rules"]\n'
PLANTED = """
[[faults]]
name = "missing_call"
count = 3

[[faults]]
name = "missing_argument"
count = 3

[[controls]]
name = "siblings_swapped"
count = 3
"""
JUDGES = """
[[plan_judges]]
id = "tools-with"
engine = "scripted:tools"
ground_truth = "shown"

[[plan_judges]]
id = "tools-blind"
engine = "scripted:tools"

[[plan_judges]]
id = "kind-hard"
engine = "scripted:kind"
tiers = ["hard"]
retries = 0
repeats = 2

[[plan_judges]]
id = "kind-easy"
engine = "scripted:kind"
tiers = ["easy"]
retries = 0
"""
PLANNERS = """
[[planners]]
id = "copies"
engine = "scripted:tools"

[[planners]]
id = "rambles"
engine = "scripted:kind"
"""


def page(request):
    return "\n".join(message.content for message in request.messages)


def tools_under(heading, text):
    part = text.partition(heading)[2].partition("\n\n")[0]
    return re.findall(r"^\d+\. (\w+)", part, re.MULTILINE)


def graded(**values):
    four = dict.fromkeys(("tool_selection", "parameter_structure", "sequence"), 1)
    scores = {**four, "query_coverage": 1, **values}
    return json.dumps({name: {"reason": "", "score": value} for name, value in scores.items()})


def by_tools(request):
    """Halve the tools where they are not those of the reference in this order; else praise."""
    text = page(request)
    shown = tools_under("REFERENCE PLAN", text)
    is_other = shown and shown != tools_under("PLAN TO GRADE", text)
    return graded(tool_selection=0.5) if is_other else graded()


def kind(request):
    """Praise all plans, but say nothing of those with two calls."""
    return "Fine." if len(tools_under("PLAN TO GRADE", page(request))) == 2 else graded()


def planned(name, request):
    """One planner calls the first tool of the pool, the other one only for easy requests."""
    tools = request.json_schema["items"]["properties"]["tool"]["enum"]
    if name == "scripted:kind" and len(page(request)) % 2:
        return "I would rather not."
    return json.dumps([{"tool": tools[0], "args": {}}])


def answering(name):
    def answer(request):
        if request.json_schema["type"] == "array":
            return planned(name, request)
        return (by_tools if name == "scripted:tools" else kind)(request)

    return ScriptedEngine(answer, name=name)


def files_in(folder, n_resamples):
    study = load_study(folder)
    return files_of(study, load_plans(folder, study), figures=False, n_resamples=n_resamples)


def run(folder, text):
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(text, encoding="utf-8")
    run_study(open_study(folder), engines=EngineFactory(open=lambda name, options: answering(name)))
    return folder


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    root = tmp_path_factory.mktemp("planted")
    return run(root / "results" / "planted", HEAD + RULES + PLANTED + JUDGES)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    root = tmp_path_factory.mktemp("played")
    return run(root / "results" / "played", HEAD + PLANNERS + JUDGES)


@pytest.fixture(scope="module")
def of_planted(planted):
    study = load_study(planted)
    return plan_results(study, load_plans(planted, study), 100)


def test_the_grid_separates_judge_and_condition(of_planted):
    grid = of_planted.alignment.every
    assert grid.judge.names == ("scripted:kind", "scripted:tools")
    assert grid.condition.names == ("with-gt", "without-gt")
    assert grid.generator.names == (
        *("oracle", "missing_call", "missing_argument", "siblings_swapped"),
    )
    assert grid.tier.names == ("easy", "hard")
    assert set(grid.record.names) >= {"WFL-00000", "WFL-00003"}
    assert sorted(set(grid.repeat.tolist())) == [0, 1]
    oracle = grid.take(grid.generator.where("oracle"))
    assert (oracle.reference == 1).all()


def test_a_fault_that_a_judge_sees_has_its_delta_only_on_that_metric(of_planted):
    def delta(kind, metric, condition="with-gt"):
        name = f"pairs/{kind}/delta/condition={condition}/judge=scripted:tools/metric={metric}"
        return named(of_planted.numbers)[name]

    assert delta("missing_call", "tool_selection").estimate == 0.5
    assert delta("missing_call", "tool_selection").n == 6
    assert delta("missing_call", "sequence").estimate == 0
    assert delta("missing_argument", "tool_selection").estimate == 0
    assert delta("siblings_swapped", "tool_selection").estimate == 0.5  # a false alarm
    assert delta("missing_call", "tool_selection", "without-gt").estimate == 0


def test_judges_of_several_tiers_are_one_grader_and_their_missing_grades_are_counted(of_planted):
    passes = [one for one in of_planted.passes if one.judge == "scripted:kind"]
    assert [one.ids for one in passes] == [("kind-easy", "kind-hard"), ("kind-hard",)]
    n = len(passes[0].judged)
    assert [int(one.judged.sum()) for one in passes] == [n, n / 2]
    end = "condition=without-gt/judge=scripted:kind"
    grades = named(of_planted.numbers)
    n_null = grades[f"grades/null/{end}"].estimate
    assert grades[f"grades/passes/{end}"].estimate == 2
    assert 0 < n_null < grades[f"grades/verdicts/{end}"].estimate
    start, metric = "pairs/missing_call", f"{end}/metric=sequence"
    n, dropped = (grades[f"{start}/{name}/{metric}"] for name in ("n", "dropped"))
    assert n.estimate + dropped.estimate == n.n == 6


def test_the_tables_of_a_planted_study_are_those_of_alignment_and_of_pairs(planted):
    files = files_in(planted, 100)
    tables = {name[7:-3] for name in files if name.endswith(".md")}
    wanted = {"alignment", "accuracy", "lift", "variants", "plan-aim", "plan-pairs"}
    assert wanted | {"plan-pairs-all", "plan-effects", "plan-graders", "types"} <= tables
    left_out = {"calibration", "reliability", "cells", "main", "attrition", "reach", "policies"}
    assert not tables & left_out
    numbers = json.loads(files["numbers.json"])["numbers"]
    assert numbers["plans/design/resamples"]["estimate"] == 100
    assert "tools-with/delta/all" in numbers
    pairs = files["tables/plan-pairs.md"].decode()
    row = "| missing_call | fault | reference, printed |  | sequence | parameter_structure | 6 |"
    assert row in pairs
    for name in tables:
        assert "nan" not in files[f"tables/{name}.md"].decode()


def test_where_a_judge_names_the_call_that_is_wrong_that_is_a_table(planted, played):
    of_rules = files_in(planted, 50)
    rows = of_rules["tables/attribution.md"].decode().splitlines()
    (rules,) = (row for row in rows if row.startswith("| rules |"))
    assert "n/a" not in rules
    of_grades = files_in(played, 50)
    assert "tables/attribution.md" not in of_grades


def test_no_table_of_plans_takes_the_name_of_another(of_planted):
    builders = {build.__name__ for build in (*OF_PLANS, *OF_MODELS)}
    assert not builders & set(plan_tables(of_planted))


def test_plans_and_attrition_of_planners_are_counted(played):
    files = files_in(played, 100)
    attrition = files["tables/attrition.csv"].decode().splitlines()
    assert attrition[1].startswith("copies,all,8,8,0,0,0,0,0,1,")
    assert any(line.startswith("rambles,all,8,") for line in attrition)
    assert "Printed, no plan counts 0" in files["tables/variants.md"].decode()
    assert "tables/self-preference.md" in files
    assert "tables/plan-pairs.md" not in files
    assert "tables/plan-effects.md" not in files


def test_a_rebuild_is_checked_to_the_byte_and_a_set_without_verdicts_is_missed(planted, capsys):
    root = planted.parent
    quick = ("--results", str(root), "--no-figures", "--resamples", "50")
    assert main(quick) == 0
    assert main((*quick, "--check")) == 0
    bare = root / "bare"
    bare.mkdir()
    for name in ("study.toml", "trajectories.jsonl", "instances.jsonl"):
        (bare / name).write_bytes((planted / name).read_bytes())
    assert main((*quick, "--study", "bare")) == StudyError.exit_code
    (bare / "study.toml").write_text(HEAD + PLANTED, encoding="utf-8")
    capsys.readouterr()
    assert main(quick) == 0
    assert "Study 'bare' is a set without judges and is left out." in capsys.readouterr().out


def test_judges_of_plans_are_among_those_that_a_study_names(planted):
    study = read_study(planted)
    assert study.judge_ids == ("rules", "tools-with", "tools-blind", "kind-hard", "kind-easy")
    assert set(load_study(planted).expected) == set(study.judge_ids)


def copied(folder, to, **changed):
    to.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            (to / file.name).write_bytes(file.read_bytes())
    for name, change in changed.items():
        path = to / f"{name}.jsonl"
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    return to


def test_grades_of_other_metrics_are_refused_with_their_line(planted, tmp_path):
    folder = copied(
        planted, tmp_path / "s", verdicts=lambda text: text.replace('"sequence"', '"order"', 1)
    )
    with pytest.raises(RecordError, match=r"line \d+: field scores: it grades .*order"):
        load_plans(folder, load_study(folder))


def test_the_facts_of_planners_must_be_about_the_plans(played, tmp_path):
    folder = copied(played, tmp_path / "s", plans=lambda text: text.partition("\n")[2])
    study = load_study(folder)
    with pytest.raises(RecordError, match=r"plans.jsonl is not about the \d+ plans of the study"):
        load_plans(folder, study)
    (folder / "plans.jsonl").unlink()
    with pytest.raises(StudyError, match=r"plans.jsonl is missing"):
        load_plans(folder, study)
    (folder / "instances.jsonl").unlink()
    with pytest.raises(StudyError, match=r"instances.jsonl is missing"):
        load_plans(folder, study)


def test_two_judges_of_one_condition_on_the_same_plans_are_refused(planted, tmp_path):
    def twice(text):
        return text + text.replace('"tools-blind"', '"tools-twin"')

    folder = copied(planted, tmp_path / "s", verdicts=twice)
    manifest = read_manifest(folder / "manifest.json")
    twin = manifest.entry("judges", "tools-blind")
    write_manifest(
        folder / "manifest.json", manifest.with_entry("judges", "tools-twin", entry=twin)
    )
    study = load_study(folder)
    plans = load_plans(folder, study)
    with pytest.raises(StudyError, match=r"'tools-blind' and 'tools-twin' ask scripted:tools"):
        grader_passes(study, plans)


def test_a_study_of_another_domain_has_no_plans(records):
    folder = records.write()
    assert load_plans(folder, load_study(folder)) is None
    files = files_in(folder, 50)
    assert "tables/main.md" in files
    assert not [name for name in files if "plan-" in name or "alignment" in name]
