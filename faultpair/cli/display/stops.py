"""`[stop]` on the command line: the rule of a study, what it cost, and what it may cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from faultpair.analysis.stats.sequential import Region, Watched
from faultpair.env.plain_text import plain
from faultpair.env.rng import stream
from faultpair.runner.requests import JudgeRequest
from faultpair.runner.stopping import StopRule
from faultpair.studies.runs import Run
from faultpair.studies.sealed_stop import StopRecord
from faultpair.studies.stop_spec import StopSpec

__all__ = ["expected_requests", "rule_of", "sentences"]

SUPPOSED = (0.0, 0.3, 0.6)
"""The values of Δ for which a dry run says how far a judge would be asked."""

BASE_RATE, DRAWS = 0.1, 100


def rule_of(spec: StopSpec) -> StopRule:
    """Return the rule of a study's table `[stop]`."""
    return partial(_begun, spec)


def _begun(spec: StopSpec, largest: int) -> Watched:
    return Watched(
        region=Region(*spec.region),
        largest=largest,
        steps=1 if spec.margin is None else 2,
        by_instance=spec.over == "instances",
    )


def sentences(spec: StopSpec, ended: Mapping[str, StopRecord]) -> Iterator[str]:
    """Yield what is known of each judge that is watched, and how to ask the rest."""
    unit = "Δ" if spec.over == "pairs" else "mean Δ over instances"
    for name, record in ended.items():
        numbers = (
            f"{unit} {record.estimate:+.3f} [{record.low:+.3f}, {record.high:+.3f}] after "
            f"{record.instances:,} of {record.of_instances:,} instances; {record.requests:,} of "
            f"{record.of_requests:,} requests are settled"
        )
        if record.passed is None:
            yield f"{plain(name)}: not clear yet whether it has {spec.question}: {numbers}."
        else:
            has = "has" if record.passed else "does not have"
            yield f"{plain(name)} is clear: it {has} {spec.question}: {numbers}."
    if any(r.passed is not None and r.requests < r.of_requests for r in ended.values()):
        yield "A judge that is clear is asked no more; --go-on asks the rest all the same."


def expected_requests(
    spec: StopSpec, requests: Sequence[JudgeRequest], runs: Sequence[Run]
) -> Iterator[str]:
    """Yield how many requests one judge would settle at some values of Δ, if it has a floor."""
    judges = {request.judge.judge_id for request in requests}
    if spec.floor is None or not judges.issubset(spec.judges or judges):
        return
    asked = {request.trajectory_id for request in requests}
    sizes = Counter(
        instance.instance_id
        for run, instance in runs
        if run.label.faulty and asked.issuperset((run.trajectory_id, run.label.parent_id))
    )
    if not sizes:
        return
    parts = []
    for delta in SUPPOSED:
        shares = [_share_used(spec, [*sizes.values()], delta, draw) for draw in range(DRAWS)]
        n = round(math.fsum(shares) / DRAWS * len(requests))
        parts.append(f"about {n:,} if its Δ is {delta:g}")
    yield (
        f"  with [stop]: {', '.join(parts)}; all {len(requests):,} at most (simulated, with runs "
        f"judged apart and a base rate of {BASE_RATE:g})"
    )


def _share_used(spec: StopSpec, sizes: Sequence[int], delta: float, draw: int) -> float:
    """Return the share of the runs that one simulated judge is asked about."""
    rng = stream("stop", f"{delta}", draw)
    order = sorted(sizes, key=lambda _: rng.random())
    watched = _begun(spec, max(sizes))
    used = 0
    for size in order:
        used += size + 1
        parent = rng.random() < BASE_RATE
        flags = sum(rng.random() < BASE_RATE + delta for _ in range(size))
        if watched.add(flags - size * parent, size) is not None:
            break
    return used / (sum(sizes) + len(sizes))
