"""English words that make no claim by themselves, and the words that join two claims."""

from __future__ import annotations

__all__ = ["AUXILIARIES", "CONTRACTIONS", "DENIALS", "FUNCTION_WORDS", "JOINTS", "NUMERALS"]

_FUNCTION_WORDS = """
    a an the this that these those there here any both
    you your yours he him his she her it its they them their theirs me my mine us our ours
    who whom whose which what myself itself
    of for from to in into on onto at by with under about over per via as than up out through
    before after until again further
    and or but because since so if when while whether therefore thus hence accordingly although
    also now just then however instead too very only exactly
    unfortunately regrettably sadly gladly successfully automatically directly
    please kindly soon shortly far
"""
_AUXILIARIES = """
    be am is are was were been being have has had having do does did
    will would shall should can could may might must
"""
_JOINTS = "and or but because since as so which who whose that while although if"
_DENIALS = "not no never nothing none nobody cannot unable impossible without neither nor"
_NUMERALS = """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

AUXILIARIES = frozenset(_AUXILIARIES.split())
"""Verbs that add no claim to the words around them."""

JOINTS = frozenset(_JOINTS.split())
"""Words at which a sentence may be split into claims."""

DENIALS = tuple(_DENIALS.split())

CONTRACTIONS = ("n't", "'ve", "'ll", "'re", "'m", "'d", "'s")
"""Endings that are words of their own; the first denies."""

NUMERALS = {
    **{word: float(value) for value, word in enumerate(_NUMERALS.split(), start=2)},
    "twenty-four": 24.0,
    "thirty": 30.0,
    "forty": 40.0,
    "forty-eight": 48.0,
    "fifty": 50.0,
    "sixty": 60.0,
    "seventy-two": 72.0,
    "ninety": 90.0,
    "hundred": 100.0,
}
"""Numbers in words, without *one*, which is a pronoun too often."""
