"""Replies of the support desk to a customer, in several phrasings of each sentence.

Each sentence of a reply names its support: the tool whose observation states it, or the
clause that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..records import Step
from .instances import SupportDeskInstance
from .money import money_key, spell

__all__ = ["extra_sentences", "reply_sentences"]

_GREETINGS = ("Hi {name}.", "Hello {name}.", "Dear {name}.", "Good day {name}.")
_REFUNDED = (
    "I have refunded {amount} for order {order_id}.",
    "Your refund of {amount} for order {order_id} has been issued.",
    "I have sent back {amount} for order {order_id}.",
    "For order {order_id}, {amount} has been refunded.",
)
_FEE = (
    "A restocking fee of {fee} % was kept.",
    "The policy of the item keeps a restocking fee of {fee} %.",
    "This is the price less the restocking fee of {fee} %.",
)
_METHOD = (
    "The money goes back to the payment method that you used.",
    "You will find it on the payment method that you used for the order.",
)
_NOT_REFUNDED = (
    "I cannot refund order {order_id} because {reason}.",
    "A refund of order {order_id} is not possible because {reason}.",
    "Order {order_id} could not be refunded because {reason}.",
)
_HANDED_OVER = (
    "I have handed the case to a specialist, who will contact you.",
    "A specialist now has the case and will contact you.",
    "I have passed your case on, and a specialist will contact you.",
)
_NOTHING_DONE = (
    "I have not made a refund for order {order_id} and have not passed the case on.",
    "For order {order_id} nothing has been refunded or passed on so far.",
)
_NAMES_THE_METHOD = 1 << 39
"""The bit of an instance's wording that adds a sentence on the payment method."""

_Seen = dict[str, dict[str, Any]]
"""The data of the successful observations that a reply may rest on, by tool."""


class Sentence(NamedTuple):
    """A sentence of a reply and its support: names of tools and numbers of clauses."""

    text: str
    support: tuple[str | int, ...]


def reply_sentences(instance: SupportDeskInstance, steps: Sequence[Step]) -> tuple[Sentence, ...]:
    """Return the sentences of the reply that the observations support."""
    seen = _seen_in(steps)
    voice = _Voice(instance)
    greeting, order_id = _greeting(seen, voice), instance.given["order_id"]
    if "issue_refund" in seen:
        return (greeting, *_refunded(instance, seen, voice, order_id))
    if "escalate" in seen:
        return (greeting, *_handed_over(seen, voice, order_id))
    return greeting, Sentence(voice.pick(_NOTHING_DONE, 1).format(order_id=order_id), ())


def extra_sentences(instance: SupportDeskInstance, steps: Sequence[Step]) -> tuple[Sentence, ...]:
    """Return further sentences that the observations support and a reply does not need.

    Only the owner of the order is given item, date and price.
    """
    seen = _seen_in(steps)
    extras = [*_on_actions(seen)]
    order, customer = seen.get("lookup_order"), seen.get("get_customer", {})
    if order and order["customer_id"] == customer.get("customer_id"):
        extras += _on_the_order(order, instance.order.currency)
    return tuple(extras)


def _on_actions(seen: _Seen) -> Iterator[Sentence]:
    if "lookup_order" in seen:
        yield Sentence("I have opened the order that you named.", ("lookup_order",))
    if "get_policy" in seen:
        window = seen["get_policy"]["refund_window_days"]
        yield Sentence("Before I decided, I read the refund policy of the item.", ("get_policy",))
        yield Sentence(f"The refund window of the item is {window} days.", ("get_policy",))
    if "check_eligibility" in seen:
        yield Sentence("The order went through our eligibility check.", ("check_eligibility",))


def _on_the_order(order: dict[str, Any], currency: str) -> Iterator[Sentence]:
    total = spell(round(order[money_key("total", currency)] * 100), currency)
    yield Sentence(f"The total of the order was {total}.", ("lookup_order",))
    if "item" in order:
        yield Sentence(f"The order was for {order['item']}.", ("lookup_order",))
    if "purchased_on" in order:
        day = order["purchased_on"]
        yield Sentence(f"The order was placed on {day}.", ("lookup_order",))


def _seen_in(steps: Sequence[Step]) -> _Seen:
    seen: _Seen = {}
    for step in steps:
        observation = step.observation
        if observation is not None and observation.ok:
            tool = step.call.tool
            # The first refund and the first escalation count, as in the world.
            if tool not in seen or tool not in ("issue_refund", "escalate"):
                seen[tool] = observation.data
    return seen


class _Voice:
    """Picks one phrasing of each kind of sentence for an instance."""

    __slots__ = ("_bits",)

    def __init__(self, instance: SupportDeskInstance) -> None:
        self._bits = instance.wording >> 16

    def pick(self, options: tuple[str, ...], slot: int) -> str:
        return options[(self._bits >> 4 * slot & 15) % len(options)]


def _greeting(seen: _Seen, voice: _Voice) -> Sentence:
    if "get_customer" not in seen:
        return Sentence("Hello.", ())
    text = voice.pick(_GREETINGS, 0).format(name=seen["get_customer"]["name"])
    return Sentence(text, ("get_customer",))


def _refunded(
    instance: SupportDeskInstance, seen: _Seen, voice: _Voice, order_id: str
) -> list[Sentence]:
    currency = instance.order.currency
    cents = round(seen["issue_refund"][money_key("refunded", currency)] * 100)
    text = voice.pick(_REFUNDED, 1).format(amount=spell(cents, currency), order_id=order_id)
    sentences = [Sentence(text, ("issue_refund",))]
    fee = seen.get("get_policy", {}).get("restocking_fee_pct", 0.0)
    total = seen.get("lookup_order", {}).get(money_key("total", currency), 0.0)
    if fee and cents < round(total * 100):
        sentences.append(Sentence(voice.pick(_FEE, 2).format(fee=f"{fee:g}"), ("get_policy",)))
    if instance.wording & _NAMES_THE_METHOD:
        sentences.append(Sentence(voice.pick(_METHOD, 3), (5,)))
    return sentences


def _handed_over(seen: _Seen, voice: _Voice, order_id: str) -> list[Sentence]:
    text = voice.pick(_NOT_REFUNDED, 1).format(order_id=order_id, reason=seen["escalate"]["reason"])
    return [
        Sentence(text, ("escalate", "check_eligibility")),
        Sentence(voice.pick(_HANDED_OVER, 2), ("escalate", 6)),
    ]
