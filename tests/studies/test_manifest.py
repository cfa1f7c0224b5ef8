"""The manifest keeps what it does not know, is written as it was read, and refuses what is none."""

import json
from pathlib import Path

import pytest

from faultpair.env.errors import RecordError
from faultpair.studies.manifest import (
    Manifest,
    read_manifest,
    readable_manifest,
    write_manifest,
)

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = sorted([*ROOT.glob("results/*/manifest.json"), *ROOT.glob("tests/**/manifest.json")])


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.parent.name)
def test_a_committed_manifest_is_read_and_written_byte_for_byte(path, tmp_path):
    manifest = read_manifest(path)
    write_manifest(tmp_path / "manifest.json", manifest)
    written = (tmp_path / "manifest.json").read_bytes()
    if not manifest.is_sealed:  # one of version 0.1 gets the keys that make it sealed
        written = b"".join(written.rpartition(b',\n  "sealed_logs": {},')[:1]) + b"\n}\n"
    assert written == path.read_bytes()
    for name, judge in manifest.judges.items():
        kept = manifest.entry("judges", name)
        assert {key: kept.get(key) for key in ("engine", "model", "seed", "view")} == {
            key: getattr(judge, key) for key in ("engine", "model", "seed", "view")
        }


def test_an_entry_is_added_and_all_others_are_unchanged():
    document = {"later": {"b": 1, "a": 2}, "judges": {"j": {"engine": "x", "unknown": [1]}}}
    before = Manifest.of(document)
    after = before.with_entry("judges", "k", entry={"engine": "y"})
    assert after.document == {**document, "judges": {**document["judges"], "k": {"engine": "y"}}}
    assert list(after.document) == ["later", "judges"]
    assert (after.judges["j"].engine, after.judges["k"].engine) == ("x", "y")
    assert before.document == document
    assert list(before.judges) == ["j"]


def test_an_entry_is_a_copy_and_empty_if_there_is_none():
    manifest = Manifest.of({"agent": {"engine": "x", "builds": []}})
    manifest.entry("agent")["builds"].append("b")
    assert manifest.entry("agent") == {"engine": "x", "builds": []}
    assert manifest.entry("planners", "p") == {}


def test_a_manifest_that_is_not_there_is_empty(tmp_path):
    assert read_manifest(tmp_path / "manifest.json") == Manifest()


NONE = {
    "cut off": "{",
    "no table": "[]",
    "judges that are a list": '{"judges": []}',
    "a judge that is a number": '{"judges": {"j": 1}}',
    "a contrast without judges": '{"contrasts": {"c": {}}}',
    "a contrast in another metric": (
        '{"contrasts": {"c": {"judge": "a", "against": "b", "metric": "charm"}}}'
    ),
    "a digest that is a number": '{"sha256": {"study.toml": 1}}',
    "half a surrogate pair": '{"title": "\\ud800"}',
    "half a surrogate pair as a key": '{"judges": {"\\udfff": {}}}',
    "a number of 5,000 digits": f'{{"seed": {"9" * 5000}}}',
    "deep nesting": f'{{"extra": {"[" * 100_000}{"]" * 100_000}}}',
    "no UTF-8": b'{"title": "caf\xe9"}',
}


@pytest.mark.parametrize("text", NONE.values(), ids=list(NONE))
def test_an_invalid_manifest_is_refused_by_file(tmp_path, text):
    path = tmp_path / "manifest.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RecordError, match=r"Cannot read the manifest .*manifest\.json"):
        read_manifest(path)
    assert readable_manifest(path) == Manifest()


def test_a_manifest_with_nothing_new_is_not_written_again(tmp_path):
    path = tmp_path / "manifest.json"
    manifest = Manifest.of({"title": "é", "judges": {}})
    write_manifest(path, manifest)
    kept = json.loads(path.read_bytes())
    assert list(kept) == ["title", "judges", "sealed_logs", "digest"]
    assert {"title": kept["title"], "judges": kept["judges"]} == manifest.document
    before = path.stat().st_ino
    write_manifest(path, manifest)
    assert path.stat().st_ino == before
