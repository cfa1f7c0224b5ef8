import json
from contextlib import closing

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Identity
from faultpair.env.errors import EngineError


def test_the_exhibit_is_posted_and_the_answer_comes_back(httpserver, ask):
    httpserver.expect_request("/judge", "POST", json={"goal": "a"}).respond_with_json(
        {"faulty": True, "score": 0.5}
    )
    with closing(open_engine(httpserver.url_for("/judge"))) as engine:
        reply = engine.complete(ask('{\n"goal": "a"}'))
    assert json.loads(reply.text) == {"faulty": True, "score": 0.5}
    assert reply.latency_s > 0
    assert httpserver.log[0][0].content_type == "application/json"


def test_a_key_is_sent_as_a_bearer_token(httpserver, ask):
    httpserver.expect_request("/judge").respond_with_json({"faulty": True})
    address = httpserver.url_for("/judge")
    with closing(open_engine(address, EngineOptions(api_key="k"))) as engine:
        engine.complete(ask("{}"))
    assert httpserver.log[0][0].headers["Authorization"] == "Bearer k"


@pytest.mark.parametrize("answer", [["faulty"], "faulty", None])
def test_an_answer_that_is_not_an_object_is_an_incomplete_reply(httpserver, ask, answer):
    httpserver.expect_request("/judge").respond_with_json(answer)
    engine = open_engine(httpserver.url_for("/judge"))
    with closing(engine), pytest.raises(EngineError, match="Expected `object`") as caught:
        engine.complete(ask("{}"))
    assert caught.value.transient


def test_identity_is_the_address():
    with closing(open_engine("https://host.example/judge")) as engine:
        assert engine.identify() == Identity("http", model="https://host.example/judge")
