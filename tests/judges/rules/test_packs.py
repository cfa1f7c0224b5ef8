"""What holds for every rule of every pack, and for any exhibit that JSON can describe."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call, Observation, Step
from faultpair.judges.exhibit import Exhibit
from faultpair.judges.rules import support_desk, toy

PACKS = [("support_desk", pack) for pack in support_desk.PACKS]
PACKS += [("toy", pack) for pack in toy.PACKS]


def identify(value):
    return getattr(value, "judge_id", value)


@pytest.mark.parametrize(("domain", "pack"), PACKS, ids=identify)
def test_every_rule_enforces_a_clause_of_its_domain(domain, pack):
    clauses = {clause.number for clause in DOMAINS[domain].procedure}
    assert {rule.clause for rule in pack.rules} <= clauses


@pytest.mark.parametrize(("domain", "pack"), PACKS, ids=identify)
def test_names_are_unique_and_tools_exist(domain, pack):
    assert len({rule.name for rule in pack.rules}) == len(pack.rules)
    tools = {tool.name for tool in DOMAINS[domain].tools}
    assert {tool for rule in pack.rules for tool in rule.tools} <= tools


WORDS = ["ada@example.com", "ORD-1", "SKU-1", "CUS-1", "refunded", "timed out after 30 s", ""]
KEYS = [
    "email", "order_id", "sku", "reason", "text", "customer_id", "status", "eligible", "ticket",
    "coat", "amount_eur", "amount_gbp", "amount_", "max_refund_eur", "max_refund_gbp", "note",
]  # fmt: skip
TOOLS = [
    "get_customer", "lookup_order", "get_policy", "check_eligibility", "issue_refund", "escalate",
    "reply", "find_coat", "hand_over", "pay_anyone", "",
]  # fmt: skip

SCALARS = (
    st.sampled_from(WORDS)
    | st.text(max_size=5)
    | st.none()
    | st.booleans()
    | st.floats(allow_nan=True)
    | st.integers()
    | st.sampled_from([0, 1, -1.0, 12.5, 10**400, -(10**400), "x" * 10_000])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), JSON, max_size=4)
OBSERVATIONS = st.none() | st.builds(
    Observation, st.booleans(), OBJECTS, st.none() | st.sampled_from(WORDS)
)
STEPS = st.builds(
    Step, st.just(0), st.just(""), st.builds(Call, st.sampled_from(TOOLS), OBJECTS), OBSERVATIONS
)
EXHIBITS = st.builds(
    Exhibit, st.just("support_desk"), st.text(), OBJECTS, st.lists(STEPS, max_size=8).map(tuple),
    st.text(), st.none() | OBJECTS, st.none() | OBJECTS,
)  # fmt: skip


def nest(depth):
    value = "core"
    for _ in range(depth):
        value = {"in": [value]}
    return value


def extreme(make):
    """Return a run that uses one value for every argument and finds it everywhere."""
    hung = Observation(False, {}, "timed out after 30 s")
    seen = Observation(True, dict.fromkeys(KEYS, make()) | {"eligible": True}, None)
    steps = tuple(
        Step(0, "", Call(tool, dict.fromkeys(KEYS, make())), observation)
        for tool in TOOLS
        for observation in (hung, seen, None)
    )
    given = {"email": make(), "order_id": make(), "ticket": make()}
    return Exhibit("support_desk", "", given, steps, "", None)


def assert_well_formed(pack, exhibit):
    finding = pack.judge(exhibit)
    assert finding == pack.judge(exhibit)
    assert finding.faulty in (True, False)
    assert finding.confidence in (0.95, 0.60)
    assert len(finding.rationale.encode()) < 500
    if finding.failure_step is not None:
        assert 0 <= finding.failure_step < len(exhibit.steps)


@pytest.mark.parametrize(("domain", "pack"), PACKS, ids=identify)
@given(exhibit=EXHIBITS)
def test_no_json_makes_a_pack_raise_and_its_finding_is_well_formed(domain, pack, exhibit):
    assert_well_formed(pack, exhibit)


EXTREMES = {
    "a word that fits": lambda: "ORD-1",
    "NaN": lambda: math.nan,
    "half characters": lambda: "\ud800" * 1000,
    "a huge number": lambda: 10**5000,
    "a deep nest": pytest.param(lambda: nest(10_000), marks=pytest.mark.slow),
}


@pytest.mark.parametrize("make", EXTREMES.values(), ids=EXTREMES)
@pytest.mark.parametrize(("domain", "pack"), PACKS, ids=identify)
def test_a_finding_is_well_formed_with_an_extreme_value_in_every_place(domain, pack, make):
    assert_well_formed(pack, extreme(make))


@given(
    run=st.sampled_from(["refund_run", "hand_over_run"]),
    at=st.integers(0, 5),
    part=st.sampled_from(["args", "data"]),
    changes=OBJECTS,
    kept=st.booleans(),
)
def test_a_finding_is_well_formed_with_one_garbled_step(desk, run, at, part, changes, kept):
    steps = list(getattr(desk, run)())
    values = steps[at].call.args if part == "args" else steps[at].observation.data
    garbled = (dict(values) if kept else {}) | changes
    values.clear()
    values.update(garbled)
    for _, pack in PACKS:
        assert_well_formed(pack, desk.exhibit(*steps))
