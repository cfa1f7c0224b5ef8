"""Building a set on a cluster, to the same bytes as without one.

Which instance hosts which fault depends on how many hosts were found before it. So
workers plant every fault that an instance could be wanted for, and the process
that was started goes through these offers in order and takes what is still missing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.records import Trajectory
from faultpair.oracle.catalog import clean_run
from faultpair.sets.build import InstanceRuns, SetSource, at_tiers, planted_in, stratum_of
from faultpair.sets.hosts import Quota, chosen_site, open_quotas
from faultpair.studies.files import encode
from faultpair.studies.spec import StudySpec

from .cluster import Client, Future

__all__ = ["building_on", "offers_of"]

INSTANCES_A_TASK = 250
TASKS_AHEAD = 2
"""Tasks that wait for each worker, so that none is idle while offers are taken."""

Line = tuple[str, bytes]
"""A run as it is written, after its stratum."""


class Offer(NamedTuple):
    """What could be made of one instance: its clean run, and by plant what is planted in it."""

    instance: bytes
    parent: Line
    planted: dict[int, Line]


Offers = dict[int, list[Offer]]
"""By index, what could be made of an instance at each tier that it comes at, mostly one.

The same plants are in all of them.
"""


def building_on(client: Client) -> SetSource:
    """Return what makes the lots of a study on the workers of a cluster."""
    return lambda domain, study: _lots(client, domain, study, open_quotas(domain, study))


def _lots(
    client: Client, domain: AnyDomain, study: StudySpec, quotas: list[Quota]
) -> Iterator[InstanceRuns]:
    n_rounds = max(1, INSTANCES_A_TASK // len(domain.scenarios))

    def submit(task: int) -> Future:
        missing = frozenset(rank for rank, quota in enumerate(quotas) if quota.missing)
        rounds = range(task * n_rounds, (task + 1) * n_rounds)
        return client.submit(offers_of, study, rounds, missing, pure=False)

    for task, offers in enumerate(_in_order(client, submit)):
        for turn in range(task * n_rounds, (task + 1) * n_rounds):
            if turn * len(domain.scenarios) >= study.clean and not any(q.missing for q in quotas):
                return
            yield from _taken(domain, study, quotas, turn, offers)


def _in_order(client: Client, submit: Callable[[int], Future]) -> Iterator[Offers]:
    """Yield the results of task after task, with some always underway."""
    underway: deque[Future] = deque()
    try:
        for task in count():
            underway.append(submit(task))
            if len(underway) > TASKS_AHEAD * max(1, len(client.nthreads())):
                yield underway.popleft().result()
    finally:
        client.cancel(list(underway))


def _taken(
    domain: AnyDomain, study: StudySpec, quotas: list[Quota], turn: int, offers: Offers
) -> Iterator[InstanceRuns]:
    n_scenarios = len(domain.scenarios)
    due = [rank for rank, quota in enumerate(quotas) if quota.is_due(turn)]
    for index in range(turn * n_scenarios, (turn + 1) * n_scenarios):
        made = offers.get(index, [])
        scenario = domain.scenario(index)
        suited = (rank for rank in due if scenario in quotas[rank].scenarios)
        taken = [rank for rank in suited if _takes(quotas[rank], rank, made, turn)]
        if taken or study.wants(index):
            for offer in made:
                yield InstanceRuns(
                    offer.instance, [offer.parent, *(offer.planted[rank] for rank in taken)]
                )


def _takes(quota: Quota, rank: int, made: list[Offer], turn: int) -> bool:
    """Return whether a plant is still wanted and an instance offers it; count it if so."""
    if not quota.missing:
        return False
    is_offered = bool(made) and rank in made[0].planted
    if is_offered:
        quota.fill(turn)
    else:
        quota.lose_patience(turn)
    return is_offered


def offers_of(study: StudySpec, rounds: range, missing: frozenset[int]) -> Offers:
    """Return what some rounds of scenarios offer to the plants that lack hosts.

    It depends on its arguments alone, so that it can be made again elsewhere when
    a worker is lost.
    """
    domain = DOMAINS[study.domain]
    quotas = {
        rank: quota for rank, quota in enumerate(open_quotas(domain, study)) if rank in missing
    }
    n_scenarios = len(domain.scenarios)
    made = (
        (index, _offered(domain, study, index, quotas, turn))
        for turn in rounds
        for index in range(turn * n_scenarios, (turn + 1) * n_scenarios)
    )
    return {index: offers for index, offers in made if offers}


def _offered(
    domain: AnyDomain, study: StudySpec, index: int, quotas: dict[int, Quota], turn: int
) -> list[Offer]:
    scenario = domain.scenario(index)
    wanted = study.wants(index)
    suited = {
        rank: quota
        for rank, quota in quotas.items()
        if quota.is_due(turn) and scenario in quota.scenarios
    }
    if not suited and not wanted:
        return []
    made = domain.generate(study.seed, index)
    hosted = {rank: quota for rank, quota in suited.items() if quota.fault.may_host(made)}
    if not hosted and not wanted:
        return []
    parent = clean_run(domain, made)
    sites = {
        rank: (quota, site)
        for rank, quota in hosted.items()
        if (site := chosen_site(quota, made, parent, seed=study.seed)) is not None
    }
    if not sites and not wanted:
        return []
    offers: list[Offer] = []
    for instance in at_tiers(made, study):
        clean = parent if instance is made else clean_run(domain, instance)
        runs = planted_in(instance, clean, sites.values(), domain=domain, study=study, made=made)
        planted = dict(zip(sites, map(_line, runs), strict=True))
        offers.append(Offer(encode(instance), _line(clean), planted))
    return offers


def _line(run: Trajectory) -> Line:
    return stratum_of(run), encode(run)
