"""Engines by name: ``provider:model`` or ``provider/model``. The table at the end has them all.

The module of a provider is imported when an engine is opened: one brings a client library,
another an inference engine, and most runs need neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pkgutil import resolve_name

from faultpair.env.errors import UsageError
from faultpair.env.registry import Registry

from .engine import Engine, EngineOptions, provider_of
from .secrets import shown_address, shown_text

__all__ = ["NETWORK", "PROVIDERS", "is_external", "open_engine", "provider_of", "shown_name"]

EXTERNAL = ("python", "cmd", "http", "https")
"""The providers of external judges; every other provider serves models."""

NETWORK = ("ollama", "openai", "http", "https")
"""The providers that ask a server, which may take a key."""

ALONE = ("scripted", "replay")
"""Providers that no secret reaches: they read their answers from code or from a file."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One way to name an engine.

    ``opener`` is the ``module:function``, below `faultpair.engines`, that takes a model and
    the options and returns the engine.
    """

    name: str
    example: str
    summary: str
    opener: str

    def open(self, model: str, options: EngineOptions) -> Engine:
        """Import the provider and open one of its models."""
        engine: Engine = resolve_name(f"faultpair.engines.{self.opener}")(model, options=options)
        return engine


def open_engine(name: str, options: EngineOptions = EngineOptions()) -> Engine:  # noqa: B008, the default is frozen
    """Open the engine of a name without sending anything.

    Raises
    ------
    UsageError
        If the name has no provider, an unknown one, or no model; or if the key of its server
        is missing.
    """
    provider, model = _split(name)
    if provider in ALONE:
        return PROVIDERS[provider].open(model, options)
    opened: Engine = resolve_name("faultpair.engines.keys:open_with_key")(
        PROVIDERS[provider].open, name, model, options
    )
    return opened


def is_external(name: str) -> bool:
    """Return whether a name is that of an external judge: a function, a program, an address."""
    return provider_of(name) in EXTERNAL


def shown_name(name: str) -> str:
    """Return the name of a judge or an engine in records: an address without its secrets."""
    return shown_address(name) if re.match(r"\w+://", name) else name


def _split(name: str) -> tuple[str, str]:
    """Return provider and model; the name of a model may itself hold colons and slashes."""
    if name.startswith(("http://", "https://")):
        return "http", name
    provider, *rest = re.split("[:/]", name, maxsplit=1)
    model = rest[0].strip() if rest else ""
    if provider in PROVIDERS and provider != "http" and model:
        return provider, model
    if provider in ("http", "https"):
        raise UsageError(
            f"Engine {shown_text(name)!r} is not an address; expected http://host/path."
        )
    if provider not in PROVIDERS:
        raise UsageError(f"Engine {shown_text(name)!r}: {PROVIDERS.unknown(provider)}")
    raise UsageError(f"Engine {name!r} names no model; expected {provider}:MODEL.")


PROVIDERS: Registry[Provider] = Registry("provider")

for _provider in (
    Provider(
        "ollama", "ollama:qwen2.5:14b", "An Ollama server (OLLAMA_HOST).", "ollama:open_ollama"
    ),
    Provider(
        "openai",
        "openai:gpt-4o-mini",
        "An OpenAI-compatible server (OPENAI_BASE_URL, OPENAI_API_KEY).",
        "openai_compatible:open_openai",
    ),
    Provider(
        "local",
        "local:smollm2-135m",
        "A model inside this process, or local:path/to/file.gguf.",
        "local:open_local",
    ),
    Provider(
        "scripted", "scripted:faulty", "A script, for tests and examples.", "scripted:open_scripted"
    ),
    Provider(
        "replay",
        "replay:path/to/file.jsonl",
        "The kept replies of an earlier run.",
        "replay:open_replay",
    ),
    Provider(
        "python", "python:package.module:f", "A Python function.", "external.function:open_function"
    ),
    Provider(
        "http",
        "https://host/path",
        "An HTTP endpoint, http:// too.",
        "external.endpoint:open_endpoint",
    ),
    Provider(
        "cmd",
        "cmd:program argument",
        "A program, a line of JSON in and one out.",
        "external.command:open_command",
    ),
):
    PROVIDERS.add(_provider.name, _provider)
