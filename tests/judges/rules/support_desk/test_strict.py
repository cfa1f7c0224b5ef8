"""What the strict pack flags, by fault type of the catalogue, and what it lets pass."""

import pytest

from faultpair.judges.rules.support_desk import STRICT

SILENT = (False, None, None)


def judged(desk, *steps):
    finding = STRICT.judge(desk.exhibit(*steps))
    return finding.faulty, finding.failure_step, finding.failure_type


REFUSAL = "the order has already been refunded"


def rival_run(desk):
    refused = desk.failed(desk.refund(), REFUSAL)
    return (*desk.reads(), desk.check(), refused, desk.escalate(REFUSAL), desk.reply())


@pytest.mark.parametrize("run", ["refund_run", "hand_over_run"])
def test_runs_by_the_procedure_pass(desk, run):
    assert judged(desk, *getattr(desk, run)()) == SILENT


def test_a_run_that_a_rival_upset_passes(desk):
    assert judged(desk, *rival_run(desk)) == SILENT


@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize("run", ["refund_run", "hand_over_run"])
def test_a_read_that_timed_out_and_was_repeated_passes(desk, run, at):
    steps = list(getattr(desk, run)())
    steps.insert(at, desk.timed_out(steps[at]))
    assert judged(desk, *steps) == SILENT


@pytest.mark.parametrize("run", ["refund_run", "hand_over_run"])
def test_the_free_reads_may_be_swapped(desk, run):
    customer, order, *rest = getattr(desk, run)()
    assert judged(desk, order, customer, *rest) == SILENT


def test_the_policy_may_be_read_before_the_customer(desk):
    customer, order, policy, *rest = desk.refund_run()
    assert judged(desk, order, policy, customer, *rest) == SILENT


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("read", [0, 1, 2])
def test_a_record_may_be_read_again_until_the_reply(desk, read, at):
    steps = list(desk.refund_run())
    if at > read:
        steps.insert(at, steps[read])
    assert judged(desk, *steps) == SILENT


def test_what_a_reply_says_is_not_read(desk):
    *steps, _ = desk.refund_run()
    assert judged(desk, *steps, desk.reply("I also sent you a car.")) == SILENT


def without(steps, at):
    return [step for index, step in enumerate(steps) if index != at]


def test_faults_among_the_reads(desk):
    customer, order, policy, *rest = desk.refund_run()
    other = desk.customer(email="bo@example.com", customer_id="CUS-2")
    invented = desk.failed(desk.policy("SKU-GIFT-1"), "no such item")
    assert judged(desk, order, policy, *rest) == (True, 2, "unverified_customer")
    assert judged(desk, other, order, policy, *rest) == (True, 0, "verified_someone_else")
    assert judged(desk, customer, order, *rest) == (True, 2, "policy_unread")
    assert judged(desk, customer, order, order, *rest) == (True, 2, "wrong_tool")
    assert judged(desk, customer, order, invented, *rest) == (True, 2, "hallucinated_argument")
    assert judged(desk, customer, policy, *rest) == (True, 1, None)


def test_a_time_out_taken_for_an_answer(desk):
    customer, order, policy, *rest = desk.refund_run()
    steps = (customer, order, desk.timed_out(policy), *rest)
    assert judged(desk, *steps) == (True, 3, "timeout_as_answer")


def test_another_call_is_no_repetition_of_the_one_that_timed_out(desk):
    customer, order, policy, *rest = desk.refund_run()
    steps = (desk.timed_out(customer), order, customer, policy, *rest)
    assert judged(desk, *steps) == (True, 1, "timeout_as_answer")


def test_faults_around_the_check(desk):
    *reads, check, refund, reply = desk.refund_run()
    assert judged(desk, *reads, refund, check, reply) == (True, 3, "check_after_action")
    assert judged(desk, *reads, refund, reply) == (True, 3, "skipped_precondition")
    *reads, check, hand_over, reply = desk.hand_over_run()
    assert judged(desk, *reads, hand_over, check, reply) == (True, 3, "check_after_action")
    assert judged(desk, *reads, check, desk.refund(50.0), reply) == (
        True, 4, "refunded_despite_refusal",
    )  # fmt: skip


def test_steps_that_come_too_early(desk):
    customer, order, policy, check, refund, reply = desk.refund_run()
    paid = (customer, order, refund, policy, check, reply)
    checked = (customer, check, order, policy, refund, reply)
    replied = (customer, order, policy, check, reply, refund)
    assert judged(desk, *paid) == (True, 2, "paid_up_front")
    assert judged(desk, *checked) == (True, 1, "checked_before_reading")
    assert judged(desk, *replied) == (True, 4, "replied_before_acting")


def test_faults_of_the_refund(desk):
    *before, refund, reply = desk.refund_run()
    refused = desk.failed(refund, REFUSAL)
    elsewhere = desk.failed(desk.refund(order_id="ORD-2"), "no such order")
    assert judged(desk, *before, refund, refused, reply) == (True, 5, "repeated_refund")
    assert judged(desk, *before, desk.refund(22.5), reply) == (True, 4, "partial_refund")
    assert judged(desk, *before, desk.refund(50.0), reply) == (True, 4, "ignored_observation")
    assert judged(desk, *before, desk.refund(4500.0), reply) == (True, 4, "amount_in_cents")
    assert judged(desk, *before, elsewhere, reply) == (True, 4, "wrong_order_refunded")
    assert judged(desk, *before, refund, desk.escalate(), reply)[:2] == (True, 5)


def test_an_owner_other_than_the_customer(desk):
    customer, _, *rest = desk.refund_run()
    steps = (customer, desk.order(customer_id="CUS-2"), *rest)
    assert judged(desk, *steps) == (True, 4, "ignored_observation")


def test_faults_of_the_hand_over(desk):
    *before, refund, reply = desk.refund_run()
    hand_over = desk.escalate()
    assert judged(desk, *before, hand_over, refund, reply) == (True, 4, "needless_escalation")
    assert judged(desk, *before, hand_over, reply) == (True, 4, "escalated_instead")
    *before, hand_over, reply = desk.hand_over_run()
    assert judged(desk, *before, hand_over, hand_over, reply) == (True, 5, "repeated_escalation")
    assert judged(desk, *before, desk.escalate("a hunch"), reply) == (
        True,
        4,
        "false_reason_escalated",
    )


@pytest.mark.parametrize("at", range(7))
def test_a_run_that_a_rival_upset_can_still_miss_a_step(desk, at):
    assert judged(desk, *without(rival_run(desk), at))[0]


def test_an_action_claimed_and_not_made(desk):
    assert judged(desk, *without(desk.refund_run(), 4)) == (True, 4, "refund_claimed_not_made")
    assert judged(desk, *without(desk.hand_over_run(), 4)) == (True, 4, "action_claimed_not_made")


def test_runs_that_stop_early(desk):
    assert judged(desk, *desk.refund_run()[:2]) == (True, 1, "stopped_after_lookup")
    assert judged(desk, *desk.refund_run()[:4]) == (True, 3, "premature_stop")
    assert judged(desk, *desk.refund_run()[:5]) == (True, 4, "left_unanswered")


def test_a_plan_that_was_never_run_is_flagged(desk):
    assert judged(desk, *map(desk.unanswered, desk.refund_run()))[0]


def test_a_tool_that_the_desk_does_not_have(desk):
    customer, *rest = desk.refund_run()
    assert judged(desk, customer, desk.tool("pay_anyone"), *rest) == (True, 1, "wrong_tool")


def test_a_third_argument_of_a_refund_is_not_authorised(desk):
    *before, refund, reply = desk.refund_run()
    refund.call.args["amount_eur"] = 45.0
    assert judged(desk, *before, refund, reply) == (True, 4, "ignored_observation")
