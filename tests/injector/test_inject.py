"""Planting one fault: the run, its reply, its label and its name."""

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import UsageError
from faultpair.env.records import Cell, ReplyPolicy
from faultpair.env.rng import stream
from faultpair.injector.catalog import find_fault
from faultpair.injector.inject import inject
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
RESTOCKING = 1
EXPIRED = 2


def plant(name, index, policy=ReplyPolicy.KEEP, variant=None):
    instance = DESK.generate(0, index)
    parent = clean_run(DESK, instance)
    fault = find_fault("support_desk", name)
    site = next(s for s in fault.sites(instance, parent) if variant in (None, s.variant))
    return parent, inject(DESK, instance, parent, fault, site, rng=stream(0, "test"), policy=policy)


def test_under_the_policy_keep_the_reply_reports_the_clean_run():
    parent, run = plant("escalated_instead", RESTOCKING)
    assert run.final_answer == parent.final_answer
    assert run.label.cell == Cell.UNCHANGED_LOST


def test_under_the_policy_consistent_the_reply_reports_the_planted_run():
    _, run = plant("escalated_instead", RESTOCKING, ReplyPolicy.CONSISTENT)
    assert run.steps[4].call.args["reason"] in run.final_answer
    assert run.label.cell == Cell.CHANGED_LOST


def test_a_refund_against_the_check_is_owned_up_to_under_the_policy_consistent():
    _, run = plant("refunded_despite_refusal", EXPIRED, ReplyPolicy.CONSISTENT)
    total = DESK.generate(0, EXPIRED).order.total_cents / 100
    assert f"{total:.2f}" in run.final_answer


def test_an_edit_of_the_reply_cannot_be_planted_under_the_policy_consistent():
    with pytest.raises(UsageError, match="'unsupported_claim' has no policy 'consistent'"):
        plant("unsupported_claim", RESTOCKING, ReplyPolicy.CONSISTENT)


def test_the_label_names_parent_type_step_variant_and_edit():
    parent, run = plant("unsupported_claim", EXPIRED, variant="b")
    label = run.label
    assert (label.faulty, label.failure_type, label.failure_step) == (True, "unsupported_claim", 5)
    assert label.parent_id == parent.trajectory_id == "INS-00002-clean"
    assert label.variant.startswith("b/")
    assert label.edit.split('"')[1] in run.final_answer


def test_a_control_is_not_faulty_and_names_itself():
    _, run = plant("extra_read", EXPIRED)
    label = run.label
    assert (label.faulty, label.failure_type, label.failure_step) == (False, None, None)
    assert label.control == "extra_read"
    assert label.outcome_correct


def test_an_id_holds_instance_type_variant_and_policy():
    assert plant("wrong_tool", EXPIRED)[1].trajectory_id == "INS-00002-wrong_tool"
    _, run = plant("partial_refund", RESTOCKING, ReplyPolicy.CONSISTENT, "split")
    assert run.trajectory_id == "INS-00001-partial_refund-split-consistent"


def test_a_run_that_is_cut_short_ends_with_the_last_word_of_the_fault():
    _, run = plant("stopped_after_lookup", EXPIRED)
    assert [step.call.tool for step in run.steps] == ["get_customer", "lookup_order"]
    assert DESK.generate(0, EXPIRED).order.order_id in run.final_answer
