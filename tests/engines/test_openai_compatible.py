"""A server like OpenAI's, on loopback."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from werkzeug import Response

from faultpair.engines.addresses import OPENAI
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions
from faultpair.engines.openai_compatible import open_openai
from faultpair.env.errors import EngineError, UsageError

ANSWER = {
    "model": "m-2026-01-01",
    "system_fingerprint": "fp_b",
    "choices": [{"message": {"role": "assistant", "content": "yes"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 12, "completion_tokens": 1},
}


@pytest.fixture
def engine(httpserver):
    options = EngineOptions(base_url=httpserver.url_for("/v1"), context_tokens=2048)
    with closing(open_openai("m", options=options)) as opened:
        yield opened


def respond(httpserver, **changes):
    httpserver.expect_oneshot_request("/v1/chat/completions", "POST").respond_with_json(
        ANSWER | changes
    )


def test_a_request_is_answered(httpserver, engine, ask):
    respond(httpserver)
    reply = engine.complete(ask("Well?", seed=4))
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("yes", 12, 1)
    assert reply.latency_s > 0
    sent = json.loads(httpserver.log[0][0].data)
    assert (sent["model"], sent["seed"], sent["messages"][1]["content"]) == ("m", 4, "Well?")


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "//"])
def test_the_base_url_may_end_in_v1_or_a_slash_or_not(httpserver, ask, path):
    respond(httpserver)
    options = EngineOptions(base_url=httpserver.url_for("").rstrip("/") + path)
    with closing(open_openai("m", options=options)) as engine:
        assert engine.complete(ask()).text == "yes"


def test_a_base_url_with_a_path_of_its_own_is_taken_as_it_is(httpserver, ask):
    httpserver.expect_request("/llm/api/chat/completions", query_string="v=2").respond_with_json(
        ANSWER
    )
    options = EngineOptions(base_url=httpserver.url_for("/llm/api") + "?v=2")
    with closing(open_openai("m", options=options)) as engine:
        assert engine.complete(ask()).text == "yes"


def test_address_and_key_come_from_the_environment(httpserver, ask, monkeypatch):
    respond(httpserver)
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", " sk-env\n")
    with closing(open_engine("openai:m")) as engine:
        engine.complete(ask())
    assert httpserver.log[0][0].headers["Authorization"] == "Bearer sk-env"


def test_openai_requires_a_key_before_anything_is_sent(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="set OPENAI_API_KEY"):
        open_engine("openai:gpt-4o-mini")
    open_engine("openai:gpt-4o-mini", EngineOptions(api_key="sk-x")).close()
    assert OPENAI.scheme == "https"


def test_the_version_is_the_fingerprints_of_the_answers(httpserver, engine, ask):
    httpserver.expect_request("/v1/models").respond_with_json({"data": []})
    for fingerprint in ("fp_b", "fp_a", "fp_b"):
        respond(httpserver, system_fingerprint=fingerprint)
        engine.complete(ask())
    identity = engine.identify()
    assert (identity.engine, identity.model) == ("openai", "m")
    assert identity.engine_version == "fp_a, fp_b"
    assert identity.build == "version: system_fingerprint; answered as m-2026-01-01"


def test_the_version_is_the_server_header_before_any_answer(httpserver, engine):
    httpserver.expect_request("/v1/models").respond_with_json(
        {"data": []}, headers={"Server": "vllm/1"}
    )
    identity = engine.identify()
    assert "vllm/1" in identity.engine_version
    assert identity.build == "version: Server header"


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_without_a_list_of_models_has_no_version(httpserver, engine, status):
    httpserver.expect_request("/v1/models").respond_with_data("no", status=status)
    assert engine.identify().engine_version is None


def test_identity_needs_a_key_that_is_accepted(httpserver, engine):
    httpserver.expect_request("/v1/models").respond_with_json({"error": "who?"}, status=401)
    with pytest.raises(EngineError, match="Give the API key"):
        engine.identify()


@pytest.mark.parametrize(
    "body",
    [
        {"choices": []},
        {"choices": [{"text": "yes"}]},
        {"choices": [{"message": {"content": 5}}]},
        {"error": {"message": "the model is not loaded"}},
    ],
)
def test_an_answer_of_another_shape_is_transient_and_quoted(httpserver, engine, ask, body):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(body)
    with pytest.raises(EngineError, match="another shape than expected") as caught:
        engine.complete(ask())
    assert caught.value.transient
    if "error" in body:
        assert "the model is not loaded" in str(caught.value)


def test_json_of_a_vendors_own_type_is_json(httpserver, engine, ask):
    response = Response(json.dumps(ANSWER), content_type="application/vnd.x+json; charset=utf-8")
    httpserver.expect_request("/v1/chat/completions").respond_with_response(response)
    assert engine.complete(ask()).text == "yes"


def test_the_context_is_what_the_options_say(engine):
    assert engine.context_tokens() == 2048


def test_threads_that_ask_at_once_each_get_their_own_answer(httpserver, engine, ask):
    def echo(request):
        content = request.get_json()["messages"][-1]["content"]
        choices = [{"message": {"content": content}}]
        return Response(json.dumps(ANSWER | {"choices": choices}), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(echo)
    texts = [str(number) for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda text: engine.complete(ask(text)), texts))
    assert [reply.text for reply in replies] == texts
