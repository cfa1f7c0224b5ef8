"""What a report says of judges that win by silence or by alarm, in copies of committed studies."""

import json
import shutil
from pathlib import Path

import pytest

from ...conftest import ROOT, seal_as_is

PAPER, BALANCED = ROOT / "results" / "paper", ROOT / "results" / "balanced"
SILENT_SHARE = 0.8
RECORDS = ("study.toml", "manifest.json", "instances.jsonl", "trajectories.jsonl", "replies.jsonl")


def copy_with(study: Path, out: Path, verdicts: list[dict]) -> Path:
    """Copy the records of a study, with these verdicts, sealed as if a run had made them."""
    out.mkdir()
    for name in RECORDS:
        if (study / name).is_file():
            shutil.copy(study / name, out / name)
    text = "".join(
        f"{json.dumps(v, ensure_ascii=False, separators=(',', ':'))}\n" for v in verdicts
    )
    (out / "verdicts.jsonl").write_text(text, encoding="utf-8")
    seal_as_is(out)
    return out


def lines_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def row_of(judge: str, done) -> tuple[int, list[str]]:
    """Return the place of a judge in the summary, which comes first, and its cells."""
    lines = done.out.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith(f"{judge} "))
    return place, lines[place].split()


def silent_on(errors: list[dict], verdict: dict) -> dict:
    """Return a verdict of the abstainer: four of five errors are left unscored."""
    own = verdict | {"judge_id": "abstainer"}
    if verdict in errors and errors.index(verdict) % 5 < 5 * SILENT_SHARE:
        own |= {"faulty": None, "failure_step": None, "failure_type": None, "confidence": None}
        own |= {"score": None, "unscored": "it abstained"}
    return own


@pytest.fixture(scope="module")
def abstains(tmp_path_factory):
    """The paper's study with an abstainer made from step-1.5b."""
    kept = lines_of(PAPER / "verdicts.jsonl")
    faulty = {
        run["trajectory_id"]: run["label"]["faulty"]
        for run in lines_of(PAPER / "trajectories.jsonl")
    }
    large = [verdict for verdict in kept if verdict["judge_id"] == "step-1.5b"]
    errors = [v for v in large if v["faulty"] is not faulty[v["trajectory_id"]]]
    made = [silent_on(errors, verdict) for verdict in large]
    return copy_with(PAPER, tmp_path_factory.mktemp("silence") / "paper", kept + made)


def test_an_abstainer_has_the_cautious_delta_of_the_judge_it_is_made_from(faultpair, abstains):
    done = faultpair("report", abstains)
    assert (done.code, done.err) == (0, "")
    (at, silent), (before, whole) = row_of("abstainer", done), row_of("step-1.5b", done)
    assert before < at
    assert (whole[3], silent[3]) == ("+0.193", "+0.193")
    assert whole[4:6] == silent[4:6]
    judged, coverage = silent[6:8]
    assert float(judged) > 0.5
    assert float(coverage) < 0.6
    assert whole[6:8] == ["+0.193", "1.000"]


def test_the_report_says_what_an_abstainer_outranks_by_silence(faultpair, abstains):
    done = faultpair("report", abstains)
    (said,) = (line for line in done.out.splitlines() if line.startswith("abstainer flags faults"))
    assert "abstainer outranks state-check, step-1.5b only by silence: its Δ is +0.653" in said
    assert "and +0.193 [+0.094, +0.274] on the 300 that it was asked about." in said
    assert "only by silence" not in done.out.replace(said, "")


def test_a_judge_of_any_edit_has_an_adjusted_delta_near_0_and_is_named(faultpair, tmp_path):
    kept = lines_of(BALANCED / "verdicts.jsonl")
    edited = {
        run["trajectory_id"]: run["label"]["faulty"] or run["label"]["control"] is not None
        for run in lines_of(BALANCED / "trajectories.jsonl")
    }
    said = {"judge_id": "any-edit", "failure_step": None, "failure_type": None}
    rules = (verdict for verdict in kept if verdict["judge_id"] == "rules")
    made = [verdict | said | {"faulty": edited[verdict["trajectory_id"]]} for verdict in rules]
    done = faultpair("report", copy_with(BALANCED, tmp_path / "balanced", kept + made))
    assert (done.code, done.err) == (0, "")
    _, row = row_of("any-edit", done)
    assert row[1:4] == ["1.000", "0.000", "+1.000"]
    adjusted, low, high = row[6], *(end.strip("[],") for end in row[7:9])
    assert adjusted == "+0.000"
    assert float(low) < 0 < float(high)
    assert float(high) - float(low) < 0.2
    named = "any-edit reacts to edits rather than to faults: its control-Δ is +1.000 ["
    assert named in done.out
    assert "rules reacts" not in done.out
