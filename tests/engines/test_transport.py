"""The one time-out of an exchange, and what a connection never keeps."""

import socket
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from faultpair.engines.catalog import open_engine
from faultpair.engines.clients import client_settings
from faultpair.engines.engine import EngineOptions
from faultpair.env.errors import EngineError, UsageError

TIMEOUT_S = 0.4


@pytest.fixture(params=["openai", "ollama", "endpoint"])
def asked(request, raw_server, ask):
    """Return a function that asks an engine and returns the error in which that ends."""

    def fail(address=None, text="{}"):
        url = address or raw_server.url
        names = {"openai": "openai:m", "ollama": "ollama:m", "endpoint": f"{url}/judge"}
        base_url = None if request.param == "endpoint" else url
        options = EngineOptions(base_url=base_url, api_key="sk-x", timeout_s=TIMEOUT_S)
        engine = open_engine(names[request.param], options)
        with closing(engine), pytest.raises(EngineError) as caught:
            engine.complete(ask(text))
        return caught.value

    return fail


def dripped(raw_server, text: bytes) -> None:
    """Let a server send a text byte by byte, far longer than the time limit; then it hangs up."""
    raw_server.pieces, raw_server.pause_s = tuple(bytes([each]) for each in text), 0.05


def is_late(error: EngineError) -> bool:
    return error.transient and error.is_overload and f"within {TIMEOUT_S:g} s" in str(error)


def test_a_dripped_head_meets_the_time_limit(asked, raw_server):
    dripped(raw_server, b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10)
    error = asked()
    assert is_late(error)


def test_a_dripped_status_line_meets_the_time_limit(asked, raw_server):
    dripped(raw_server, b"HTTP/1.1 200 " + b"O" * 60)
    error = asked()
    assert is_late(error)


def test_heads_before_the_head_meet_the_time_limit(asked, raw_server):
    raw_server.pieces = (b"HTTP/1.1 102 Processing\r\n\r\n",) * 60
    raw_server.pause_s = 0.05
    error = asked()
    assert is_late(error)


def test_a_dripped_redirection_meets_the_time_limit(asked, raw_server):
    dripped(raw_server, b"HTTP/1.1 302 Found\r\nLocation: http://h/" + b"a" * 40)
    error = asked()
    assert is_late(error)


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY"])
def test_a_dripped_proxy_meets_the_time_limit(name, raw_server, ask, monkeypatch):
    monkeypatch.setenv(name, raw_server.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    dripped(raw_server, b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10)
    scheme = name.partition("_")[0].lower()
    options = EngineOptions(timeout_s=TIMEOUT_S)
    engine = open_engine(f"{scheme}://h.invalid/", options)
    with closing(engine), pytest.raises(EngineError) as caught:
        engine.complete(ask("{}"))
    assert is_late(caught.value)


def test_a_dripped_handshake_meets_the_time_limit(asked, raw_server):
    # The header of a TLS record of 16 kB, which never ends.
    dripped(raw_server, b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc" + b"\0" * 60)
    raw_server.RequestHandlerClass = _Dripping
    error = asked(raw_server.url.replace("http://", "https://"))
    assert is_late(error)


class _Dripping:
    """Sends the pieces of its server at once, whatever it is sent."""

    def __init__(self, request, client_address, server):
        for piece in server.pieces:
            request.sendall(piece)
            if server.is_over.wait(server.pause_s):
                return


def test_a_request_that_is_read_slowly_meets_the_time_limit(asked):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        is_over = threading.Event()

        def read_slowly():
            while not is_over.is_set():
                connection, _ = listener.accept()
                with connection:
                    for _ in range(40):  # then it hangs up
                        if is_over.wait(0.05) or not connection.recv(65_536):
                            break

        reader = threading.Thread(target=read_slowly, daemon=True)
        reader.start()
        try:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            error = asked(address, '{"goal": "' + "x" * 20_000_000 + '"}')
        finally:
            is_over.set()
    assert is_late(error)


class _Kept(BaseHTTPRequestHandler):
    """Keeps its connection, and counts it."""

    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.server.n_connections += 1

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        """Say nothing."""


def test_a_connection_is_used_again_and_each_exchange_has_its_own_time():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Kept) as server:
        server.n_connections = 0
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        with httpx.Client(**client_settings(30.0, None)) as client:
            for _ in range(3):
                assert client.get(f"http://127.0.0.1:{server.server_address[1]}/").is_success
        server.shutdown()
        thread.join()
    assert server.n_connections == 1


def test_no_cookie_is_kept(httpserver, ask):
    answer = {"faulty": True}
    httpserver.expect_request("/j").respond_with_json(
        answer, headers={"Set-Cookie": "who=a; Path=/"}
    )
    with closing(open_engine(httpserver.url_for("/j"))) as engine:
        for _ in range(2):
            engine.complete(ask("{}"))
    assert [request.headers.get("Cookie") for request, _ in httpserver.log] == [None, None]


def test_a_proxy_that_cannot_be_used_is_named_without_its_password(ask, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "gopher://ada:hunter2@proxy.example:70")
    monkeypatch.delenv("NO_PROXY", raising=False)
    engine = open_engine("http://h.invalid/")
    with closing(engine), pytest.raises(UsageError, match=r"proxy gopher://proxy\.ex") as caught:
        engine.complete(ask("{}"))
    assert "hunter2" not in str(caught.value)


def test_a_proxy_of_the_environment_is_used_with_its_password(raw_server, ask, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", raw_server.url.replace("http://", "http://ada:hunter2@"))
    monkeypatch.delenv("NO_PROXY", raising=False)
    raw_server.says(body=b'{"faulty": true}')
    with closing(open_engine("http://h.invalid/j")) as engine:
        assert engine.complete(ask("{}")).text == '{"faulty":true}'
    assert raw_server.heads[0]["Proxy-Authorization"].startswith("Basic ")


def test_hosts_of_no_proxy_bypass_it(raw_server, ask, monkeypatch, closed_port):
    monkeypatch.setenv("HTTP_PROXY", raw_server.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.2")
    engine = open_engine(f"http://127.0.0.2:{closed_port}/j")
    with closing(engine), pytest.raises(EngineError, match="cannot be reached"):
        engine.complete(ask("{}"))
    assert not raw_server.heads
