"""Which judge to take."""

from faultpair.analysis.plans.alignment.cells import tally
from faultpair.analysis.plans.alignment.decision import decisions
from faultpair.analysis.plans.alignment.match_score import match
from faultpair.analysis.plans.alignment.record_bootstrap import Resample

from .conftest import grid_of, row


def test_the_decision_names_the_best_judge_and_how_far_the_next_is_behind():
    rows = [
        row(1, 1, judge="a", tier="easy"),
        row(1, 0.5, judge="b", tier="easy"),
        row(1, 0, judge="a", tier="hard"),
    ]
    grid = grid_of(rows)
    made = decisions(tally(grid, match(grid.reference, grid.verdict), Resample.of(grid, 5)))
    easy, hard = made
    assert (easy.tier, easy.best, easy.runner_up) == ("easy", "a", "b")
    assert (easy.distance.estimate, easy.holds.estimate) == (0.5, 1.0)
    assert (hard.best, hard.runner_up) == ("a", None)
    assert hard.distance.reason == "only one judge judged there"
