"""--accept-edits: edited records are used in one call, and all that rests on them is marked."""

import json

import pytest

MARK = "EDITED RECORDS: trajectories.jsonl"
REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'


@pytest.fixture
def tampered(lab):
    """A study whose run is whole, with an edited label."""
    lab.study({"s": 'engine = "scripted:coin"\n', "r": REPLY}).run()
    runs = lab.folder.trajectories
    kind = b'"failure_type":"unsupported_claim"'
    runs.write_bytes(runs.read_bytes().replace(kind, b'"failure_type":"wrong_tool"'))
    return lab


def test_every_file_of_a_rebuild_has_the_mark_and_none_without_edits(tampered, faultpair):
    names = ("rebuild", "--results", tampered.out.parent, "--study", "lab")
    assert faultpair(*names).code == 2
    done = faultpair(*names, "--accept-edits")
    assert (done.code, f"{MARK}." in done.err) == (0, True)
    made = [*tampered.out.glob("tables/*"), *tampered.out.glob("figures/*")]
    made += [tampered.out / "numbers.json", tampered.out / "macros.tex"]
    assert {file.suffix for file in made} == {".md", ".csv", ".svg", ".json", ".tex"}
    for file in made:
        text = file.read_text(encoding="utf-8")
        assert ("trajectories.jsonl" if file.suffix == ".json" else MARK) in text, file
    edited = json.loads((tampered.out / "numbers.json").read_bytes())["edited_records"]
    assert edited == ["trajectories.jsonl"]
    assert faultpair(*names).code == 2


def test_the_terminal_has_the_mark_and_the_next_call_refuses(tampered, faultpair):
    faulty = next(
        json.loads(line)["trajectory_id"]
        for line in tampered.folder.trajectories.read_bytes().splitlines()
        if json.loads(line)["label"]["faulty"]
    )
    files = (
        "--trajectories", tampered.folder.trajectories, "--instances", tampered.folder.instances,
    )  # fmt: skip
    for command, code in (
        (("report", tampered.out), 0),
        (("show", faulty, "--study", tampered.out), 0),
        (("replay", *files), 1),  # the label is not that of the set made anew
        (("power", tampered.out), 0),
    ):
        done = faultpair(*command, "--accept-edits")
        assert (done.code, MARK in done.err, MARK in done.out) == (code, True, True), command
        assert faultpair(*command).code == 2


def test_a_check_accepts_no_edits(tampered, faultpair):
    done = faultpair("rebuild", "--results", tampered.out.parent, "--check", "--accept-edits")
    assert (done.code, "--check accepts no edits" in done.err) == (2, True)


def test_a_readme_is_not_filled_from_edited_records(tampered, faultpair):
    root = tampered.out.parent.parent
    readme = root / "README.md"
    try:
        readme.write_text("<!-- faultpair:main study=lab -->\n<!-- /faultpair -->\n")
        names = ("rebuild", "--results", tampered.out.parent, "--study", "lab", "--no-figures")
        assert faultpair(*names, "--accept-edits").code == 0
        assert readme.read_text() == "<!-- faultpair:main study=lab -->\n<!-- /faultpair -->\n"
    finally:
        readme.unlink()


def test_a_run_makes_an_edited_set_and_edited_verdicts_again(tampered, faultpair):
    verdicts = tampered.folder.verdicts.read_bytes()
    tampered.folder.verdicts.write_bytes(verdicts.replace(b'"faulty":false', b'"faulty":true'))
    assert faultpair("run", tampered.out, "--limit", 0).code == 2
    done = faultpair("run", tampered.out, "--limit", 0, "--accept-edits")
    assert done.code == 0
    assert "edited, and made again: trajectories.jsonl, verdicts.jsonl." in done.err
    assert tampered.folder.verdicts.read_bytes() == verdicts
    assert faultpair("report", tampered.out).code == 0


def test_a_run_on_edited_answers_is_marked_and_renews_no_seal_of_them(lab, faultpair):
    lab.study({"s": 'engine = "scripted:coin"\n', "r": REPLY}).run()
    before = lab.manifest
    edited = [reply | {"latency_s": 9.0} for reply in lab.replies]
    lab.folder.replies.write_text("".join(f"{json.dumps(reply)}\n" for reply in edited))
    assert faultpair("run", lab.out, "--limit", 0).code == 2
    done = faultpair("run", lab.out, "--limit", 0, "--accept-edits")
    assert (done.code, "EDITED RECORDS: replies.jsonl" in done.out) == (0, True)
    assert lab.manifest == before
    assert faultpair("run", lab.out, "--limit", 0).code == 2
    assert faultpair("report", lab.out).code == 2


def test_a_run_accepts_no_edited_manifest(lab, faultpair):
    lab.study({"s": ""}).run()
    text = lab.folder.manifest.read_text()
    lab.folder.manifest.write_text(text.replace("scripted:clean", "scripted:faulty"))
    done = faultpair("run", lab.out, "--limit", 0, "--accept-edits")
    assert (done.code, "manifest.json was edited" in done.err) == (2, True)
    done = faultpair("report", lab.out, "--accept-edits")
    assert (done.code, "EDITED RECORDS: manifest.json" in done.out) == (0, True)
