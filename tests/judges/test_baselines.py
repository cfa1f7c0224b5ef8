import msgspec
import pytest

from faultpair.judges.baselines import BlindCoin, Constant
from faultpair.judges.exhibit import Exhibit


def exhibit(number):
    given = {"order_id": f"ORD-{number}", "email": "ada@example.com"}
    return Exhibit("support_desk", "A refund, please.", given, (), "Done.", None)


def n_flagged(coin, n):
    return sum(coin.judge(exhibit(number)).faulty for number in range(n))


@pytest.mark.parametrize("faulty", [True, False])
def test_a_constant_judge_says_one_thing(faulty):
    judge = Constant("constant", "One answer.", faulty=faulty)
    assert {judge.judge(exhibit(number)).faulty for number in range(5)} == {faulty}


def test_equal_exhibits_get_equal_tosses_in_any_order_of_keys():
    for number in range(20):
        one = exhibit(number)
        turned = msgspec.structs.replace(one, given=dict(reversed(one.given.items())))
        assert one == turned
        assert BlindCoin().judge(one) == BlindCoin().judge(turned)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_the_share_flagged_is_the_rate(rate):
    # Four standard deviations of a share among 2,000.
    assert abs(n_flagged(BlindCoin(rate), 2000) / 2000 - rate) < 4 * 0.5 / 2000**0.5


def test_a_rate_of_zero_flags_nothing_and_of_one_everything():
    assert n_flagged(BlindCoin(0.0), 200) == 0
    assert n_flagged(BlindCoin(1.0), 200) == 200


def test_another_seed_is_another_coin():
    tosses = [[BlindCoin(seed=s).judge(exhibit(n)).faulty for n in range(64)] for s in (0, 1)]
    assert tosses[0] != tosses[1]


def test_two_exhibits_are_tossed_independently():
    agreed = sum(
        BlindCoin().judge(exhibit(n)).faulty == BlindCoin().judge(exhibit(-n - 1)).faulty
        for n in range(2000)
    )
    assert abs(agreed / 2000 - 0.5) < 4 * 0.5 / 2000**0.5


def test_an_exhibit_with_no_canonical_form_is_unscored_with_a_reason():
    half_a_character = "\ud800"
    strange = msgspec.structs.replace(exhibit(0), given={"order_id": half_a_character})
    finding = BlindCoin().judge(strange)
    assert finding.faulty is None
    assert finding.unscored.startswith("the exhibit cannot be written as JSON")
