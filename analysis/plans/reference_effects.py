"""What planted faults do to the references: the share of sites at which each metric falls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Call, Trajectory
from faultpair.injector.apply import apply
from faultpair.injector.catalog import BUILT_IN
from faultpair.injector.fault import Fault
from faultpair.injector.inject import edit_stream
from faultpair.injector.plan_fault import Effect, PlanFault
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plan_metrics.variants import VARIANTS, Truth
from faultpair.oracle.catalog import clean_run

from ..stats.estimate import Estimate, count, undefined
from .alignment.marginals import number_name
from .alignment.match_score import SLACK

__all__ = ["N_RECORDS", "SEED", "Measured", "effect_of", "measured", "move_numbers", "promise"]

N_RECORDS = 200
SEED = 0
OF_SITES = "share of sites"
A_COUNT = "every site of these records"

Plan = tuple[Call, ...]
Record = tuple[PlanInstance, Trajectory, Truth]


@dataclass(slots=True)
class Measured:
    """What planting one fault at every site of some records does.

    ``moved[variant][k]`` counts the sites at which the k-th metric falls below 1.
    """

    fault: Fault
    n_records: int = 0
    n_sites: int = 0
    moved: dict[str, list[int]] = field(
        default_factory=lambda: {variant: [0] * len(METRICS) for variant in VARIANTS}
    )

    def share(self, variant: str, metric: str) -> Estimate:
        """Return the share of sites at which a metric falls."""
        if not self.n_sites:
            return undefined("these records have no site for it")
        n = self.moved[variant][METRICS.index(metric)]
        return Estimate(n / self.n_sites, None, None, self.n_sites, OF_SITES, A_COUNT)

    @property
    def keeps_its_promise(self) -> bool:
        """Whether each metric falls at all sites, at none, or at some, as promised."""
        wanted: dict[str, Callable[[int], bool]] = {
            "lowers": lambda n: n == self.n_sites,
            "keeps": lambda n: n == 0,
            "depends": lambda n: 0 < n < self.n_sites,
        }
        moved = zip(METRICS, self.moved["printed"], strict=True)
        return all(wanted[promise(self.fault.name, metric)](n) for metric, n in moved)

    def add(self, plans: Sequence[Plan], truth: Truth) -> None:
        """Enter the plans that the fault makes of one record."""
        self.n_records += bool(plans)
        self.n_sites += len(plans)
        for plan in plans:
            for variant, score in VARIANTS.items():
                values = score(plan, truth).values
                for place, value in enumerate(values):
                    self.moved[variant][place] += value < 1 - SLACK


def effect_of(name: str) -> Effect | None:
    """Return what a built-in fault or control promises of the printed metrics; None of another."""
    return next((fault.effect for fault in _plan_faults() if fault.name == name), None)


def promise(name: str, metric: str) -> str:
    """Say what a fault promises of a printed metric: ``lowers``, ``keeps``, or ``depends``."""
    effect = effect_of(name)
    if effect is not None and metric in effect.lowers:
        return "lowers"
    return "keeps" if effect is not None and metric in effect.keeps else "depends"


@cache
def measured(n_records: int = N_RECORDS, seed: int = SEED) -> tuple[Measured, ...]:
    """Plant every fault and control at every site of the first records of a seed."""
    records: dict[str, list[Record]] = {}
    found = []
    for fault in _plan_faults():
        if fault.domain not in records:
            domain = DOMAINS[fault.domain]
            records[fault.domain] = [_record(domain, seed, index) for index in range(n_records)]
        row = Measured(fault)
        for record in records[fault.domain]:
            row.add(tuple(_planted(fault, record, seed)), record[2])
        found.append(row)
    return tuple(found)


def move_numbers(rows: Sequence[Measured]) -> dict[str, Estimate]:
    """Return the share of sites at which each metric falls, by fault and variant."""
    found: dict[str, Estimate] = {}
    for row in rows:
        found[f"effect/{row.fault.name}/sites"] = count(row.n_sites, row.n_sites)
        for variant in VARIANTS:
            for metric in METRICS:
                name = number_name(f"effect/{row.fault.name}/{variant}", metric=metric)
                found[name] = row.share(variant, metric)
    return found


def _plan_faults() -> list[PlanFault]:
    faults = (fault for built_in in BUILT_IN.values() for fault in built_in.values())
    return [fault for fault in faults if isinstance(fault, PlanFault)]


def _record(domain: AnyDomain, seed: int, index: int) -> Record:
    instance = domain.generate(seed, index)
    truth = Truth.of_instance(instance, domain.plans.canonical(instance) if domain.plans else {})
    return instance, clean_run(domain, instance), truth


def _planted(fault: Fault, record: Record, seed: int) -> Iterator[Plan]:
    """Yield the plan that a fault makes at each site; it need not be run to be scored."""
    instance, parent, _ = record
    calls = parent.calls
    for site in fault.sites(instance, parent):
        edit = fault.edit(instance, calls, site, edit_stream(seed, instance, fault, site))
        yield tuple(action.call for action in apply(edit, calls))
