"""The drawn orders of requests: the places of runs in them, and what an order judge finds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from faultpair.judges.external import ExternalJudge
from faultpair.runner.order import (
    BlocksDrawn,
    Draft,
    InstancesDrawn,
    OrderRule,
    RunPlace,
    runs_by_instance,
)
from faultpair.studies.exchanges import RequestKey
from faultpair.studies.runs import Run

from .order_judge import OrderJudge
from .pages import Page

__all__ = ["ORDERS", "Orders"]

ORDERS = ("blocks drawn", "instances drawn")
"""The orders for judges from outside, and for models."""

_JUDGE = ExternalJudge("order", "python:order:judge")


class Orders:
    """The requests about a set, one a run, in the orders of judges from outside and of models."""

    def __init__(self, runs: Sequence[Run], pages: Mapping[str, Page]) -> None:
        self._instances = runs_by_instance(runs, with_digests=True)
        self._drafts = {
            place.trajectory_id: _draft(place, pages[place.trajectory_id])
            for instance in self._instances
            for place in instance.runs
        }
        self._hosts = {run.trajectory_id: instance.instance_id for run, instance in runs}
        self._parents = {
            run.trajectory_id: run.label.parent_id for run, _ in runs if run.label.faulty
        }

    def drawn(self, seed: int) -> Iterator[list[Draft[Page]]]:
        """Yield the order for judges from outside, then that for models."""
        rules: tuple[OrderRule, ...] = (BlocksDrawn(seed, "order"), InstancesDrawn(seed, "local:m"))
        for rule in rules:
            yield [
                draft
                for block in rule.blocks(self._instances)
                for draft in rule.ordered(
                    self._drafts[run.trajectory_id] for one in block for run in one.runs
                )
            ]

    def deltas(self, seed: int) -> list[float]:
        """Return the Δ of an order judge in each of these orders."""
        found = []
        for drafts in self.drawn(seed):
            judge = OrderJudge()
            flags = {draft.run.trajectory_id: judge(draft.request)["faulty"] for draft in drafts}
            gains = [int(flags[run]) - int(flags[str(of)]) for run, of in self._parents.items()]
            found.append(sum(gains) / len(gains))
        return found

    def places(self, seed: int) -> dict[str, tuple[float, ...]]:
        """Return where each run stands in each order: overall, and in its instance."""
        places: dict[str, tuple[float, ...]] = dict.fromkeys(self._drafts, ())
        for drafts in self.drawn(seed):
            seen: dict[str, int] = {}
            for place, draft in enumerate(drafts):
                run_id = draft.run.trajectory_id
                own = seen.get(self._hosts[run_id], 0)
                seen[self._hosts[run_id]] = own + 1
                places[run_id] += (place / len(drafts), float(own))
        return places


def _draft(place: RunPlace, page: Page) -> Draft[Page]:
    text = json.dumps(page)
    key = RequestKey(_JUDGE.judge_id, 0, 0, sha256(text.encode()).hexdigest())
    shown = {"goal": page["goal"], "rest": key.request_hash}
    return Draft(shown, _JUDGE, key, (text,), place)
