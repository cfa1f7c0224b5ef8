"""How many hosts each plant of a study still lacks, and in which rounds it looks for them.

Hosts of a fault are spread evenly over the wanted clean runs, whole rounds of
scenarios at a time, so that few parents carry many faults and no scenario is
favoured; when those are used up, further instances are generated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from faultpair.env.domain import AnyDomain
from faultpair.env.errors import StudyError
from faultpair.injector.catalog import find_fault
from faultpair.injector.fault import Fault
from faultpair.studies.spec import PlantSpec, StudySpec

__all__ = ["Quota", "Spread", "open_quotas"]

MAX_ROUNDS_WITHOUT_HOST = 2_000
"""Rounds of scenarios without a single host after which the search for hosts ends."""


@dataclass(slots=True, kw_only=True)
class Quota:
    """How many runs of one plant are missing, and which rounds of scenarios offer hosts for it."""

    rank: int
    """The place of the plant in the study."""
    spec: PlantSpec
    fault: Fault
    scenarios: frozenset[str]
    spread: Spread
    missing: int
    last_round: int = 0

    def is_due(self, round_index: int) -> bool:
        """Return whether a round (0-based) of scenarios is searched for hosts."""
        return self.missing > 0 and self.spread.is_due(round_index)

    def take(self, round_index: int, *, is_offered: bool) -> bool:
        """Return whether an offered host is still missing, and count it if so.

        Raises
        ------
        StudyError
            If too many rounds have offered no host.
        """
        if not self.missing:
            return False
        if is_offered:
            self.missing -= 1
            self.last_round = round_index
        elif round_index - self.last_round > MAX_ROUNDS_WITHOUT_HOST:
            raise StudyError(self._too_few_hosts())
        return is_offered

    def _too_few_hosts(self) -> str:
        variant = self.spec.variant
        form = "" if variant is None else f" in the variant {variant!r}"
        return (
            f"Fault {self.fault.name!r}{form} lacks {self.missing} of {self.spec.count} hosts: "
            f"none of the last {MAX_ROUNDS_WITHOUT_HOST} rounds of scenarios offers one. Ask for "
            "fewer, or see whether the fault has this variant."
        )


@dataclass(frozen=True, slots=True)
class Spread:
    """Which of the first ``n_rounds`` rounds are searched: ``n_due`` of them, evenly spaced.

    ``phase`` in [0, 1) shifts the choice, so that plants do not all use the
    same rounds. Every later round is due.
    """

    n_due: int
    n_rounds: int
    phase: float

    def is_due(self, round_index: int) -> bool:
        """Return whether a round (0-based) is searched."""
        if round_index >= self.n_rounds:
            return True
        return self._due_before(round_index + 1) > self._due_before(round_index)

    def _due_before(self, round_index: int) -> int:
        return floor(round_index * self.n_due / self.n_rounds + self.phase)


def open_quotas(domain: AnyDomain, study: StudySpec) -> list[Quota]:
    """Return the quotas of a study, its plants checked against the catalog.

    Raises
    ------
    UsageError
        If a plant names an unknown fault or control.
    StudyError
        If a plant is in the wrong section, or its fault lacks the reply policy.
    """
    return [_quota(domain, study, rank, spec) for rank, spec in enumerate(study.plants)]


def _quota(domain: AnyDomain, study: StudySpec, rank: int, spec: PlantSpec) -> Quota:
    fault = find_fault(domain.name, spec.name)
    if fault.is_control == (spec in study.faults):
        kind, section = ("control", "controls") if fault.is_control else ("fault", "faults")
        raise StudyError(f"{spec.name!r} is a {kind}: list it under [[{section}]].")
    if spec.policy not in fault.policies:
        raise StudyError(fault.no_such_policy(spec.policy))
    scenarios = frozenset(fault.scenarios or domain.scenarios)
    n_rounds = ceil(study.clean / len(domain.scenarios))
    n_due = min(n_rounds, ceil(spec.count / len(scenarios)))
    return Quota(
        rank=rank,
        spec=spec,
        fault=fault,
        scenarios=scenarios,
        spread=Spread(n_due, n_rounds, phase=rank / len(study.plants)),
        missing=spec.count,
    )
