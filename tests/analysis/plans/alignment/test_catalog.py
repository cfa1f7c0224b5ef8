"""All numbers of alignment, and a law of them."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from .conftest import numbers_in, row, study_rows


def test_accuracy_of_a_generator_counts_each_plan_once():
    rows = [
        row(0.5, 1, record="r1", judge="a"),
        row(0.5, 1, record="r1", judge="b"),
        row(1, 0, record="r2", judge="a"),
    ]
    assert numbers_in(rows)["accuracy/generator=g"].estimate == 0.75


@settings(max_examples=4)
@given(st.integers(0, 1000))
def test_the_order_of_rows_does_not_matter(seed):
    rows = study_rows(n_records=6)
    before = numbers_in(rows)
    random.Random(seed).shuffle(rows)
    assert numbers_in(rows) == before
