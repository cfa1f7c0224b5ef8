"""Nothing outside the edited content gives a planted run away."""

import re
from collections import Counter
from itertools import count
from statistics import mean

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.support_desk.money import amount_key
from faultpair.env.support_desk.world import ALREADY_REFUNDED, EXCLUDED
from faultpair.injector.fault import Move, Truncate
from faultpair.injector.faults.support_desk.reasons import false_reason
from faultpair.injector.faults.support_desk.retelling import escalation_reply, refund_reply

DESK = DOMAINS["support_desk"]


def test_a_thought_depends_only_on_instance_tool_and_use(planted):
    for plant in planted:
        if plant.fault.name != "thought_reworded":
            uses = Counter()
            for step in plant.run.steps:
                tool = step.call.tool
                uses[tool] += 1
                assert step.thought == DESK.dialogue.thought(plant.instance, tool, uses[tool])


def test_every_thought_of_a_planted_run_is_one_of_clean_runs(planted, clean_runs):
    thought_of = {(step.call.tool, step.thought) for _, run in clean_runs for step in run.steps}
    told = {(step.call.tool, step.thought) for plant in planted for step in plant.run.steps}
    assert told <= thought_of


def test_a_third_use_of_a_tool_draws_from_the_same_four_phrasings(clean_runs):
    for instance, _ in clean_runs[:24]:
        for tool in ("get_customer", "lookup_order", "get_policy", "escalate"):
            first_four = {DESK.dialogue.thought(instance, tool, use) for use in range(1, 5)}
            assert len(first_four) == 4
            assert DESK.dialogue.thought(instance, tool, 5) in first_four


def test_up_to_the_edit_a_planted_run_is_its_parent(planted):
    for plant in planted:
        before = first_edited(plant.edit.operation)
        if plant.fault.name == "thought_reworded":
            before = plant.edit.operation.at
        assert plant.run.steps[:before] == plant.parent.steps[:before]


def first_edited(operation):
    return min(operation.at, operation.to) if isinstance(operation, Move) else operation.at


def test_an_edit_of_the_reply_changes_no_other_step(planted):
    edits_of_the_reply = {"unsupported_claim", "misstated_amount", "longer_reply"}
    for plant in planted:
        if plant.fault.name in edits_of_the_reply:
            assert plant.run.steps[:-1] == plant.parent.steps[:-1]
            assert plant.run.goal == plant.parent.goal


def test_a_reply_in_an_unchanged_cell_is_the_parents(planted):
    for plant in planted:
        label = plant.run.label
        assert label.reply_changed == label.cell.startswith("changed")
        assert (plant.run.final_answer == plant.parent.final_answer) != label.reply_changed


def test_only_a_run_that_was_cut_short_lacks_its_reply_call(planted):
    for plant in planted:
        n_replies = sum(step.call.tool == "reply" for step in plant.run.steps)
        assert n_replies == (0 if isinstance(plant.edit.operation, Truncate) else 1)


def test_the_length_of_a_reply_does_not_reveal_an_invented_claim(planted):
    claims = added_lengths(planted, "unsupported_claim")
    extras = added_lengths(planted, "longer_reply")
    assert 0.3 < separation(claims, extras) < 0.7
    assert min(extras) <= min(claims) < max(claims) <= max(extras)


def added_lengths(planted, name):
    return [
        len(plant.run.final_answer) - len(plant.parent.final_answer)
        for plant in planted_as(planted, name)
    ]


def planted_as(planted, name):
    return [plant for plant in planted if plant.fault.name == name]


def separation(left, right):
    """Return the probability that one of the left is greater than one of the right."""
    return mean((one > other) + (one == other) / 2 for one in left[::3] for other in right)


def test_a_false_reply_has_the_very_wordings_of_true_ones(clean_runs):
    for instance, run in clean_runs:
        last = run.steps[-2].call
        if last.tool == "escalate":
            assert escalation_reply(instance, last.args["reason"]) == run.final_answer
        else:
            cents = round(last.args[amount_key(instance.order.currency)] * 100)
            assert refund_reply(instance, cents) == run.final_answer


def test_a_false_reason_has_the_very_wordings_of_true_ones(clean_runs):
    numbers = re.compile(r"\d+")
    true = {numbers.sub("n", reason) for reason in reasons_given(run for _, run in clean_runs)}
    instance = clean_runs[0][0]
    false = {
        false_reason(instance, reason, Turning(turn))
        for reason in (ALREADY_REFUNDED, EXCLUDED)
        for turn in range(8)
    }
    assert {numbers.sub("n", reason) for reason in false} == true


def test_a_false_reason_is_never_the_true_one(clean_runs):
    for instance, run in clean_runs:
        for reason in (*reasons_given([run]), ALREADY_REFUNDED):
            others = {false_reason(instance, reason, Turning(turn)) for turn in range(8)}
            assert len({other[:17] for other in others} - {reason[:17]}) == 3


def reasons_given(runs):
    return {
        step.call.args["reason"]
        for run in runs
        for step in run.steps
        if step.call.tool == "escalate"
    }


class Turning:
    """A stream that turns slowly through [0, 1)."""

    def __init__(self, turn):
        self.numbers = (((turn + step / 64) / 8) % 1 for step in count())

    def random(self):
        return next(self.numbers)


@pytest.mark.parametrize("name", ["misstated_action", "refused_eligible", "premature_stop"])
def test_a_changed_reply_greets_as_the_clean_one_does(planted, name):
    for plant in planted_as(planted, name):
        if plant.policy == "keep":
            greeting = plant.parent.final_answer.split(".")[0]
            assert plant.run.final_answer.startswith(greeting)
