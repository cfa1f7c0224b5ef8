"""Declared contrasts and sealed judges, as the tables show them."""

import json

import pytest

from faultpair.analysis.data.study_data import load_study, sealed_contrasts
from faultpair.analysis.output.files import files_of
from faultpair.env.errors import RecordError, StudyError
from faultpair.studies.manifest import Manifest

CONTRAST = """
judges = ["stepper", "reader"]
[[contrasts]]
name = "steps"
judge = "stepper"
against = "reader"
reading = "of the file"
"""
TERMS = {"judge": "stepper", "against": "reader", "metric": "delta", "group": "all"}
JUDGE = {
    "prompt_hash": "ab",
    "view": "full-steps",
    "task": "check-steps",
    "form": "verdict-with-step",
    "engine": "local:small",
    "temperature": 0.7,
    "seed": 7,
    "samples": 3,
    "max_tokens": 400,
    "engine_version": "1.2",
    "model": "small.gguf",
    "model_digest": "sha256:0123456789abcdef",
    "joined_late": True,
    "builds": [],
}


def tables_in(records, manifest=None):
    folder = records.write()
    if manifest is not None:
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    files = files_of(load_study(folder), figures=False, n_resamples=50)
    return {name: text.decode() for name, text in files.items()}


def cells(table, first):
    row = next(line for line in table.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in row.split("|")[1:-1]]


def test_a_contrast_without_a_seal_is_post_hoc(records):
    records.study_file = CONTRAST
    row = cells(tables_in(records)["tables/contrasts.md"], "steps")
    assert row[-2:] == ["of the file", "no, post hoc"]


@pytest.mark.parametrize(("post_hoc", "shown"), [(False, "yes"), (True, "no, post hoc")])
def test_a_sealed_contrast_shows_the_reading_and_the_mark_of_its_seal(records, post_hoc, shown):
    records.study_file = CONTRAST
    seal = {**TERMS, "reading": "of the seal", "post_hoc": post_hoc}
    table = tables_in(records, {"contrasts": {"steps": seal}})["tables/contrasts.md"]
    assert cells(table, "steps")[-2:] == ["of the seal", shown]


def test_a_contrast_that_is_not_as_it_was_sealed_is_post_hoc(records):
    records.study_file = CONTRAST
    seal = {**TERMS, "group": "silent", "reading": "of the seal", "post_hoc": False}
    table = tables_in(records, {"contrasts": {"steps": seal}})["tables/contrasts.md"]
    assert cells(table, "steps")[-2:] == ["of the file", "no, post hoc"]


def test_without_a_study_file_the_seals_stand_for_themselves():
    seal = {"judge": "a", "against": "b", "group": "silent", "reading": "a reading"}
    manifest = Manifest.of({"contrasts": {"one": {**seal, "post_hoc": False}}})
    (found,) = sealed_contrasts(None, manifest)
    assert (found.name, found.judge, found.group, found.reading) == (
        "one",
        "a",
        "silent",
        "a reading",
    )
    assert not found.post_hoc


def test_a_contrast_waits_for_a_judge_that_has_not_answered_yet(records):
    late = '[[contrasts]]\nname = "later"\njudge = "model"\nagainst = "reader"\n'
    records.study_file = (
        CONTRAST + late + '[[model_judges]]\nid = "model"\nengine = "local:small"\n'
    )
    table = tables_in(records)["tables/contrasts.md"]
    assert cells(table, "later")[3:6] == ["n/a", "n/a", "n/a"]
    assert cells(table, "later")[-1] == "not yet"
    assert "- n/a: model has not answered yet." in table
    p, adjusted = (float(cell) for cell in cells(table, "steps")[4:6])
    assert adjusted == pytest.approx(min(1.0, 2 * p), abs=2e-4)  # the open one is one of the family


def test_a_contrast_with_an_undeclared_judge_is_refused(records):
    records.study_file = CONTRAST.replace('against = "reader"', 'against = "raeder"')
    with pytest.raises(StudyError, match="names judge 'raeder', which has no verdicts here"):
        tables_in(records)


def test_the_judges_table_shows_the_sealed_settings(records):
    manifest = {"judges": {"stepper": JUDGE, "later": {**JUDGE, "model_digest": None}}}
    table = tables_in(records, manifest)["tables/judges.md"]
    assert cells(table, "stepper") == [
        "stepper", "full-steps", "check-steps", "verdict-with-step", "local:small", "1.2",
        "small.gguf", "0123456789ab", "0.7", "7", "3", "late",
    ]  # fmt: skip
    assert cells(table, "later")[7] == ""


def test_a_study_without_sealed_judges_has_no_such_table(records):
    assert "tables/judges.md" not in tables_in(records, {"title": "small"})


def test_a_judge_from_outside_may_have_no_settings(records):
    outside = {"view": "whole-exhibit", "task": "free", "engine": "cmd:judge", "joined_late": False}
    table = tables_in(records, {"judges": {"stepper": outside}})["tables/judges.md"]
    assert cells(table, "stepper")[-4:] == ["", "", "", "at first"]


def test_a_contrast_that_the_study_file_no_longer_names_is_left_out(records):
    seal = {**TERMS, "reading": "of the seal", "post_hoc": False}
    numbers = tables_in(records, {"contrasts": {"steps": seal}})["numbers.json"]
    assert "contrast/steps" not in numbers


@pytest.mark.parametrize("text", ["[]", "{", '{"judges": []}', '{"contrasts": {"a": {}}}'])
def test_a_manifest_that_does_not_fit_is_refused_by_name(records, text):
    folder = records.write()
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"Cannot read the manifest .*manifest\.json"):
        load_study(folder)
