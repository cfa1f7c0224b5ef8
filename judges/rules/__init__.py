"""Judges without a model: packs of rules, each of which enforces a clause of a procedure.

`engine` walks a run; the folder or module named after a domain holds its packs.
"""

from __future__ import annotations

from .engine import Facts, Rule, RulePack

__all__ = ["Facts", "Rule", "RulePack"]
