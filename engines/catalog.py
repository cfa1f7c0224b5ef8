"""Engines by name: ``provider:model`` or ``provider/model``. The table at the end has them all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from faultpair.env.errors import UsageError
from faultpair.env.registry import Registry

from .engine import Engine
from .options import EngineOptions

__all__ = ["PROVIDERS", "Provider", "is_external", "open_engine", "provider_of"]

EXTERNAL = ("python", "cmd", "http", "https")
"""The providers of external judges; every other provider serves models."""

Opener = Callable[[str, EngineOptions], Engine]


@dataclass(frozen=True, slots=True)
class Provider:
    """One way to name an engine: how a name looks, who answers, and how it is opened."""

    name: str
    example: str
    summary: str
    open: Opener


def open_engine(name: str, options: EngineOptions = EngineOptions()) -> Engine:  # noqa: B008, the default is frozen
    """Open the engine of a name; nothing is sent yet.

    Raises
    ------
    UsageError
        If the name has no provider, one that is not known, or no model.
    """
    provider, model = _split(name)
    return PROVIDERS[provider].open(model, options)


def provider_of(name: str) -> str:
    """Return the word before the first colon or slash of an engine's name; "" without either."""
    provider, *rest = re.split("[:/]", name, maxsplit=1)
    return provider if rest else ""


def is_external(name: str) -> bool:
    """Return whether a name is that of an external judge: a function, a program, an address."""
    return provider_of(name) in EXTERNAL


def _split(name: str) -> tuple[str, str]:
    """Return provider and model. A model's name may hold colons and slashes of its own."""
    if name.startswith(("http://", "https://")):
        return "http", name
    provider, *rest = re.split("[:/]", name, maxsplit=1)
    model = rest[0].strip() if rest else ""
    if provider in PROVIDERS and provider != "http" and model:
        return provider, model
    if provider in ("http", "https"):
        raise UsageError(f"Engine {name!r} is no address; expected http://host/path.")
    if provider not in PROVIDERS:
        raise UsageError(f"Engine {name!r}: {PROVIDERS.unknown(provider)}")
    raise UsageError(f"Engine {name!r} names no model; expected {provider}:MODEL.")


# Each provider is imported when it is asked for: one brings a client library,
# another a whole engine, and most runs need neither.


def _ollama(model: str, options: EngineOptions) -> Engine:
    from .ollama import open_ollama

    return open_ollama(model, options=options)


def _openai(model: str, options: EngineOptions) -> Engine:
    from .openai_compatible import open_openai

    return open_openai(model, options=options)


def _local(model: str, options: EngineOptions) -> Engine:
    from .local import open_local

    return open_local(model, options=options)


def _scripted(model: str, options: EngineOptions) -> Engine:
    from .scripted import open_scripted

    return open_scripted(model, options=options)


def _replay(model: str, options: EngineOptions) -> Engine:
    from .replay import open_replay

    return open_replay(model, options=options)


def _python(model: str, options: EngineOptions) -> Engine:
    from .external.function import open_function

    return open_function(model, options=options)


def _http(model: str, options: EngineOptions) -> Engine:
    from .external.endpoint import open_endpoint

    return open_endpoint(model, options=options)


def _cmd(model: str, options: EngineOptions) -> Engine:
    from .external.command import open_command

    return open_command(model, options=options)


PROVIDERS: Registry[Provider] = Registry("provider")

for _provider in (
    Provider("ollama", "ollama:qwen2.5:14b", "An Ollama server (OLLAMA_HOST).", _ollama),
    Provider(
        "openai",
        "openai:gpt-4o-mini",
        "An OpenAI-compatible server (OPENAI_BASE_URL, OPENAI_API_KEY).",
        _openai,
    ),
    Provider(
        "local",
        "local:smollm2-135m",
        "A model inside this process, or local:path/to/file.gguf.",
        _local,
    ),
    Provider("scripted", "scripted:faulty", "A script, for tests and examples.", _scripted),
    Provider("replay", "replay:path/to/file.jsonl", "The kept replies of an earlier run.", _replay),
    Provider("python", "python:package.module:f", "A Python function.", _python),
    Provider("http", "https://host/path", "An HTTP endpoint, http:// too.", _http),
    Provider("cmd", "cmd:program argument", "A program, a line of JSON in and one out.", _cmd),
):
    PROVIDERS.add(_provider.name, _provider)
