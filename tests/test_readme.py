"""The README keeps its word: the study that it shows builds as it stands."""

import re
from pathlib import Path

from faultpair import build, open_study

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_study_of_the_readme_builds(tmp_path):
    (shown,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "study.toml").write_text(shown, encoding="utf-8")
    assert build(open_study(tmp_path)).n_trajectories >= 30 + 3 * 20
