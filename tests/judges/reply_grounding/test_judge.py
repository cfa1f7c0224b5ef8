"""Free wording: what passes because it is so, and what is flagged because nothing says it."""

import pytest

SO = {
    "refund": [
        "I've processed your refund of 34.06 CHF.",
        "Hello Ada, I've processed your refund of 34.06 CHF for order ORD-790080.",
        "Dear Ada Moss,\n\nYour refund request for order ORD-790080 has been approved. We have "
        "refunded CHF 34.06 to your original payment method.\n\nKind regards,\nCustomer Support",
        "Your order ORD-790080 is eligible for a refund. I have issued a refund of CHF 34.06 (the "
        "order total of CHF 37.84 minus a 10% restocking fee).",
        "Your refund of CHF 34.06 for order ORD-790080 has been successfully processed. A "
        "restocking fee of 10% (CHF 3.78) was deducted.",
        "I have refunded 34,06 CHF for the desk lamp that you bought on 11 February 2026.",
        "We have issued your refund. The amount is CHF 34.06. It goes back to the payment method "
        "used for the order.",
        "I checked your order and found it eligible, so I have refunded CHF 34.06.",
        "Thanks for reaching out. A total of CHF 34.06 will be returned to your original payment "
        "method.",
        "I am happy to confirm that CHF 34.06 has been refunded for order ORD-790080.",
        "Thanks for your message, Ada. Please note that a 10% restocking fee applies to this item. "
        "You have been refunded CHF 34.06.",
        "We've approved your refund request. CHF 34.06 will go back to your payment method.",
    ],
    "late": [
        "Hi Ada Moss, I'm sorry, but I can't refund order ORD-790080 since the 30-day refund "
        "window has passed. A specialist will review your case and contact you.",
        "Your order is not eligible for a refund because the refund window of 30 days has ended. "
        "I have escalated your case to a specialist.",
        "We are unable to refund order ORD-790080, as it was purchased 44 days ago and the refund "
        "window is 30 days. I have escalated this to a specialist who will get in touch with you.",
        "Sorry Ada, no refund is possible because the 30 days are over. I have handed your case "
        "to a specialist.",
        "I'm afraid I cannot issue a refund, because the purchase was made 44 days ago. I've "
        "escalated the case.",
    ],
    "excluded": [
        "Hello Ada Moss, order ORD-790080 cannot be refunded because the item is non-refundable. "
        "I've escalated the case, and a specialist will be in touch.",
        "Sorry, this item is excluded from refunds. A specialist has your case.",
    ],
    "already": [
        "Order ORD-790080 was already refunded, so I cannot issue another refund. A specialist "
        "will contact you.",
        "Our records show that order ORD-790080 has already been refunded. I have escalated your "
        "request to a specialist.",
    ],
    "owner": [
        "I cannot refund order ORD-790080 because it belongs to a different customer. Your case "
        "has been forwarded to a specialist, who will contact you.",
        "The order does not belong to your account, so a refund is not possible. I have passed "
        "the case to a specialist.",
    ],
    "unheard": [
        "I cannot refund the order because the invoice number is smudged. I have escalated it.",
    ],
}

REFUNDED = "I have refunded CHF 34.06 for order ORD-790080. "
HANDED_OVER = "The refund window of 30 days ended before day 44. A specialist will contact you. "
NOT_SO = [
    ("refund", "I've processed your refund of 36.04 CHF."),
    ("refund", "I've processed your refund of 34.06 EUR."),
    ("refund", "I have refunded the full amount of CHF 34.06."),
    ("refund", "Hi Bob, I have refunded CHF 34.06."),
    ("refund", "I have refunded CHF 34.06 for order ORD-790081."),
    ("refund", "Your order could not be refunded because it was placed 44 days ago."),
    ("refund", f"{REFUNDED}It will be there tomorrow."),
    ("refund", f"{REFUNDED}You will receive it within 3 to 5 business days."),
    ("refund", f"{REFUNDED}A specialist will contact you."),
    ("refund", f"{REFUNDED}You can keep the desk lamp."),
    ("refund", f"{REFUNDED}No restocking fee was applied."),
    ("refund", f"{REFUNDED}A restocking fee of 15 % was deducted."),
    ("refund", f"{REFUNDED}The restocking fee has been refunded."),
    ("refund", f"{REFUNDED}We will refund the fee."),
    ("refund", f"{REFUNDED}Your other order has been refunded."),
    ("refund", f"{REFUNDED}The refund window is 60 days."),
    ("refund", f"{REFUNDED}The order was placed on 12 February 2026."),
    ("refund", f"{REFUNDED}Your order will be with you soon."),
    ("refund", f"{REFUNDED}I will contact you on Monday."),
    (
        "late",
        "I cannot refund it: the item is non-refundable. A specialist will contact you.",
    ),
    ("late", "I have refunded your order and passed the case to a specialist."),
    ("late", "I have passed the case to a specialist, who will refund you."),
    ("late", "The 14-day refund window has passed. A specialist will contact you."),
    ("late", f"{HANDED_OVER}We will contact you."),
    ("late", f"{HANDED_OVER}They will do so within 24 hours."),
    ("late", f"{HANDED_OVER}They will do so by phone."),
    ("late", f"{HANDED_OVER}Your refund will be issued soon."),
    ("late", f"{HANDED_OVER}The money goes back to the payment method that you used."),
    ("owner", "The order belongs to another customer, CUS-9. A specialist will contact you."),
    ("owner", "The order was for a desk lamp. A specialist will contact you."),
    ("owner", "The total of the order was CHF 37.84. A specialist will contact you."),
    ("unheard", "The invoice is fake, so I cannot refund the order. I have escalated it."),
]


@pytest.mark.parametrize(
    ("situation", "reply"), [(situation, reply) for situation in SO for reply in SO[situation]]
)
def test_a_true_reply_passes_in_any_of_these_wordings(told, situation, reply):
    finding = told(situation, reply)
    assert finding.faulty is False, finding.rationale


@pytest.mark.parametrize(("situation", "reply"), NOT_SO)
def test_a_claim_that_nothing_supports_is_flagged_at_the_reply(told, situation, reply):
    finding = told(situation, reply)
    assert (finding.faulty, finding.failure_step) == (True, 5)
    assert finding.failure_type == "unsupported_claim"


@pytest.mark.parametrize(
    ("reply", "confidence"),
    [
        ("I have refunded CHF 34.06. A gift is waiting for you.", 0.75),
        ("I've gone ahead and refunded CHF 34.06.", 0.75),
        ("Per our policy the refund comes to CHF 34.06.", 0.75),
        ("I have refunded CHF 34.60.", 0.95),
        ("I have refunded CHF 34.06. A specialist will contact you.", 0.95),
    ],
)
def test_confidence_is_lower_for_unknown_words_than_for_false_claims(told, reply, confidence):
    finding = told("refund", reply)
    assert (finding.faulty, finding.confidence) == (True, confidence)


def test_a_reply_that_does_not_say_what_was_done_is_no_end(told):
    finding = told("refund", "Thank you for contacting us.")
    assert (finding.failure_step, finding.failure_type) == (5, "premature_stop")


@pytest.mark.parametrize("reply", ["", "I am looking into order ORD-790080."])
def test_a_run_that_stops_before_it_acts_is_stopped_early(judged, before, exhibit_with, reply):
    finding = judged(exhibit_with(before("late")[:4], reply, sent=False))
    assert (finding.failure_step, finding.failure_type) == (3, "premature_stop")


def test_a_refund_that_was_never_made_is_an_unsupported_claim(judged, before, exhibit_with):
    finding = judged(exhibit_with(before("refund")[:4], REFUNDED))
    assert (finding.failure_step, finding.failure_type) == (4, "unsupported_claim")


def test_what_is_observed_after_the_reply_does_not_support_it(judged, before, exhibit_with):
    *reads, refund = before("refund")
    early = exhibit_with(reads, REFUNDED)
    late = exhibit_with((*early.steps, refund), REFUNDED, sent=False)
    assert judged(late).failure_step == 4


def test_a_refund_reported_truly_needs_the_check_that_called_for_it(judged, before, exhibit_with):
    steps = before("refund")
    finding = judged(exhibit_with((*steps[:3], steps[4]), REFUNDED))
    assert (finding.failure_step, finding.failure_type) == (3, "skipped_precondition")
    finding = judged(exhibit_with((*before("late")[:4], steps[4]), REFUNDED))
    assert (finding.failure_step, finding.failure_type) == (4, "ignored_observation")


def test_the_reason_that_an_agent_gives_is_no_evidence_of_it(judged, before, exhibit_with):
    steps = (*before("refund")[:4], before("late")[4])
    finding = judged(exhibit_with(steps, HANDED_OVER))
    assert (finding.failure_step, finding.failure_type) == (4, "ignored_observation")
