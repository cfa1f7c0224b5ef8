"""Building a set on a cluster, to the same bytes as without one.

Workers make what whole rounds of scenarios offer; the process that was started takes from
the offers, in order, what is still missing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.sets.build import SetSource
from faultpair.sets.host_offers import InstanceRuns, Offers, offers_of, take_offers
from faultpair.sets.hosts import Quota, open_quotas
from faultpair.studies.spec import StudySpec

from .cluster import Client, Future

__all__ = ["building_on"]

INSTANCES_A_TASK = 250
TASKS_AHEAD = 2
"""Tasks that wait for each worker, so that none is idle while offers are taken."""


def building_on(client: Client) -> SetSource:
    """Return a source of sets that makes the runs on the workers of a cluster."""

    def source(domain: AnyDomain, study: StudySpec) -> Iterator[InstanceRuns]:
        quotas = open_quotas(domain, study)
        return take_offers(domain, study, quotas, _offers(client, domain, study, quotas))

    return source


def _offers(
    client: Client, domain: AnyDomain, study: StudySpec, quotas: list[Quota]
) -> Iterator[Offers]:
    """Yield, for each round of scenarios, the offers of the task that the round belongs to."""
    n_rounds = max(1, INSTANCES_A_TASK // len(domain.scenarios))

    def submit(task: int) -> Future:
        missing = frozenset(quota.rank for quota in quotas if quota.missing)
        rounds = range(task * n_rounds, (task + 1) * n_rounds)
        return client.submit(_offers_on_worker, study, rounds, missing, pure=False)

    for offers in _in_order(client, submit):
        for _ in range(n_rounds):
            yield offers


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


def _offers_on_worker(study: StudySpec, rounds: range, missing: frozenset[int]) -> Offers:
    """Return the offers to the plants that lack hosts; another worker can make them again."""
    domain = DOMAINS[study.domain]
    quotas = [quota for quota in open_quotas(domain, study) if quota.rank in missing]
    return offers_of(domain, study, quotas, rounds)
