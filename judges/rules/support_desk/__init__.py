"""Rule packs of the support desk: eight rules, the order of the steps, the whole procedure."""

from __future__ import annotations

from .paper import RULES
from .sequence import SEQUENCE
from .strict import STRICT

__all__ = ["PACKS", "RULES", "SEQUENCE", "STRICT"]

PACKS = (RULES, SEQUENCE, STRICT)
