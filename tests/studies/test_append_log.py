"""A file that is only ever added to: whole lines are kept, a torn one is cut off."""

from pathlib import Path

import pytest

from faultpair.env.errors import InfrastructureError, RecordError, UsageError
from faultpair.env.records import ModelTurn
from faultpair.studies.append_log import AppendLog

ONE, TWO = (ModelTurn("x", index, 1, "r", "p", "scripted", None, None) for index in (0, 1))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new" / "turns.jsonl"


def written(path, *turns):
    file = AppendLog(path, ModelTurn)
    for turn in turns:
        file.add(turn)
    file.close()


def test_what_is_added_is_read_again_in_its_order(path):
    written(path, ONE)
    written(path, TWO)
    assert list(AppendLog(path, ModelTurn).read()) == [ONE, TWO]


def test_a_record_is_on_disk_before_the_file_is_closed(path):
    file = AppendLog(path, ModelTurn)
    file.add(ONE)
    assert path.read_bytes().endswith(b"}\n")
    file.close()


def test_a_file_that_is_not_there_is_empty_and_is_not_made_by_reading(path):
    assert list(AppendLog(path, ModelTurn).read()) == []
    assert not path.exists()


@pytest.mark.parametrize("n_bytes", [1, 20, None])
def test_a_line_without_an_end_is_passed_over_and_then_cut_off(path, n_bytes):
    written(path, ONE, TWO)
    first, second, _ = path.read_bytes().split(b"\n")
    path.write_bytes(first + b"\n" + second[:n_bytes])
    file = AppendLog(path, ModelTurn)
    assert list(file.read()) == [ONE]
    assert file.n_bytes_cut == len(second[:n_bytes])
    file.cut_torn_line()
    assert path.read_bytes() == first + b"\n"


def test_a_whole_line_that_is_no_such_record_is_named(path):
    written(path, ONE)
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(RecordError, match=r"turns.jsonl, line 2: .*trajectory_id"):
        list(AppendLog(path, ModelTurn).read())


def test_a_file_that_cannot_be_written_or_read_is_named(path):
    path.mkdir(parents=True)
    with pytest.raises(InfrastructureError, match=r"Cannot write .*turns.jsonl"):
        AppendLog(path, ModelTurn).add(ONE)
    with pytest.raises(RecordError, match=r"Cannot read .*turns.jsonl"):
        list(AppendLog(path, ModelTurn).read())


def test_no_line_is_added_to_or_cut_off_a_log_behind_a_link(path, tmp_path):
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_bytes(b"torn")
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(elsewhere)
    log = AppendLog(path, ModelTurn)
    assert list(log.read()) == []
    for work in (log.cut_torn_line, lambda: log.add(None)):
        with pytest.raises(UsageError, match="is a link"):
            work()
    assert elsewhere.read_bytes() == b"torn"


def test_a_full_disk_is_named_and_the_file_can_still_be_closed():
    file = AppendLog(Path("/dev/full"), ModelTurn)
    with pytest.raises(InfrastructureError, match="Cannot write /dev/full: No space left"):
        file.add(ONE)
    file.close()
