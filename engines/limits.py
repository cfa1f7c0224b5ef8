"""Limits of an HTTP client: one time-out for the whole reply, and a largest body.

The settings serve our own client and that of the `ollama` package alike. Requests to this
machine bypass proxies, and an API key is checked before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpx

from faultpair.env.errors import EngineError, UsageError

__all__ = ["MOST_BYTES", "client_settings", "network_errors", "shown"]

MOST_BYTES = 8_000_000
"""The largest body that is read, a thousand times the reply of a judge."""

_DEADLINE = "faultpair.deadline"
_OURSELVES = ("all://localhost", "all://127.0.0.1", "all://[::1]")


def client_settings(timeout_s: float, api_key: str | None) -> dict[str, Any]:
    """Return the keyword arguments of an `httpx.Client` that reads each body before it returns."""
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    if api_key and api_key.strip():
        headers["Authorization"] = f"Bearer {_sendable(api_key.strip())}"
    return {
        "headers": headers,
        "timeout": timeout_s,
        "follow_redirects": False,
        "limits": httpx.Limits(max_connections=None),  # the runner decides how many at once
        "mounts": dict.fromkeys(_OURSELVES),
        "event_hooks": {"request": [_clock(timeout_s)], "response": [_read_guarded]},
    }


@contextmanager
def network_errors(where: str, timeout_s: float) -> Iterator[None]:
    """Turn network failures into an `EngineError`."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise EngineError(
            f"{where} gave no complete reply within {timeout_s:g} s. "
            "Allow more time, or send fewer requests at once.",
            transient=True,
            is_overload=True,
        ) from error
    except (httpx.ConnectError, ConnectionError) as error:
        is_untrusted = "CERTIFICATE_VERIFY_FAILED" in str(error)
        raise EngineError(
            f"{where} cannot be reached: {error}. Check that the server runs at this address.",
            transient=not is_untrusted,
        ) from error
    except httpx.TransportError as error:
        reason = str(error) or type(error).__name__
        raise EngineError(
            f"No complete reply: the connection to {where} broke off ({reason}).", transient=True
        ) from error


def shown(url: httpx.URL) -> str:
    """Return an address for messages and records, without user and password."""
    return str(url.copy_with(username=None, password=None))


def _sendable(api_key: str) -> str:
    if api_key.isascii() and api_key.isprintable():
        return api_key
    raise UsageError("The API key holds characters that no API key has; copy it again.")


def _clock(timeout_s: float) -> Any:
    def start(request: httpx.Request) -> None:
        request.extensions[_DEADLINE] = monotonic() + timeout_s

    return start


def _read_guarded(response: httpx.Response) -> None:
    coding = response.headers.get("content-encoding", "identity")
    if coding != "identity":  # a small body could unfold into one of any size
        raise EngineError(
            f"{shown(response.url)} compressed its reply ({coding}), against the request."
        )
    assert isinstance(response.stream, httpx.SyncByteStream)
    response.stream = _Guarded(response.stream, response.request)
    response.read()


class _Guarded(httpx.SyncByteStream):
    """A body that raises when it is too long or too late."""

    def __init__(self, stream: httpx.SyncByteStream, request: httpx.Request) -> None:
        self._stream = stream
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        n_bytes = 0
        deadline = self._request.extensions[_DEADLINE]
        # The wait for the first byte of the body is bounded by the time that is left.
        self._request.extensions["timeout"]["read"] = max(deadline - monotonic(), 0.001)
        for chunk in self._stream:
            n_bytes += len(chunk)
            if n_bytes > MOST_BYTES:
                raise EngineError(
                    f"{shown(self._request.url)} sent more than {MOST_BYTES // 1_000_000} MB and "
                    "was cut off. A reply is far shorter; check which server runs at this address."
                )
            if monotonic() > deadline:
                raise httpx.ReadTimeout("the body arrived too slowly")
            yield chunk

    def close(self) -> None:
        self._stream.close()
