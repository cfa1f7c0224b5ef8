"""A desk at which tests write runs by hand, one short line a step."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from faultpair.env.records import Call, Observation, Step
from faultpair.judges.exhibit import Exhibit

PINS_DIFFER = """\
A prompt has changed, so each judge that uses it is another judge. If that is meant, give these
judges new ids in every study that has answers, and set these lines in {file}:
{lines}"""


@pytest.fixture
def check_pins() -> Callable[[Path, dict[str, str]], None]:
    """Return a function that compares prompt hashes with a file of pins, which people edit."""

    def check(file: Path, hashes: dict[str, str]) -> None:
        pins = json.loads(file.read_text(encoding="utf-8"))
        lines = [f'"{name}": "{now}"' for name, now in hashes.items() if pins.get(name) != now]
        lines += [f'(delete "{name}")' for name in pins if name not in hashes]
        if lines:
            pytest.fail(PINS_DIFFER.format(file=file, lines="\n".join(lines)))

    return check


GIVEN = {"email": "ada.moss@example.com", "order_id": "ORD-1"}
ORDER = {"order_id": "ORD-1", "customer_id": "CUS-1", "sku": "SKU-LAMP-07", "total_gbp": 50.0}
POLICY = {"sku": "SKU-LAMP-07", "refundable": True, "restocking_fee_pct": 10.0}
REASON = "the item is excluded from refunds"


def _step(tool, args, data, *, error=None):
    return Step(0, "", Call(tool, args), Observation(error is None, data, error))


class Desk:
    """Steps of the support desk as its world would answer them, and exhibits made of them."""

    def customer(self, email=GIVEN["email"], customer_id="CUS-1"):
        return _step("get_customer", {"email": email}, {"customer_id": customer_id, "name": "Ada"})

    def order(self, order_id="ORD-1", **data):
        return _step("lookup_order", {"order_id": order_id}, ORDER | data)

    def policy(self, sku="SKU-LAMP-07"):
        return _step("get_policy", {"sku": sku}, dict(POLICY))

    def check(self, order_id="ORD-1", amount=45.0, reason="within policy"):
        data = {"eligible": amount > 0, "max_refund_gbp": amount, "reason": reason}
        return _step("check_eligibility", {"order_id": order_id}, data)

    def not_eligible(self):
        return self.check(amount=0.0, reason=REASON)

    def refund(self, amount=45.0, order_id="ORD-1"):
        args = {"order_id": order_id, "amount_gbp": amount}
        return _step("issue_refund", args, {"refunded_gbp": amount, "status": "refunded"})

    def escalate(self, reason=REASON):
        return _step("escalate", {"reason": reason}, {"ticket": "ESC", "reason": reason})

    def reply(self, text="Done."):
        return _step("reply", {"text": text}, {"sent": True})

    def tool(self, tool, **args):
        return _step(tool, args, {}, error="there is no such tool")

    def failed(self, step, error):
        return msgspec.structs.replace(step, observation=Observation(False, {}, error))

    def timed_out(self, step):
        return self.failed(step, "timed out after 30 s")

    def unanswered(self, step):
        return msgspec.structs.replace(step, observation=None)

    def reads(self):
        return (self.customer(), self.order(), self.policy())

    def refund_run(self):
        return (*self.reads(), self.check(), self.refund(), self.reply())

    def hand_over_run(self):
        return (*self.reads(), self.not_eligible(), self.escalate(), self.reply())

    def exhibit(self, *steps, given=GIVEN):
        numbered = tuple(msgspec.structs.replace(s, index=i) for i, s in enumerate(steps))
        return Exhibit("support_desk", "A refund, please.", given, numbered, "Done.", None)


@pytest.fixture(scope="session")
def desk():
    """Return a desk; it has no state."""
    return Desk()
