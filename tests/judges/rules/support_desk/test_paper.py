"""Each of the eight rules on a run of a few steps."""

import pytest

from faultpair.judges.rules.support_desk import RULES


def judged(desk, *steps):
    finding = RULES.judge(desk.exhibit(*steps))
    return finding.rationale.split(" ")[0].split("_")[0], finding.failure_step


SILENT = ("no", None)


def test_runs_by_the_procedure_break_no_rule(desk):
    assert judged(desk, *desk.refund_run()) == SILENT
    assert judged(desk, *desk.hand_over_run()) == SILENT


def test_r4_a_value_without_a_source(desk):
    assert judged(desk, desk.customer(email="bo@example.com")) == ("R4", 0)
    assert judged(desk, desk.order(order_id="ORD-2")) == ("R4", 0)
    assert judged(desk, desk.policy()) == ("R4", 0)
    assert judged(desk, *desk.reads(), desk.check(), desk.refund(44.0)) == ("R4", 4)


def test_r4_a_step_does_not_ground_itself_and_a_failed_one_grounds_nothing(desk):
    failed = desk.failed(desk.order(), "no such order")
    assert judged(desk, failed, desk.policy()) == ("R4", 1)


def test_r4_quotes_the_offending_value(desk):
    finding = RULES.judge(desk.exhibit(desk.policy(sku="SKU-GIFT-1")))
    assert finding.rationale.startswith("R4_ungrounded_argument (clause 7): get_policy is called")
    assert "'SKU-GIFT-1'" in finding.rationale


def test_r4_free_text_is_not_checked(desk):
    run = (*desk.reads(), desk.not_eligible(), desk.escalate("made up"), desk.reply("made up"))
    assert judged(desk, *run) == SILENT


@pytest.mark.parametrize("amount", [None, "45.0", [45.0], {"x": 45.0}, float("nan"), True])
def test_r4_an_amount_that_is_no_number_is_grounded_in_nothing(desk, amount):
    assert judged(desk, *desk.reads(), desk.check(), desk.refund(amount)) == ("R4", 4)


def test_r1_a_refund_that_no_check_has_passed(desk):
    assert judged(desk, *desk.reads(), desk.refund(50.0)) == ("R1", 3)
    assert judged(desk, *desk.reads(), desk.not_eligible(), desk.refund(50.0)) == ("R1", 4)


def test_r1_the_latest_check_counts(desk):
    run = (*desk.reads(), desk.check(), desk.not_eligible(), desk.refund())
    assert judged(desk, *run) == ("R1", 5)


def test_r6_the_owner_is_another_customer(desk):
    run = (desk.customer(), desk.order(customer_id="CUS-2"), desk.check(), desk.refund())
    assert judged(desk, *run) == ("R6", 3)


def test_r6_says_nothing_while_customer_or_order_are_unknown(desk):
    assert judged(desk, desk.order(customer_id="CUS-2"), desk.check(), desk.refund())[0] == "R5"


def test_r7_the_order_was_refunded_before(desk):
    run = (desk.customer(), desk.order(status="refunded"), desk.check(), desk.refund())
    assert judged(desk, *run) == ("R7", 3)
    twice = (*desk.reads(), desk.check(), desk.refund(), desk.refund(), desk.reply())
    assert judged(desk, *twice) == ("R7", 5)


def test_r2_an_amount_other_than_the_authorised_one(desk):
    assert judged(desk, *desk.reads(), desk.check(), desk.refund(50.0)) == ("R2", 4)


def test_r2_a_cent_is_tolerated(desk):
    run = (*desk.reads(), desk.check(), desk.refund(45.01), desk.reply())
    assert judged(desk, *run) == SILENT


def test_r3_a_check_of_an_order_never_looked_up(desk):
    assert judged(desk, desk.customer(), desk.check()) == ("R3", 1)


def test_r5_a_reply_that_is_not_last(desk):
    assert judged(desk, *desk.reads(), desk.reply(), desk.check()) == ("R5", 3)
    assert judged(desk, *desk.refund_run(), desk.reply()) == ("R5", 5)


def test_r5_no_reply_is_blamed_on_the_last_step_and_comes_before_r8(desk):
    assert judged(desk, *desk.reads(), desk.check()) == ("R5", 3)


def test_r8_neither_refund_nor_hand_over(desk):
    assert judged(desk, *desk.reads(), desk.check(), desk.reply()) == ("R8", 4)


def test_r8_a_refund_that_was_refused_was_attempted(desk):
    refused = desk.failed(desk.refund(), "refused")
    assert judged(desk, *desk.reads(), desk.check(), refused, desk.reply()) == SILENT
