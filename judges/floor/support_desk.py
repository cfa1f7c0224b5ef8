"""A judge that reads the digits of an id and the names of tools: no clause, no date, no amount.

In world 1 the digits are the index of the instance, and the index tells which outcome is right.
It is asked as ``python:faultpair.judges.floor.support_desk:by_digits``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["by_digits", "digits_in", "flags", "shows_the_other_prefix"]

_REFUND, _ESCALATE = "issue_refund", "escalate"
_CUSTOMER = re.compile(r"CUS-\d+")
_OTHER_PREFIX = "CUS-9"
_N_SCENARIOS, _N_REFUNDED = 6, 2


def by_digits(document: Mapping[str, Any]) -> dict[str, Any]:
    """Answer an exhibit: whether its outcome is another than the digits say."""
    return {"faulty": shows_the_other_prefix(document) or flags(document, digits_in(document))}


def digits_in(document: Mapping[str, Any]) -> int | None:
    """Return the last five digits of the first customer id that an observation shows."""
    for data in _answers(document):
        for value in data.values():
            if isinstance(value, str) and _CUSTOMER.fullmatch(value):
                return int(value[-5:])
    return None


def flags(document: Mapping[str, Any], digits: int | None) -> bool:
    """Return whether a run has another outcome than the one that digits stand for."""
    is_refunded = digits is not None and digits % _N_SCENARIOS < _N_REFUNDED
    return _outcomes(document) != {_REFUND if is_refunded else _ESCALATE}


def shows_the_other_prefix(document: Mapping[str, Any]) -> bool:
    """Return whether a look-up of a customer has the prefix of the second customer of world 1."""
    return any(
        data.get("customer_id", "").startswith(_OTHER_PREFIX)
        for data in _answers(document, "get_customer")
    )


def _outcomes(document: Mapping[str, Any]) -> set[str]:
    return {tool for tool in (_REFUND, _ESCALATE) for _ in _answers(document, tool)}


def _answers(document: Mapping[str, Any], tool: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the data of each accepted call, of one tool or of all."""
    for step in document["steps"]:
        observation = step["observation"]
        if observation and observation["ok"] and tool in (None, step["call"]["tool"]):
            yield observation["data"]
