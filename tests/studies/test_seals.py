"""Seals: what they hold, when they are renewed, and which state of a folder they accept."""

import json
from hashlib import sha256

import pytest

from faultpair.env.errors import SealError
from faultpair.runner.current_verdicts import checked_records, current_verdicts
from faultpair.studies import append_log
from faultpair.studies.append_log import LogSeal
from faultpair.studies.exchanges import ExchangeLog
from faultpair.studies.folder import open_study
from faultpair.studies.manifest import read_manifest, write_manifest
from faultpair.studies.seals import check_records, root_digest

from ..conftest import seal_as_is

REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'
TWO = {"s": "", "r": REPLY}


def digest(path):
    return sha256(path.read_bytes()).hexdigest()


def test_a_run_seals_the_set_its_verdicts_its_log_and_the_manifest_itself(lab):
    lab.study(TWO).run()
    manifest, log = lab.manifest, lab.folder.replies.read_bytes()
    assert list(manifest)[-1] == "digest"
    assert manifest["sha256"] == {
        path.name: digest(path)
        for path in (
            lab.folder.file,
            lab.folder.instances,
            lab.folder.trajectories,
            lab.folder.verdicts,
        )
    }
    assert manifest["sealed_logs"] == {
        "replies.jsonl": {"lines": 15, "bytes": len(log), "sha256": sha256(log).hexdigest()}
    }
    text = lab.folder.manifest.read_text(encoding="utf-8")
    last = f',\n  "digest": "{manifest["digest"]}"\n}}\n'
    without = text.removesuffix(last) + "\n}\n"
    assert manifest["digest"] == sha256(without.encode()).hexdigest()


def test_a_second_run_without_a_request_changes_no_file(lab):
    lab.study(TWO, CONTRAST).run()
    before = {file.name: file.read_bytes() for file in lab.out.iterdir()}
    lab.run(verdicts=0)
    assert {file.name: file.read_bytes() for file in lab.out.iterdir()} == before


CONTRAST = """
[[contrasts]]
name = "c"
judge = "s"
against = "r"
"""


def test_the_seal_of_a_log_is_renewed_while_lines_are_added(lab, monkeypatch):
    monkeypatch.setattr(append_log, "RENEWED_EVERY", 4)
    seen = []

    class Listener:
        def on_built(self, n): ...
        def on_message(self, text): ...
        def on_start(self, total): ...
        def on_attempt(self, judge_id, verdict):
            sealed = lab.manifest["sealed_logs"].get("replies.jsonl", {"lines": 0})
            seen.append(sealed["lines"])

    lab.study(TWO).run(listener=Listener())
    assert sorted(set(seen)) == [0, 4, 8, 12]
    assert lab.manifest["sealed_logs"]["replies.jsonl"]["lines"] == 15


def test_a_log_whose_sealed_lines_were_edited_keeps_its_seal(lab):
    lab.study(TWO).run()
    before = lab.folder.manifest.read_bytes()
    lines = lab.folder.replies.read_bytes().splitlines(keepends=True)
    seal = LogSeal(lab.folder.replies)
    for line in [*lines[1:], lines[0], lines[0]]:
        seal.note(line)
    seal.renew()
    assert lab.folder.manifest.read_bytes() == before


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_line_ends_and_a_byte_order_mark_are_no_edit_of_a_study_file(lab, end):
    lab.study(TWO)
    text = lab.folder.file.read_bytes()
    lab.folder.file.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    lab.run()
    lab.folder.file.write_bytes(text.replace(b"\n", end))
    assert check_records(lab.out).edited == ()


def test_an_edited_study_file_is_refused_until_a_run_takes_it_as_the_design(lab, faultpair):
    lab.study(TWO).run()
    lab.study(TWO, CONTRAST)
    done = faultpair("report", lab.out)
    assert done.code == 2
    assert f"{lab.folder.file} was edited after the records beside it were sealed." in done.err
    assert "faultpair run STUDY --limit 0" in done.err
    assert faultpair("run", lab.out, "--limit", 0).code == 0
    assert faultpair("report", lab.out).code == 0
    assert lab.manifest["contrasts"]["c"]["post_hoc"] is True


def test_a_plan_of_another_design_is_made_until_a_judge_was_asked(lab, faultpair):
    lab.study(TWO)
    assert faultpair("build", lab.out).code == 0
    lab.study(TWO, CONTRAST)
    assert faultpair("power", lab.out).code == 0
    lab.run()
    lab.study(TWO)
    assert faultpair("power", lab.out).code == 2


def test_a_longer_log_is_counted_and_its_tail_is_named(lab):
    lab.study(TWO).run(verdicts=3)
    sealed = lab.folder.manifest.read_bytes()
    lab.run()
    lab.folder.manifest.write_bytes(sealed)
    notes = []
    checked_records(lab.out, notes.append)
    assert notes[0] == f"{lab.folder.replies}: the last 12 lines are not sealed yet."


def test_an_answer_that_a_tail_repeats_is_an_edit_and_a_failed_attempt_is_none(lab):
    lab.study(TWO).run()
    log = lab.folder.replies
    whole = log.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    log.write_bytes(whole + last)
    with pytest.raises(SealError, match=r"replies\.jsonl is not .*: line 16 repeats an answer"):
        check_records(lab.out)
    failed = json.dumps(json.loads(last) | {"text": None, "error": "down"}).encode() + b"\n"
    log.write_bytes(whole + failed + failed)
    assert check_records(lab.out).tails == {"replies.jsonl": 2}


def test_verdicts_that_did_not_take_their_name_are_read_and_take_it_in_the_next_run(lab):
    lab.study(TWO).run(verdicts=3)
    early = lab.folder.verdicts.read_bytes()
    lab.run()
    whole = lab.folder.verdicts.read_bytes()
    partial = lab.out / "verdicts.jsonl.partial"
    for before in (None, early):  # what a kill leaves between the seal and the name
        lab.folder.verdicts.rename(partial)
        if before is not None:
            lab.folder.verdicts.write_bytes(before)
        with current_verdicts(lab.out, print) as (file, edited):
            assert (file, edited) == (partial, ())
        lab.run(verdicts=0)
        assert lab.folder.verdicts.read_bytes() == whole
        assert not partial.exists()


def test_an_interrupt_between_the_seal_and_the_name_leaves_the_sealed_file(lab, monkeypatch):
    def interrupted(partial, path):
        if path == lab.folder.verdicts:
            raise KeyboardInterrupt
        partial.replace(path)

    lab.study(TWO).run(verdicts=3)
    monkeypatch.setattr("faultpair.studies.files._take_name", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lab.run()
    monkeypatch.undo()
    notes = []
    with current_verdicts(lab.out, notes.append) as (file, _):
        assert file.name == "verdicts.jsonl.partial"
    lab.run(verdicts=0)
    assert len(lab.verdicts) == 18


def test_verdicts_that_the_log_gives_are_no_edit_whatever_was_sealed(lab):
    lab.study(TWO).run(verdicts=3)
    entry = lab.manifest["sha256"]
    lab.run()
    older = read_manifest(lab.folder.manifest).with_entry("sha256", entry=entry)
    write_manifest(lab.folder.manifest, older)
    notes = []
    checked_records(lab.out, notes.append)
    assert notes == []
    lab.run(verdicts=0)
    assert lab.manifest["sha256"]["verdicts.jsonl"] == digest(lab.folder.verdicts)


def test_verdicts_older_than_the_log_are_refused_if_they_were_edited(lab):
    lab.study(TWO).run(verdicts=3)
    sealed = lab.folder.manifest.read_bytes()
    early = lab.folder.verdicts.read_bytes()
    lab.run()
    lab.folder.manifest.write_bytes(sealed)
    lab.folder.verdicts.write_bytes(early.replace(b'"faulty":false', b'"faulty":true', 1))
    with pytest.raises(SealError, match=r"from line \d+ on it is not what the kept answers give"):
        checked_records(lab.out, print)


def test_a_new_set_beside_an_old_manifest_is_finished_by_the_next_build(lab, faultpair):
    lab.study({})
    text = lab.folder.file.read_text().replace("clean = 3\n", 'clean = 3\njudges = ["rules"]\n')
    lab.folder.file.write_text(text)
    assert faultpair("run", lab.out).code == 0
    old = lab.folder.manifest.read_bytes()
    lab.folder.file.write_text(text.replace("clean = 3", "clean = 12"))
    assert faultpair("build", lab.out).code == 0
    assert not lab.folder.verdicts.exists()  # those on the old set
    lab.folder.manifest.write_bytes(old)  # what a kill leaves before the manifest is written
    done = faultpair("report", lab.out)
    assert (done.code, "study.toml was edited" in done.err) == (2, True)
    assert faultpair("run", lab.out).code == 0
    assert faultpair("report", lab.out).code == 0


def test_a_lost_file_is_refused_and_verdicts_are_made_again(lab, faultpair):
    lab.study(TWO).run()
    lab.folder.verdicts.unlink()
    assert faultpair("report", lab.out).code == 0
    lab.folder.instances.unlink()
    done = faultpair("report", lab.out)
    assert (done.code, "instances.jsonl is missing" in done.err) == (2, True)
    lab.run()
    lab.folder.replies.unlink()
    for command in (("report", lab.out), ("run", lab.out, "--limit", 0)):
        done = faultpair(*command)
        assert (done.code, "replies.jsonl is missing, and 15 lines" in done.err) == (2, True)


def test_a_manifest_of_version_0_1_is_read_with_a_line_and_sealed_by_the_next_run(lab, faultpair):
    lab.study(TWO).run()
    document = lab.manifest
    del document["digest"], document["sealed_logs"], document["sha256"]["verdicts.jsonl"]
    lab.folder.manifest.write_text(json.dumps(document))
    done = faultpair("report", lab.out)
    unsealed = "not sealed: manifest.json, replies.jsonl, verdicts.jsonl."
    assert (done.code, done.err.count(unsealed)) == (0, 1)
    done = faultpair("run", lab.out, "--limit", 0)
    assert (done.code, done.err.count(unsealed)) == (0, 1)
    assert faultpair("report", lab.out).err == ""
    assert faultpair("run", lab.out, "--limit", 0).err.count("not sealed") == 0
    assert read_manifest(lab.folder.manifest).is_sealed


def test_a_digest_of_version_0_1_is_checked_too(lab, faultpair):
    lab.study(TWO).run()
    document = lab.manifest
    del document["digest"], document["sealed_logs"], document["sha256"]["verdicts.jsonl"]
    lab.folder.manifest.write_text(json.dumps(document))
    runs = lab.folder.trajectories
    runs.write_bytes(runs.read_bytes().replace(b"wrong_tool", b"wrong_fool"))
    done = faultpair("report", lab.out)
    assert (done.code, "trajectories.jsonl is not what was sealed" in done.err) == (2, True)


@pytest.mark.parametrize("lost", ["digest", "all seals"])
def test_a_manifest_without_its_digest_is_refused(lab, lost):
    lab.study(TWO).run()
    document = lab.manifest
    del document["digest"]
    lab.folder.manifest.write_text(json.dumps(document, indent=2) + "\n")
    with pytest.raises(SealError, match=r"manifest\.json was edited"):
        read_manifest(lab.folder.manifest)


def test_the_root_digest_is_of_what_is_sealed_and_not_of_versions_or_generated_files(lab):
    lab.study(TWO).run()
    manifest = read_manifest(lab.folder.manifest)
    root = root_digest(manifest)
    same = manifest.with_entry("generated", entry=["numbers.json"])
    same.document["faultpair"] = "9.9"
    assert root_digest(same) == root
    lines = lab.folder.verdicts.read_bytes().splitlines(keepends=True)
    lab.folder.verdicts.write_bytes(b"".join(lines[1:]))
    seal_as_is(lab.out)  # as an editor does who also renews the digests
    assert root_digest(read_manifest(lab.folder.manifest)) != root


def test_human_grades_are_sealed_as_the_run_found_them(lab, faultpair):
    lab.study(TWO)
    human = lab.out / "human.csv"
    human.write_text("a,b\n1,2\n")
    lab.run()
    human.write_bytes(b"a,b\r\n1,2\r\n")
    assert check_records(lab.out).edited == ()
    human.write_text("a,b\n1,3\n")
    with pytest.raises(SealError, match=r"human\.csv was edited"):
        check_records(lab.out)
    lab.run(verdicts=0)
    assert check_records(lab.out).edited == ()


def test_records_of_another_study_are_refused(lab, faultpair, tmp_path):
    lab.study(TWO).run()
    other = tmp_path / "other"
    other.mkdir()
    text = lab.folder.file.read_text()
    (other / "study.toml").write_text(text.replace("seed = 7", "seed = 8"))
    assert faultpair("run", other).code == 0
    mixed = open_study(other)
    done = faultpair("report", lab.out, "--out", other)
    assert (done.code, "holds the records of another study" in done.err) == (2, True)
    done = faultpair(
        "replay", "--trajectories", lab.folder.trajectories, "--instances", mixed.instances
    )
    assert (done.code, "hold the records of two studies" in done.err) == (2, True)
    (other / "study.toml").write_text(text)  # the study file of the first in the second's folder
    run = next(r for r in mixed.trajectories.read_text().split('"') if r.endswith("wrong_tool"))
    for command in (
        ("power", other),
        ("rebuild", "--results", tmp_path, "--study", "other"),
        ("show", run, "--study", other),
        ("run", other, "--limit", 0),
    ):
        done = faultpair(*command)
        assert done.code == 2, (command, done)


def test_the_last_line_is_sealed_after_the_verdicts_alone(lab, monkeypatch):
    """Else a run that did not end would look as one that did, with other verdicts than its own."""
    monkeypatch.setattr(append_log, "RENEWED_EVERY", 1)
    lab.study({"s": ""}).run(verdicts=2)
    assert lab.manifest["sealed_logs"]["replies.jsonl"]["lines"] == len(lab.replies) == 2

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("faultpair.runner.run.write_verdicts", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lab.run(verdicts=3)
    assert len(lab.replies) == 5
    assert lab.manifest["sealed_logs"]["replies.jsonl"]["lines"] == 4


def test_an_interruption_in_the_middle_of_a_line_seals_nothing_wrong(lab, monkeypatch):
    class Interrupting(bytes):
        def __len__(self):
            raise KeyboardInterrupt

    lab.study({"s": ""}).run(verdicts=2)
    before = lab.manifest
    seal = LogSeal(lab.folder.replies)
    for line in lab.folder.replies.read_bytes().splitlines(keepends=True):
        seal.note(line)
    with pytest.raises(KeyboardInterrupt):
        seal.note(Interrupting(b"{}\n"), is_new=True)
    seal.renew()
    assert lab.manifest == before


def test_verdicts_that_lack_an_answer_of_the_log_leave_it_unsealed(lab, monkeypatch, faultpair):
    """A second Ctrl-C may come when a line is in the file and not yet in the index."""
    note, n_noted = ExchangeLog.note, iter(range(9))

    def interrupted(log, exchange):
        if next(n_noted) == 3:
            raise KeyboardInterrupt
        note(log, exchange)

    lab.study({"s": ""})
    with monkeypatch.context() as patched:
        patched.setattr(ExchangeLog, "note", interrupted)
        with pytest.raises(KeyboardInterrupt):
            lab.run()
    assert (len(lab.replies), "replies.jsonl" in lab.manifest["sealed_logs"]) == (4, False)
    done = faultpair("verify", lab.out)
    assert (done.code, "DIFFERS" in done.out) == (3, False), done.out
    assert faultpair("report", lab.out).code == 0
    assert lab.run().n_open == 0
    assert faultpair("verify", lab.out).code == 0
