"""World 2: nothing on a page tells the index of an instance; world 1 stays as it was."""

import re
from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.rng import drawn_order, serial_number
from faultpair.injector.catalog import faults_of
from faultpair.injector.conformance import check_fault
from faultpair.judges.exhibit import exhibit_of
from faultpair.oracle.catalog import clean_run

OURS = ("toy", "support_desk", "workflow")
DESK, WORKFLOW = DOMAINS["support_desk"], DOMAINS["workflow"]


@pytest.fixture(scope="module", params=OURS)
def domain(request):
    return DOMAINS[request.param]


@pytest.fixture(scope="module")
def desk():
    return [DESK.generate_in(2, 7, index) for index in range(600)]


def page_of(domain, seed, index):
    instance = domain.generate_in(2, seed, index)
    return msgspec.json.encode(exhibit_of(clean_run(domain, instance), instance)).decode()


def test_world_1_is_what_a_domain_generates(domain):
    for index in range(6):
        assert domain.generate_in(1, 7, index) == domain.generate(7, index)
        assert domain.scenario_in(1, 7, index) == domain.scenario(index)


def test_an_instance_carries_its_world_and_world_1_is_not_written(domain):
    first, second = (domain.generate_in(world, 7, 3) for world in (1, 2))
    assert (first.world, second.world) == (1, 2)
    assert b'"world"' not in msgspec.json.encode(first)
    assert msgspec.json.encode(second).endswith(b'"world":2}')
    for instance in (first, second):
        read = msgspec.json.decode(msgspec.json.encode(instance), type=domain.instance_type)
        assert read == instance


def test_an_instance_of_an_unknown_world_is_not_read(domain):
    line = msgspec.json.encode(domain.generate_in(2, 7, 3)).replace(b'"world":2', b'"world":3')
    with pytest.raises(msgspec.ValidationError, match="world"):
        msgspec.json.decode(line, type=domain.instance_type)


def test_each_block_has_the_scenarios_of_world_1_in_an_order_of_its_own(domain):
    n = len(domain.scenarios)
    blocks = [range(start, start + n) for start in range(0, 40 * n, n)]
    orders = set()
    for block in blocks:
        drawn = [domain.scenario_in(2, 7, index) for index in block]
        assert Counter(drawn) == Counter(map(domain.scenario, block))
        orders.add(tuple(drawn))
    assert len(orders) > 1


def test_the_scenario_of_an_index_depends_on_the_seed(domain):
    assert len({domain.scenario_in(2, seed, 3) for seed in range(40)}) > 1


def test_the_scenario_is_that_of_the_instance(domain):
    for index in range(12):
        assert domain.generate_in(2, 7, index).difficulty == domain.scenario_in(2, 7, index)


def test_a_page_shows_neither_the_index_nor_the_id_of_an_instance(domain):
    shown = [page_of(domain, seed, 31_415) for seed in range(4)]
    assert not [page for page in shown if "31415" in page]
    assert len(set(shown)) == 4


def test_every_number_of_a_desk_page_depends_on_the_seed():
    ids = [re.findall(r"(?:CUS|ORD)-\d+", page_of(DESK, seed, 5)) for seed in range(60)]
    first_customers, first_orders = (
        {next(name for name in names if name.startswith(kind)) for names in ids}
        for kind in ("CUS", "ORD")
    )
    assert len(first_customers) == len(first_orders) == 60


def test_customers_and_orders_of_a_set_have_ids_of_their_own(desk):
    customers = [one.customer_id for each in desk for one in (each.customer, *each.other_customers)]
    assert len(set(customers)) == len(customers) == 1200
    assert len({each.order.order_id for each in desk}) == 600


def test_the_second_customer_has_an_id_of_the_same_range(desk):
    def leading(customers):
        return Counter(one.customer_id[:5] for one in customers)

    first = leading(each.customer for each in desk)
    second = leading(other for each in desk for other in each.other_customers)
    assert first.keys() == second.keys() == {f"CUS-{digit}" for digit in range(1, 9)}
    assert max(abs(first[key] - second[key]) for key in first) < 40


def test_tickets_of_the_cloakroom_are_unique():
    toy = DOMAINS["toy"]
    tickets = {toy.generate_in(2, 7, index).given["ticket"] for index in range(2_000)}
    assert len(tickets) == 2_000


def test_a_clean_plan_uses_a_twin_as_often_as_its_original():
    used = Counter()
    for index in range(600):
        instance = WORKFLOW.generate_in(2, 7, index)
        canonical = WORKFLOW.plans.canonical(instance)
        tools = {call.tool for call in instance.plan}
        used["twin"] += len(tools & canonical.keys())
        used["original"] += len(tools & set(canonical.values()))
    n = used.total()
    assert n > 200
    assert abs(used["twin"] - n / 2) < 2 * n**0.5  # four standard deviations


def test_two_equal_tools_in_a_pool_do_not_show_that_the_plan_uses_one():
    pairs, seen = Counter(), Counter()
    for index in range(600):
        instance = WORKFLOW.generate_in(2, 7, index)
        canonical = WORKFLOW.plans.canonical(instance)
        used = {canonical.get(call.tool, call.tool) for call in instance.plan}
        pool = Counter(canonical.get(tool.name, tool.name) for tool in instance.tools)
        for job in pool.keys() & set(canonical.values()):
            seen[job in used] += 1
            pairs[job in used] += pool[job] == 2
    assert abs(pairs[True] / seen[True] - pairs[False] / seen[False]) < 0.1


def test_in_world_1_no_clean_plan_uses_a_twin():
    for index in range(100):
        instance = WORKFLOW.generate(7, index)
        assert not {call.tool for call in instance.plan} & WORKFLOW.plans.canonical(instance).keys()


def test_the_control_takes_the_other_of_two_equal_tools_in_either_direction():
    control = next(fault for fault in faults_of("workflow") if fault.name == "equivalent_tool")
    directions = set()
    for index in range(200):
        instance = WORKFLOW.generate_in(2, 7, index)
        run = clean_run(WORKFLOW, instance)
        canonical = WORKFLOW.plans.canonical(instance)
        directions |= {run.calls[s.step].tool in canonical for s in control.sites(instance, run)}
    assert directions == {True, False}


@pytest.mark.parametrize(
    "fault",
    [fault for name in OURS for fault in faults_of(name)],
    ids=lambda fault: f"{fault.domain}-{fault.name}",
)
def test_every_fault_keeps_its_contract_in_world_2(fault):
    report = check_fault(fault, 300, seed=4, world=2, max_hosts=4)
    assert report.ok, report


@pytest.mark.parametrize("n", [1, 2, 6])
def test_a_drawn_order_has_each_number_once(n):
    orders = {drawn_order(n, seed, "test") for seed in range(50)}
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(n))}
    assert len(orders) > 1 or n == 1


def test_serial_numbers_are_unique_and_of_one_length():
    numbers = [serial_number(nth, 3, "test") for nth in range(20_000)]
    assert len(set(numbers)) == 20_000
    assert {len(str(number)) for number in numbers} == {8}
    assert max(numbers) < 90_000_000


def test_neighbouring_serial_numbers_have_no_common_distance():
    numbers = [serial_number(nth, 3, "test") for nth in range(1_000)]
    gaps = Counter(b - a for a, b in pairwise(numbers))
    assert max(gaps.values()) == 1


@pytest.mark.parametrize("nth", [-1, 80_000_000])
def test_there_is_no_serial_number_outside_the_range(nth):
    with pytest.raises(ValueError, match=f"no number {nth}"):
        serial_number(nth, 3, "test")


def test_the_whole_range_is_used():
    left_out = serial_number(79_999_999, 3, "test")
    assert 10_000_000 <= left_out < 90_000_000
