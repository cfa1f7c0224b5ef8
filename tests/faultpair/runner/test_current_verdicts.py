"""Verdicts of a run that did not end: derived from its log by what reads them, never written."""

import json
from pathlib import Path

import pytest

from faultpair.env.errors import EngineError, RecordError
from faultpair.runner.current_verdicts import current_verdicts, holds_last_exchange

from ...conftest import seal_as_is
from ...fake_engine import FakeEngine

REPLY = 'view = "goal-and-reply"\ntask = "judge-reply"\n'
TWO = {"s": "samples = 2\ntemperature = 0.7\n", "r": REPLY}
DERIVED = "did not end; verdicts are derived from replies.jsonl."


@pytest.fixture
def killed(lab):
    """A study whose run was killed: its log is whole, its verdicts are those of 3 requests."""
    lab.study({"s": "", "r": REPLY}).run(verdicts=3)
    early = [(file, file.read_bytes()) for file in (lab.folder.verdicts, lab.folder.manifest)]
    lab.run()
    lab.whole = lab.folder.verdicts.read_bytes()
    for file, content in early:
        file.write_bytes(content)
    return lab


def read(lab, messages):
    with current_verdicts(lab.out, messages.append) as (verdicts, _):
        return verdicts.read_bytes()


def give(lab, verdicts):
    """Leave these verdicts in the folder, as a run that ended had written them."""
    lab.folder.verdicts.write_bytes(verdicts)
    seal_as_is(lab.out)


def test_the_verdicts_of_a_whole_run_are_read_as_they_are(lab):
    lab.study(TWO, '[[votes]]\nid = "v"\nof = "s"\nk = 2\n').run()
    messages = []
    with current_verdicts(lab.out, messages.append) as (verdicts, _):
        assert verdicts == lab.folder.verdicts
    assert not messages
    assert holds_last_exchange(lab.folder.verdicts, lab.folder.replies)


def test_verdicts_older_than_the_log_are_derived_and_stay_as_they_are(killed):
    before = killed.folder.verdicts.read_bytes()
    messages = []
    assert read(killed, messages) == killed.whole != before
    tail = f"{killed.folder.replies}: the last 12 lines are not sealed yet."
    assert messages == [tail, f"The last run of {killed.out} {DERIVED}"]
    assert killed.folder.verdicts.read_bytes() == before


DAMAGED = {
    "cut off inside": lambda line: line[:-20],
    "another type": lambda line: line.replace(b'"attempt":1', b'"attempt":"1"'),
    "a count of 20 digits": lambda line: line.replace(b'tokens":', b'tokens":' + b"9" * 20, 1),
    "no UTF-8": lambda line: line.replace(b'"judge_id":"', b'"judge_id":"\xff'),
    "deep": lambda line: b"[" * 100_000,
    "blank": lambda line: b"",
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=list(DAMAGED))
@pytest.mark.parametrize("is_sealed", [True, False])
def test_a_last_line_of_the_log_that_is_no_exchange_is_named(lab, damage, is_sealed):
    lab.study({"s": ""}).run()
    *lines, last, _ = lab.folder.replies.read_bytes().split(b"\n")
    assert damage(last) != last
    lab.folder.replies.write_bytes(b"\n".join([*lines, damage(last), b""]))
    if not is_sealed:
        lab.folder.manifest.unlink()
    place = rf"replies\.jsonl, line {len(lines) + 1}: "
    with (
        pytest.raises(RecordError, match=place),
        current_verdicts(lab.out, print, accept_edits=True),
    ):
        pass


def test_a_line_of_the_verdicts_that_is_none_is_named(lab):
    lab.study({"s": ""}).run()
    *lines, last, _ = lab.folder.verdicts.read_bytes().split(b"\n")
    damaged = last.replace(b'"faulty":', b'"faulty":7')
    lab.folder.verdicts.write_bytes(b"\n".join([*lines, damaged, b""]))
    with pytest.raises(RecordError, match=rf"verdicts\.jsonl, line {len(lines) + 1}: "):
        holds_last_exchange(lab.folder.verdicts, lab.folder.replies)


def test_absent_verdicts_are_derived_and_not_written(killed):
    killed.folder.verdicts.unlink()
    messages = []
    assert read(killed, messages) == killed.whole
    assert len(messages) == 2
    assert not killed.folder.verdicts.exists()


def test_a_log_with_a_torn_last_line_is_read_up_to_it_and_not_changed(killed):
    torn = killed.folder.replies.read_bytes()[:-10]
    killed.folder.replies.write_bytes(torn)
    assert len(read(killed, []).splitlines()) < len(killed.whole.splitlines())
    assert killed.folder.replies.read_bytes() == torn


def test_an_error_that_was_answered_since_makes_the_verdicts_older(lab):
    down = FakeEngine(fail=lambda n: EngineError("down"), name="scripted:clean")
    lab.study({"s": ""}).run(down, verdicts=1)
    failed = lab.folder.verdicts.read_bytes()
    lab.run(verdicts=1, retry_errors=True)
    answered = lab.folder.verdicts.read_bytes()
    give(lab, failed)
    assert read(lab, []) == answered != failed


def engine_of(*outcomes):
    """An engine whose calls end in these texts and errors, one after the other."""
    rest = list(outcomes)

    def reply(request):
        outcome = rest.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return FakeEngine(reply, name="scripted:clean", context_tokens=10_000)


def test_an_error_equal_to_an_earlier_one_does_not_hide_an_answer_before_it(lab):
    down = EngineError("down")
    lab.study({"s": ""}).run(engine_of(down, down), verdicts=2)
    failed = lab.folder.verdicts.read_bytes()
    answer = '{"failure_step": null, "faulty": false, "confidence": 0.9}'
    lab.run(engine_of(answer, down), verdicts=2, retry_errors=True)
    answered = lab.folder.verdicts.read_bytes()
    assert [reply["error"] for reply in lab.replies] == ["down", "down", None, "down"]
    give(lab, failed)
    assert read(lab, []) == answered != failed


def test_an_unsent_request_that_was_unsent_before_does_not_hide_an_answer(lab):
    small, large = (FakeEngine("no", name="scripted:clean", context_tokens=n) for n in (9, 10**6))
    lab.study({"s": ""}).run(small, verdicts=2)
    unsent = lab.folder.verdicts.read_bytes()
    lab.run(large, verdicts=1, retry_errors=True)
    lab.run(small, verdicts=1, retry_errors=True)
    assert [reply["text"] for reply in lab.replies] == [None, None, "no", None]
    answered = lab.folder.verdicts.read_bytes()
    give(lab, unsent)
    assert read(lab, []) == answered != unsent


@pytest.mark.parametrize("outcome", [EngineError("down"), "no JSON"], ids=["error", "unreadable"])
def test_verdicts_that_hold_a_last_exchange_without_a_finding_are_read_without_a_message(
    lab, outcome
):
    lab.study({"s": ""}).run(engine_of(outcome), verdicts=1)
    messages = []
    with current_verdicts(lab.out, messages.append) as (verdicts, _):
        assert verdicts == lab.folder.verdicts
    assert not messages


def test_a_shared_verdict_is_not_taken_for_that_of_an_answer_of_its_own(lab):
    lab.study({"r": REPLY}).run()
    shared = lab.folder.verdicts.read_bytes()
    lab.run(share=False)
    own = lab.folder.verdicts.read_bytes()
    assert b"shared_from" in shared
    give(lab, shared)
    assert read(lab, []) == own != shared


def test_half_a_line_that_a_killed_run_of_version_0_1_left_is_no_verdict(killed):
    *_, last = killed.replies
    lines = killed.whole.splitlines(keepends=True)
    (place,) = (
        n
        for n, line in enumerate(map(json.loads, lines))
        if (line["trajectory_id"], line["judge_id"]) == (last["trajectory_id"], last["judge_id"])
    )
    torn = [*lines[:place], *lines[place + 1 :], lines[place][:-20]]
    give(killed, b"".join(torn))
    assert read(killed, []) == killed.whole


def test_verdicts_of_version_0_1_hold_the_last_exchange_of_their_log():
    folders = [*(Path(__file__).parents[2] / "studies" / "version_0_1").iterdir()]
    studies = [folder for folder in folders if (folder / "replies.jsonl").exists()]
    assert len(studies) == 3
    for folder in studies:
        assert holds_last_exchange(folder / "verdicts.jsonl", folder / "replies.jsonl")


def test_verdicts_of_a_folder_without_a_study_file_are_read_with_a_message(killed):
    before = killed.folder.verdicts.read_bytes()
    (killed.out / "study.toml").unlink()
    messages = []
    assert read(killed, messages) == before
    assert "may be newer than verdicts.jsonl" in messages[-1]


def test_an_answer_about_a_run_that_left_the_set_is_no_reason_for_a_message(killed):
    give(killed, killed.whole)
    *_, last = killed.replies
    line = json.dumps(last | {"trajectory_id": "gone", "request_hash": "gone"}) + "\n"
    with killed.folder.replies.open("a") as log:
        log.write(line)
    messages = []
    assert read(killed, messages) == killed.whole
    assert messages == [f"{killed.folder.replies}: the last line is not sealed yet."]


def test_a_killed_run_that_is_run_again_without_a_request_ends_as_an_unbroken_one(killed):
    killed.run(verdicts=0)
    assert killed.folder.verdicts.read_bytes() == killed.whole


def test_report_and_rebuild_show_a_killed_run_as_they_show_a_whole_one(killed, faultpair):
    names = ("report", killed.out), ("rebuild", "--results", killed.out.parent, "--study", "lab")
    early = [(file, file.read_bytes()) for file in (killed.folder.verdicts, killed.folder.manifest)]
    tables = killed.out / "tables"
    for command in names:
        done = faultpair(*command)
        assert (done.code, DERIVED in done.err) == (0, True)
        of_killed = (done.out, [path.read_bytes() for path in sorted(tables.glob("*"))])
        assert killed.folder.verdicts.read_bytes() == early[0][1]
        give(killed, killed.whole)
        done = faultpair(*command)
        assert (done.code, done.err) == (0, "")
        assert of_killed == (done.out, [path.read_bytes() for path in sorted(tables.glob("*"))])
        for file, content in early:
            file.write_bytes(content)


def test_a_first_run_that_did_not_end_needs_its_study_file(killed, faultpair):
    killed.folder.verdicts.unlink()
    (killed.out / "study.toml").unlink()
    done = faultpair("rebuild", "--results", killed.out.parent, "--study", "lab")
    assert (done.code, "Finish it first: faultpair run STUDY --out" in done.err) == (2, True)
