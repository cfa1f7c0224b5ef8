"""The page on stopping: its study runs as it says, and its figures are those of the tables."""

import json
import re

from faultpair.studies.stop_spec import StopSpec
from tests.conftest import ROOT

PAGE = "docs/stopping.md"


def without_in_flight(text):
    """Leave out how many requests were made: one may be in flight when the result is clear."""
    return re.sub(r"\d+ of 160 requests", "of 160 requests", text)


def test_the_study_that_is_shown_stops_as_it_says(blocks, faultpair, tmp_path):
    (study,), (said,) = (blocks(PAGE, language) for language in ("toml", "text"))
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    done = faultpair("run", tmp_path, "-j", 1)
    assert done.code == 0
    assert without_in_flight(said.strip()) in without_in_flight(done.err)


def test_every_key_is_explained():
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)))
    assert set(named) == set(StopSpec.model_fields)


def test_the_figures_are_those_of_the_committed_counts():
    text = " ".join((ROOT / PAGE).read_text(encoding="utf-8").split())
    counts = json.loads((ROOT / "results" / "validity" / "counts.json").read_bytes())
    cells, looks = counts["stops"], counts["looks"]

    def used(by_instance):
        good = [c for c in cells if c["delta"] == 0.6 and c["by_instance"] is by_instance]
        return max(cell["calls"] / cell["studies"] / cell["all_calls"] for cell in good)

    at_floor = [cell for cell in cells if cell["delta"] == 0.2]
    passed, failed = (
        max(cell[key] / cell["studies"] for cell in at_floor) for key in ("passed", "failed")
    )
    found = max(cell["published"][0] / cell["studies"] for cell in looks)
    assert f"in up to {found:.0%} of studies".replace("%", " %") in text
    assert f"takes {used(False):.0%} of the".replace("%", " %") in text
    assert f"or {used(True):.0%} on the mean".replace("%", " %") in text
    assert f"at most {passed:.1%}, and failed in at most {failed:.1%},".replace("%", " %") in text
