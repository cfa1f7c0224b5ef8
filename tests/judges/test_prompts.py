"""Every prompt is pinned: a changed word makes another judge, so prompts change on purpose only."""

import re
from itertools import product
from pathlib import Path

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import UsageError
from faultpair.injector.catalog import faults_of
from faultpair.judges.model_judge import SPECIMEN, ModelJudge
from faultpair.judges.prompts import answer_text, role_text, task_text, taxonomy
from faultpair.judges.task import TASKS, AnswerForm
from faultpair.judges.view import VIEWS

PINS = Path(__file__).with_name("prompt_hashes.json")
DOMAINS_WITH_FAULTS = ("support_desk", "toy")


def prompt_hashes() -> dict[str, str]:
    return {
        f"{domain}, {view}, {task}, {form.value}": ModelJudge(
            "j", domain, "scripted:clean", view, task, form
        ).prompt_hash()
        for domain, view, task, form in product(DOMAINS_WITH_FAULTS, VIEWS, TASKS, AnswerForm)
    }


def test_no_prompt_changed_unnoticed(check_pins):
    check_pins(PINS, prompt_hashes())


def test_no_two_prompts_are_the_same():
    assert len(set(prompt_hashes().values())) == len(prompt_hashes())


@pytest.mark.parametrize("domain", DOMAINS_WITH_FAULTS)
def test_all_judges_of_a_domain_get_the_same_procedure_and_taxonomy(domain):
    roles = {
        ModelJudge("j", domain, "e", view, task, form)
        .request(SPECIMEN, sample=0, repeat=0)
        .messages[0]
        .content
        for view, task, form in product(VIEWS, TASKS, AnswerForm)
    }
    assert roles == {role_text(domain)}
    for clause in DOMAINS[domain].procedure:
        assert str(clause) in role_text(domain)
    for tool in DOMAINS[domain].tools:
        assert tool.name in role_text(domain)


def test_the_prompt_names_the_six_kinds_of_the_paper_which_are_fault_types_of_the_desk():
    kinds = taxonomy("support_desk")
    assert len(kinds) == 6
    assert set(kinds) <= {fault.name for fault in faults_of("support_desk")}


def test_the_page_is_between_the_procedure_and_the_task():
    request = ModelJudge("j", "toy", "e").request(SPECIMEN, sample=0, repeat=0)
    system, user = request.messages
    assert (system.role, user.role) == ("system", "user")
    shown = VIEWS["full-steps"].render(SPECIMEN)
    answer = answer_text("verdict-with-step")
    assert user.content == f"{shown}\n\n{task_text('check-steps')}\n\n{answer}"


def test_the_prompt_for_the_reply_says_that_unseen_steps_are_no_evidence():
    assert "no evidence" in task_text("judge-reply")
    assert "step" not in answer_text("verdict").lower()


def test_no_text_holds_a_place_that_was_not_filled():
    texts = [role_text(domain) for domain in DOMAINS_WITH_FAULTS]
    texts += [*map(task_text, TASKS), *map(answer_text, AnswerForm)]
    for text in texts:
        assert text
        assert not re.search(r"\{[a-z_]+\}", text)


def test_a_domain_without_a_list_of_kinds_is_refused():
    with pytest.raises(UsageError, match="'nowhere'"):
        role_text("nowhere")


def test_a_changed_prompt_is_reported_with_the_line_that_pins_it(check_pins, tmp_path):
    pins = tmp_path / "pins.json"
    pins.write_text('{"a": "1", "b": "2", "c": "3"}', encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match=r'"b": "9"\n"d": "4"\n\(delete "c"\)'):
        check_pins(pins, {"a": "1", "b": "9", "d": "4"})
