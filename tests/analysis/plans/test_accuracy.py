"""Attrition of requests for plans, and the accuracy of plans, counted by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from faultpair.agents.parse_plan import Attrition
from faultpair.agents.plan_facts import PlanFacts
from faultpair.analysis.data.columns import Coded
from faultpair.analysis.plans.accuracy import accuracy_numbers
from faultpair.analysis.plans.attrition import attrition_numbers
from faultpair.analysis.plans.data import Plans
from faultpair.analysis.plans.settings import PlanSettings
from faultpair.env.plans.records import Tier
from faultpair.env.workflow.instances import Topology
from faultpair.judges.plan_metrics.variants import VARIANTS

from ..conftest import named

MEANS = {"WFL-0-easy-p": 1.0, "WFL-1-easy-p": 0.5, "WFL-0-hard-p": 0.25}
LOST = {"WFL-1-hard-p": Attrition.EMPTY, "WFL-2-hard-p": Attrition.NOT_JSON}


def attempt(name):
    _, number, tier, planner = name.split("-")
    lost = LOST.get(name)
    return PlanFacts(
        name, name.removesuffix("-p"), f"WFL-{number}", Topology.LINEAR, Tier(tier), "finance",
        planner, lost, 0 if lost else 2, None if lost else {}, 100, 0, 10, 2.0,
    )  # fmt: skip


@pytest.fixture
def made():
    ids = tuple(sorted(MEANS))
    names = Coded(("x",), np.zeros(3, np.int64))
    four = np.array([[MEANS[name]] * 4 for name in ids])
    references = {variant: four / 2 if variant == "schema" else four for variant in VARIANTS}
    origin = Coded(("p",), np.zeros(3, np.int64))
    attempts = tuple(map(attempt, (*MEANS, *LOST)))
    values = np.zeros((0, 3, 4))
    plans = Plans(
        record=names,
        tier=names,
        topology=names,
        origin=origin,
        references=references,
        values=values,
        settings=PlanSettings(),
        attempts=attempts,
    )
    return plans, SimpleNamespace(ids=ids)


def test_requests_are_counted_by_outcome(made):
    numbers = named(attrition_numbers(made[0]))

    def of(name, tier):
        return numbers[f"attrition/{name}/generator=p/tier={tier}"].estimate

    assert [of("planned", tier) for tier in ("all", "easy", "hard")] == [5, 2, 3]
    assert [of("kept", tier) for tier in ("all", "easy", "hard")] == [3, 2, 1]
    assert [of("lost=empty", tier) for tier in ("all", "easy", "hard")] == [1, 0, 1]
    assert of("lost=not-json", "hard") == 1
    assert of("lost=too-long", "all") == 0
    assert of("kept-share", "hard") == pytest.approx(1 / 3)
    assert (of("seconds", "all"), of("prompt-tokens", "easy")) == (2.0, 100)


def test_accuracy_is_that_of_the_plans_there_are_and_beside_it_of_all_requests(made):
    numbers = named(accuracy_numbers(*made, 50))

    def of(variant, tier):
        return numbers[f"variant/{variant}/generator=p/tier={tier}"].estimate

    assert of("printed", "easy") == pytest.approx(0.75)
    assert of("printed", "hard") == pytest.approx(0.25)
    assert of("printed", "all") == pytest.approx(0.5)  # tiers alike
    assert of("schema", "easy") == pytest.approx(0.375)
    assert of("all-requests", "easy") == pytest.approx(0.75)
    assert of("all-requests", "hard") == pytest.approx(0.25 / 3)
    assert numbers["variant/all-requests/generator=p/tier=hard"].n == 3
