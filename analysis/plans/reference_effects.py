"""Effects of planted faults on the reference: the share of sites at which each metric falls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.fault import Fault
from faultpair.injector.plan_fault import PlanFault
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plan_metrics.variants import VARIANTS, GroundTruthPlan

from ..stats.estimate import Estimate, count, point, undefined
from .alignment.key import PlanKey, PlanNumbers
from .alignment.match_score import SLACK
from .planted_sites import Record, planted_plans, record_at

__all__ = ["N_RECORDS", "SEED", "MeasuredEffect", "effect_numbers", "measured_effects", "promise"]

N_RECORDS = 200
SEED = 0
OF_SITES = "share of sites"
A_COUNT = "every site of these records"


@dataclass(slots=True)
class MeasuredEffect:
    """The effect of one fault, planted at every site of some records.

    ``lowered[variant][k]`` counts the sites at which the k-th metric falls below 1.
    """

    fault: Fault
    n_records: int = 0
    n_sites: int = 0
    lowered: dict[str, list[int]] = field(
        default_factory=lambda: {variant: [0] * len(METRICS) for variant in VARIANTS}
    )

    def share(self, variant: str, metric: str) -> Estimate:
        """Return the share of sites at which a metric falls."""
        if not self.n_sites:
            return undefined("these records have no site for it")
        n = self.lowered[variant][METRICS.index(metric)]
        return point(n / self.n_sites, self.n_sites, OF_SITES, A_COUNT)

    @property
    def keeps_its_promise(self) -> bool:
        """Whether each metric falls at all sites, at none, or at some, as promised."""
        wanted: dict[str, Callable[[int], bool]] = {
            "lowers": lambda n: n == self.n_sites,
            "keeps": lambda n: n == 0,
            "depends": lambda n: 0 < n < self.n_sites,
        }
        lowered = zip(METRICS, self.lowered["printed"], strict=True)
        return all(wanted[promise(self.fault.name, metric)](n) for metric, n in lowered)

    def add(self, plans: Sequence[tuple[Call, ...]], truth: GroundTruthPlan) -> None:
        """Count the plans that the fault makes of one record."""
        self.n_records += bool(plans)
        self.n_sites += len(plans)
        for plan in plans:
            for variant, score in VARIANTS.items():
                values = score(plan, truth).values
                for place, value in enumerate(values):
                    self.lowered[variant][place] += value < 1 - SLACK


def promise(name: str, metric: str) -> str:
    """Return what a fault promises of a printed metric: ``lowers``, ``keeps``, or ``depends``."""
    fault = next((fault for fault in _plan_faults() if fault.name == name), None)
    if fault is None:
        return "depends"
    if metric in fault.effect.lowers:
        return "lowers"
    return "keeps" if metric in fault.effect.keeps else "depends"


@cache
def measured_effects(n_records: int = N_RECORDS, seed: int = SEED) -> tuple[MeasuredEffect, ...]:
    """Plant every fault and control at every site of the first records of a seed."""
    records: dict[str, list[Record]] = {}
    effects = tuple(MeasuredEffect(fault) for fault in _plan_faults())
    for effect in effects:
        name = effect.fault.domain
        if name not in records:
            records[name] = [record_at(DOMAINS[name], seed, index) for index in range(n_records)]
        for record in records[name]:
            effect.add(tuple(planted_plans(effect.fault, record, seed)), record.truth)
    return effects


def effect_numbers(effects: Sequence[MeasuredEffect]) -> PlanNumbers:
    """Return the share of sites at which each metric falls, by fault and variant."""
    numbers: PlanNumbers = {}
    for effect in effects:
        key = PlanKey("effect", effect.fault.name)
        numbers[key._replace(part="sites")] = count(effect.n_sites, effect.n_sites)
        for variant in VARIANTS:
            for metric in METRICS:
                share = effect.share(variant, metric)
                numbers[key._replace(part=variant, metric=metric)] = share
    return numbers


def _plan_faults() -> list[PlanFault]:
    """Return the built-in faults and controls of plans, in the order of the catalog."""
    faults = (fault for built_in in BUILT_IN.values() for fault in built_in.values())
    return [fault for fault in faults if isinstance(fault, PlanFault)]
