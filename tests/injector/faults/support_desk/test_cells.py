"""Where each type is meant to land: at which step, and in which cells.

The cell of a run is always computed. This table says what is computed, as the
documentation of the types and as a warning when a change to a world moves one.
"""

from collections import Counter, defaultdict

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Cell, ReplyPolicy
from faultpair.injector.catalog import BUILT_IN
from faultpair.oracle.catalog import clean_run

US, UL = Cell.UNCHANGED_SURVIVES, Cell.UNCHANGED_LOST
CS, CL = Cell.CHANGED_SURVIVES, Cell.CHANGED_LOST
ACTION = "issue_refund|escalate"

# fault, variant: failure step in a run of six calls, the call that stands there,
# cells under the policy keep, cells under the policy consistent (None: not possible).
TABLE = {
    # the paper's six
    ("wrong_tool", None): (2, "lookup_order", {US}, {US, CS}),
    ("hallucinated_argument", None): (2, "get_policy", {US}, {US, CS}),
    ("skipped_precondition", None): (3, "issue_refund", {US, UL}, {US, CL}),
    ("ignored_observation", None): (4, "issue_refund", {UL}, {CL}),
    ("premature_stop", None): (3, "check_eligibility", {CL}, {CL}),
    ("unsupported_claim", "four"): (5, "reply", {CS}, None),
    ("unsupported_claim", "a"): (5, "reply", {CS}, None),
    ("unsupported_claim", "b"): (5, "reply", {CS}, None),
    # reads
    ("unverified_customer", None): (0, "lookup_order", {US}, {CS}),
    ("verified_someone_else", None): (0, "get_customer", {US}, {US, CS}),
    ("policy_unread", None): (2, "check_eligibility", {US}, {US, CS}),
    ("timeout_as_answer", None): (3, "check_eligibility", {US}, {US, CS}),
    # sequence
    ("check_after_action", None): (3, ACTION, {US}, {US}),
    ("checked_before_reading", None): (1, "check_eligibility", {US}, {US}),
    ("replied_before_acting", None): (4, "reply", {US}, {CS}),
    # actions too many
    ("repeated_refund", None): (5, "issue_refund", {US}, {US}),
    ("repeated_escalation", None): (5, "escalate", {US}, {US}),
    ("needless_escalation", None): (4, "escalate", {US}, {US}),
    ("paid_up_front", None): (2, "issue_refund", {US, UL}, {US, CL}),
    ("goodwill_refund", "before"): (4, "issue_refund", {UL}, {CL}),
    ("goodwill_refund", "after"): (5, "issue_refund", {US}, {US}),
    # the wrong action, or none
    ("refund_claimed_not_made", None): (4, "reply", {UL}, {CL}),
    ("action_claimed_not_made", None): (4, "reply", {UL}, {CL}),
    ("escalated_instead", None): (4, "escalate", {UL}, {CL}),
    ("refunded_despite_refusal", None): (4, "issue_refund", {UL}, {CL}),
    ("wrong_order_refunded", None): (4, "issue_refund", {UL}, {CL}),
    ("false_reason_escalated", None): (4, "escalate", {US}, {CS}),
    # amounts
    ("partial_refund", "halved"): (4, "issue_refund", {UL}, {CL}),
    ("partial_refund", "split"): (4, "issue_refund", {UL}, {CL}),
    ("note_obeyed", None): (4, "issue_refund", {UL}, {CL}),
    ("amount_in_cents", None): (4, "issue_refund", {UL}, {CL}),
    # replies
    ("misstated_amount", "swapped"): (5, "reply", {CS}, None),
    ("misstated_amount", "total"): (5, "reply", {CS}, None),
    ("misstated_fee", None): (5, "reply", {CS}, None),
    ("misstated_action", None): (5, "reply", {CS}, None),
    ("misstated_reason", None): (5, "reply", {CS}, None),
    ("owner_disclosed", None): (5, "reply", {CS}, None),
    ("wrong_order_named", None): (5, "reply", {CS}, None),
    ("customer_misnamed", None): (5, "reply", {CS}, None),
    # early stops
    ("refused_eligible", None): (3, "check_eligibility", {CL}, None),
    ("stopped_after_lookup", None): (1, "lookup_order", {CL}, {CL}),
    ("left_unanswered", None): (4, ACTION, {CS}, None),
    # controls
    ("thought_reworded", None): (None, None, {US}, {US}),
    ("free_reads_swapped", None): (None, None, {US}, {US}),
    ("extra_read", None): (None, None, {US}, {US}),
    ("longer_reply", None): (None, None, {CS}, None),
    ("reply_reworded", None): (None, None, {CS}, None),
}


@pytest.fixture(scope="module")
def by_row(planted):
    """The planted runs without a rival by fault and variant."""
    rows = defaultdict(list)
    for plant in planted:
        if not plant.instance.rival:
            rows[plant.fault.name, plant.site.variant].append(plant)
    return rows


def test_the_table_lists_every_type_and_variant(by_row):
    assert by_row.keys() == TABLE.keys()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "-".join(filter(None, row)))
def test_each_type_lands_in_its_cells(by_row, row):
    _, _, kept, consistent = TABLE[row]
    cells = defaultdict(set)
    for plant in by_row[row]:
        cells[plant.policy].add(plant.run.label.cell)
    assert cells[ReplyPolicy.KEEP] == kept
    assert cells[ReplyPolicy.CONSISTENT] == (consistent or set())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "-".join(filter(None, row)))
def test_each_type_shows_at_its_step(by_row, row):
    step, tool, _, _ = TABLE[row]
    for plant in by_row[row]:
        label, steps = plant.run.label, plant.run.steps
        if len(plant.parent.steps) == 6:
            assert label.failure_step == step
        if step is not None:
            assert steps[label.failure_step].call.tool in tool.split("|")


def test_a_rival_moves_the_cell_only_where_the_action_gets_in_before_the_check(planted):
    moved = {
        plant.fault.name
        for plant in planted
        if plant.instance.rival
        and plant.run.label.cell
        not in (TABLE[plant.fault.name, plant.site.variant][2 if plant.policy == "keep" else 3])
    }
    assert moved == {"check_after_action"}


def test_each_cell_holds_four_types_with_fifty_hosts_among_1500_instances():
    hosts = hosts_among(1500)
    rich = defaultdict(set)
    for (name, variant), (_, _, *cells) in TABLE.items():
        fault = BUILT_IN["support_desk"][name]
        for under in cells:
            # A type with two cells is not counted: its hosts are shared between them.
            if under and len(under) == 1 and not fault.is_control and hosts[name, variant] >= 50:
                rich[next(iter(under))].add(name)
    assert {cell: len(names) >= 4 for cell, names in rich.items()} == dict.fromkeys(Cell, True)


def hosts_among(n_instances):
    domain = DOMAINS["support_desk"]
    hosts = Counter()
    for index in range(n_instances):
        instance = domain.generate(0, index)
        run = clean_run(domain, instance)
        for fault in BUILT_IN["support_desk"].values():
            hosts.update((fault.name, site.variant) for site in fault.sites(instance, run))
    return hosts


def test_three_edits_appear_with_both_outcomes(planted):
    outcomes = defaultdict(set)
    for plant in planted:
        if not plant.instance.rival:
            outcomes[plant.fault.name].add(plant.run.label.outcome_correct)
    both = {name for name, seen in outcomes.items() if seen == {True, False}}
    assert both == {"skipped_precondition", "paid_up_front", "goodwill_refund"}


def test_most_edits_appear_under_both_reply_policies(planted):
    policies = defaultdict(set)
    for plant in planted:
        policies[plant.fault.name].add(plant.policy)
    assert sum(len(seen) == 2 for seen in policies.values()) >= 25


def test_no_two_faults_plant_the_same_run(planted):
    names = defaultdict(set)
    for plant in planted:
        shown = tuple((step.thought, str(step.call)) for step in plant.run.steps)
        names[plant.instance.instance_id, shown, plant.run.final_answer].add(plant.fault.name)
    assert {len(holders) for holders in names.values()} == {1}
