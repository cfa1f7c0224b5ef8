"""The printed reference and its corrected variants, side by side under one signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from msgspec.structs import replace

from faultpair.env.errors import RecordError
from faultpair.env.plans.dataflow import data_flow
from faultpair.env.plans.records import PlanInstance, ToolSchema
from faultpair.env.records import Call

from .corrected import parameters_by_schema, renamed, sequence_by_dependency
from .metrics import Prepared, Scores, extras_credited, prepare, score_prepared

__all__ = ["VARIANTS", "GroundTruthPlan"]

NO_TWINS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class GroundTruthPlan:
    """A ground-truth plan in the forms that the variants need.

    ``sources`` are those of `DataFlow`, ``schemas`` those of the plan's tools.
    ``canonical`` maps a tool to the equivalent one that it can replace; ``merged`` and
    ``merged_schemas`` have equivalent tools under that name.
    """

    reference: Prepared
    sources: tuple[frozenset[int], ...]
    schemas: Mapping[str, ToolSchema]
    canonical: Mapping[str, str]
    merged: Prepared
    merged_schemas: Mapping[str, ToolSchema]

    @classmethod
    def of(
        cls,
        plan: Sequence[Call],
        tools: Sequence[ToolSchema],
        canonical: Mapping[str, str] = NO_TWINS,
    ) -> Self:
        """Prepare a reference plan over a pool of tools.

        Raises
        ------
        RecordError
            If the plan uses a tool that the pool does not hold.
        """
        pool = {tool.name: tool for tool in tools}
        schemas = {call.tool: _schema(call.tool, pool) for call in plan}
        return cls(
            reference=prepare(plan),
            sources=data_flow(plan).sources,
            schemas=schemas,
            canonical=canonical,
            merged=prepare(renamed(plan, canonical)),
            merged_schemas={canonical.get(name, name): s for name, s in schemas.items()},
        )

    @classmethod
    def of_instance(cls, instance: PlanInstance, canonical: Mapping[str, str] = NO_TWINS) -> Self:
        """Prepare the plan of a record."""
        return cls.of(instance.plan, instance.tools, canonical)


Scorer = Callable[[Sequence[Call], GroundTruthPlan], Scores]


def printed(generated: Sequence[Call], truth: GroundTruthPlan) -> Scores:
    """Score by the equations as printed."""
    return score_prepared(generated, truth.reference)


def by_dependency(generated: Sequence[Call], truth: GroundTruthPlan) -> Scores:
    """Score the sequence by the data flow of the reference."""
    names = [call.tool for call in generated]
    in_order = sequence_by_dependency(names, truth.reference.names, truth.sources)
    return replace(printed(generated, truth), sequence=in_order)


def by_schema(generated: Sequence[Call], truth: GroundTruthPlan) -> Scores:
    """Score the parameters by what the tools accept."""
    fit = parameters_by_schema(generated, truth.schemas)
    return replace(printed(generated, truth), parameter_structure=fit)


def by_equivalence(generated: Sequence[Call], truth: GroundTruthPlan) -> Scores:
    """Merge equivalent tools."""
    return score_prepared(renamed(generated, truth.canonical), truth.merged)


def corrected(generated: Sequence[Call], truth: GroundTruthPlan) -> Scores:
    """Apply the three corrections together."""
    calls = renamed(generated, truth.canonical)
    names = [call.tool for call in calls]
    return replace(
        score_prepared(calls, truth.merged),
        parameter_structure=parameters_by_schema(calls, truth.merged_schemas),
        sequence=sequence_by_dependency(names, truth.merged.names, truth.sources),
    )


def upper_bound(generated: Sequence[Call], truth: GroundTruthPlan) -> Scores:
    """Credit every extra key, known to its tool or not."""
    generous = extras_credited(generated, truth.reference)
    return replace(printed(generated, truth), parameter_structure=generous)


VARIANTS: dict[str, Scorer] = {
    "printed": printed,
    "dependency": by_dependency,
    "schema": by_schema,
    "equivalence": by_equivalence,
    "corrected": corrected,
    "upper_bound": upper_bound,
}


def _schema(name: str, pool: Mapping[str, ToolSchema]) -> ToolSchema:
    if name not in pool:
        raise RecordError(
            f"The reference calls {name!r}, which the pool of tools does not hold. "
            "Give a pool with every tool of the plan."
        )
    return pool[name]
