"""Which key goes to which server."""

from contextlib import closing

import pytest

from faultpair.engines.addresses import origin_of
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import BoundKey, EngineOptions
from faultpair.engines.keys import bind_keys
from faultpair.env.errors import EngineError, UsageError

A, B = "http://h:8000/a", "http://h:8001/b"


@pytest.fixture(autouse=True)
def _keys(monkeypatch):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OLLAMA_HOST", "OLLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MINE", "sk-mine-0123456789")
    monkeypatch.setenv("OTHER", "sk-other-0123456789")


@pytest.fixture
def sent(raw_server, ask):
    """Return a function that asks an engine and returns the Authorization that was sent."""

    def send(name="openai:m", **options):
        raw_server.says("401 No")
        base_url = None if name.startswith("http") else raw_server.url
        engine = open_engine(name, EngineOptions(base_url=base_url, **options))
        with closing(engine), pytest.raises(EngineError):
            engine.complete(ask("{}"))
        return raw_server.heads[-1]["Authorization"]

    return send


@pytest.mark.parametrize(
    ("engine", "base_url", "origin"),
    [
        ("openai:m", None, "https://api.openai.com:443"),
        ("openai/m", "http://h/v1", "http://h:80"),
        ("ollama:m", None, "http://127.0.0.1:11434"),
        ("ollama:m", "h", "http://h:11434"),
        ("ollama:m", "https://h", "https://h:443"),
        ("https://a:b@H.example/j?k", "http://h", "https://h.example:443"),
        ("http://[::1]/j", None, "http://[::1]:80"),
        ("local:m", "http://h", None),
        ("cmd:curl http://h", None, None),
        ("python:m:f", None, None),
        ("rules", None, None),
    ],
)
def test_the_server_behind_an_engine_has_scheme_host_and_port(engine, base_url, origin):
    assert origin_of(engine, base_url) == origin


def test_a_key_without_a_host_is_for_the_one_server_that_is_asked():
    assert bind_keys(["MINE"], [A, "http://h:8000/other", "cmd:x"], None) == (
        BoundKey("http://h:8000", "MINE"),
    )


@pytest.mark.parametrize(
    "others", [[B], ["https://h:8000/"], ["openai:m"], ["ollama:m"], ["http://other:8000/"]]
)
def test_a_key_without_a_host_is_refused_if_another_server_is_asked(others):
    with pytest.raises(UsageError, match=r"several servers: http://h:8000, .*MINE@http://h:8000"):
        bind_keys(["MINE"], [A, *others], None)


@pytest.mark.parametrize(
    ("place", "origin"),
    [
        ("h:8000", "http://h:8000"),
        ("http://h:8001", "http://h:8001"),
        ("http://h:8001/", "http://h:8001"),
        ("api.openai.com", "https://api.openai.com:443"),
        ("https://api.openai.com", "https://api.openai.com:443"),
        ("[::1]:9", "http://[::1]:9"),
    ],
)
def test_a_key_with_a_host_is_for_that_server(place, origin):
    engines = [A, B, "openai:m", "http://[::1]:9/"]
    assert bind_keys([f"MINE@{place}"], engines, None) == (BoundKey(origin, "MINE"),)


@pytest.mark.parametrize("place", ["h", "other", "https://h:8000", "h:80", "http://h"])
def test_a_key_for_no_server_or_for_several_is_refused(place):
    with pytest.raises(UsageError, match="MINE"):
        bind_keys([f"MINE@{place}"], [A, B], None)


def test_two_keys_for_one_server_are_refused():
    with pytest.raises(UsageError, match="Two options"):
        bind_keys(["MINE", "OTHER@h:8000"], [A], None)


def test_a_key_for_a_run_that_asks_no_server_is_refused():
    with pytest.raises(UsageError, match="It asks: none"):
        bind_keys(["MINE"], ["local:m", "rules"], None)


def test_a_variable_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="ABSENT, and the environment holds no such variable"):
        bind_keys(["ABSENT"], [A], None)


def test_what_may_be_a_key_is_refused_without_it():
    with pytest.raises(UsageError, match="may be a key itself") as caught:
        bind_keys(["sk-mine-0123456789"], [A], None)
    assert "sk-mine" not in str(caught.value)


def test_the_key_of_a_table_comes_before_all_others(sent, raw_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    bound = (BoundKey(raw_server.url, "OTHER"),)
    assert sent() == "Bearer sk-openai"
    assert sent(bound_keys=bound) == "Bearer sk-other-0123456789"
    assert sent(bound_keys=bound, key_from="MINE") == "Bearer sk-mine-0123456789"


def test_a_bound_key_goes_to_no_other_server(sent, raw_server):
    port = raw_server.server_address[1]
    elsewhere = (f"http://localhost:{port}", f"https://127.0.0.1:{port}", "http://127.0.0.1:80")
    bound = tuple(BoundKey(origin, "MINE") for origin in elsewhere)
    assert sent(f"{raw_server.url}/j", bound_keys=bound) is None


def test_a_key_of_a_provider_goes_to_its_own_server_alone(sent, raw_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    monkeypatch.setenv("OLLAMA_API_KEY", "sk-ollama")
    assert sent("openai:m") == "Bearer sk-openai"
    assert sent("ollama:m") == "Bearer sk-ollama"
    assert sent(f"{raw_server.url}/j") is None


def test_the_key_of_a_table_must_be_there(raw_server):
    with pytest.raises(UsageError, match="key_from names ABSENT"):
        open_engine(f"{raw_server.url}/j", EngineOptions(key_from="ABSENT"))
