"""Recruiting hosts: which clean runs receive which faults, instance by instance.

Hosts of a fault are spread evenly over the wanted clean runs, whole rounds of
scenarios at a time, so that few parents carry many faults and no scenario is
favoured; when those are used up, further instances are generated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from faultpair.env.domain import AnyDomain
from faultpair.env.errors import StudyError
from faultpair.env.records import Instance, Trajectory
from faultpair.env.rng import stream
from faultpair.injector.catalog import find_fault
from faultpair.injector.fault import Fault, Site
from faultpair.studies.spec import PlantSpec, StudySpec

__all__ = ["Quota", "chosen_site", "open_quotas", "site_for"]

_PATIENCE = 2_000
"""Rounds of scenarios without a single host after which a quota is given up."""


@dataclass(slots=True)
class Quota:
    """How many runs of one plant are still wanted, and which rounds it recruits in."""

    spec: PlantSpec
    fault: Fault
    scenarios: frozenset[str]
    spread: Spread
    missing: int
    last_round: int = 0

    def is_due(self, turn: int) -> bool:
        """Return whether a round (0-based) of scenarios recruits for this quota."""
        return self.missing > 0 and self.spread.is_due(turn)

    def may_use(self, instance: Instance, turn: int) -> bool:
        """Return whether an instance can be a host, as far as can be told before its run."""
        if not self.missing:
            return False
        if self.fault.may_host(instance):
            return True
        self.lose_patience(turn)
        return False

    def fill(self, turn: int) -> None:
        """Count a host that was found in a round."""
        self.missing -= 1
        self.last_round = turn

    def lose_patience(self, turn: int) -> None:
        """Give up once too many rounds have offered no host."""
        if turn - self.last_round > _PATIENCE:
            raise StudyError(
                f"Fault {self.fault.name!r}{_form(self.spec)} lacks {self.missing} of "
                f"{self.spec.count} hosts: none of the last {_PATIENCE} rounds of scenarios "
                "offers one. Ask for fewer, or see whether the fault has this variant."
            )


@dataclass(frozen=True, slots=True)
class Spread:
    """Which of the first ``n_rounds`` rounds of scenarios recruit: ``n_due`` of them, evenly.

    ``phase`` in [0, 1) shifts the choice, so that plants do not all use the
    same rounds. Every later round is due.
    """

    n_due: int
    n_rounds: int
    phase: float

    def is_due(self, turn: int) -> bool:
        """Return whether a round (0-based) recruits."""
        return turn >= self.n_rounds or self._due_before(turn + 1) > self._due_before(turn)

    def _due_before(self, turn: int) -> int:
        return floor(turn * self.n_due / self.n_rounds + self.phase)


def open_quotas(domain: AnyDomain, study: StudySpec) -> list[Quota]:
    """Return the quotas of a study, its plants checked against the catalog."""
    plants = study.plants
    return [
        _quota(domain, study, spec, phase=rank / len(plants)) for rank, spec in enumerate(plants)
    ]


def site_for(
    quota: Quota, instance: Instance, run: Trajectory, *, seed: int, turn: int
) -> Site | None:
    """Return the site that fills the quota by one, None if this clean run offers none."""
    site = chosen_site(quota, instance, run, seed=seed)
    if site is None:
        quota.lose_patience(turn)
    else:
        quota.fill(turn)
    return site


def chosen_site(quota: Quota, instance: Instance, run: Trajectory, *, seed: int) -> Site | None:
    """Return the site of a clean run where the quota's fault would strike, wanted or not.

    Of several, such as the variants of a fault, one is drawn.
    """
    variant = quota.spec.variant
    sites = [
        site
        for site in quota.fault.sites(instance, run)
        if variant is None or site.variant == variant
    ]
    if len(sites) > 1:
        return stream(seed, "site", instance.instance_id, quota.fault.name).choice(sites)
    return sites[0] if sites else None


def _quota(domain: AnyDomain, study: StudySpec, spec: PlantSpec, *, phase: float) -> Quota:
    fault = find_fault(domain.name, spec.name)
    if fault.is_control == (spec in study.faults):
        kind, section = ("control", "controls") if fault.is_control else ("fault", "faults")
        raise StudyError(f"{spec.name!r} is a {kind}: list it under [[{section}]].")
    if spec.policy not in fault.policies:
        raise StudyError(fault.no_such_policy(spec.policy))
    scenarios = frozenset(fault.scenarios or domain.scenarios)
    n_rounds = ceil(study.clean / len(domain.scenarios))
    n_due = min(n_rounds, ceil(spec.count / len(scenarios)))
    return Quota(spec, fault, scenarios, Spread(n_due, n_rounds, phase), spec.count)


def _form(spec: PlantSpec) -> str:
    return "" if spec.variant is None else f" in the variant {spec.variant!r}"
