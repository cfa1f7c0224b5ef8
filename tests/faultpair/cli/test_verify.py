"""`faultpair verify`: every edit of a study's records is named, also one with new digests."""

import json
import shutil
from pathlib import Path

import pytest

from faultpair.studies.files import sha256_of
from faultpair.studies.manifest import Manifest, read_manifest, write_manifest
from faultpair.studies.seals import root_digest

ROOT = Path(__file__).resolve().parents[3]
STUDIES = sorted(file.parent.name for file in (ROOT / "results").glob("*/study.toml"))
PARTS = ["records", "set", "verdicts", "manifest", "replay", "exchanges", "tables"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A committed study without figures; tests copy it."""
    folder = tmp_path_factory.mktemp("judged") / "noise"
    shutil.copytree(ROOT / "results" / "noise", folder)
    shutil.rmtree(folder / "figures")
    manifest = read_manifest(folder / "manifest.json")
    names = [name for name in manifest.generated if not name.startswith("figures/")]
    write_manifest(folder / "manifest.json", manifest.with_entry("generated", entry=names))
    return folder


@pytest.fixture
def study(judged, tmp_path):
    return Path(shutil.copytree(judged, tmp_path / "noise"))


def results(done):
    """Return the result of each check by its name."""
    lines = [line for line in done.out.splitlines() if not line.startswith((" ", "root", "no "))]
    return {line[:12].strip(): line[12:21].strip() for line in lines}


def edit(path, change, place=3):
    """Change a record of a file of records."""
    lines = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[place])
    change(record)
    lines[place] = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def seal_again(folder, name):
    """Write the digests of a file, as an editor who knows of them would."""
    manifest = read_manifest(folder / "manifest.json")
    if name in manifest.sealed_logs:
        content = (folder / name).read_bytes()
        entry = {
            "lines": content.count(b"\n"), "bytes": len(content), "sha256": sha256_of(folder / name)
        }  # fmt: skip
        manifest = manifest.with_entry("sealed_logs", name, entry=entry)
    else:
        entry = {**manifest.entry("sha256"), name: sha256_of(folder / name)}
        manifest = manifest.with_entry("sha256", entry=entry)
    write_manifest(folder / "manifest.json", manifest)


def test_a_study_that_is_as_it_was_made_passes_every_check(faultpair, study):
    before = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    done = faultpair("verify", study)
    assert done.code == 0, done.out
    assert results(done) == dict.fromkeys(PARTS, "ok")
    root = root_digest(read_manifest(study / "manifest.json"))
    assert done.out.splitlines()[-1] == f"root digest {root}"
    assert f"| noise | `{root}` |" in (ROOT / "README.md").read_text(encoding="utf-8")
    after = {path: path.read_bytes() for path in study.rglob("*") if path.is_file()}
    assert after == before


EDITS = {
    "an answer of the model": ("replies.jsonl", lambda r: r.update(text="no"), "verdicts"),
    "a request": ("replies.jsonl", lambda r: r.update(request_hash="0" * 64), "exchanges"),
    "a verdict": ("verdicts.jsonl", lambda r: r.update(faulty=not r["faulty"]), "verdicts"),
    "a label": (
        "trajectories.jsonl",
        lambda r: r["label"].update(outcome_correct=not r["label"]["outcome_correct"]),
        "set",
    ),
    "a final answer": (
        "trajectories.jsonl", lambda r: r.update(final_answer="Nothing was done."), "replay"
    ),
    "an instance": ("instances.jsonl", lambda r: r.update(difficulty="fee"), "set"),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("has_new_digests", [False, True])
def test_an_edit_of_a_record_is_found_also_with_new_digests(
    faultpair, study, name, has_new_digests
):
    file, change, part = EDITS[name]
    before = root_digest(read_manifest(study / "manifest.json"))
    edit(study / file, change)
    if has_new_digests:
        seal_again(study, file)
    done = faultpair("verify", study)
    assert done.code == 1
    found = results(done)
    # Answers that are not what was sealed are not made verdicts of.
    is_refused = file == "replies.jsonl" and not has_new_digests
    assert found["run again" if is_refused else part] == "DIFFERS", done.out
    assert f"  {study}" in done.out or part == "replay"
    assert found["records"] == ("ok" if has_new_digests else "DIFFERS")
    assert (before in done.out) == (not has_new_digests)


def test_an_edited_set_is_no_difference_of_verdicts_or_manifest(faultpair, study):
    edit(study / "trajectories.jsonl", EDITS["a label"][1])
    found = results(faultpair("verify", study))
    assert (found["records"], found["set"]) == ("DIFFERS", "DIFFERS")
    assert (found["verdicts"], found["manifest"]) == ("ok", "ok")


def test_an_edited_log_is_named_by_its_own_folder(faultpair, study):
    edit(study / "replies.jsonl", EDITS["an answer of the model"][1])
    done = faultpair("verify", study)
    assert results(done)["run again"] == "DIFFERS"
    named = [line.split()[0] for line in done.out.splitlines() if "is not what was sealed" in line]
    assert named == [str(study / "replies.jsonl")] * 2


def test_a_forged_reading_of_a_contrast_with_a_new_digest_is_found(faultpair, study):
    manifest = read_manifest(study / "manifest.json")
    (name,) = manifest.contrasts
    entry = {**manifest.entry("contrasts", name), "reading": "as it came out"}
    forged = manifest.with_entry("contrasts", name, entry=entry)
    write_manifest(study / "manifest.json", forged)
    done = faultpair("verify", study)
    assert done.code == 1
    assert root_digest(forged) in done.out
    assert root_digest(manifest) not in done.out


@pytest.mark.parametrize("name", ["tables/main.md", "numbers.json", "macros.tex"])
def test_an_edited_or_missing_table_is_named(faultpair, study, name):
    path = study / name
    path.write_text(path.read_text(encoding="utf-8").replace("0.", "1.", 1), encoding="utf-8")
    done = faultpair("verify", study)
    assert (done.code, results(done)["tables"]) == (1, "DIFFERS")
    assert f"  {path}: it is not what the records give" in done.out
    path.unlink()
    assert f"  {path}: missing" in faultpair("verify", study).out


def test_a_file_of_the_user_beside_the_tables_is_no_difference(faultpair, study):
    (study / "tables" / "notes.md").write_text("mine", encoding="utf-8")
    assert faultpair("verify", study).code == 0


def test_records_elsewhere_are_verified_with_out(faultpair, study, tmp_path):
    records = study.rename(tmp_path / "elsewhere")
    design = tmp_path / "design"
    design.mkdir()
    (records / "study.toml").rename(design / "study.toml")
    for path in records.glob("tables/*"):
        path.unlink()
    for name in ("numbers.json", "macros.tex"):
        (records / name).unlink()
    manifest = read_manifest(records / "manifest.json").with_entry("generated", entry=[])
    write_manifest(records / "manifest.json", manifest)
    done = faultpair("verify", design, "--out", records)
    assert done.code == 0, done.out
    assert "none: `faultpair rebuild` has not been run" in done.out


def test_a_study_of_version_0_1_says_what_is_not_sealed_and_is_checked_in_part(faultpair, tmp_path):
    kept = ROOT / "tests" / "studies" / "version_0_1"
    for name in ("judged", "planned", "played"):
        folder = shutil.copytree(kept / name, tmp_path / name)
        done = faultpair("verify", folder)
        assert done.code == 3, done.out
        found = results(done)
        assert found["records"] == found["manifest"] == "partly"
        assert found["set"] == found["verdicts"] == found["replay"] == "ok"
        assert "not sealed: manifest.json, " in done.out
        assert done.out.splitlines()[-1].startswith("no root digest: ")


def test_a_run_that_did_not_end_is_no_edit(faultpair, study):
    log = study / "replies.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    manifest = read_manifest(study / "manifest.json")
    log.write_bytes(b"".join(lines[:-1]))
    seal_again(study, log.name)
    log.write_bytes(b"".join(lines))
    done = faultpair("verify", study)
    assert done.code == 3, done.out
    assert "replies.jsonl: the last line is not sealed yet" in done.out
    write_manifest(study / "manifest.json", manifest)
    assert faultpair("verify", study).code == 0


def test_the_judge_that_a_command_line_added_is_judged_again(faultpair, small, tmp_path):
    design = small.folder.file
    out = tmp_path / "out"
    assert faultpair("run", design, "--out", out, "--judge", "strict").code == 0
    done = faultpair("verify", design, "--out", out)
    assert done.code == 0, done.out
    edit(out / "verdicts.jsonl", lambda r: r.update(faulty=not r["faulty"]))
    assert faultpair("verify", design, "--out", out).code == 1


def test_a_study_without_records_is_refused(faultpair, study_file):
    done = faultpair("verify", study_file())
    assert (done.code, "holds no records of" in done.err) == (2, True)


def test_a_set_without_judges_is_verified(faultpair, tmp_path):
    text = 'title = "Plans"\ndomain = "workflow"\nseed = 3\nclean = 4\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert faultpair("build", tmp_path).code == 0
    done = faultpair("verify", tmp_path)
    assert done.code == 0, done.out
    assert "4 runs of 4 instances made again from the study file" in done.out


def test_a_set_that_is_kept_by_its_digests_alone_is_built_and_compared(faultpair, tmp_path):
    text = 'title = "Plans"\ndomain = "workflow"\nseed = 3\nclean = 4\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    faultpair("build", tmp_path)
    for name in ("trajectories.jsonl", "instances.jsonl"):
        (tmp_path / name).unlink()
    done = faultpair("verify", tmp_path)
    assert (done.code, "and compared by their digests" in done.out) == (0, True), done.out
    manifest = read_manifest(tmp_path / "manifest.json")
    entry = {**manifest.entry("sha256"), "trajectories.jsonl": "0" * 64}
    write_manifest(tmp_path / "manifest.json", manifest.with_entry("sha256", entry=entry))
    done = faultpair("verify", tmp_path)
    assert done.code == 1
    assert "trajectories.jsonl: it is not kept, and its digest in manifest.json is of" in done.out


@pytest.mark.parametrize("name", ["turns.jsonl", "plans.jsonl", "episodes.jsonl"])
def test_an_edit_of_what_a_set_of_models_rests_on_is_found(faultpair, tmp_path, name):
    source = "agent" if name == "episodes.jsonl" else "plans"
    study = shutil.copytree(
        ROOT / "results" / source, tmp_path / source, ignore=shutil.ignore_patterns("figures")
    )
    old, new = {
        "turns.jsonl": (b'"text":"', b'"text":" no'),
        "plans.jsonl": (b'"n_calls":2', b'"n_calls":3'),
        "episodes.jsonl": (b"true", b"false"),
    }[name]
    content = (study / name).read_bytes()
    assert old in content
    (study / name).write_bytes(content.replace(old, new, 1))
    seal_again(study, name)
    done = faultpair("verify", study)
    assert done.code == 1
    assert str(study) in done.out


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_every_committed_study_is_verified_with_the_root_digest_of_the_readme(faultpair, name):
    done = faultpair("verify", ROOT / "results" / name)
    assert done.code == 0, done.out
    root = done.out.splitlines()[-1].removeprefix("root digest ")
    for page in ("README.md", "docs/results.md"):
        assert f"| {name} | `{root}` |" in (ROOT / page).read_text(encoding="utf-8")


def test_the_root_digest_covers_records_and_what_was_registered_and_no_version():
    document = {"title": "A", "seed": 1, "sha256": {"x": "1"}, "judges": {}}
    root = root_digest(Manifest.of(document))
    assert root_digest(Manifest.of({**document, "faultpair": "9", "generated": ["x"]})) == root
    for key, value in (("title", "B"), ("seed", 2), ("sha256", {"x": "2"})):
        assert root_digest(Manifest.of({**document, key: value})) != root


def test_verdicts_that_a_kill_left_under_their_first_name_are_verified(faultpair, lab):
    lab.study({"s": ""}).run(verdicts=2)
    older = lab.folder.verdicts.read_bytes()
    lab.run(verdicts=3)
    assert faultpair("rebuild", "--results", lab.out.parent, "--no-figures").code == 0
    lab.folder.verdicts.rename(lab.out / "verdicts.jsonl.partial")
    lab.folder.verdicts.write_bytes(older)
    done = faultpair("verify", lab.out)
    assert done.code == 0, done.out
    assert set(results(done).values()) == {"ok"}


@pytest.mark.parametrize("written", [(), ("plans.jsonl",), ("plans.jsonl", "trajectories.jsonl")])
def test_a_run_that_was_killed_while_it_wrote_the_set_of_models_is_verified_in_part(
    faultpair, tmp_path, written
):
    for name in ("study.toml", "turns.jsonl", *written):
        shutil.copy(ROOT / "results" / "plans" / name, tmp_path)
    kept = read_manifest(ROOT / "results" / "plans" / "manifest.json").document
    begun = {key: kept[key] for key in ("faultpair", "planners")}
    write_manifest(tmp_path / "manifest.json", Manifest.of(begun))
    done = faultpair("verify", tmp_path)
    assert done.code == 3, done.out
    assert results(done)["set"] == "partly"
    assert "DIFFERS" not in done.out
    if written:
        edit(tmp_path / "plans.jsonl", lambda facts: facts.update(n_calls=7))
        assert faultpair("verify", tmp_path).code == 1


def test_tables_that_were_rebuilt_after_a_kill_are_no_edit(faultpair, lab):
    lab.study({"s": ""}).run(verdicts=2)
    older = {file: file.read_bytes() for file in (lab.folder.verdicts, lab.folder.manifest)}
    lab.run(verdicts=3)
    for file, content in older.items():
        file.write_bytes(content)
    for command in (("verify", lab.out), ("rebuild", "--results", lab.out.parent, "--no-figures")):
        assert "DIFFERS" not in faultpair(*command).out
    done = faultpair("verify", lab.out)
    assert (done.code, results(done)["tables"]) == (3, "partly"), done.out
    assert "DIFFERS" not in done.out
