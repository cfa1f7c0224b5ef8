"""Settings for an HTTP client that waits, reads and trusts no longer than it should.

They go into a client of our own and into that of the `ollama` package alike: the
time-out is one for the whole reply, a body has a largest size, a proxy never
stands before this machine itself, and a key is one that can be sent.
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
"""The largest body that is read; a judge's reply is a thousandth of it."""

_DEADLINE = "faultpair.deadline"
_OURSELVES = ("all://localhost", "all://127.0.0.1", "all://[::1]")


def client_settings(timeout_s: float, api_key: str | None) -> dict[str, Any]:
    """Return the keyword arguments of an `httpx.Client`; a body is read before it is returned.

    Raises
    ------
    UsageError
        If the key holds what no header can.
    """
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
    """Turn what a network does to a request into an `EngineError`."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise EngineError(
            f"{where} gave no whole reply within {timeout_s:g} s. "
            "Allow it more time, or ask fewer things at once.",
            transient=True,
            is_overload=True,
        ) from error
    except (httpx.ConnectError, ConnectionError) as error:
        is_distrust = "CERTIFICATE_VERIFY_FAILED" in str(error)
        raise EngineError(
            f"{where} cannot be reached: {error}. See whether the server runs at this address.",
            transient=not is_distrust,
        ) from error
    except httpx.TransportError as error:
        reason = str(error) or type(error).__name__
        raise EngineError(
            f"No whole reply: the connection to {where} broke off ({reason}).", transient=True
        ) from error


def shown(url: httpx.URL) -> str:
    """Return an address as it may stand in a message or a record: without user and password."""
    return str(url.copy_with(username=None, password=None))


def _sendable(api_key: str) -> str:
    if api_key.isascii() and api_key.isprintable():
        return api_key
    raise UsageError("The API key holds characters that no key has; copy it again.")


def _clock(timeout_s: float) -> Any:
    def start(request: httpx.Request) -> None:
        request.extensions[_DEADLINE] = monotonic() + timeout_s

    return start


def _read_guarded(response: httpx.Response) -> None:
    coding = response.headers.get("content-encoding", "identity")
    if coding != "identity":  # a small body could then unfold into one of any size
        raise EngineError(
            f"{shown(response.url)} compressed its reply ({coding}), which it was asked not to do."
        )
    assert isinstance(response.stream, httpx.SyncByteStream)
    response.stream = _Guarded(response.stream, response.request)
    response.read()


class _Guarded(httpx.SyncByteStream):
    """A body that breaks off when it is too long or too late."""

    def __init__(self, stream: httpx.SyncByteStream, request: httpx.Request) -> None:
        self._stream = stream
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        n_bytes = 0
        deadline = self._request.extensions[_DEADLINE]
        # The wait for the first byte of the body may take what the head has left of the time.
        self._request.extensions["timeout"]["read"] = max(deadline - monotonic(), 0.001)
        for chunk in self._stream:
            n_bytes += len(chunk)
            if n_bytes > MOST_BYTES:
                raise EngineError(
                    f"{shown(self._request.url)} sent more than {MOST_BYTES // 1_000_000} MB and "
                    "was cut off. A reply is far shorter; see what answers at this address."
                )
            if monotonic() > deadline:
                raise httpx.ReadTimeout("the body came too slowly")
            yield chunk

    def close(self) -> None:
        self._stream.close()
