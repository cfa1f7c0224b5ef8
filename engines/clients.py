"""The settings of HTTP clients and the errors of a network: of our client and that of Ollama.

An API key is checked before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from faultpair.env.errors import EngineError, UsageError

from .secrets import shown_address
from .transport import BoundedTransport

__all__ = ["client_settings", "network_errors", "shown"]


def client_settings(
    timeout_s: float, api_key: str | None, *, keeps_connections: bool = True
) -> dict[str, Any]:
    """Return the keyword arguments of an `httpx.Client` with limits."""
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    if api_key and api_key.strip():
        headers["Authorization"] = f"Bearer {_sendable(api_key.strip())}"
    return {
        "headers": headers,
        "timeout": timeout_s,
        "follow_redirects": False,
        "transport": BoundedTransport(keeps_connections=keeps_connections),
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
    """Return an address for messages and records, without its secrets."""
    return shown_address(str(url))


def _sendable(api_key: str) -> str:
    if api_key.isascii() and api_key.isprintable():
        return api_key
    raise UsageError("The API key holds characters that no API key has; copy it again.")
