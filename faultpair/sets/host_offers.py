"""What each instance offers to the faults of a study, and which offers a set takes.

How many hosts a fault still lacks depends on the instances before, so the work has two parts.
`offers_of` makes the runs and depends on its arguments alone: any process may do it.
`take_offers` goes through the offers in order and takes those that are still missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, count
from typing import NamedTuple

from faultpair.env.domain import AnyDomain
from faultpair.env.records import Instance, Trajectory
from faultpair.env.rng import stream
from faultpair.injector.fault import Site
from faultpair.injector.inject import edit_stream, inject
from faultpair.oracle.catalog import clean_run
from faultpair.studies.files import encode
from faultpair.studies.spec import StudySpec

from .hosts import Quota
from .order import stratum_of

__all__ = ["InstanceRuns", "Offers", "offers_of", "take_offers"]

RunLine = tuple[str, bytes]
"""The stratum of a run, and its line in the file."""


class InstanceRuns(NamedTuple):
    """The line of an instance, and its runs in the set."""

    instance: bytes
    runs: list[RunLine]


class Offer(NamedTuple):
    """The clean run of an instance, and what each plant, by its rank, makes of that run."""

    instance: bytes
    clean: RunLine
    planted: dict[int, RunLine]


Offers = dict[int, list[Offer]]
"""Offers by the index of the instance: one for each tier at which the instance comes.

The offers of one instance have the same plants.
"""


def offers_of(
    domain: AnyDomain, study: StudySpec, quotas: Sequence[Quota], rounds: Iterable[int]
) -> Offers:
    """Return what some rounds of scenarios offer to those quotas that lack hosts."""
    offers: Offers = {}
    for index, suited in chain.from_iterable(
        _suited(domain, study, quotas, each) for each in rounds
    ):
        is_wanted = study.wants(index)
        if not suited and not is_wanted:
            continue
        made = domain.generate_in(study.world, study.seed, index)
        suited = [quota for quota in suited if quota.fault.may_host(made)]
        if not suited and not is_wanted:
            continue
        parent = clean_run(domain, made)
        sites = _sites(suited, made, parent, seed=study.seed)
        if sites or is_wanted:
            offers[index] = list(_offers(domain, study, made, parent, sites))
    return offers


def take_offers(
    domain: AnyDomain, study: StudySpec, quotas: Sequence[Quota], offers: Iterable[Offers]
) -> Iterator[InstanceRuns]:
    """Yield the instances of a set with their runs, and count the hosts in the quotas.

    Parameters
    ----------
    offers : for each round of scenarios, offers that include those of the round

    Raises
    ------
    StudyError
        If a fault finds too few hosts.
    """
    take = partial(_take_round, domain, study, quotas)
    return chain.from_iterable(map(take, _open_rounds(domain, study, quotas), offers))


def _open_rounds(domain: AnyDomain, study: StudySpec, quotas: Sequence[Quota]) -> Iterator[int]:
    """Yield rounds of scenarios until no clean run and no host is missing."""
    for round_index in count():
        is_past_clean = round_index * len(domain.scenarios) >= study.clean
        if is_past_clean and not any(quota.missing for quota in quotas):
            return
        yield round_index


def _take_round(
    domain: AnyDomain, study: StudySpec, quotas: Sequence[Quota], round_index: int, offered: Offers
) -> Iterator[InstanceRuns]:
    for index, suited in _suited(domain, study, quotas, round_index):
        tiers = offered.get(index, [])
        ranks = tiers[0].planted if tiers else {}
        taken = [q.rank for q in suited if q.take(round_index, is_offered=q.rank in ranks)]
        if taken or study.wants(index):
            for offer in tiers:
                planted = (offer.planted[rank] for rank in taken)
                yield InstanceRuns(offer.instance, [offer.clean, *planted])


def _suited(
    domain: AnyDomain, study: StudySpec, quotas: Sequence[Quota], round_index: int
) -> Iterator[tuple[int, list[Quota]]]:
    """Yield the index of each instance of a round, and the quotas that it may be a host for."""
    due = [quota for quota in quotas if quota.is_due(round_index)]
    n_scenarios = len(domain.scenarios)
    for index in range(round_index * n_scenarios, (round_index + 1) * n_scenarios):
        scenario = domain.scenario_in(study.world, study.seed, index)
        yield index, [quota for quota in due if scenario in quota.scenarios]


def _offers(
    domain: AnyDomain,
    study: StudySpec,
    made: Instance,
    parent: Trajectory,
    sites: Sequence[tuple[Quota, Site]],
) -> Iterator[Offer]:
    """Yield the offer of an instance at each of its tiers."""
    for instance in _at_tiers(domain, made, study):
        clean = parent if instance is made else clean_run(domain, instance)
        planted: dict[int, RunLine] = {}
        for quota, site in sites:
            rng = edit_stream(study.seed, made, quota.fault, site)  # at each tier the same edit
            policy = quota.spec.policy
            run = inject(domain, instance, clean, quota.fault, site, rng=rng, policy=policy)
            planted[quota.rank] = _line(run)
        yield Offer(encode(instance), _line(clean), planted)


def _at_tiers(domain: AnyDomain, made: Instance, study: StudySpec) -> Iterator[Instance]:
    """Yield an instance as it comes in a study: once, or at each tier if it has tiers."""
    if domain.plans is None:
        yield made
        return
    for tier in study.tiers:
        yield domain.plans.at_tier(made, tier)


def _sites(
    quotas: Sequence[Quota], instance: Instance, run: Trajectory, *, seed: int
) -> list[tuple[Quota, Site]]:
    """Return the quotas that find a host in a clean run, each with its site."""
    found = ((quota, _site(quota, instance, run, seed=seed)) for quota in quotas)
    return [(quota, site) for quota, site in found if site is not None]


def _site(quota: Quota, instance: Instance, run: Trajectory, *, seed: int) -> Site | None:
    """Return the site of a fault in a clean run, None without one; drawn if there are several."""
    variant = quota.spec.variant
    sites = [
        site
        for site in quota.fault.sites(instance, run)
        if variant is None or site.variant == variant
    ]
    if len(sites) > 1:
        return stream(seed, "site", instance.instance_id, quota.fault.name).choice(sites)
    return sites[0] if sites else None


def _line(run: Trajectory) -> RunLine:
    return stratum_of(run), encode(run)
