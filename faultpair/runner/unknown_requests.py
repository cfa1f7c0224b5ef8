"""Which kept exchanges are about no request that the study makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from faultpair.env.jsonl import read_records
from faultpair.studies.exchanges import read_exchange_log
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import read_runs

from .panel import names_an_engine, panel_of
from .requests import plan_requests

__all__ = ["unknown_requests"]


def unknown_requests(folder: StudyFolder) -> Iterator[str]:
    """Yield a line for each kept exchange about a request that the study does not make."""
    log = read_exchange_log(folder.replies)
    known = set(_request_hashes(folder, log.passes)) if log.passes else set()
    for number, exchange in enumerate(read_records(folder.replies, _Exchange), start=1):
        if exchange.request_hash not in known:
            yield f"{folder.replies}, line {number}: the study makes no such request"


class _Exchange(msgspec.Struct):
    request_hash: str


def _request_hashes(folder: StudyFolder, passes: dict[str, int]) -> Iterator[str]:
    """Yield the hash of each request that a study makes, and of each that may follow it."""
    panel = panel_of(folder.study, [judge for judge in passes if names_an_engine(judge)])
    assignments = [
        replace(each, repeats=max(each.repeats, passes.get(each.judge.judge_id, 0)))
        for each in panel.assignments
    ]
    runs = list(read_runs(folder.trajectories, folder.instances))
    for request in plan_requests(assignments, runs):
        yield request.key.request_hash
        for _ in range(request.judge.retries):
            request = request.redrawn()
            yield request.key.request_hash
