"""Over-anchoring: verdicts that a shown reference makes too high."""

import pytest

from faultpair.analysis.plans.alignment.anchoring import Case, anchored

from .conftest import grid_of, numbers_in, row


def test_over_anchoring_finds_what_the_truth_made_too_kind_and_its_mirror():
    p = (0.4, 0.4, 0.4, 1)
    rows = [
        row(p, (1, 0.5, 0, 1), record="r1"),
        row(p, (0.5, 1, 1, 0), record="r1", condition="without-gt"),
        row(p, 1, record="r2"),
    ]
    found = anchored(grid_of(rows), "with-gt", "without-gt")
    # 0.5 is within p + 0.1; on the second metric both say more than p, on the third the mirror.
    assert list(found.cases()) == [
        Case("r1", "g", "a", "easy", "tool_selection", 0.4, 1.0, 0.5),
    ]
    numbers = numbers_in(rows)
    assert numbers["anchoring/cases/judge=a"].estimate == 1
    assert numbers["anchoring/cases/judge=a"].n == 3
    assert numbers["anchoring/mirror/judge=a/metric=sequence"].estimate == 1.0
    # The second metric is a mirror as well: 1 without, and 0.5 with.
    assert numbers["anchoring/excess/judge=a"].estimate == pytest.approx((1 - 2) / 3)
    assert numbers["anchoring/share/judge=a/metric=query_coverage"].estimate is None
