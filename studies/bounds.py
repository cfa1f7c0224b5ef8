"""The bounds of a study file; docs/architecture.md lists them, and those of `spec`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Discriminator, Field, Tag

__all__ = [
    "CLEAN_FORMS",
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "MOST_BYTES",
    "MOST_PASSES",
    "MOST_RUNS",
    "Clean",
    "Count",
    "EngineName",
    "Name",
    "Passes",
    "Seed",
]

MOST_BYTES = 1_000_000
"""The longest study file that is read."""

MOST_RUNS = 10_000_000
MOST_PASSES = 1_000
LONGEST_NAME = 1_000
LONGEST_TEXT = 10_000

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]

EngineName = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
"""The name of an engine; that of a program is its whole command."""

Count = Annotated[int, Field(ge=0, le=MOST_RUNS)]

Passes = Annotated[int, Field(ge=1, le=MOST_PASSES)]

Seed = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""An integer of TOML, which has 64 bits."""

CLEAN_FORMS = ("a number", "a table")
"""What errors call the two forms of the key ``clean``."""

Clean = Annotated[
    Annotated[Count, Tag(CLEAN_FORMS[0])] | Annotated[dict[Name, Count], Tag(CLEAN_FORMS[1])],
    Discriminator(lambda value: CLEAN_FORMS[isinstance(value, dict)]),
]
