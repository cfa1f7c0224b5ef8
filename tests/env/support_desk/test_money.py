"""Money: exact in cents, whatever a call holds."""

from decimal import ROUND_HALF_EVEN, Decimal

from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.support_desk.money import (
    amount_key,
    authorised_cents,
    cents_of,
    money_key,
    spell,
)

CENTS = st.integers(1, 10**9)


@given(CENTS, st.integers(0, 1000))
def test_what_is_authorised_is_the_total_less_the_fee_rounded_half_to_even(total, tenths):
    exact = Decimal(total) * (1000 - tenths) / 1000
    assert authorised_cents(total, tenths / 10) == int(exact.quantize(Decimal(1), ROUND_HALF_EVEN))


@given(CENTS)
def test_an_amount_written_as_a_number_comes_back_to_the_cent(cents):
    assert cents_of(cents / 100, at_most=cents) == cents
    assert cents_of(cents / 100, at_most=cents - 1) is None or cents == 1


@given(
    st.none() | st.booleans() | st.text() | st.lists(st.integers()) | st.floats(max_value=0)
    | st.integers(max_value=0) | st.just(float("nan")) | st.just(float("inf"))
)  # fmt: skip
def test_a_text_without_an_amount_gives_none(value):
    assert cents_of(value, at_most=100) is None


def test_less_than_half_a_cent_is_no_amount():
    assert cents_of(0.004, at_most=100) is None
    assert cents_of(5e-324, at_most=100) is None
    assert cents_of(0.01, at_most=100) == 1


@given(CENTS)
def test_a_spelled_amount_can_be_read_back(cents):
    currency, number = spell(cents, "GBP").split(" ")
    assert currency == "GBP"
    assert Decimal(number) * 100 == cents
    assert len(number.split(".")[1]) == 2


def test_the_key_names_the_currency():
    assert money_key("total", "CHF") == "total_chf"
    assert amount_key("USD") == "amount_usd"
