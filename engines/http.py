"""JSON over HTTP, and the one place that turns a failure into an `EngineError`.

=======================================  ============  ========  ==========================
failure                                  try again     overload  else
=======================================  ============  ========  ==========================
429, 503, 529                            yes           yes       waits as Retry-After says
408, 425, 500, 502, 504, other 5xx       yes           no        waits as Retry-After says
no complete reply within the time-out    yes           yes
refused, unknown host, cut connection    yes           no
200 but not JSON, cut JSON, another      yes           no        "no complete reply"
content type, another shape
400, 401, 403, 404, other 4xx, 501, 505  no            no        the message says what to do
a redirection                            no            no        the message says where to
an untrusted certificate                 no            no
a body over 8 MB                         no            no        reading stops at 8 MB
a compressed body                        no            no        the request refuses it
=======================================  ============  ========  ==========================

The time-out covers the whole exchange: connection, proxy, TLS, request, head and body, however
slowly each of them goes (see `faultpair.engines.transport`).
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx
import msgspec

from faultpair.env.errors import EngineError

from .clients import client_settings, network_errors, shown
from .secrets import shown_text

__all__ = ["OBJECT", "JsonClient", "decoded", "refuse_failure"]

T = TypeVar("T")

OBJECT = msgspec.json.Decoder(dict[str, Any])
"""Decodes any JSON object, and nothing else."""

_UNREADABLE = (msgspec.DecodeError, RecursionError)
_OVERLOAD = (429, 503, 529)
_TRANSIENT = (*_OVERLOAD, 408, 425)
_NEVER = (501, 505)
_ADVICE = {
    400: "The server does not accept this request; check what the model supports.",
    401: "Give the API key of this server.",
    403: "The API key may not use this model or this address.",
    404: "Check the address and the name of the model.",
    413: "The request is too long; give the judge a shorter view.",
}
_LONGEST_QUOTE = 300


class JsonClient:
    """Sends JSON and expects JSON, from several threads at once."""

    def __init__(self, *, timeout_s: float, api_key: str | None = None) -> None:
        self._timeout_s = timeout_s
        self._client = httpx.Client(**client_settings(timeout_s, api_key))

    def post(self, url: httpx.URL, body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
        """Send a body of JSON and return the reply.

        Raises
        ------
        EngineError
            If there is no complete reply, or one of another shape than the decoder's.
        """
        with network_errors(shown(url), self._timeout_s):
            json_type = {"Content-Type": "application/json"}
            response = self._client.post(url, content=body, headers=json_type)
        return decoded(response, decoder)

    def get(self, url: httpx.URL) -> httpx.Response:
        """Return the response of an address, whatever its status."""
        with network_errors(shown(url), self._timeout_s):
            return self._client.get(url)

    def close(self) -> None:
        """Close the connections, after all calls have ended."""
        self._client.close()


def refuse_failure(response: httpx.Response) -> None:
    """Raise the `EngineError` of the table if the status is one of failure."""
    if not response.is_success:
        raise _failure(response)


def decoded(response: httpx.Response, decoder: msgspec.json.Decoder[T]) -> T:
    """Return the decoded body of a response, or raise the `EngineError` of the table."""
    refuse_failure(response)
    content_type = response.headers.get("content-type", "application/json").split(";")[0].strip()
    if not content_type.casefold().endswith(("/json", "+json")):
        raise _incomplete(response, f"its content type is {content_type}")
    try:
        return decoder.decode(response.content)
    except msgspec.ValidationError as error:
        raise _incomplete(response, f"it has another shape than expected: {error}") from error
    except _UNREADABLE as error:
        raise _incomplete(response, f"it is not JSON, or was cut off: {error}") from error


def _incomplete(response: httpx.Response, reason: str) -> EngineError:
    quote = _quote(response)
    return EngineError(
        f"No complete reply from {shown(response.url)}: {reason}.{quote and f' It says: {quote}'}",
        transient=True,
    )


def _failure(response: httpx.Response) -> EngineError:
    status = response.status_code
    is_transient = status in _TRANSIENT or (status >= 500 and status not in _NEVER)
    return EngineError(
        " ".join(filter(None, (_status(response), _quote(response), _advice(response)))),
        transient=is_transient,
        is_overload=status in _OVERLOAD,
        retry_after_s=_retry_after_s(response) if is_transient else None,
    )


def _status(response: httpx.Response) -> str:
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return f"{shown(response.url)} answered {status}."


def _advice(response: httpx.Response) -> str:
    if response.has_redirect_location:
        return f"It refers to {shown_text(response.headers['location'])}; give that address."
    return _ADVICE.get(response.status_code, "")


def _quote(response: httpx.Response) -> str:
    """Return the beginning of the server's message on one line."""
    try:
        text = _message_in(msgspec.json.decode(response.content))
    except _UNREADABLE:
        text = response.content[: 4 * _LONGEST_QUOTE].decode("utf-8", "replace")
    return " ".join(text.split())[:_LONGEST_QUOTE]


def _message_in(body: Any) -> str:
    """Return the message of an error in the forms of OpenAI, Ollama and others; else the body."""
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(name):
            return _message_in(body[name])
    return body if isinstance(body, str) else msgspec.json.encode(body).decode()


def _retry_after_s(response: httpx.Response) -> float | None:
    """Return Retry-After in seconds; a date counts from the Date header, else from now."""
    text = response.headers.get("retry-after", "")
    try:
        seconds = float(text)
    except ValueError:
        until = _date(text)
        now = _date(response.headers.get("date", "")) or datetime.now(UTC)
        seconds = (until - now).total_seconds() if until else math.nan
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
