import pytest

from faultpair.judges.rules.support_desk import SEQUENCE


def judged(desk, *steps):
    finding = SEQUENCE.judge(desk.exhibit(*steps))
    return finding.rationale.split("_")[0], finding.failure_step


SILENT = ("no rule is broken", None)


def test_the_two_free_reads_go_either_way_round(desk):
    customer, order, *rest = desk.refund_run()
    assert judged(desk, customer, order, *rest) == SILENT
    assert judged(desk, order, customer, *rest) == SILENT


def test_reading_again_and_trying_again_are_allowed(desk):
    customer, order, policy, *rest = desk.hand_over_run()
    run = (customer, order, desk.timed_out(policy), policy, order, customer, *rest)
    assert judged(desk, *run) == SILENT


@pytest.mark.parametrize(
    ("left_out", "rule", "step"),
    [(0, "Q2", 2), (1, "Q1", 1), (2, "Q4", 2), (3, "Q5", 3), (4, "Q6", 4), (5, "Q7", 4)],
)
@pytest.mark.parametrize("run", ["refund_run", "hand_over_run"])
def test_each_step_is_missed_where_the_next_depends_on_it(desk, run, left_out, rule, step):
    steps = list(getattr(desk, run)())
    del steps[left_out]
    assert judged(desk, *steps) == (rule, step)


def test_a_step_that_failed_is_not_done(desk):
    customer, order, policy, *rest = desk.refund_run()
    failed = desk.failed(policy, "no such item")
    assert judged(desk, customer, order, failed, *rest) == ("Q4", 3)


def test_nothing_comes_after_the_reply(desk):
    assert judged(desk, *desk.refund_run(), desk.order()) == ("Q7", 5)
