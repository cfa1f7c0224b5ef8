"""How many tool-call plans the programmatic reference scores in a second, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from faultpair.env.plans.records import Plan
from faultpair.env.records import Call
from faultpair.env.rng import below, pick, stream
from faultpair.judges.plan_metrics.metrics import Prepared, Scores, prepare, score, score_prepared

__all__ = ["report"]

N_RECORDS = 4_000
REPEATS = 5
TOOLS = tuple(f"get_reading_{number}" for number in range(13))
KEYS = tuple(f"argument_{number}" for number in range(5))


def report() -> None:
    """Print the rate of the fastest of five, and that of plans whose reference is new each time.

    Plans hold 2 to 5 calls, and each reference is met by those of five generators. The
    seconds are those of the processor: on a shared machine the clock on the wall measures
    the others.
    """
    pairs = [(made, plan) for plan in _references() for made in _generated(plan)]
    prepared = {id(plan): prepare(plan) for _, plan in pairs}
    ready = [(made, prepared[id(plan)]) for made, plan in pairs]
    _line("plans scored", _rate(lambda: _score_all(ready), len(pairs)), "at least 200,000")
    _line("the same, each with a new reference", _rate(lambda: _all_anew(pairs), len(pairs)))


def _references() -> list[Plan]:
    rng = stream("bench", "plans")
    return [tuple(_call(rng) for _ in range(2 + below(rng, 4))) for _ in range(N_RECORDS)]


def _generated(plan: Plan) -> list[Plan]:
    """Return what five generators make of it: the same, and four that err in one place."""
    longer = Call(plan[0].tool, {**plan[0].args, "note": ""})
    return [
        tuple(Call(call.tool, dict(call.args)) for call in plan),
        (longer, *plan[1:]),
        plan[:-1],
        (plan[1], plan[0], *plan[2:]),
        (*plan, Call("get_weather", {})),
    ]


def _call(rng: Random) -> Call:
    return Call(pick(rng, TOOLS), dict.fromkeys(KEYS[: below(rng, len(KEYS) + 1)], 1))


def _score_all(ready: list[tuple[Plan, Prepared]]) -> list[Scores]:
    return [score_prepared(plan, reference) for plan, reference in ready]


def _all_anew(pairs: list[tuple[Plan, Plan]]) -> list[Scores]:
    return [score(plan, expected) for plan, expected in pairs]


def _rate(job: Callable[[], object], n: int) -> float:
    return n / min(_seconds(job) for _ in range(REPEATS))


def _seconds(job: Callable[[], object]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def _line(what: str, rate: float, target: str = "") -> None:
    figure = f"{rate:,.0f} a second"
    print(f"{what:<62}{figure:>18}{target and f'  (target {target})'}", flush=True)
