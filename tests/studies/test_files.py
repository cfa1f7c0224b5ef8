"""Files take their names when they are whole, or not at all."""

from hashlib import sha256

import pytest

from faultpair.env.errors import InfrastructureError
from faultpair.env.records import Call
from faultpair.studies.files import open_spool, write_lines, write_text


def test_lines_are_counted_and_hashed_as_written(tmp_path):
    path = tmp_path / "new" / "calls.jsonl"
    with write_lines(path) as lines:
        lines.write(Call("a", {"é": 5.0}))
        lines.write_line(b"{}\n")
    assert path.read_bytes() == '{"tool":"a","args":{"é":5.0}}\n{}\n'.encode()
    assert (lines.n_lines, lines.sha256) == (2, sha256(path.read_bytes()).hexdigest())


def test_a_file_appears_under_its_name_once_it_is_whole(tmp_path):
    path = tmp_path / "calls.jsonl"
    path.write_text("old\n")
    with write_lines(path) as lines:
        lines.write_line(b"new\n")
        assert path.read_text() == "old\n"
    assert path.read_text() == "new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "calls.jsonl"
    path.write_text("old\n")

    def write_and_fail():
        with write_lines(path) as lines:
            lines.write_line(b"new\n")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "below", tmp_path / "folder"):
        with pytest.raises(InfrastructureError, match=f"Cannot write {path}: "):
            write_text(path, "x")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_spool_gives_back_its_lines_in_any_order_and_leaves_no_file(tmp_path):
    with open_spool(tmp_path / "new") as spool:
        places = [spool.add(line) for line in (b"one\n", b"three\n", b"\n")]
        spool.flush()
        assert [spool.read(*place) for place in reversed(places)] == [b"\n", b"three\n", b"one\n"]
    assert list((tmp_path / "new").iterdir()) == []


def test_nothing_is_written_through_a_link(tmp_path):
    other = tmp_path / "other"
    other.write_text("mine")
    for link in (tmp_path / "a.txt", tmp_path / "a.txt.partial"):
        link.symlink_to(other)
    write_text(tmp_path / "a.txt", "ours")
    assert (tmp_path / "a.txt").read_text() == "ours"
    assert other.read_text() == "mine"
