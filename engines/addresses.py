"""The addresses of model servers, and the server behind the name of an engine."""

from __future__ import annotations

import os
import re

import httpx

from faultpair.env.errors import UsageError

from .engine import provider_of
from .secrets import shown_address

__all__ = [
    "OPENAI",
    "ollama_address",
    "openai_address",
    "origin_of",
    "origin_of_url",
    "parse_address",
]

OPENAI = httpx.URL("https://api.openai.com/v1")
_OLLAMA_PORT = 11434
_PORTS = {"http": 80, "https": 443}


def parse_address(text: str) -> httpx.URL:
    """Return an address; a `UsageError` says so if it is none of http:// or https://."""
    shown = shown_address(text)
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        # The reason quotes a part of the address, which may be of a password.
        reason = f": {error}" if shown == text else ""
        raise UsageError(f"{shown!r} is not an address{reason}.") from None
    if url.scheme not in _PORTS or not url.host:
        raise UsageError(f"{shown!r} is not an address; expected http://host or https://host.")
    return url


def openai_address(base_url: str | None) -> httpx.URL:
    """Return the address that precedes the paths, with /v1 if it has no path itself."""
    url = parse_address(base_url or os.environ.get("OPENAI_BASE_URL") or str(OPENAI))
    path = url.path.rstrip("/").removesuffix("/chat/completions")
    return url.copy_with(path=path or "/v1")


def ollama_address(base_url: str | None) -> httpx.URL:
    """Return the address of OLLAMA_HOST, in which scheme, host and port are each optional."""
    text = base_url or os.environ.get("OLLAMA_HOST") or ""
    if text.startswith(("http://", "https://")):
        return parse_address(text)
    host = f"127.0.0.1{text}" if text.startswith(":") else text or "127.0.0.1"
    url = parse_address(f"http://{host}")
    return url if re.search(r":\d+(/|$)", host) else url.copy_with(port=_OLLAMA_PORT)


def origin_of(engine: str, base_url: str | None) -> str | None:
    """Return scheme, host and port of the server that an engine asks; None if it asks none."""
    if engine.startswith(("http://", "https://")):
        return origin_of_url(parse_address(engine))
    provider = provider_of(engine)
    if provider == "openai":
        return origin_of_url(openai_address(base_url))
    return origin_of_url(ollama_address(base_url)) if provider == "ollama" else None


def origin_of_url(url: httpx.URL) -> str:
    """Return scheme, host and port of an address."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}:{url.port or _PORTS[url.scheme]}"
