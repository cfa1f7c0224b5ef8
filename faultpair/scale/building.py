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

from env.catalog import DOMAINS
from env.domain import AnyDomain
from injector.inject import edit_stream, inject
from oracle.catalog import clean_run

from ..building import Lot, Source, stratum_of
from ..recruit import Quota, chosen_site, open_quotas
from ..store import encode
from ..study import Study
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


Offers = dict[int, Offer]
"""Offers by the index of their instance."""


def building_on(client: Client) -> Source:
    """Return what makes the lots of a study on the workers of a cluster."""
    return lambda domain, study: _lots(client, domain, study, open_quotas(domain, study))


def _lots(client: Client, domain: AnyDomain, study: Study, quotas: list[Quota]) -> Iterator[Lot]:
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
    domain: AnyDomain, study: Study, quotas: list[Quota], turn: int, offers: Offers
) -> Iterator[Lot]:
    n_scenarios = len(domain.scenarios)
    due = [rank for rank, quota in enumerate(quotas) if quota.is_due(turn)]
    for index in range(turn * n_scenarios, (turn + 1) * n_scenarios):
        offer = offers.get(index)
        scenario = domain.scenario(index)
        suited = (rank for rank in due if scenario in quotas[rank].scenarios)
        planted = [
            line for rank in suited if (line := _take(quotas[rank], rank, offer, turn)) is not None
        ]
        if offer is not None and (planted or index < study.clean):
            yield Lot(offer.instance, [offer.parent, *planted])


def _take(quota: Quota, rank: int, offer: Offer | None, turn: int) -> Line | None:
    """Return what an offer holds for a plant, if it is still wanted."""
    if not quota.missing:
        return None
    line = offer.planted.get(rank) if offer is not None else None
    if line is None:
        quota.lose_patience(turn)
    else:
        quota.fill(turn)
    return line


def offers_of(study: Study, rounds: range, missing: frozenset[int]) -> Offers:
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
        (index, _offer(domain, study, index, quotas, turn))
        for turn in rounds
        for index in range(turn * n_scenarios, (turn + 1) * n_scenarios)
    )
    return {index: offer for index, offer in made if offer is not None}


def _offer(
    domain: AnyDomain, study: Study, index: int, quotas: dict[int, Quota], turn: int
) -> Offer | None:
    scenario = domain.scenario(index)
    wanted = index < study.clean
    suited = {
        rank: quota
        for rank, quota in quotas.items()
        if quota.is_due(turn) and scenario in quota.scenarios
    }
    if not suited and not wanted:
        return None
    instance = domain.generate(study.seed, index)
    hosted = {rank: q for rank, q in suited.items() if q.fault.may_host(instance)}
    if not hosted and not wanted:
        return None
    parent = clean_run(domain, instance)
    planted: dict[int, Line] = {}
    for rank, quota in hosted.items():
        site = chosen_site(quota, instance, parent, seed=study.seed)
        if site is not None:
            rng = edit_stream(study.seed, instance, quota.fault, site)
            run = inject(
                domain, instance, parent, quota.fault, site, rng=rng, policy=quota.spec.policy
            )
            planted[rank] = (stratum_of(run), encode(run))
    return Offer(encode(instance), (stratum_of(parent), encode(parent)), planted)
