"""A judge that knows only what it was shown before: the order of requests must not help it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

__all__ = ["OrderJudge"]


class OrderJudge:
    """Flags a document that differs from the first one with the same goal.

    It compares whole documents and reads no step of them. A clean run that comes before its
    faults in more than its share of instances gives it a Δ above 0, one that comes after them
    a Δ below 0.

    >>> judge = OrderJudge()
    >>> [judge({"goal": "Hand over coat 7.", "reply": reply})["faulty"] for reply in "aba"]
    [False, True, False]
    """

    def __init__(self) -> None:
        self._first: dict[str, bytes] = {}

    def __call__(self, document: Mapping[str, Any]) -> dict[str, bool]:
        """Return its verdict on a document, as a function judge does."""
        text = msgspec.json.encode(document)
        return {"faulty": self._first.setdefault(document["goal"], text) != text}
