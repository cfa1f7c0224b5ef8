"""The jury: the mean of all judges."""

from faultpair.analysis.plans.alignment.jury import JURY, with_jury

from .conftest import grid_of, numbers_in, row


def test_a_jury_is_the_mean_of_all_judges_on_the_plans_that_all_judged():
    rows = [
        row(0.5, 1, record="r1", judge="a"),
        row(0.5, 0, record="r1", judge="b"),
        row(1, 1, record="r2", judge="a"),
    ]
    jury = with_jury(grid_of(rows))
    assert jury.verdict[jury.judge.where(JURY)].tolist() == [[0.5] * 4]
    numbers = numbers_in(rows)
    assert numbers["jury/alignment/condition=with-gt"].estimate == 1.0
    assert numbers["jury/gain/condition=with-gt/tier=easy"].estimate == 0.5
    assert not len(with_jury(grid_of(rows[:1])))
