"""Whether a reply states the refunded amount."""

import pytest

from faultpair.env.support_desk.confirmation import states_amount


@pytest.mark.parametrize(
    ("text", "amount", "states"),
    [
        ("I refunded EUR 60.03.", 60.03, True),
        ("I refunded 1,234.5 to you", 1234.5, True),
        ("I refunded 1.234,50 to you", 1234.5, True),
        ("Refunded: 40", 40.0, True),
        ("Refunded: 40.00!", 40.0, True),
        ("Order ORD-4003 is refunded.", 40.03, False),
        ("I refunded 400.", 40.0, False),
        ("I refunded you.", 40.0, False),
        ("9" * 10_000, 40.0, False),
    ],
)
def test_an_amount_is_recognised_in_each_notation(text, amount, states):
    assert states_amount(text, amount) is states
