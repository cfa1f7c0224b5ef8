"""Reply grounding: a judge without a model that asks what each claim of a reply rests on.

`terms` reads a text, `claims` explains it, `judge` decides; the folder or module
named after a domain holds its words, its kinds of claim and their support.
"""

from __future__ import annotations

from .claims import Claim, Grounds, Kind
from .judge import Complaint, GroundingPack, ReplyGrounding
from .terms import Lexicon

__all__ = ["Claim", "Complaint", "GroundingPack", "Grounds", "Kind", "Lexicon", "ReplyGrounding"]
