"""Which key goes to which server: the one place that decides it.

A key is named by the environment variable that holds it. It goes to the engine whose table names
the variable, or to the server that it is bound to; another port or another scheme is another
server. The variables of a provider go to the server that its other variables or ``base_url`` name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from faultpair.env.errors import UsageError

from .addresses import origin_of, origin_of_url, parse_address
from .engine import BoundKey, Engine, EngineOptions, provider_of
from .redacted import redacted, redacted_errors, redactor_for
from .secrets import PROVIDER_KEYS, key_in

__all__ = ["bind_keys", "open_with_key"]


def open_with_key(
    opener: Callable[[str, EngineOptions], Engine], name: str, model: str, options: EngineOptions
) -> Engine:
    """Open an engine with its key; no secret is in what it returns or raises."""
    redact = redactor_for(name, options)
    with redacted_errors(redact):
        engine = opener(model, replace(options, api_key=_key_of(name, options)))
    return redacted(engine, redact) if redact else engine


def bind_keys(
    given: Iterable[str], engines: Iterable[str], base_url: str | None
) -> tuple[BoundKey, ...]:
    """Return the servers that the keys of a command line are for.

    Parameters
    ----------
    given : ``VARIABLE``, if the engines ask one server, else ``VARIABLE@host``,
        ``VARIABLE@host:port`` or ``VARIABLE@https://host:port``
    engines : the names of all engines that may be asked

    Raises
    ------
    UsageError
        If it is not clear which server a key is for, or the environment does not hold it.
    """
    asked = dict.fromkeys(origin_of(engine, base_url) for engine in engines)
    servers = [origin for origin in asked if origin is not None]
    keys: list[BoundKey] = []
    for text in given:
        variable, _, place = text.partition("@")
        key_in(variable, "--key-from")
        origin = _server(variable, place, servers)
        if any(key.origin == origin for key in keys):
            raise UsageError(f"Two options --key-from are for {origin}; give one.")
        keys.append(BoundKey(origin, variable))
    return tuple(keys)


def _key_of(name: str, options: EngineOptions) -> str | None:
    """Return the key that goes to an engine."""
    origin = origin_of(name, options.base_url)
    if origin is None:
        return None
    if options.key_from is not None:
        return key_in(options.key_from, "key_from")
    for key in options.bound_keys:
        if key.origin == origin:
            return key_in(key.variable, "--key-from")
    return options.api_key or os.environ.get(PROVIDER_KEYS.get(provider_of(name), ""))


def _server(variable: str, place: str, servers: Sequence[str]) -> str:
    """Return the one server that a place names."""
    found = [server for server in servers if _is_at(server, place)]
    if len(found) == 1:
        return found[0]
    asked = ", ".join(found or servers) or "none"
    if not found:
        raise UsageError(
            f"--key-from {variable} is for a server that this run does not ask. It asks: {asked}."
        )
    raise UsageError(
        f"--key-from {variable} could be for several servers: {asked}. Name the one that may have "
        f"the key, such as --key-from {variable}@{found[0]}, or set key_from in a table of the "
        "study."
    )


def _is_at(server: str, place: str) -> bool:
    """Return whether a server is at a place: any, a host, host and port, or an address."""
    if "://" in place:
        return origin_of_url(parse_address(place)) == server
    wanted, there = parse_address(f"http://{place}") if place else None, urlsplit(server)
    if wanted is None:
        return True
    return wanted.host == there.hostname and _port_in(place) in (None, there.port)


def _port_in(place: str) -> int | None:
    found = re.search(r":(\d+)/?$", place)
    return int(found[1]) if found else None
