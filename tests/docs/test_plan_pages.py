"""The pages on plans say what is: their examples run, and their tables are those of the code."""

import doctest
import re
import shutil
import tomllib
from functools import cache
from pathlib import Path

import pytest

from faultpair.agents.parse_plan import Attrition
from faultpair.analysis.bfcl import main as compare_with_bfcl
from faultpair.analysis.plans.effects import main as count_effects
from faultpair.env.catalog import DOMAINS
from faultpair.env.workflow.instances import TOPOLOGIES
from faultpair.env.workflow.sectors import SECTORS
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.inject import edit_stream, inject
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.plan_metrics.variants import VARIANTS
from faultpair.judges.plans.conditions import GroundTruth, PlanForm
from faultpair.judges.rules.workflow import RULES
from faultpair.oracle.catalog import clean_run
from faultpair.sets.plans import PLANS
from faultpair.studies.spec import PlanJudgeSpec, PlannerSpec, StudySpec
from faultpair.studies.transcript import TURNS

ROOT = Path(__file__).resolve().parents[2]
PLAN_FAULTS = Path("results", "plan-faults", "study.toml")
WORKFLOW = DOMAINS["workflow"]
PAGES = ("docs/workflow.md", "docs/plan-judges.md")
EMPTY = {None: "–", (): "all"}


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_give_what_it_shows(page, blocks):
    shown = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(shown, {}, page, page, 0)
    report: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=report.append).failed == 0, "".join(report)


@pytest.mark.parametrize("page", PAGES)
def test_the_sections_of_a_study_that_a_page_shows_are_read(page, blocks):
    for shown in blocks(page, "toml"):
        study = {"title": "x", "domain": "workflow", "seed": 1, "clean": 1, **tomllib.loads(shown)}
        assert StudySpec.model_validate(study).domain == "workflow"


def test_the_tables_name_every_topology_and_sector(rows):
    assert list(rows("Topologies", "workflow.md")) == list(TOPOLOGIES)
    assert list(rows("Sectors", "workflow.md")) == [sector.name for sector in SECTORS]


def test_the_table_of_variants_names_every_variant(rows):
    assert list(rows("The programmatic reference", "workflow.md")) == list(VARIANTS)


def effect_word(share: str) -> str:
    """Return the word for the share of sites at which a metric falls."""
    return {"0.000": "kept", "1.000": "lower"}.get(share, "some")


def test_the_table_of_plan_faults_is_what_the_command_counts(rows, capsys):
    assert count_effects([]) == 0
    lines = re.findall(r"^\| (?=\w+ \| (?:fault|control) )(.*) \|$", capsys.readouterr().out, re.M)
    counted = {}
    for name, kind, *_, a, b, c, d, e, f, g, h in (line.split(" | ") for line in lines):
        is_seen = {effect_word(share) for share in (e, f, g, h)} != {"kept"}
        shown = f"`{name}` (control)" if kind == "control" else f"`{name}`"
        counted[shown] = [*map(effect_word, (a, b, c, d)), "sees it" if is_seen else "–"]
    table = rows("Plan faults and controls", "workflow.md")
    assert {row[0]: row[1:] for row in table.values()} == counted
    assert len(counted) == len(BUILT_IN["workflow"])


@cache
def records():
    made = [WORKFLOW.generate(7, index) for index in range(40)]
    return [(record, clean_run(WORKFLOW, record)) for record in made]


def flags(fault):
    """Return what the rules say of a fault at its sites, each answer once."""
    return {
        RULES.judge(exhibit_of(run, record)).faulty
        for record, parent in records()
        for site in fault.sites(record, parent)
        for run in [
            inject(WORKFLOW, record, parent, fault, site, rng=edit_stream(7, record, fault, site))
        ]
    }


def test_the_table_of_what_rules_see_is_what_they_say(rows):
    words = {(True,): "always", (False,): "never", (False, True): "at some sites"}
    faults = BUILT_IN["workflow"].values()
    said = {fault.name: words[tuple(sorted(flags(fault)))] for fault in faults}
    table = rows("What rules see without a reference", "workflow.md")
    assert {name: row[1] for name, row in table.items()} == said


@pytest.mark.slow
def test_the_rules_beside_planted_plans_come_out_as_shown(shell, blocks, checkout):
    (checkout / PLAN_FAULTS).parent.mkdir(parents=True)
    shutil.copy(ROOT / PLAN_FAULTS, checkout / PLAN_FAULTS)
    (shown,) = blocks("docs/workflow.md", "text")
    (command,) = [block for block in blocks("docs/workflow.md", "sh") if "plan-faults" in block]
    printed = [line.split() for line in shell(command).strip().splitlines()]
    assert printed == [line.split() for line in shown.strip().splitlines()]


def test_the_table_of_bfcl_is_what_the_command_prints(shared_dir, capsys):
    folder = shared_dir / "benchmarks" / "bfcl"
    compare_with_bfcl([str(folder / "v4-questions"), str(folder / "v4-glyphh-pr1308")])
    page = (ROOT / "docs" / "workflow.md").read_text(encoding="utf-8")
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert "\n".join(table) in page


@pytest.mark.parametrize(
    ("heading", "spec"),
    [
        ("A judge of plans is a condition × an engine", PlanJudgeSpec),
        ("A model as the planner", PlannerSpec),
    ],
)
def test_a_table_of_keys_gives_each_its_default(rows, heading, spec):
    defaults = {
        name: "–" if field.is_required() else default_text(field.default)
        for name, field in spec.model_fields.items()
    }
    table = rows(heading, "plan-judges.md")
    assert {name: table[name][1] for name in defaults} == defaults


def default_text(value: object) -> str:
    """Return a default as a page writes it."""
    if value in EMPTY:
        return EMPTY[value]
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def test_the_tables_of_conditions_name_every_ground_truth_and_form(rows):
    assert set(rows("Ground truth", "plan-judges.md")) == set(GroundTruth)
    assert set(rows("Forms", "plan-judges.md")) == set(PlanForm)


def test_the_tables_of_planners_name_every_attrition_and_file(rows):
    table = rows("A model as the planner", "plan-judges.md")
    assert set(Attrition) <= set(table)
    assert {TURNS, PLANS} <= set(table)
