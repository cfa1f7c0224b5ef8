"""The engine itself, with rules made up for the purpose."""

import pytest

from faultpair.judges.rules import Facts, Rule, RulePack


def always(words):
    return lambda facts, step: words


def pack(*rules):
    return RulePack(judge_id="made-up", summary="A pack made up.", facts=Facts, rules=rules)


def test_a_pack_without_rules_is_silent_with_its_lower_confidence(desk):
    finding = pack().judge(desk.exhibit(*desk.refund_run()))
    assert (finding.faulty, finding.failure_step, finding.confidence) == (False, None, 0.60)


def test_the_finding_names_rule_clause_step_and_type(desk):
    rule = Rule("X1_late", 7, "lateness", always("too late"), tools=("get_policy",))
    finding = pack(rule).judge(desk.exhibit(*desk.refund_run()))
    assert (finding.faulty, finding.failure_step, finding.failure_type) == (True, 2, "lateness")
    assert finding.confidence == 0.95
    assert finding.rationale == "X1_late (clause 7): too late"


def test_an_earlier_step_comes_before_an_earlier_rule(desk):
    urgent = Rule("X1", 1, "urgent", always("urgent"), tools=("reply",))
    early = Rule("X2", 1, "early", always("early"), tools=("get_customer",))
    assert pack(urgent, early).judge(desk.exhibit(*desk.refund_run())).failure_type == "early"


def test_at_one_step_the_first_rule_is_named(desk):
    named = Rule("X1", 1, "named", always("named"), tools=("reply",))
    of_any = Rule("X2", 1, "any", always("any"))
    exhibit = desk.exhibit(*desk.refund_run()[-1:])
    assert pack(named, of_any).judge(exhibit).failure_type == "named"
    assert pack(of_any, named).judge(exhibit).failure_type == "any"


def test_a_rule_without_tools_is_asked_at_every_call_known_or_not(desk):
    rule = Rule("X1", 1, None, always("any"))
    named = Rule("X2", 1, None, always("reply"), tools=("reply",))
    for step in (desk.tool("sing"), desk.reply()):
        assert pack(rule, named).judge(desk.exhibit(step)).rationale.startswith("X1")


def test_a_rule_at_the_end_blames_the_last_step(desk):
    rule = Rule("X1", 1, "never", at_end=lambda facts: "missing")
    assert pack(rule).judge(desk.exhibit(*desk.reads())).failure_step == 2


def test_a_run_without_steps_can_be_flagged_and_has_no_step_to_blame(desk):
    rule = Rule("X1", 1, "never", at_end=lambda facts: "missing")
    finding = pack(rule).judge(desk.exhibit())
    assert (finding.faulty, finding.failure_step) == (True, None)


class Diary(Facts):
    """What is told to the facts, and when a rule sees it."""

    __slots__ = ("failed", "learned")

    def __init__(self, exhibit):
        super().__init__(exhibit)
        self.learned, self.failed = [], []

    def learn(self, call, data):
        self.learned.append(call.tool)

    def learn_failure(self, call, observation):
        self.failed.append((call.tool, observation is None))


@pytest.mark.parametrize("known", [[], ["get_customer"]])
def test_facts_learn_of_a_step_only_after_its_own_rules(desk, known):
    steps = [desk.customer(), desk.order()][: len(known) + 1]
    last = steps[-1].call.tool
    rule = Rule(
        "X1", 1, None, lambda facts, step: ",".join(facts.learned) or "nothing", tools=(last,)
    )
    finding = RulePack(
        judge_id="made-up", summary="A pack made up.", facts=Diary, rules=(rule,)
    ).judge(desk.exhibit(*steps))
    assert finding.rationale.endswith(",".join(known) or "nothing")


def test_calls_that_failed_or_were_never_answered_teach_no_success(desk):
    steps = (desk.timed_out(desk.customer()), desk.unanswered(desk.order()), desk.policy())
    rule = Rule("X1", 1, None, at_end=lambda facts: f"{facts.learned} {facts.failed}")
    finding = RulePack(
        judge_id="made-up", summary="A pack made up.", facts=Diary, rules=(rule,)
    ).judge(desk.exhibit(*steps))
    expected = "['get_policy'] [('get_customer', False), ('lookup_order', True)]"
    assert finding.rationale.endswith(expected)
