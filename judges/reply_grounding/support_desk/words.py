"""The words of refunds and hand-overs, by concept.

They come from the written procedure, the names of the tools and of their outputs, and
everyday synonyms. Any other word is taken for something without a record.
"""

from __future__ import annotations

from ..terms import Lexicon

__all__ = ["LEXICON"]

_WORDS = {
    # Manners
    "greeting": "hi, hello, dear, good day, good morning, good afternoon, good evening",
    "courtesy": (
        "thank you, thanks, thank, sorry, apologise, apologize, apologies, sincerely, regards, "
        "kind regards, best regards, warm regards, best wishes, inconvenience, questions, any "
        "questions, any further questions, question, let me know, let us know, patience, "
        "understanding, understand, contacting us, reaching out, reaching out to us, getting in "
        "touch, contact us, contact me, writing, for writing to us, hope this helps, good news, "
        "happy, glad, pleased, confirm, inform, regret, afraid, note, message, help, assist, "
        "customer support, support team, customer service"
    ),
    # Persons
    "self": "i, we",
    "customer": "customer, customer's, customers",
    "specialist": "specialist, specialists, colleague, representative, expert",
    "other": "other, another, another's, different, someone else, somebody else",
    "account": "account, accounts, customer account",
    # Subjects
    "order": "order, orders, purchase",
    "item": "item, product, article",
    "case": (
        "case, request, matter, issue, refund request, refund case, request for a refund, "
        "refund enquiry, enquiry, inquiry, concern"
    ),
    "record": "record, records, details, information, customer record, order details",
    "policy": "policy, policies, refund policy, return policy, terms, rules, refund terms",
    "window": "window, period, refund window, return window, refund period, return period",
    "day": "day, days",
    "total": "total, price, order total, total price, purchase price",
    "money": "money, amount, sum, payment, funds",
    "full": "full, entire, whole",
    "method": "payment method, original payment method, payment method used, method of payment",
    "fee": "fee, restocking fee, deduction",
    # Actions
    "refund": "refund, refunds, reimbursement",
    "refunded": "refunded, refunded before, reimbursed, repaid",
    "sent": (
        "sent, sent back, sent to, returned, returned to, paid, paid back, transferred, credited"
    ),
    "issued": (
        "issued, issue, processed, process, made, make, completed, complete, done, offer, "
        "initiated, issuing, processing, successful"
    ),
    "moves": (
        "go, goes, going, go back, goes back, going back, come back, reach, on its way, sent "
        "to, returned to, back, appear, arrive, receive"
    ),
    "find": "find",
    "used": "used, paid with",
    "handed": (
        "escalated, escalate, passed, handed, forwarded, referred, transferred, handed over, "
        "passed on, raised, has the case, has your case"
    ),
    "review": "review, reviews, reviewed, take a look, look into, looks at, examine",
    "contact": "contact, contacts, reach out, get in touch, be in touch, follow up",
    "kept": (
        "kept, keeps, deducted, withheld, applies, applied, less, minus, after deducting, reflects"
    ),
    # Records and findings
    "read": (
        "read, opened, looked up, found, located, retrieved, pulled up, consulted, reviewed, "
        "looked at, checked, verified, confirmed, show, shows, gone through, went through, "
        "passed through"
    ),
    "check": "eligibility check, eligibility, check",
    "eligible": "eligible, qualifies, qualify, qualified, refundable, can be refunded",
    "decided": "decided, deciding, decide",
    "named": "named, mentioned, provided, gave, asked about",
    "approved": "approved, approve, authorised, authorized, granted, grant",
    "possible": "possible, able",
    "negation": "declined, refused, rejected, ineligible",
    # Reasons against a refund
    "already": "already, previously, refunded before",
    "excluded": "excluded, excludes, non-refundable, nonrefundable, exempt",
    "ended": (
        "ended, passed, expired, is over, are over, closed, outside, past, exceeded, exceeds, "
        "elapsed, beyond, too late, longer"
    ),
    "inside": "within, inside",
    "placed": "placed, purchased, bought, ordered, ago, old, since purchase, purchase was made",
    "owned": "belongs, belong, owned, registered",
    "status": "status",
}

LEXICON = Lexicon(
    {concept: tuple(entry.strip() for entry in row.split(",")) for concept, row in _WORDS.items()}
)
