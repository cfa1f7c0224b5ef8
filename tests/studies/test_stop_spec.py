"""The table `[stop]`: a floor or a margin, never both, with what goes with each."""

import math

import pytest
from pydantic import ValidationError

from faultpair.studies.stop_spec import StopSpec

PAIR = {"judge": "s", "against": "t"}


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({}, "either floor, or margin"),
        ({"floor": 0.2, "margin": 0.1, **PAIR}, "either floor, or margin"),
        ({"floor": 0.2, "judge": "s"}, "with floor, name judges"),
        ({"floor": 0.2, "to_be": "equivalent"}, "with floor, name judges"),
        ({"margin": 0.1}, "name two judges"),
        ({"margin": 0.1, "judge": "s"}, "name two judges"),
        ({"margin": 0.1, "judge": "s", "against": "s"}, "name two judges"),
        ({"margin": 0.1, **PAIR, "judges": ["s"]}, "judges goes with floor"),
        ({"floor": 1.0}, "less than or equal to 0.99"),
        ({"margin": 0.0, **PAIR}, "greater than or equal to 0.01"),
        ({"floor": 0.2, "looks": 5}, "Extra inputs are not permitted"),
        ({"floor": 0.2, "over": "runs"}, "'pairs' or 'instances'"),
    ],
)
def test_terms_that_do_not_go_together_are_refused(terms, message):
    with pytest.raises(ValidationError, match=message):
        StopSpec.model_validate(terms)


def test_a_floor_passes_from_it_on_and_a_margin_around_or_above_its_negative():
    assert StopSpec(floor=0.2).region == (0.2, math.inf)
    assert StopSpec(margin=0.1, **PAIR).region == (-0.1, math.inf)
    assert StopSpec(margin=0.1, to_be="equivalent", **PAIR).region == (-0.1, 0.1)


def test_all_judges_with_an_engine_stop_each_by_itself_if_none_is_named():
    assert StopSpec(floor=0.2).watched(("s", "t")) == (("s",), ("t",))
    assert StopSpec(floor=0.2, judges=("t",)).watched(("s", "t")) == (("t",),)
    assert StopSpec(margin=0.1, **PAIR).watched(("s", "t", "u")) == (("s", "t"),)
