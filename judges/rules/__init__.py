"""Rule packs: judges without a model, each rule of which enforces a clause of a procedure.

`engine` checks a run; the folder or module of a domain has its packs.
"""

from __future__ import annotations

from .engine import Facts, Rule, RulePack

__all__ = ["Facts", "Rule", "RulePack"]
