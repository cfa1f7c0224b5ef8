"""The pages say what is: their documents, tables, links and numbers are those of the code."""

import json
import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from faultpair.engines.catalog import PROVIDERS
from faultpair.engines.scripted import SCRIPTS
from faultpair.judges.external import document_of
from faultpair.judges.model_judge import SPECIMEN
from faultpair.judges.task import TASKS, AnswerForm
from faultpair.judges.view import VIEWS
from faultpair.sets.episodes import EPISODES
from faultpair.studies.folder import open_study
from faultpair.studies.spec import AgentSpec, StudySpec
from faultpair.studies.transcript import TURNS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix() for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
)


def test_the_document_that_is_shown_is_what_a_judge_from_outside_is_sent(blocks):
    (shown,) = blocks("docs/bring-your-own-judge.md", "json")
    sent = json.loads(
        msgspec.json.encode(document_of(msgspec.structs.replace(SPECIMEN, domain="toy")))
    )
    assert json.loads(shown) == sent
    assert list(json.loads(shown)) == list(sent)


def test_the_table_of_views_names_every_view(rows):
    assert list(rows("Views")) == list(VIEWS)


def test_the_table_of_tasks_gives_each_its_form(rows):
    table = rows("Tasks")
    assert {name: row[2].strip("`") for name, row in table.items()} == {
        name: TASKS[name].form.value for name in TASKS
    }
    assert set(rows("Answer forms")) == {form.value for form in AnswerForm}


def test_the_table_of_engines_names_every_provider(rows):
    assert {name.split(":")[0] for name in rows("Engines")} == set(PROVIDERS)


def test_the_table_of_scripts_names_every_script(rows):
    assert set(rows("Scripts")) == set(SCRIPTS)


def test_the_table_of_an_agents_keys_gives_each_its_default(rows):
    table = rows("Keys of `[agent]`", "agent.md")
    assert {name: row[1] for name, row in table.items()} == {
        name: "–" if field.is_required() or field.default is None else f"{field.default:g}"
        for name, field in AgentSpec.model_fields.items()
    }


def test_the_study_of_an_agent_that_is_shown_is_the_committed_one(blocks):
    (shown,) = blocks("docs/agent.md", "toml")
    kept = (ROOT / "results" / "agent" / "study.toml").read_text(encoding="utf-8")
    assert tomllib.loads(shown) == tomllib.loads(kept)


def test_the_files_of_an_agents_study_have_the_names_that_are_shown(rows):
    folder = open_study(ROOT / "results" / "agent")
    kept = (folder.trajectories, folder.instances, folder.manifest)
    assert set(rows("Files", "agent.md")) == {TURNS, EPISODES, *(file.name for file in kept)}


def test_the_sections_of_a_study_that_are_shown_are_read(blocks):
    sections = "\n".join(blocks("docs/judges.md", "toml"))
    text = f'title = "x"\ndomain = "support_desk"\nseed = 1\nclean = 1\n{sections}'
    study = msgspec.toml.decode(text)
    (judge,) = StudySpec.model_validate(study).model_judges
    assert (judge.view, judge.task) == ("full-steps", "check-steps")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_file_leads_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert [
        target for target in targets if not (ROOT / page).parent.joinpath(target).exists()
    ] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_every_module_that_a_page_names_is_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    folders = "env|engines|oracle|agents|injector|judges|studies|analysis|faultpair|tests"
    named = re.findall(rf"`((?:{folders})/[\w/.-]*)`", text)
    missing = [name for name in named if "NAME" not in name and not (ROOT / name).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_no_line_of_a_sentence_begins_with_a_mark_which_would_end_its_paragraph(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not re.findall(r"^\s*<!--(?:n|ci):.*", text, re.MULTILINE)
