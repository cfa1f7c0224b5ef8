"""Requests to send, and a server on loopback that sends the bytes a test sets."""

import socket
import socketserver
import threading
from email.message import Message as Headers
from email.parser import BytesParser

import pytest

from faultpair.engines.engine import Message, Request

VERDICT = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 400},
        "faulty": {"type": "boolean"},
        "failure_step": {"type": ["integer", "null"]},
        "failure_type": {"enum": ["late", "wrong", None]},
        "confidence": {"type": "number", "minimum": 0.5, "maximum": 1},
    },
    "required": ["reasoning", "faulty"],
}


class RawServer(socketserver.ThreadingTCPServer):
    """Answers each request with given bytes, then hangs or closes; it keeps what it was sent."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _RawHandler)
        self.pieces: tuple[bytes, ...] = ()
        self.pause_s = 0.0
        self.hangs = False
        self.is_over = threading.Event()
        self.heads: list[Headers] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def says(self, status="200 OK", body=b"", *, pause_s=0.0, hangs=False, **headers):
        """Set what to send. A pause comes after each byte of the body."""
        fields = {"Content-Type": "application/json", "Content-Length": str(len(body))} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value)
        whole_head = f"HTTP/1.1 {status}\r\n{head}\r\n".encode()
        bytes_of_body = [bytes([byte]) for byte in body] if pause_s else [body]
        self.pieces, self.pause_s, self.hangs = (whole_head, *bytes_of_body), pause_s, hangs

    def handle_error(self, request, client_address) -> None:
        """Let a client that hung up go; it is what most of these tests want."""


class _RawHandler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server = self.server
        self.rfile.readline()
        head = BytesParser().parsebytes(b"".join(iter(self.rfile.readline, b"\r\n")))
        self.rfile.read(int(head.get("Content-Length", 0)))
        server.heads.append(head)
        for piece in server.pieces:
            self.wfile.write(piece)
            if server.pause_s:
                server.is_over.wait(server.pause_s)
        if server.hangs:
            server.is_over.wait(30)


@pytest.fixture
def raw_server():
    """Return a server that sends what a test sets; it runs on a port of its own."""
    with RawServer() as server:
        server.says()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.is_over.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def closed_port():
    """Return a port of this machine that refuses connections."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


@pytest.fixture
def verdict_schema():
    """Return a schema like that of a judge which checks each step."""
    return VERDICT


@pytest.fixture
def ask():
    """Return a function that makes a request."""

    def make(text="Is it faulty?", **settings):
        return Request((Message("system", "You judge."), Message("user", text)), **settings)

    return make
