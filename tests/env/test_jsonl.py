"""Reading JSON Lines: what is accepted, and how a bad line is named."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.errors import RecordError
from faultpair.env.jsonl import read_records


class Pair(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    count: int


LINE = b'{"name":"\xc3\xa9","count":1}\n'


@pytest.fixture
def file_of(tmp_path):
    """Return a function that writes bytes to a file and returns its path."""

    def write(content: bytes):
        path = tmp_path / "pairs.jsonl"
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        LINE * 2,
        LINE + LINE.rstrip(b"\n"),
        LINE + b"\n  \n" + LINE,
        (LINE * 2).replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + LINE * 2,
        b' { "count" : 1 , "name" : "\\u00e9" } \n' * 2,
    ],
    ids=["plain", "no final line end", "blank lines", "CRLF", "byte-order mark", "spaces"],
)
def test_the_same_records_are_read_from_each_file_encoding(file_of, content):
    assert list(read_records(file_of(content), Pair)) == [Pair("é", 1)] * 2


def test_an_empty_file_has_no_records(file_of):
    assert list(read_records(file_of(b""), Pair)) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[1]\n", "Expected `object`, got `array`."),
        (b"hello\n", "this is not a JSON object"),
        (b'{"name":"x","count":NaN}\n', "this is not a JSON object"),
        (b"[" * 100_000 + b"\n", "Expected `object`"),
        (b'{"name":"x"}\n', "missing required field `count`"),
        (b'{"name":"x","count":1,"colour":2}\n', "unknown field `colour`"),
        (b'{"name":"x","count":"1"}\n', "field count: Expected `int`, got `str`."),
        (b'{"name":"x","count":1.5}\n', "field count: Expected `int`, got `float`."),
        (b'{"name":"caf\xe9","count":1}\n', "the text is not UTF-8 (byte 12 of the line)."),
        (LINE.decode().encode("utf-16-le"), "the text is not UTF-8"),
        (b'{"name":"x","count"', "the last line is cut off in mid-record."),
    ],
)
def test_a_bad_line_is_named_by_file_line_and_field(file_of, line, problem):
    path = file_of(LINE + b"\n" + line)
    with pytest.raises(RecordError) as refused:
        list(read_records(path, Pair))
    assert str(refused.value).startswith(f"{path}, line 3: ")
    assert problem in str(refused.value)


def test_a_line_that_nests_too_deep_is_refused_with_or_without_its_end(file_of):
    deep = b"[" * 100_000 + b"]" * 100_000
    for end in (b"\n", b""):
        with pytest.raises(RecordError, match="line 1"):
            list(read_records(file_of(deep + end), dict))


@given(st.integers(1, len(LINE) - 2))
def test_a_line_torn_anywhere_is_found(tmp_path_factory, cut):
    path = tmp_path_factory.mktemp("torn") / "pairs.jsonl"
    path.write_bytes(LINE + LINE[:cut])
    with pytest.raises(RecordError, match=r"line 2: the last line is cut off"):
        list(read_records(path, Pair))


def test_the_records_before_a_bad_line_have_been_read(file_of):
    records = read_records(file_of(LINE + b"hello\n"), Pair)
    assert next(records) == Pair("é", 1)
    with pytest.raises(RecordError, match="line 2"):
        next(records)


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(RecordError, match=r"Cannot read .*nowhere\.jsonl: No such file"):
        list(read_records(tmp_path / "nowhere.jsonl", Pair))
    with pytest.raises(RecordError, match=r"Cannot read .*: Is a directory"):
        list(read_records(tmp_path, Pair))


def test_a_line_of_megabytes_is_read(file_of):
    (pair,) = read_records(file_of(b'{"name":"' + b"x" * 5_000_000 + b'","count":1}\n'), Pair)
    assert len(pair.name) == 5_000_000
