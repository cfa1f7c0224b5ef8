"""Replies say nothing that nothing supports."""

import re
from collections import Counter, defaultdict
from typing import NamedTuple

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Instance, Trajectory
from faultpair.env.support_desk.replies import extra_sentences, reply_sentences
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
CLAUSES = {clause.number: clause for clause in DESK.procedure}
PURPOSES = {tool.name: tool.purpose for tool in DESK.tools}
TOOLS = [tool.name for tool in DESK.tools]

AMOUNT = re.compile(r"([A-Z]{3}) (\d+\.\d{2})")
ORDER_ID = re.compile(r"ORD-\d+")
FEE = re.compile(r"(\d+(?:\.\d+)?) %")
WINDOW = re.compile(r"(\d+) days")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NAME = re.compile(r"^(?:Hi|Hello|Dear|Good day) (.+)\.$")
REASON = re.compile(r"because (.+)\.$")
ITEM = re.compile(r"^The order was for (.+)\.$")


class Said(NamedTuple):
    """A sentence of a clean reply with the run that it closes."""

    text: str
    support: tuple[str | int, ...]
    instance: Instance
    run: Trajectory

    def seen(self, tool=None):
        """Return the data of successful calls of a tool, or of all that the sentence names."""
        return [
            step.observation.data
            for step in self.run.steps[:-1]
            if step.observation.ok and step.call.tool in ([tool] if tool else self.support)
        ]

    def holds(self, value, key_ending=""):
        """Return whether a named observation holds a value under a key with this ending."""
        return any(
            value == found and key.endswith(key_ending)
            for data in self.seen()
            for key, found in data.items()
        )


@pytest.fixture(scope="module")
def runs():
    instances = [DESK.generate(6, index) for index in range(600)]
    return [(instance, clean_run(DESK, instance)) for instance in instances]


@pytest.fixture(scope="module")
def replies(runs):
    """Every sentence of every clean reply."""
    return [
        Said(*sentence, instance, run)
        for instance, run in runs
        for sentence in reply_sentences(instance, run.steps[:-1])
    ]


@pytest.fixture(scope="module")
def extras(runs):
    """Every further sentence that a clean run supports."""
    return [
        Said(*sentence, instance, run)
        for instance, run in runs
        for sentence in extra_sentences(instance, run.steps[:-1])
    ]


@pytest.fixture(scope="module")
def sentences(replies, extras):
    return replies + extras


def test_a_reply_is_its_sentences(runs):
    for instance, run in runs:
        said = reply_sentences(instance, run.steps[:-1])
        assert run.final_answer == " ".join(sentence.text for sentence in said)


def test_every_sentence_names_its_support_and_none_is_a_bare_greeting(sentences):
    assert all(said.support for said in sentences)


def test_a_tool_that_a_sentence_names_was_called_with_success(sentences):
    for said in sentences:
        for source in said.support:
            assert source in CLAUSES or said.seen(source), said.text


def test_a_support_is_a_tool_or_a_clause(sentences):
    assert {source for said in sentences for source in said.support} <= {*TOOLS, *CLAUSES}


def test_an_amount_is_in_the_named_observation_in_its_currency(sentences):
    found = [(said, match) for said in sentences for match in AMOUNT.finditer(said.text)]
    assert len(found) > 200
    for said, match in found:
        assert said.holds(float(match[2]), f"_{match[1].lower()}"), said.text


def test_an_order_number_is_that_of_the_request_and_of_the_named_call(sentences):
    found = [(said, match[0]) for said in sentences for match in ORDER_ID.finditer(said.text)]
    assert len(found) > 500
    for said, order_id in found:
        assert order_id in said.instance.goal
        named = [step.call.args for step in said.run.steps if step.call.tool in said.support]
        assert any(args.get("order_id") == order_id for args in named), said.text


def test_a_name_is_in_the_named_observation(replies):
    found = [(said, NAME.match(said.text)) for said in replies if NAME.match(said.text)]
    assert len(found) == 600
    assert all(said.holds(match[1], "name") for said, match in found)


def test_a_reason_is_what_the_escalation_says_and_the_world_said_before(replies):
    found = [(said, REASON.search(said.text)) for said in replies if REASON.search(said.text)]
    assert len(found) > 300
    for said, match in found:
        assert said.holds(match[1], "reason")
        reasons = [
            text
            for step in said.run.steps
            if step.call.tool in {"check_eligibility", "issue_refund"}
            for text in (step.observation.error, step.observation.data.get("reason"))
        ]
        assert match[1] in reasons


@pytest.mark.parametrize(
    ("pattern", "key", "read"),
    [
        (FEE, "restocking_fee_pct", float),
        (WINDOW, "refund_window_days", int),
        (DAY, "purchased_on", str),
        (ITEM, "item", str),
    ],
)
def test_a_fee_window_day_or_item_is_in_the_named_observation(sentences, pattern, key, read):
    # A reason may speak of a window too; it is quoted as a whole.
    found = [
        (said, match)
        for said in sentences
        if not REASON.search(said.text)
        for match in pattern.finditer(said.text)
    ]
    assert len(found) > 50
    for said, match in found:
        assert said.holds(read(match[match.lastindex or 0]), key), said.text


def test_no_number_is_left_that_is_none_of_these(sentences):
    for said in sentences:
        rest = said.text
        for pattern in (REASON, AMOUNT, ORDER_ID, FEE, WINDOW, DAY, ITEM, NAME):
            rest = pattern.sub("", rest)
        assert not re.search(r"\d", rest), said.text


def stems(text):
    """Return the beginnings of the words that carry meaning."""
    words = re.findall(r"[a-z]+", text.lower())
    stop = {"that", "this", "with", "will", "from", "your", "have", "which", "been", "then", "when"}
    return {word[:5] for word in words if len(word) > 3 and word not in stop}


def test_a_sentence_that_a_clause_supports_repeats_its_content(sentences):
    resting = {
        (said.text, said.support)
        for said in sentences
        if any(source in CLAUSES for source in said.support)
    }
    assert len(resting) >= 5
    for text, support in resting:
        backing = " ".join(
            f"{CLAUSES[source]}" if source in CLAUSES else PURPOSES[source] for source in support
        )
        shared = stems(text) & stems(backing)
        assert len(shared) >= 2, text
        assert len(shared) >= len(stems(text)) / 2, text


def test_a_reply_states_the_amount_that_was_paid_or_the_reason_that_was_given(runs):
    for _, run in runs:
        if run.end_state["action"] == "refund":
            (amount,) = (value for value in run.end_state.values() if isinstance(value, float))
            assert f"{amount:.2f}" in run.final_answer
        else:
            assert REASON.search(run.final_answer.split(". ", 1)[1].split(". ")[0] + ".")


def test_only_the_owner_is_given_item_day_and_price(extras):
    for said in extras:
        if said.instance.difficulty == "wrong_customer":
            assert not any(secret.search(said.text) for secret in (AMOUNT, DAY, ITEM))


def test_no_reply_names_another_customer(sentences):
    for said in sentences:
        (other,) = said.instance.other_customers
        shown = said.text.replace(said.instance.customer.name, "")
        for secret in (other.name, other.customer_id, other.email):
            assert secret not in shown


def test_replies_vary(replies):
    """Several phrasings of each kind of sentence occur, whatever values they hold."""
    kinds = defaultdict(Counter)
    for said in replies:
        shape = said.text
        for pattern in (REASON, AMOUNT, ORDER_ID, FEE):
            shape = pattern.sub("…", shape)
        shape = NAME.sub(lambda match: match[0].replace(match[1], "…"), shape)
        kinds[said.support][shape] += 1
    assert len(kinds) >= 6
    for support, shapes in kinds.items():
        assert len(shapes) >= 2, support
        assert max(shapes.values()) <= 0.6 * shapes.total(), support


def test_without_observations_a_reply_claims_nothing():
    instance = DESK.generate(0, 0)
    greeting, outcome = reply_sentences(instance, ())
    assert greeting.text == "Hello."
    assert "not" in outcome.text
    assert extra_sentences(instance, ()) == ()
