"""The generator: what an instance depends on, what it never is, and how much it varies."""

import os
import subprocess
import sys
from collections import Counter
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.support_desk import vocabulary
from faultpair.env.support_desk.instances import SCENARIOS
from faultpair.env.support_desk.procedure import READS

ROOT = Path(__file__).resolve().parents[3]
DESK = DOMAINS["support_desk"]
generate = DESK.generate
SECONDS_A_DAY = 86400


@pytest.fixture(scope="module")
def instances():
    return [generate(0, index) for index in range(1000)]


def test_a_longer_list_starts_with_the_same_instances(instances):
    assert [generate(0, index) for index in range(100)] == instances[:100]


@given(st.integers(-5, 2**70), st.integers(0, 10**6))
def test_an_instance_depends_only_on_seed_and_index(seed, index):
    wanted = generate(seed, index)
    generate(seed + 1, index)
    generate(seed, index + 1)
    assert generate(seed, index) == wanted


def test_another_process_makes_the_same_instances():
    program = (
        "import hashlib, msgspec; from faultpair.env.support_desk import SupportDesk; "
        "lines = [msgspec.json.encode(SupportDesk().generate(7, index)) for index in range(60)]; "
        "print(hashlib.sha256(b'\\n'.join(lines)).hexdigest())"
    )
    surroundings = os.environ | {"PYTHONHASHSEED": "99", "TZ": "Asia/Kathmandu"}
    digest = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    lines = [msgspec.json.encode(generate(7, index)) for index in range(60)]
    assert digest == sha256(b"\n".join(lines)).hexdigest()


def test_seeds_give_different_instances():
    assert len({generate(seed, 0).order.order_id for seed in range(50)}) > 40


def test_scenarios_take_turns(instances):
    assert [instance.difficulty for instance in instances] == [
        SCENARIOS[index % 6] for index in range(1000)
    ]
    assert all(DESK.scenario(index) == instances[index].difficulty for index in range(1000))


def test_ids_are_unique(instances):
    for field in ("instance_id", "goal"):
        assert len({getattr(instance, field) for instance in instances}) == 1000


def test_no_instance_lies_within_a_day_of_the_edge_of_its_window():
    for index in range(10_000):
        instance = generate(3, index)
        opened = datetime.fromisoformat(instance.opened_at)
        bought = datetime.fromisoformat(instance.order.purchased_at)
        # An order is too old once it has seen one whole day more than its window has.
        edge_s = (instance.policy.refund_window_days + 1) * SECONDS_A_DAY
        age_s = (opened - bought).total_seconds()
        assert abs(age_s - edge_s) > SECONDS_A_DAY
        assert (age_s > edge_s) == (instance.difficulty == "expired")


def test_a_scenario_is_what_its_name_says(instances):
    for instance in instances:
        scenario, order, policy = instance.difficulty, instance.order, instance.policy
        assert (policy.restocking_fee_pct > 0) == (scenario == "restocking")
        assert policy.refundable == (scenario != "non_refundable")
        assert (order.status == "refunded") == (scenario == "already_refunded")
        is_owner = order.customer_id == instance.customer.customer_id
        assert is_owner == (scenario != "wrong_customer")


def test_the_required_end_state_is_one_refund_or_one_escalation(instances):
    for instance in instances:
        key = f"amount_{instance.order.currency.lower()}"
        refunds = instance.difficulty in {"happy", "restocking"} and not instance.rival
        assert instance.expected.keys() == {"action", key}
        assert instance.expected["action"] == ("refund" if refunds else "escalate")
        assert (instance.expected[key] is None) != refunds


def test_incidents_are_declared_on_some_instances_and_only_where_they_may_be(instances):
    timeouts = Counter(tool for instance in instances for tool in instance.timeouts)
    assert timeouts.keys() == set(READS)
    assert 100 < timeouts.total() < 300
    rivals = [instance for instance in instances if instance.rival]
    assert 10 < len(rivals) < 60
    assert {instance.difficulty for instance in rivals} == {"happy", "restocking"}


def test_the_customer_and_the_other_never_share_an_address(instances):
    for instance in instances:
        (other,) = instance.other_customers
        assert other.customer_id != instance.customer.customer_id
        assert other.email != instance.customer.email


def test_words_vary(instances):
    patterns = {
        instance.goal.replace(instance.given["email"], "E").replace(instance.given["order_id"], "O")
        for instance in instances
    }
    assert len(patterns) == len(vocabulary.GOALS) >= 5
    assert {instance.order.currency for instance in instances} == set(vocabulary.CURRENCIES)
    assert len({instance.customer.name for instance in instances}) > 300
    assert len({instance.order.item for instance in instances}) > 20
    notes = Counter(instance.order.note for instance in instances)
    assert len(notes) == 1 + len(vocabulary.NOTES) + len(vocabulary.INSTRUCTING_NOTES)
    assert 400 < notes[None] < 700


def test_a_goal_states_the_values_that_are_given(instances):
    for instance in instances:
        assert instance.given["email"] in instance.goal
        assert instance.given["order_id"] in instance.goal
        assert instance.given["order_id"] == instance.order.order_id
        assert instance.given["email"] == instance.customer.email
