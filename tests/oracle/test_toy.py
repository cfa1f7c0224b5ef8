"""The scripted agent of the cloakroom."""

from faultpair.env.catalog import DOMAINS
from faultpair.oracle.catalog import clean_run

CLOAKROOM = DOMAINS["toy"]


def test_a_coat_that_is_found_is_handed_over_and_a_missing_one_is_not():
    found, missing = (clean_run(CLOAKROOM, CLOAKROOM.generate(0, index)) for index in (0, 1))
    assert [step.call.tool for step in found.steps] == ["find_coat", "hand_over", "reply"]
    assert [step.call.tool for step in missing.steps] == ["find_coat", "reply"]
    assert missing.final_answer.startswith("There is no coat")
