"""The transport of HTTP clients: one time-out for a whole exchange, a largest body, no cookies.

httpx bounds each wait by itself, so a server that sends a byte now and then holds a call
without end. Here each wait is bounded by the time that is left of the exchange: connection,
proxy, TLS, request, head and body. Only the system's look-up of a host's name has a
time limit of its own.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from faultpair.env.errors import EngineError, UsageError

from .secrets import shown_address

__all__ = ["MOST_BYTES", "BoundedTransport"]

MOST_BYTES = 8_000_000
"""The largest body that is read, a thousand times the reply of a judge."""

_OURSELVES = ("localhost", "127.0.0.1", "::1")
_PIECE = 16_384
"""Bytes of a request in one write: a longer one has several waits, each with the whole time."""
_NOT_PASSED_ON = (b"set-cookie", b"set-cookie2")
_FAILURES = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)
_deadline: ContextVar[float] = ContextVar("faultpair.deadline")


class BoundedTransport(httpx.BaseTransport):
    """Sends a request and returns its response with the whole body.

    The time-out for reading is that of the whole exchange. Requests to this machine bypass the
    proxies of the environment. A connection is kept for the next request unless
    ``keeps_connections`` is false.
    """

    def __init__(self, *, keeps_connections: bool = True) -> None:
        self._most_idle = None if keeps_connections else 0
        self._pools: dict[tuple[str, str | None], httpcore.ConnectionPool] = {}
        self._lock = threading.Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        timeout_s: float = request.extensions["timeout"]["read"]
        token = _deadline.set(monotonic() + timeout_s)
        try:
            with _failures_of_httpx():
                return self._exchange(request)
        finally:
            _deadline.reset(token)

    def close(self) -> None:
        with self._lock:
            pools, self._pools = self._pools, {}
        for pool in pools.values():
            pool.close()

    def _exchange(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        response = self._pool(url.scheme, _proxy_for(url)).handle_request(
            httpcore.Request(
                request.method,
                httpcore.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        try:
            body = _body(response, shown_address(str(url)))
        finally:
            response.close()
        return httpx.Response(
            response.status,
            headers=[each for each in response.headers if each[0].lower() not in _NOT_PASSED_ON],
            stream=httpx.ByteStream(body),
            extensions=response.extensions,
        )

    def _pool(self, scheme: str, proxy: str | None) -> httpcore.ConnectionPool:
        with self._lock:
            if (scheme, proxy) not in self._pools:
                self._pools[scheme, proxy] = self._open_pool(scheme, proxy)
            return self._pools[scheme, proxy]

    def _open_pool(self, scheme: str, address: str | None) -> httpcore.ConnectionPool:
        settings: dict[str, Any] = {
            # Its certificates take long to read, and most servers are on this machine.
            "ssl_context": httpx.create_ssl_context() if scheme == "https" else None,
            "max_connections": None,  # the runner decides how many at once
            "max_keepalive_connections": self._most_idle,
            "keepalive_expiry": 5.0,
            "network_backend": _BoundedNetwork(),
        }
        if address is None:
            return httpcore.ConnectionPool(**settings)
        try:
            proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
            is_socks = proxy.url.scheme.startswith("socks")
            kind = httpcore.SOCKSProxy if is_socks else httpcore.HTTPProxy
            return kind(
                proxy_url=str(proxy.url.copy_with(username=None, password=None)),
                proxy_auth=proxy.raw_auth,
                **settings,
            )
        except (ValueError, RuntimeError, httpx.InvalidURL):
            raise UsageError(
                f"The environment names the proxy {shown_address(address)}, which cannot be used; "
                "expected http://host:port. For socks5://, install httpx[socks]."
            ) from None


def _proxy_for(url: httpx.URL) -> str | None:
    """Return the proxy that the environment names for an address."""
    if url.host in _OURSELVES or proxy_bypass(url.netloc.decode()):
        return None
    proxies = getproxies()
    return proxies.get(url.scheme) or proxies.get("all")


def _body(response: httpcore.Response, where: str) -> bytes:
    codings = [text for name, text in response.headers if name.lower() == b"content-encoding"]
    if any(coding.strip().lower() != b"identity" for coding in codings):
        # A small body could unfold into one of any size.
        named = b", ".join(codings).decode("ascii", "replace")
        raise EngineError(f"{where} compressed its reply ({named}), against the request.")
    body = bytearray()
    for chunk in response.iter_stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise EngineError(
                f"{where} sent more than {MOST_BYTES // 1_000_000} MB and was cut off. A reply is "
                "far shorter; check which server runs at this address."
            )
    return bytes(body)


@contextmanager
def _failures_of_httpx() -> Iterator[None]:
    """Turn an exception of httpcore into that of httpx, which has the same name."""
    try:
        yield
    except _FAILURES as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


def _left(timeout_s: float | None, late: type[httpcore.TimeoutException]) -> float:
    """Return the seconds for which the exchange may wait now."""
    left = _deadline.get() - monotonic()
    if left <= 0:
        raise late("the time is over")
    return left if timeout_s is None else min(left, timeout_s)


class _BoundedNetwork(httpcore.NetworkBackend):
    """Opens connections, each of which waits as long as the exchange may."""

    def __init__(self) -> None:
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        """Try the addresses of a host in turn, all of them within the time."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(str(error)) from error
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for *_, place in dict.fromkeys(found):
            left = _left(timeout, httpcore.ConnectTimeout)
            try:
                return _BoundedStream(
                    self._network.connect_tcp(
                        str(place[0]), port, left, local_address, socket_options
                    )
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


class _BoundedStream(httpcore.NetworkStream):
    """A connection that waits no longer than the exchange may that uses it now."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            left = _left(timeout, httpcore.WriteTimeout)
            self._stream.write(buffer[start : start + _PIECE], left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _BoundedStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
