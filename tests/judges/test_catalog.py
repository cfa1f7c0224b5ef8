import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import UsageError
from faultpair.judges.catalog import PACKS, find_judge, judges_of

GENERAL = ["state-check", "flag-all", "flag-none", "blind-coin"]


def test_each_domain_has_its_packs_and_the_general_judges():
    desk = ["rules", "sequence", "strict", "reply-grounding", "composite"]
    assert list(judges_of("support_desk")) == [*desk, *GENERAL]
    assert list(judges_of("toy")) == ["rules", *GENERAL]
    assert set(PACKS) == set(DOMAINS)


def test_a_domain_from_elsewhere_has_the_general_judges():
    assert list(judges_of("elsewhere")) == GENERAL


@pytest.mark.parametrize("domain", list(PACKS))
def test_a_judge_is_held_under_its_own_id(domain):
    for judge_id in judges_of(domain):
        assert find_judge(judge_id, domain).judge_id == judge_id


def test_the_rules_of_two_domains_are_two_judges():
    assert find_judge("rules", "toy") is not find_judge("rules", "support_desk")


def test_an_unknown_judge_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"No judge is named 'rulez'.*rules, state-check"):
        find_judge("rulez", "toy")
