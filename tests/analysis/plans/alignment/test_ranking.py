"""Rankings of judges under several weightings of the metrics."""

import numpy as np
import pytest

from faultpair.analysis.plans.alignment.ranking import WEIGHTINGS

from .conftest import numbers_in, row


def test_rankings_under_other_weights():
    said = {"a": (1, 1, 0, 1), "b": (1, 0, 1, 1), "c": (0, 0, 0, 1)}
    numbers = numbers_in([row(1, v, judge=judge) for judge, v in said.items()])
    place = "condition=with-gt"
    assert set(WEIGHTINGS) <= {name.split("/")[1] for name in numbers if "weighting" in name}
    assert numbers[f"weighting/sequence × 2/{place}/judge=b"].estimate == 4 / 5
    assert numbers[f"weighting/without parameters/{place}/judge=a"].estimate == 2 / 3
    assert numbers[f"weighting/equal/spearman/{place}"].estimate == pytest.approx(1)
    # Equal: a = b > c, ranks 2.5, 2.5, 1; sequence twice: b > a > c.
    rho = numbers[f"weighting/sequence × 2/spearman/{place}"].estimate
    assert rho == pytest.approx(np.sqrt(3) / 2)
