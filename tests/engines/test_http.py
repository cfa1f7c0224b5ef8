"""Each way in which a server can fail, in each engine that asks one: see `engines/http.py`."""

from contextlib import closing
from time import monotonic

import pytest

from faultpair.engines.addresses import parse_address
from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import EngineOptions
from faultpair.engines.http import JsonClient
from faultpair.env.errors import EngineError, UsageError

ENGINES = ("openai", "ollama", "endpoint")


@pytest.fixture(params=ENGINES)
def failing(request, raw_server, ask):
    """Return a function that asks an engine and returns the error it ends in."""

    def fail(timeout_s=5.0):
        engine = _open(request.param, raw_server.url, timeout_s)
        with closing(engine), pytest.raises(EngineError) as caught:
            engine.complete(ask('{"goal": "a refund"}'))
        return caught.value

    return fail


def _open(kind, url, timeout_s):
    options = EngineOptions(
        base_url=None if kind == "endpoint" else url, api_key="sk-secret", timeout_s=timeout_s
    )
    names = {"openai": "openai:m", "ollama": "ollama:m", "endpoint": f"{url}/judge"}
    return open_engine(names[kind], options)


def state(error):
    return error.transient, error.is_overload, error.retry_after_s


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable", "529 Busy"])
def test_an_overload_is_transient_and_says_how_long_to_wait(failing, raw_server, status):
    raw_server.says(status, b'{"error": {"message": "slow down"}}', Retry_After="7")
    error = failing()
    assert state(error) == (True, True, 7.0)
    assert status in str(error)
    assert "slow down" in str(error)


def test_retry_after_may_be_a_date_which_is_counted_from_the_servers_clock(failing, raw_server):
    raw_server.says(
        "503 Service Unavailable",
        Date="Wed, 21 Oct 2015 07:28:00 GMT",
        Retry_After="Wed, 21 Oct 2015 07:28:30 GMT",
    )
    assert state(failing()) == (True, True, 30.0)


def test_retry_after_in_the_past_is_now(failing, raw_server):
    raw_server.says("503 Service Unavailable", Retry_After="Wed, 21 Oct 2015 07:28:30 GMT")
    assert failing().retry_after_s == 0.0


@pytest.mark.parametrize("text", ["soon", "inf", "nan", ""])
def test_a_retry_after_that_cannot_be_read_is_none(failing, raw_server, text):
    raw_server.says("429 Too Many Requests", Retry_After=text)
    assert state(failing()) == (True, True, None)


@pytest.mark.parametrize("status", [408, 500, 502, 504, 520])
def test_a_failure_of_the_server_is_transient(failing, raw_server, status):
    raw_server.says(f"{status} Oh", b"<html>oops</html>", Content_Type="text/html")
    error = failing()
    assert state(error) == (True, False, None)
    assert "<html>oops</html>" in str(error)


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "check what the model supports"),
        (401, "Give the API key"),
        (403, "may not use this model"),
        (404, "the address and the name of the model"),
        (413, "a shorter view"),
        (422, "422"),
        (501, "501"),
    ],
)
def test_a_refusal_is_final_and_says_what_to_do(failing, raw_server, status, advice):
    raw_server.says(f"{status} No", b'{"error": "no such thing"}', Retry_After="7")
    error = failing()
    assert state(error) == (False, False, None)
    assert "no such thing" in str(error)
    assert advice in str(error)


def test_a_redirection_is_final_and_names_the_other_address(failing, raw_server):
    raw_server.says("301 Moved Permanently", Location="https://elsewhere.example/v1")
    error = failing()
    assert state(error) == (False, False, None)
    assert "https://elsewhere.example/v1" in str(error)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b'{"choices": [{"message": {"content": "it is', {}),
        (b"yes", {}),
        (b"", {}),
        (b"\xff\xfe", {}),
        (b"[" * 100_000, {}),
        (b"[42]", {}),
        (b'{"choices": []}', {"Content_Type": "text/html; charset=utf-8"}),
    ],
    ids=["truncated", "no JSON", "empty", "no UTF-8", "too deep", "wrong shape", "wrong type"],
)
def test_an_incomplete_reply_is_transient(failing, raw_server, body, headers):
    raw_server.says(body=body, **headers)
    error = failing()
    assert state(error) == (True, False, None)
    assert "No complete reply" in str(error)


def test_a_connection_cut_within_the_body_is_transient(failing, raw_server):
    raw_server.says(body=b'{"choices": ', Content_Length="5000")
    error = failing()
    assert state(error) == (True, False, None)
    assert "broke off" in str(error)


def test_a_connection_cut_before_the_head_is_transient(failing, raw_server):
    raw_server.pieces = ()
    assert state(failing()) == (True, False, None)


@pytest.mark.parametrize("kind", ENGINES)
def test_a_server_that_is_not_there_is_transient(kind, ask, closed_port):
    engine = _open(kind, f"http://127.0.0.1:{closed_port}", 5.0)
    with closing(engine), pytest.raises(EngineError, match="Check that the server runs") as caught:
        engine.complete(ask("{}"))
    assert state(caught.value) == (True, False, None)


def test_a_server_that_hangs_before_its_head_is_cut_off_in_time(failing, raw_server):
    raw_server.says()
    raw_server.pieces, raw_server.hangs = (), True
    started = monotonic()
    error = failing(timeout_s=0.1)
    assert state(error) == (True, True, None)
    assert "within 0.1 s" in str(error)
    assert monotonic() - started < 2


def test_a_server_that_hangs_within_its_body_is_cut_off_in_time(failing, raw_server):
    raw_server.says(body=b'{"choices": ', Content_Length="5000", hangs=True)
    assert state(failing(timeout_s=0.1)) == (True, True, None)


def test_a_slow_body_is_cut_off_although_no_pause_is_too_long(failing, raw_server):
    raw_server.says(body=b"[" * 1000, pause_s=0.02)
    started = monotonic()
    assert state(failing(timeout_s=0.15)) == (True, True, None)
    assert monotonic() - started < 2


def test_a_body_of_10_mb_is_cut_off_and_final(failing, raw_server):
    raw_server.says(body=b'"' + b"x" * 10_000_000 + b'"')
    error = failing()
    assert state(error) == (False, False, None)
    assert "more than 8 MB" in str(error)


def test_a_compressed_body_is_refused(failing, raw_server):
    raw_server.says(body=b"\x1f\x8b", Content_Encoding="gzip")
    error = failing()
    assert state(error) == (False, False, None)
    assert "compressed" in str(error)


def test_the_key_is_sent_and_never_quoted(failing, raw_server):
    raw_server.says("401 Unauthorized", b'{"error": "sk-secret is unknown"}')
    error = failing()
    assert raw_server.heads[0]["Authorization"] == "Bearer sk-secret"
    assert "[key] is unknown" in str(error)
    assert "sk-secret" not in str(error)


def test_the_key_is_in_no_representation_of_the_options():
    assert "sk-secret" not in repr(EngineOptions(api_key="sk-secret"))


@pytest.mark.parametrize("key", ["sk secret\nX-Other: 1", "schlüssel"])
def test_a_key_that_no_header_can_hold_is_a_usage_error_without_the_key(key):
    with pytest.raises(UsageError, match="copy it again") as caught:
        JsonClient(timeout_s=1, api_key=key)
    assert key not in str(caught.value)


def test_user_and_password_of_an_address_are_in_no_message_and_no_record(raw_server, ask):
    raw_server.says("404 Not Found")
    engine = open_engine(f"{raw_server.url}/judge".replace("http://", "http://ada:hunter2@"))
    with closing(engine), pytest.raises(EngineError) as caught:
        engine.complete(ask("{}"))
    assert "hunter2" not in f"{caught.value} {engine.name} {engine.identify()}"
    assert raw_server.heads[0]["Authorization"].startswith("Basic ")


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(
    raw_server, ask, monkeypatch, closed_port
):
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    raw_server.says(body=b'{"faulty": true}')
    with closing(open_engine(f"{raw_server.url}/judge")) as engine:
        assert engine.complete(ask("{}")).text == '{"faulty":true}'


@pytest.mark.parametrize(
    "text", ["localhost:80", "ftp://host/x", "http://", "http://host:port", "judge"]
)
def test_a_text_that_is_not_an_address_is_refused(text):
    with pytest.raises(UsageError, match="is not an address"):
        parse_address(text)


def test_closing_twice_does_no_harm():
    client = JsonClient(timeout_s=1)
    client.close()
    client.close()
