"""The request in three tiers: what each says, and that there are many ways to say it."""

import re

import pytest

from faultpair.env.records import Call
from faultpair.env.rng import stream
from faultpair.env.workflow import Workflow
from faultpair.env.workflow.numerals import numbers_in
from faultpair.env.workflow.requests import grammar, patterns
from faultpair.env.workflow.requests.clauses import clauses_of
from faultpair.env.workflow.sectors import sector_named

GRID = sector_named("energy_grid")
CHAIN = (
    Call("get_feeder_load", {"feeder_id": "FD-203"}),
    Call("compute_line_headroom", {"load_kw": "$get_feeder_load.load_kw", "capacity_kw": 12_000}),
)
LOOP = (
    Call("get_feeder_load", {"feeder_id": "FD-203"}),
    Call("get_feeder_load", {"feeder_id": "FD-411"}),
    Call(
        "total_feeder_loads",
        {"feeder_loads": ["$get_feeder_load.load_kw", "$get_feeder_load#2.load_kw"]},
    ),
)


def requests_at(tier, plan, draws=120):
    clauses = clauses_of(GRID, plan)
    return [tier(clauses, stream("wording", draw)) for draw in range(draws)]


def test_an_easy_request_spells_out_steps_names_values_and_flow():
    for query in requests_at(grammar.easy, CHAIN):
        assert "get the feeder load" in query
        assert re.search(r"feeder id\b.*FD-203|FD-203.*feeder id\b", query)
        assert re.search(r"capacity kw\b.*12000 kW|12000 kW.*capacity kw\b", query)
        assert "load kw" in query
        assert "the step before" in query


def test_a_medium_request_has_steps_and_exact_values_but_no_names():
    for query in requests_at(grammar.medium, CHAIN):
        assert "et the feeder load on FD-203" in query
        assert "ompute the line headroom with room for 12000 kW in all" in query
        assert "feeder id" not in query


def test_a_hard_request_has_plain_values_and_only_what_is_wanted_in_the_end():
    for query in requests_at(grammar.hard, CHAIN):
        assert "feeder 203" in query
        assert "with room for twelve thousand kW in all" in query
        assert "how much more it could carry" in query
        assert "how hard the line is working" not in query
        assert "FD-203" not in query


def test_a_hard_request_states_what_only_refines_a_goal():
    enriched = [Workflow().generate(7, index) for index in range(80)]
    enriched = [record for record in enriched if record.difficulty == "optional_enrichment"]
    assert enriched
    for record in enriched:
        sector = sector_named(record.sector)
        clauses = clauses_of(sector, record.plan)
        (refined,) = (part for clause in clauses for part in clause.fed if part.parameter.optional)
        assert clauses[refined.source].tool.hint in record.query_hard


def test_a_loop_is_stated_once_with_its_values_listed():
    clauses = clauses_of(GRID, LOOP)
    assert [len(clause.stated) for clause in clauses] == [1, 0]
    assert "FD-203 and then FD-411" in grammar.easy(clauses, stream("loop"))
    assert "on each of FD-203 and FD-411" in grammar.medium(clauses, stream("loop"))
    assert "feeder 203 and feeder 411" in grammar.hard(clauses, stream("loop"))


@pytest.mark.parametrize("tier", [grammar.easy, grammar.medium, grammar.hard])
@pytest.mark.parametrize("plan", [CHAIN, LOOP], ids=["chain", "loop"])
def test_the_wording_varies(tier, plan):
    assert len(set(requests_at(tier, plan))) >= 12


@pytest.mark.parametrize("tier", [grammar.easy, grammar.medium, grammar.hard])
def test_a_request_is_made_of_sentences(tier):
    for query in requests_at(tier, CHAIN):
        assert re.fullmatch(r"[A-Z][^{}]*[.?]", query)
        assert "  " not in query


def test_no_pattern_holds_a_number_word():
    texts = [*patterns.OPENINGS, *patterns.CLOSINGS, *patterns.ABOUT, *patterns.FACTS]
    texts += [*patterns.QUESTIONS, *patterns.ASSURANCES, *patterns.GREETINGS, *patterns.REMARKS]
    for chain in (*patterns.JOINED, *patterns.SENTENCES):
        texts += [chain.opening, *chain.then, *chain.also]
    for leads, last in patterns.ORDERS:
        texts += [*leads, last or ""]
    for style in patterns.ARGUMENT_STYLES:
        texts += [style.frame, style.stated, style.same, style.other]
    assert not [text for text in texts if list(numbers_in(text))]


def test_a_plan_without_a_subject_is_stated_as_facts():
    plan = (Call("compute_line_headroom", {"load_kw": 4_000, "capacity_kw": 12_000}),)
    query = grammar.hard(clauses_of(GRID, plan), stream("facts"))
    assert "at four thousand kW and with room for twelve thousand kW in all." in query
