"""Asking a server for JSON over HTTP, and the one reading of all that can go wrong.

Every failure is an `EngineError`, and this table is what each ends in:

=======================================  ============  ========  ==========================
what came                                try again     overload  else
=======================================  ============  ========  ==========================
429, 503, 529                            yes           yes       waits as Retry-After says
408, 425, 500, 502, 504, other 5xx       yes           no        waits as Retry-After says
no whole reply within the time-out       yes           yes
refused, unknown host, cut connection    yes           no
200 but not JSON, cut JSON, another      yes           no        "no whole reply"
content type, another shape
400, 401, 403, 404, other 4xx, 501, 505  no            no        the message says what to do
a redirection                            no            no        the message says where to
an untrusted certificate                 no            no
a body over 8 MB                         no            no        cut off while it comes
a compressed body                        no            no        none was asked for
=======================================  ============  ========  ==========================

The time-out is one for the whole reply and is looked at with each piece of the body; no pause
may be longer either. A server that drips its body so holds a call for less than twice as long.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx
import msgspec

from faultpair.env.errors import EngineError, UsageError

from .limits import client_settings, network_errors, shown

__all__ = ["OBJECT", "JsonClient", "parse_address", "refuse_failure", "whole"]

T = TypeVar("T")

OBJECT = msgspec.json.Decoder(dict[str, Any])
"""Reads any JSON object, and refuses all else."""

_UNREADABLE = (msgspec.DecodeError, RecursionError)
_OVERLOAD = (429, 503, 529)
_TRANSIENT = (*_OVERLOAD, 408, 425)
_NEVER = (501, 505)
_ADVICE = {
    400: "It does not take what was asked of it; see whether the model supports that.",
    401: "Give the API key that this server wants.",
    403: "The API key may not use this model or this address.",
    404: "See whether the address and the name of the model are right.",
    413: "The request is too long for it; give the judge a shorter view.",
}
_LONGEST_QUOTE = 300


class JsonClient:
    """A client that sends JSON and wants JSON back. It may be used from several threads."""

    def __init__(self, *, timeout_s: float, api_key: str | None = None) -> None:
        self._timeout_s = timeout_s
        self._client = httpx.Client(**client_settings(timeout_s, api_key))

    def post(self, url: httpx.URL, body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
        """Send a body of JSON and return the reply.

        Raises
        ------
        EngineError
            If no whole reply came, or one of another shape than the decoder's.
        """
        with network_errors(shown(url), self._timeout_s):
            json_type = {"Content-Type": "application/json"}
            response = self._client.post(url, content=body, headers=json_type)
        return whole(response, decoder)

    def get(self, url: httpx.URL) -> httpx.Response:
        """Return what is there, whatever its status."""
        with network_errors(shown(url), self._timeout_s):
            return self._client.get(url)

    def close(self) -> None:
        """Close the connections; no call may be in flight."""
        self._client.close()


def parse_address(text: str) -> httpx.URL:
    """Return an address.

    Raises
    ------
    UsageError
        If it is none that begins with http:// or https:// and names a host.
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise UsageError(f"{text!r} is no address: {error}.") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageError(f"{text!r} is no address; expected http://host or https://host.")
    return url


def refuse_failure(response: httpx.Response) -> None:
    """Raise the `EngineError` that the table names for a status, if it is one of failure."""
    if not response.is_success:
        raise _failure(response)


def whole(response: httpx.Response, decoder: msgspec.json.Decoder[T]) -> T:
    """Return what a reply holds, or raise the `EngineError` that the table names."""
    refuse_failure(response)
    content_type = response.headers.get("content-type", "application/json").split(";")[0].strip()
    if not content_type.casefold().endswith(("/json", "+json")):
        raise _no_whole_reply(response, f"it came as {content_type}")
    try:
        return decoder.decode(response.content)
    except msgspec.ValidationError as error:
        raise _no_whole_reply(response, f"another shape than expected: {error}") from error
    except _UNREADABLE as error:
        raise _no_whole_reply(response, f"not JSON, or cut off: {error}") from error


def _no_whole_reply(response: httpx.Response, reason: str) -> EngineError:
    quote = _quote(response)
    return EngineError(
        f"No whole reply from {shown(response.url)}: {reason}.{quote and f' It says: {quote}'}",
        transient=True,
    )


def _failure(response: httpx.Response) -> EngineError:
    status = response.status_code
    is_transient = status in _TRANSIENT or (status >= 500 and status not in _NEVER)
    return EngineError(
        " ".join(filter(None, (_answered(response), _quote(response), _advice(response)))),
        transient=is_transient,
        is_overload=status in _OVERLOAD,
        retry_after_s=_retry_after_s(response) if is_transient else None,
    )


def _answered(response: httpx.Response) -> str:
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return f"{shown(response.url)} answered {status}."


def _advice(response: httpx.Response) -> str:
    if response.has_redirect_location:
        return f"It refers to {response.headers['location']}; give that address."
    return _ADVICE.get(response.status_code, "")


def _quote(response: httpx.Response) -> str:
    """Return what the server says of itself, on one line and without the key that it was sent."""
    try:
        text = _message_in(msgspec.json.decode(response.content))
    except _UNREADABLE:
        text = response.content[: 4 * _LONGEST_QUOTE].decode("utf-8", "replace")
    key = response.request.headers.get("authorization", "").removeprefix("Bearer ")
    line = " ".join(text.split())
    return (line.replace(key, "[key]") if key else line)[:_LONGEST_QUOTE]


def _message_in(body: Any) -> str:
    """Return the message of an error as OpenAI, Ollama and others wrap it; else the body."""
    for name in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(name):
            return _message_in(body[name])
    return body if isinstance(body, str) else msgspec.json.encode(body).decode()


def _retry_after_s(response: httpx.Response) -> float | None:
    """Return Retry-After in seconds, a date counted from the server's own clock where it tells."""
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
