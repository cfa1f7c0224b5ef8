"""What all tables of a study file share: unknown keys are refused, names have bounds."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from faultpair.engines.catalog import shown_name

__all__ = ["JudgeId", "Name", "Section"]

Name = Annotated[str, Field(min_length=1, max_length=1_000)]

JudgeId = Annotated[Name, AfterValidator(shown_name)]
"""A judge's id; one that is an address is without its secrets, as in every record."""


class Section(BaseModel):
    """A table of a study file. An unknown key is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
