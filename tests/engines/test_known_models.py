import hashlib

import pytest

from faultpair.engines.known_models import (
    MODELS,
    KnownModel,
    cache_folder,
    cached_models,
    check_gguf,
    find_model,
    sha256_of,
)
from faultpair.env.errors import EngineError, UsageError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FAULTPAIR_MODELS", str(tmp_path))
    return tmp_path


def test_the_cache_folder_is_the_users_own_unless_another_is_named(folder, monkeypatch):
    assert cache_folder() == folder
    monkeypatch.delenv("FAULTPAIR_MODELS")
    assert cache_folder().parts[-2:] == ("faultpair", "models")


def test_every_gguf_file_of_the_folder_is_a_model_by_its_stem(folder):
    for name in ("b-1.5b.gguf", "a.gguf", "notes.txt"):
        (folder / name).touch()
    assert list(cached_models()) == ["a", "b-1.5b"]
    assert find_model("b-1.5b") == folder / "b-1.5b.gguf"


def test_a_folder_that_does_not_exist_holds_no_models(folder, monkeypatch):
    monkeypatch.setenv("FAULTPAIR_MODELS", str(folder / "none"))
    assert cached_models() == {}


def test_a_model_is_found_by_the_path_of_its_file(folder):
    file = folder / "mine.gguf"
    file.touch()
    assert find_model(str(file)) == file


def test_a_path_that_leads_nowhere_is_refused(folder):
    with pytest.raises(UsageError, match=r"There is no model file .*lost\.gguf"):
        find_model(str(folder / "lost.gguf"))


def test_an_unknown_name_is_refused_with_the_known_and_the_cached_ones(folder):
    (folder / "mine.gguf").touch()
    with pytest.raises(UsageError, match="No model is named 'gpt-9'") as refusal:
        find_model("gpt-9")
    assert "smollm2-135m" in str(refusal.value)
    assert "mine" in str(refusal.value)
    assert "local:path/to/file.gguf" in str(refusal.value)


def test_a_missing_known_model_says_how_to_download_it(folder):
    with pytest.raises(UsageError, match="faultpair models get smollm2-135m"):
        find_model("smollm2-135m")


@pytest.fixture
def known(monkeypatch):
    """A model that the table knows, of which these are the weights."""
    weights = b"GGUF of the model"
    model = KnownModel(
        "tiny", "t==1", "t.gguf", len(weights), hashlib.sha256(weights).hexdigest(), "MIT", "small"
    )
    monkeypatch.setattr("faultpair.engines.known_models.MODELS", {"tiny": model})
    return weights


def test_a_known_name_is_that_of_the_weights_with_its_digest(folder, known):
    file = folder / "tiny.gguf"
    file.write_bytes(known)
    assert find_model("tiny") == file
    file.write_bytes(known[::-1])
    with pytest.raises(UsageError, match="is not the model 'tiny'") as refusal:
        find_model("tiny")
    for content in (known, known[::-1]):
        assert hashlib.sha256(content).hexdigest() in str(refusal.value)
    assert "faultpair models get tiny" in str(refusal.value)
    assert find_model(str(file)) == file  # the user's own choice


def test_a_known_name_of_a_folder_is_refused(folder, known):
    (folder / "tiny.gguf").mkdir()
    with pytest.raises(EngineError, match="cannot be read"):
        find_model("tiny")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"<!DOCTYPE html>"])
def test_a_file_of_another_kind_is_no_gguf_file(folder, content):
    file = folder / "page.gguf"
    file.write_bytes(content)
    with pytest.raises(EngineError, match="is not a GGUF file"):
        check_gguf(file)


def test_a_deleted_file_cannot_be_read(folder):
    with pytest.raises(EngineError, match="cannot be read: No such file"):
        check_gguf(folder / "gone.gguf")


def test_the_digest_follows_a_file_that_is_replaced(folder):
    file = folder / "mine.gguf"
    for content in (b"one", b"three"):
        file.write_bytes(content)
        assert sha256_of(file) == hashlib.sha256(content).hexdigest()


def test_each_known_model_states_where_it_comes_from_and_its_licence():
    for name in MODELS:
        model = MODELS[name]
        assert model.name == name
        assert "==" in model.requirement
        assert len(model.sha256) == 64
        assert model.licence
