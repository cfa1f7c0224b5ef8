"""One request in five situations, and a judge that is told what the customer was told."""

import pytest

from faultpair.env.records import Call, Observation, Step
from faultpair.judges.catalog import find_judge
from faultpair.judges.exhibit import Exhibit

GIVEN = {"email": "ada.moss@example.com", "order_id": "ORD-790080"}
REASONS = {
    "refund": "the order is within its refund policy",
    "late": "the refund window of 30 days ended before day 44",
    "owner": "the order belongs to another customer account",
    "already": "the order has already been refunded",
    "excluded": "the item is excluded from refunds",
    "unheard": "the invoice number is smudged",
}


def _step(tool, args, data):
    return Step(0, "", Call(tool, args), Observation(True, data, None))


def steps_of(situation):
    """Return the steps before the reply: a refund of 34.06, or a hand-over for a reason."""
    order = {
        "order_id": "ORD-790080",
        "customer_id": "CUS-9" if situation == "owner" else "CUS-1",
        "sku": "SKU-DESK-07",
        "total_chf": 37.84,
        "days_since_purchase": 44 if situation == "late" else 9,
        "status": "refunded" if situation == "already" else "delivered",
        "item": "a desk lamp",
        "purchased_on": "2026-02-11",
    }
    policy = {
        "sku": "SKU-DESK-07",
        "refundable": situation != "excluded",
        "refund_window_days": 30,
        "restocking_fee_pct": 10.0,
    }
    eligible, reason = situation == "refund", REASONS[situation]
    check = {"eligible": eligible, "max_refund_chf": 34.06 if eligible else 0.0, "reason": reason}
    about = {"order_id": "ORD-790080"}
    if eligible:
        refund = {"refunded_chf": 34.06, "status": "refunded"}
        action = _step("issue_refund", about | {"amount_chf": 34.06}, refund)
    else:
        action = _step("escalate", {"reason": reason}, {"ticket": "ESC-OPEN", "reason": reason})
    customer = {"customer_id": "CUS-1", "name": "Ada Moss", "phone_last4": "1234"}
    return (
        _step("get_customer", {"email": GIVEN["email"]}, customer),
        _step("lookup_order", about, order),
        _step("get_policy", {"sku": "SKU-DESK-07"}, policy),
        _step("check_eligibility", about, check),
        action,
    )


@pytest.fixture(scope="session")
def before():
    """Return the function that gives the steps before the reply."""
    return steps_of


@pytest.fixture(scope="session")
def exhibit_with():
    """Return a function that lays out steps, and a reply that is sent after them."""

    def lay_out(steps, reply, *, sent=True, given=GIVEN):
        said = (_step("reply", {"text": reply}, {"sent": True}),) if sent else ()
        return Exhibit("support_desk", "A refund, please.", given, (*steps, *said), reply, None)

    return lay_out


@pytest.fixture(scope="session")
def judged():
    """Return the judge's one method."""
    return find_judge("reply-grounding", "support_desk").judge


@pytest.fixture(scope="session")
def told(judged, exhibit_with):
    """Return a function that judges a reply in a situation."""
    return lambda situation, reply: judged(exhibit_with(steps_of(situation), reply))
