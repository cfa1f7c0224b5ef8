"""The ledger: what it keeps, what settles a request, and what a crash may leave."""

from pathlib import Path

import pytest

from faultpair.env.errors import InfrastructureError, RecordError
from faultpair.env.records import Exchange
from faultpair.studies.exchanges import (
    ExchangeLog,
    RequestKey,
    open_exchange_log,
    read_exchange_log,
)

ASKED = RequestKey("j", 0, 0, "r1")


def exchange(trajectory_id="t1", *, attempt=1, sample=0, repeat=0, request="r1", **what):
    return Exchange(
        trajectory_id, "j", sample, repeat, attempt, request, "p", "e", None, None, **what
    )


def answered(trajectory_id="t1", text="yes", **more):
    return exchange(trajectory_id, text=text, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "replies.jsonl"


@pytest.fixture
def ledger(path):
    ledger = open_exchange_log(path)
    yield ledger
    ledger.close()


def test_what_is_added_is_on_disk_at_once_and_read_again(ledger, path):
    for one in (answered(), answered("t2", request="r2")):
        ledger.add(one)
    again = read_exchange_log(path)
    assert again.settled == ledger.settled
    assert again.others == ledger.others
    assert len(path.read_bytes().splitlines()) == 2


def test_a_ledger_to_which_nothing_is_added_makes_no_file(ledger, path):
    ledger.close()
    assert not path.exists()


@pytest.mark.parametrize("tail", [b'{"trajectory_id":"t9","jud', b"{", b'{"a":1}'])
def test_a_torn_last_line_is_cut_off_and_counted(ledger, path, tail):
    ledger.add(answered())
    ledger.close()
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert read_exchange_log(path).n_bytes_cut == len(tail)
    assert path.read_bytes() == whole + tail
    again = open_exchange_log(path)
    assert (again.n_bytes_cut, path.read_bytes()) == (len(tail), whole)
    again.add(answered("t2"))
    again.close()
    kept = read_exchange_log(path)
    assert all(kept.own(ASKED, name) for name in ("t1", "t2"))


def test_a_line_that_is_none_is_named(ledger, path):
    ledger.add(answered())
    path.write_bytes(path.read_bytes() + b'{"trajectory_id":4}\n')
    with pytest.raises(RecordError, match=r"replies\.jsonl, line 2: "):
        read_exchange_log(path)


def test_an_attempt_after_which_another_follows_settles_nothing(ledger):
    ledger.add(exchange(error="busy", is_final=False))
    assert ledger.answer_to(ASKED, "t1") is None
    assert ledger.n_attempts == {(ASKED, "t1"): 1}


def test_an_answer_for_one_run_answers_those_that_asked_the_same(ledger):
    ledger.add(answered("t1"))
    assert ledger.answer_to(ASKED, "t2") is ledger.own(ASKED, "t1")
    assert ledger.answer_to(RequestKey("j", 0, 0, "r2"), "t2") is None


def test_the_last_failure_about_each_run_is_kept_until_it_is_answered(ledger, path):
    for one in (exchange("t1", error="a"), exchange("t2", error="b"), answered("t1")):
        ledger.add(one)
    for log in (ledger, read_exchange_log(path)):
        assert log.own(ASKED, "t1").text == "yes"
        assert log.own(ASKED, "t2").error == "b"
        assert log.answer_to(ASKED, "t2").text == "yes"
        assert len(log.settled) + len(log.others) == 2


def test_an_answer_of_its_own_comes_before_a_shared_one(ledger):
    for one in (answered("t1"), answered("t2", "no")):
        ledger.add(one)
    assert ledger.answer_to(ASKED, "t2").text == "no"
    assert ledger.answer_to(ASKED, "t3").text == "yes"


def test_an_answer_is_never_replaced(ledger):
    for one in (exchange(error="busy"), answered(), answered(text="no"), exchange(error="busy")):
        ledger.add(one)
    assert ledger.answer_to(ASKED, "t1").text == "yes"


def test_of_failures_the_last_counts_and_a_shared_answer_comes_before_an_error(ledger):
    for one in (exchange(error="busy"), exchange(error="gone", attempt=2)):
        ledger.add(one)
    assert ledger.answer_to(ASKED, "t1").error == "gone"
    ledger.add(answered("t2"))
    assert ledger.answer_to(ASKED, "t1").text == "yes"


def test_passes_name_every_judge_that_asked_and_how_often(ledger):
    ledger.add(answered(repeat=2))
    ledger.add(exchange(error="busy", repeat=1))
    assert ledger.passes == {"j": 3}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_infrastructure_error():
    ledger = ExchangeLog(Path("/dev/full"))
    with pytest.raises(InfrastructureError, match="Cannot write /dev/full: No space left"):
        ledger.add(answered())
    ledger.close()


def test_what_a_process_said_is_void_after_a_record_of_it_and_nothing_is_deleted(ledger, path):
    for one in (answered(process=1), answered("t2", request="r2", process=2)):
        ledger.add(one)
    before = path.read_bytes()
    assert ledger.void(1, "one too many") == [answered(process=1)]
    assert ledger.answer_to(ASKED, "t1") is None
    assert ledger.n_attempts == {(ASKED, "t1"): 1}
    assert (ledger.voids, ledger.n_processes) == ({"j": 1}, 2)
    assert path.read_bytes().startswith(before)
    again = read_exchange_log(path)
    assert (again.others, again.settled) == (ledger.others, ledger.settled)
    assert (again.voids, again.n_attempts) == (ledger.voids, ledger.n_attempts)


def test_an_answer_of_a_process_that_is_void_already_counts_for_nothing(ledger, path):
    ledger.add(answered(process=1))
    ledger.void(1, "one too many")
    ledger.add(answered("t2", process=1))
    assert ledger.answer_to(ASKED, "t2") is None
    again = read_exchange_log(path)
    assert (again.settled, again.others) == ({}, {})


def test_where_a_shared_answer_is_void_that_of_another_run_counts(ledger):
    for one in (answered(process=1), answered("t2", "no", process=2)):
        ledger.add(one)
    ledger.void(1, "one too many")
    assert ledger.answer_to(ASKED, "t1").text == "no"


def test_a_process_that_said_nothing_leaves_no_record(ledger, path):
    assert ledger.void(1, "one too many") == []
    assert not path.exists()


def test_only_an_exchange_that_names_a_process_has_the_field(ledger, path):
    ledger.add(answered())
    assert b"process" not in path.read_bytes()
    assert b"voided" not in path.read_bytes()
