import pytest

from faultpair.engines.engine import EngineOptions
from faultpair.env.errors import UsageError


@pytest.mark.parametrize("name", ["context_tokens", "timeout_s", "parallel", "threads"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_number_that_is_not_positive_is_refused_by_name(name, value):
    with pytest.raises(UsageError, match=f"{name} is {value}; expected a number above 0"):
        EngineOptions(**{name: value})
