"""A server that follows Ollama's API, on loopback."""

import json
from contextlib import closing

import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions, Identity, Reply
from faultpair.env.errors import EngineError, UsageError
from faultpair.env.records import TokenChoice

TAGS = {
    "models": [
        {"name": "qwen2.5:14b", "model": "qwen2.5:14b", "digest": "ab12"},
        {"name": "phi:latest", "model": "phi:latest", "digest": "sha256:cd34"},
    ]
}
CHAT = {
    "model": "qwen2.5:14b",
    "created_at": "2026-01-01T00:00:00Z",
    "message": {"role": "assistant", "content": "yes"},
    "done": True,
    "done_reason": "stop",
    "prompt_eval_count": 12,
    "eval_count": 3,
}


@pytest.fixture
def server(httpserver):
    """Return a server that knows two models, one of them with a context of 4096 tokens."""
    httpserver.expect_request("/api/version", "GET").respond_with_json({"version": "0.13.1"})
    httpserver.expect_request("/api/tags", "GET").respond_with_json(TAGS)
    return httpserver


@pytest.fixture
def chat(server):
    """Return a function that answers one chat, with changes, and returns what was asked."""

    def answer(request, *, facts=None, options=None, **changes):
        facts = {"qwen2.context_length": 4096} if facts is None else facts
        server.expect_request("/api/show", "POST").respond_with_json({"model_info": facts})
        server.expect_oneshot_request("/api/chat", "POST").respond_with_json(CHAT | changes)
        options = options or EngineOptions(base_url=server.url_for(""))
        with closing(open_engine("ollama:qwen2.5:14b", options)) as engine:
            reply = engine.complete(request)
        return reply, json.loads(server.log[-1][0].data)

    return answer


def identify(server, model):
    options = EngineOptions(base_url=server.url_for(""))
    with closing(open_engine(f"ollama:{model}", options)) as engine:
        return engine.identify()


def test_a_request_is_sent_with_its_schema_seed_and_context(chat, ask, verdict_schema):
    request = ask("Well?", json_schema=verdict_schema, temperature=0.7, seed=3, max_tokens=9)
    _, asked = chat(request)
    assert asked["model"] == "qwen2.5:14b"
    assert asked["stream"] is False
    assert asked["format"] == verdict_schema
    assert list(asked["format"]["properties"]) == list(verdict_schema["properties"])
    assert asked["options"] == {"num_ctx": 4096, "seed": 3, "temperature": 0.7, "num_predict": 9}
    assert asked["messages"] == [
        {"role": "system", "content": "You judge."},
        {"role": "user", "content": "Well?"},
    ]
    assert "logprobs" not in asked


def test_an_answer_is_read_with_its_counts(chat, ask):
    reply, _ = chat(ask(), done_reason="length")
    assert reply == Reply("yes", 12, 3, latency_s=reply.latency_s, finish_reason="length")
    assert reply.latency_s > 0


def test_log_probabilities_are_asked_for_and_read_the_likeliest_first(chat, ask):
    other, likeliest = {"token": "no", "logprob": -2.0}, {"token": "yes", "logprob": -0.1}
    token = {**likeliest, "bytes": [121], "top_logprobs": [other, likeliest]}
    reply, asked = chat(ask(top_logprobs=2), logprobs=[token])
    assert (asked["logprobs"], asked["top_logprobs"]) == (True, 2)
    assert reply.tokens == (TokenChoice("yes", -0.1, (("yes", -0.1), ("no", -2.0))),)


@pytest.mark.parametrize(
    ("facts", "asked_for", "room"),
    [
        ({"qwen2.context_length": 4096}, None, 4096),
        ({"qwen2.context_length": 131072}, None, 8192),
        ({"qwen2.context_length": 131072}, 32768, 32768),
        ({"qwen2.context_length": 2048}, 32768, 2048),
        ({}, None, 8192),
    ],
)
def test_the_context_is_that_of_the_model_up_to_the_option(
    server, chat, ask, facts, asked_for, room
):
    options = EngineOptions(base_url=server.url_for(""), context_tokens=asked_for)
    _, asked = chat(ask(), facts=facts, options=options)
    assert asked["options"]["num_ctx"] == room


def test_a_prompt_that_filled_the_context_was_cut_and_is_a_final_error(chat, ask):
    with pytest.raises(EngineError, match=r"filled the 4096 tokens .* Ollama cut it") as caught:
        chat(ask(), prompt_eval_count=4096)
    assert not caught.value.transient


def test_identity_holds_version_and_digest(server):
    expected = Identity("ollama", "0.13.1", "qwen2.5:14b", "sha256:ab12")
    assert identify(server, "qwen2.5:14b") == expected


def test_a_model_without_a_tag_is_its_latest(server):
    assert identify(server, "phi").model_digest == "sha256:cd34"


def test_a_model_that_is_not_there_is_named_with_those_that_are(server):
    with pytest.raises(EngineError, match=r"ollama pull phi:3.*It has: qwen2.5:14b, phi:latest"):
        identify(server, "phi:3")


def test_an_answer_of_another_shape_names_the_field(chat, ask):
    with pytest.raises(EngineError, match=r"another shape than Ollama's \(message") as caught:
        chat(ask(), message=None)
    assert caught.value.transient


@pytest.mark.parametrize("form", ["{0}:{1}", "http://{0}:{1}", "http://{0}:{1}/"])
def test_the_host_comes_from_the_environment(server, monkeypatch, form):
    monkeypatch.setenv("OLLAMA_HOST", form.format(server.host, server.port))
    with closing(open_engine("ollama:phi")) as engine:
        assert engine.identify().engine_version == "0.13.1"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        (":{port}", "http://127.0.0.1:{port}"),
    ],
)
def test_missing_parts_of_a_host_are_the_defaults_of_ollama(
    monkeypatch, closed_port, host, address
):
    monkeypatch.setenv("OLLAMA_HOST", host.format(port=closed_port))
    engine = open_engine("ollama:no-such-model")
    with closing(engine), pytest.raises(EngineError) as caught:
        engine.identify()
    assert f"{address.format(port=closed_port)} " in str(caught.value)


def test_a_host_that_is_no_address_is_refused(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "http://host:port")
    with pytest.raises(UsageError, match="is not an address"):
        open_engine("ollama:phi")
