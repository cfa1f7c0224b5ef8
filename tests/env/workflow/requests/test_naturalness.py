"""What makes a request unnatural, each by its reason."""

import pytest
from msgspec.structs import replace

from faultpair.env.workflow import Workflow
from faultpair.env.workflow.requests.naturalness import naturalness_problems

CHAIN = next(
    record
    for record in (Workflow().generate(3, index) for index in range(60))
    if record.difficulty == "linear" and len(record.plan) == 2 and record.plan[0].args
)


def reasons(record):
    return {problem.partition(":")[0] for problem in naturalness_problems(record)}


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda query: query.replace(" ", "  ", 1), "left-over"),
        (lambda query: query + " {}.", "left-over"),
        (lambda query: query[0].lower() + query[1:], "sentence form"),
        (lambda query: query.rstrip(".?"), "sentence form"),
        (lambda query: f"{query} Thanks. Thanks.", "repeated sentence"),
        (lambda query: f"{query} Use {CHAIN.plan[0].tool}.", "raw name"),
        (lambda query: query + " Please." * 300, "length"),
    ],
)
def test_an_unnatural_request_is_named(damage, reason):
    record = replace(CHAIN, query_hard=damage(CHAIN.query_hard))
    assert reason in reasons(record)


def test_a_tier_that_gives_away_as_much_as_the_tier_before_is_refused():
    assert "explicitness" in reasons(replace(CHAIN, query_medium=CHAIN.query_easy))
    assert "explicitness" in reasons(replace(CHAIN, query_hard=CHAIN.query_medium))
