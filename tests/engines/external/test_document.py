import json

import pytest

from faultpair.engines.external.document import answer_text, digest_of, document_in
from faultpair.env.errors import EngineError


def test_a_document_is_put_on_one_line(ask):
    document = {"goal": "a\nb", "steps": []}
    assert document_in(ask(json.dumps(document, indent=2))) == b'{"goal":"a\\nb","steps":[]}'


@pytest.mark.parametrize("text", ["Is it faulty?", "", '{"goal":'])
def test_a_request_without_a_document_is_a_final_error(ask, text):
    with pytest.raises(EngineError, match="sent an exhibit as JSON") as caught:
        document_in(ask(text))
    assert not caught.value.transient


def test_an_answer_is_written_as_json():
    assert answer_text({"faulty": True, "failure_step": None}, "j") == (
        '{"faulty":true,"failure_step":null}'
    )


@pytest.mark.parametrize("value", [object(), "\ud800", 1j])
def test_an_answer_that_json_cannot_hold_is_named(value):
    with pytest.raises(EngineError, match="a value that JSON cannot hold"):
        answer_text({"faulty": value}, "j")


def test_a_digest_is_that_of_the_file(tmp_path):
    file = tmp_path / "judge.py"
    file.write_bytes(b"abc")
    assert digest_of(file).startswith("sha256:ba7816bf")
