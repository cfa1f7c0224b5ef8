"""The warnings of a report: reactions to edits, and ranks that silence gives."""

import pytest

from faultpair.analysis.metrics.controls import ADJUSTED, CONTROL_HEADLINE
from faultpair.analysis.metrics.key import ALL, NumberKey
from faultpair.analysis.metrics.silence import HEADLINE
from faultpair.analysis.output.cautions import cautions
from faultpair.analysis.stats.estimate import Estimate

JUDGED = NumberKey("delta", ALL)


def number(value, low, high, n=300):
    return Estimate(value, low, high, n, "made up")


def warned(control, adjusted, delta=(0.6, 0.5, 0.7)):
    own = {CONTROL_HEADLINE: number(*control), ADJUSTED: number(*adjusted)}
    own |= {HEADLINE: number(*delta), JUDGED: number(*delta)}
    return list(cautions("own", {"own": own}))


@pytest.mark.parametrize(
    ("control", "adjusted", "said"),
    [
        ((0.6, 0.5, 0.7), (0.0, -0.1, 0.1), "own reacts to edits rather than to faults: its"),
        ((0.2, 0.1, 0.3), (0.4, 0.3, 0.5), "own reacts to edits as well as to faults: its"),
        ((0.5, -0.1, 0.9), (0.1, -0.4, 0.7), "own cannot be said to react to faults rather than"),
    ],
)
def test_what_controls_say_against_a_judge_is_said_with_the_figures(control, adjusted, said):
    (warning,) = warned(control, adjusted)
    assert warning.startswith(said)
    assert f"control-Δ is {control[0]:+.3f} [{control[1]:+.3f}, {control[2]:+.3f}]" in warning
    assert f"less that is {adjusted[0]:+.3f} [{adjusted[1]:+.3f}" in warning


def test_a_judge_that_leaves_controls_alone_is_not_warned_of():
    assert warned((0.0, -0.05, 0.05), (0.6, 0.49, 0.71)) == []


def test_a_judge_without_a_delta_of_its_own_is_not_warned_of():
    assert warned((0.0, -0.05, 0.05), (0.02, -0.1, 0.1), delta=(0.02, -0.05, 0.1)) == []


def of_silence(judged, cautious):
    return {JUDGED: number(*judged, n=120), HEADLINE: number(*cautious)}


def test_a_judge_is_named_with_those_that_it_outranks_by_silence_alone():
    own = of_silence((0.7, 0.6, 0.8), (0.2, 0.1, 0.3))
    even, low, high = ((v, v - 0.1, v + 0.1) for v in (0.2, 0.1, 0.9))
    others = {name: of_silence(v, v) for name, v in (("even", even), ("low", low), ("high", high))}
    every = {"own": own, **others}
    assert list(cautions("own", every)) == [
        "own outranks even only by silence: its Δ is +0.700 [+0.600, +0.800] on the 120 pairs that "
        "it scored, and +0.200 [+0.100, +0.300] on the 300 that it was asked about."
    ]
    assert [list(cautions(name, every)) for name in others] == [[], [], []]


def test_of_many_judges_that_are_outranked_three_are_named():
    own = of_silence((0.7, 0.6, 0.8), (0.0, -0.1, 0.1))
    others = {f"judge {n}": of_silence((0.3, 0.2, 0.4), (0.3, 0.2, 0.4)) for n in range(5)}
    (warning,) = cautions("own", {"own": own, **others})
    assert "outranks judge 0, judge 1, judge 2 and 2 more judges only by silence" in warning
