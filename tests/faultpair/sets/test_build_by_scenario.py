"""Sets with counts of clean runs by scenario."""

from collections import Counter

import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.studies.folder import open_study

DESK = 'title = "t"\ndomain = "support_desk"\nseed = 3\n'


def table(**counts):
    return "[clean]\n" + "".join(f"{name} = {n}\n" for name, n in counts.items())


def test_clean_runs_are_wanted_until_each_scenario_has_its_count(built):
    instances, runs = built(DESK + table(expired=4, happy=1, restocking=0))
    assert Counter(one["difficulty"] for one in instances) == {"expired": 4, "happy": 1}
    assert len(runs) == 5


def test_they_are_the_first_of_their_scenario(built):
    instances, _ = built(DESK + table(restocking=3))
    assert [one["instance_id"] for one in instances] == ["INS-00001", "INS-00007", "INS-00013"]


def test_as_many_of_each_scenario_are_as_many_in_all(built):
    names = DOMAINS["support_desk"].scenarios
    fault = '[[faults]]\nname = "wrong_tool"\ncount = 8\n'
    by_number = built(f"{DESK}clean = {3 * len(names)}\n{fault}")
    assert built(DESK + table(**dict.fromkeys(names, 3)) + fault) == by_number


def test_a_scenario_that_the_domain_does_not_have_is_refused_with_those_it_has(
    faultpair, study_file, tmp_path
):
    done = faultpair("build", study_file(DESK + table(exprired=4)), "--out", tmp_path / "out")
    assert done.code == 2
    assert "'exprired', which support_desk does not have. Its scenarios: happy, " in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (table(happy=-1), "clean.happy: Input should be greater than or equal to 0"),
        (table(happy='"4"'), "clean.happy: Input should be a valid integer"),
        (table(happy=0), "asks for no runs"),
        ("[clean]\n", "asks for no runs"),
        ("clean = [4]\n", "clean: Input should be a valid integer"),
    ],
)
def test_an_invalid_table_of_counts_is_refused_by_its_key(study_file, text, problem):
    with pytest.raises(StudyError, match=problem):
        open_study(study_file(DESK + text))
