"""The table `[stop]` of a study file: when the result of a judge is clear."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from .section import JudgeId, Section

__all__ = ["StopSpec"]

Value = Annotated[float, Field(ge=-0.99, le=0.99)]
Margin = Annotated[float, Field(ge=0.01, le=1.99)]


class StopSpec(Section):
    """A floor of Δ for single judges, or a margin between two.

    Each of ``judges`` stops by itself once its Δ is clearly above or below ``floor``; none
    means all that have an engine. With ``margin``, ``judge`` and ``against`` stop together
    once the Δ of one minus that of the other is clearly above −margin, or clearly not; where
    it is to be ``"equivalent"``, also below margin. ``over`` says what is watched: the
    published Δ, over all pairs, or the mean over instances, in which each counts as one.
    """

    floor: Value | None = None
    judges: Annotated[tuple[JudgeId, ...], Field(strict=False)] = ()
    margin: Margin | None = None
    judge: JudgeId | None = None
    against: JudgeId | None = None
    to_be: Literal["non-inferior", "equivalent"] = "non-inferior"
    over: Literal["pairs", "instances"] = "pairs"

    @model_validator(mode="after")
    def _has_a_floor_or_a_margin(self) -> Self:
        if (self.floor is None) == (self.margin is None):
            raise ValueError("expected either floor, or margin with judge and against")
        pair = (self.judge, self.against)
        if self.margin is None and (pair != (None, None) or "to_be" in self.model_fields_set):
            raise ValueError("judge, against and to_be go with margin; with floor, name judges")
        if self.margin is not None and (None in pair or self.judge == self.against):
            raise ValueError("margin compares judge with against: name two judges")
        if self.margin is not None and self.judges:
            raise ValueError("judges goes with floor; with margin, name judge and against")
        return self

    @property
    def terms(self) -> dict[str, Any]:
        """What is sealed of it."""
        return self.model_dump(mode="json")

    @property
    def region(self) -> tuple[float, float]:
        """The values that pass, from and to; without an end they are infinite."""
        if self.margin is None:
            assert self.floor is not None
            return self.floor, math.inf
        return -self.margin, self.margin if self.to_be == "equivalent" else math.inf

    def watched(self, with_engine: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the judges that stop together, of those with an engine."""
        if self.judge is not None and self.against is not None:
            return ((self.judge, self.against),)
        return tuple((judge,) for judge in self.judges or with_engine)

    @property
    def question(self) -> str:
        """What is to become clear, in words."""
        if self.margin is None:
            return f"a Δ of at least {self.floor:g}"
        sign = "above" if self.to_be == "non-inferior" else "within"
        return f"a difference {sign} {'-' if sign == 'above' else '±'}{self.margin:g}"
