"""`faultpair.stats`: what it offers, and what importing the package alone does not load."""

import subprocess
import sys
from itertools import product

import pytest
from statsmodels.stats.contingency_tables import mcnemar

from faultpair import stats
from faultpair.env.errors import UsageError


def test_every_public_name_is_there_and_documented():
    for name in stats.__all__:
        assert getattr(stats, name).__doc__, name


def test_the_package_alone_loads_neither_numpy_nor_the_statistics():
    code = (
        "import sys, faultpair; "
        "print(sorted({'numpy', 'scipy', 'faultpair.stats'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_statistics_load_neither_pandas_nor_a_study_schema():
    code = (
        "import sys, faultpair.stats; "
        "print(sorted({'pandas', 'polars', 'pyarrow', 'statsmodels', 'pydantic'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("gains", "losses"), [*product((0, 1, 5, 12), (0, 1, 4))])
def test_with_one_fault_a_set_the_test_is_that_of_mcnemar(gains, losses):
    both, neither = 3, 7
    fault = [1] * gains + [0] * losses + [1] * both + [0] * neither
    parent = [0] * gains + [1] * losses + [1] * both + [0] * neither
    found = stats.matched_set_test(range(len(fault)), fault, parent).estimate
    if gains + losses == 0:
        assert found is None
    else:
        expected = mcnemar([[both, gains], [losses, neither]], exact=True).pvalue
        assert found == pytest.approx(expected)


def test_faults_that_share_a_clean_run_are_one_set():
    """Sets of three runs, one flag each: the parent's chance is a third of each flag."""
    sets = [name for name in "abcdef" for _ in range(2)]
    fault = [1, 0] * 6
    found = stats.matched_set_test(sets, fault, [0] * 12)
    assert found.n == 6
    assert found.estimate == pytest.approx(2 * (2 / 3) ** 6)


def test_flags_that_do_not_belong_together_are_refused():
    with pytest.raises(UsageError, match="have 1, 2 and 1 entries"):
        stats.matched_set_test(["a"], [1, 0], [0])
    with pytest.raises(UsageError, match="A clean run has two flags"):
        stats.matched_set_test(["a", "a"], [1, 0], [0, 1])


def test_power_is_that_of_the_published_interval():
    assert stats.power([1] * 40, 0.0) < 0.04
    assert stats.power([1] * 40, 0.6) > 0.98
    least = stats.least_delta([1] * 40)
    assert stats.power([1] * 40, least) == pytest.approx(0.8, abs=0.01)
    assert stats.power([1] * 40, least, floor=least) < 0.08


def test_too_few_units_have_no_power_and_no_least_delta():
    assert stats.power([5] * 6, 0.9) == 0.0
    assert stats.least_delta([5] * 6) is None


@pytest.mark.parametrize(("pairs", "delta"), [([], 0.5), ([0, 1], 0.5), ([1], 0.96), ([1], -0.1)])
def test_a_design_that_cannot_be_is_refused(pairs, delta):
    with pytest.raises(UsageError, match=r"Pairs: expected|expected 0 to 0\.95"):
        stats.power(pairs, delta)
