"""A study file that is not valid is refused where its tables are rebuilt, too."""

import pytest

from faultpair.analysis.data.study_data import load_study
from faultpair.analysis.rebuild import main
from faultpair.env.errors import StudyError

HEAD = 'title = "t"\ndomain = "toy"\nseed = 1\n'
BAD = {
    "no TOML": ("title = ", "is not TOML"),
    "no seed": ('title = "t"\ndomain = "toy"\nclean = 1\n', "seed: it is missing"),
    "an unknown key": (HEAD + "clean = 1\ncolour = 1\n", "colour: there is no such key here"),
    "no runs": (HEAD, "asks for no runs"),
}


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=list(BAD))
def test_a_study_file_that_is_not_valid_is_refused_with_its_problem(records, capsys, text, problem):
    folder = records.write()
    (folder / "study.toml").write_text(text, encoding="utf-8")
    assert main(["--results", str(folder.parent), "--no-figures"]) == StudyError.exit_code
    error = capsys.readouterr().err
    assert error.startswith(f"The study {folder / 'study.toml'} ")
    assert problem in error


def test_a_study_of_a_domain_that_is_not_installed_is_read(records):
    folder = records.write()
    text = HEAD.replace("toy", "of-a-plug-in") + 'clean = 1\njudges = ["stepper"]\n'
    (folder / "study.toml").write_text(text, encoding="utf-8")
    assert load_study(folder).expected == ("stepper",)


def test_records_without_a_study_file_are_read(records):
    folder = records.write()
    (folder / "study.toml").unlink()
    study = load_study(folder)
    assert (study.contrasts, study.votes, study.expected) == ((), (), ())
