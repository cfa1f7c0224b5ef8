"""The share of its plan that the request of each tier states."""

from statistics import mean

from msgspec.structs import replace

from faultpair.env.plans.records import Tier
from faultpair.env.workflow import Workflow
from faultpair.env.workflow.requests.explicitness import explicitness
from faultpair.env.workflow.requests.naturalness import LEAST_STEP

CHAIN = next(
    record
    for record in (Workflow().generate(3, index) for index in range(60))
    if record.difficulty == "linear" and len(record.plan) == 2 and record.plan[0].args
)


def test_easy_states_everything_and_each_tier_at_least_a_tenth_less():
    records = [Workflow().generate(5, index) for index in range(60)]
    shares = [[explicitness(record, tier).share for tier in Tier] for record in records]
    for easy, medium, hard in shares:
        assert easy == 1
        assert easy - medium >= LEAST_STEP
        assert medium - hard >= LEAST_STEP
    assert mean(hard for _, _, hard in shares) < 0.1


def test_explicitness_counts_names_values_and_tools():
    easy, medium = explicitness(CHAIN, Tier.EASY), explicitness(CHAIN, Tier.MEDIUM)
    assert easy.names == easy.names_stated > 0
    assert easy.values == easy.values_stated == medium.values_stated > 0
    assert easy.tools == easy.tools_stated == medium.tools_stated == 2
    assert medium.names_stated == 0


def test_a_value_inside_a_longer_one_is_not_stated():
    exact = explicitness(CHAIN, Tier.EASY).values_stated
    longer = replace(CHAIN, query_easy=CHAIN.query_easy.replace("-", "-9"))
    assert explicitness(longer, Tier.EASY).values_stated < exact


def test_a_name_counts_as_words_and_in_snake_case():
    names = {key.partition(".")[2] for key in CHAIN.given}
    for query in (" ".join(names), " ".join(name.replace("_", " ") for name in names)):
        stated = explicitness(replace(CHAIN, query_hard=query), Tier.HARD)
        assert stated.names_stated == len(names)
