"""The numbers of a study: all of them, or those of the main table alone."""

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.metrics.baselines import baseline_names
from faultpair.analysis.metrics.catalog import compute, main_numbers, numbers_of

from ..conftest import named

MAIN = ("recall/all", "false-alarms", "delta/all", "delta/silent", "delta/loud", "runs/unscored")


def test_the_numbers_of_the_main_table_equal_those_among_all_numbers(records):
    for verdict in records.verdicts[:5]:
        verdict |= {"faulty": None, "unscored": "cannot be read"}
    study = load_study(records.write())
    every = named(numbers_of(compute(study, n_resamples=200)))
    main = named(main_numbers(study))
    for name in (*study.judges, *baseline_names(study.judges)):
        for number in MAIN:
            full = f"{name}/{number}"
            one, other = every.get(full), main.get(full)
            if one is None or other is None:
                assert one is other
                continue
            assert one == other
