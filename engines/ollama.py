"""A model of an Ollama server: ``ollama:MODEL``, at the address of OLLAMA_HOST or the options.

The context size is set with every request. Ollama cuts a longer prompt without a warning,
so a reply to a prompt that filled the context is an error here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from inspect import signature
from time import perf_counter
from typing import Any

import httpx
import ollama
import pydantic

from faultpair.env.errors import EngineError
from faultpair.env.records import TokenChoice

from .addresses import ollama_address
from .clients import client_settings, network_errors, shown
from .engine import Engine, EngineOptions, Identity, Reply, Request
from .http import OBJECT, JsonClient, decoded

__all__ = ["open_ollama"]

CONTEXT_TOKENS = 8192
"""The largest context by default, since Ollama allocates the whole context in advance."""

MOST_PARALLEL = 1
"""Ollama serves one request per model at a time, unless OLLAMA_NUM_PARALLEL is set."""

_GIVES_LOGPROBS = "logprobs" in signature(ollama.Client.chat).parameters


def open_ollama(model: str, *, options: EngineOptions) -> Engine:
    """Open a model of a server."""
    return _OllamaEngine(model, ollama_address(options.base_url), options)


class _OllamaEngine:
    """One model of one server. A name without a tag means the tag ``latest``."""

    def __init__(self, model: str, host: httpx.URL, options: EngineOptions) -> None:
        self.name = f"ollama:{model}"
        self.max_parallel = options.parallel or MOST_PARALLEL
        self._model = model
        self._host = host
        self._options = options
        self._json = JsonClient(timeout_s=options.timeout_s, api_key=options.api_key)
        settings = client_settings(options.timeout_s, options.api_key)
        settings["event_hooks"] = {"response": [_check]}
        self._client = ollama.Client(host=str(host), **settings)

    def identify(self) -> Identity:
        with self._failures():
            digests = {model.model: model.digest for model in self._client.list().models}
        named = self._model if ":" in self._model.split("/")[-1] else f"{self._model}:latest"
        if named not in digests:
            raise EngineError(
                f"The Ollama server at {shown(self._host)} has no model {self._model!r}. "
                f"Get it with `ollama pull {self._model}`. It has: "
                f"{', '.join(filter(None, digests)) or 'none'}."
            )
        return Identity(
            "ollama",
            engine_version=self._version(),
            model=self._model,
            model_digest=_with_algorithm(digests[named]),
        )

    def context_tokens(self) -> int:
        limit = self._options.context_tokens or CONTEXT_TOKENS
        return min(limit, self._trained_context or limit)

    def count_tokens(self, request: Request) -> int | None:
        return None

    def complete(self, request: Request) -> Reply:
        context_tokens = self.context_tokens()
        started = perf_counter()
        with self._failures():
            answer = self._client.chat(**_chat(self._model, request, context_tokens))
        latency_s = perf_counter() - started
        if (answer.prompt_eval_count or 0) >= context_tokens:
            raise EngineError(
                f"The prompt filled the {context_tokens} tokens of {self.name}'s context, so "
                "Ollama cut it. Give the engine a larger context or the judge a shorter view."
            )
        return _reply(answer, latency_s)

    def close(self) -> None:
        self._json.close()
        close = getattr(self._client, "close", None)  # older clients have none
        if close is not None:
            close()

    @cached_property
    def _trained_context(self) -> int | None:
        """The context size that the model was trained with; None if its file does not say."""
        with self._failures():
            facts = self._client.show(self._model).modelinfo or {}
        sizes = [size for name, size in facts.items() if name.endswith(".context_length")]
        return int(sizes[0]) if sizes else None

    def _version(self) -> str | None:
        url = self._host.copy_with(path=f"{self._host.path.rstrip('/')}/api/version")
        version = decoded(self._json.get(url), OBJECT).get("version")
        return None if version is None else str(version)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Turn the errors that the client raises after `_check` into an `EngineError`."""
        where = shown(self._host)
        try:
            with network_errors(where, self._options.timeout_s):
                yield
        except pydantic.ValidationError as error:
            raise EngineError(
                f"No complete reply from {where}: another shape than Ollama's ({_first(error)}).",
                transient=True,
            ) from error
        except ollama.ResponseError as error:
            raise EngineError(f"The Ollama server at {where} failed: {error.error}.") from error


def _check(response: httpx.Response) -> None:
    """Check a reply before the client, which handles neither Retry-After nor a cut reply."""
    response.read()
    decoded(response, OBJECT)


def _chat(model: str, request: Request, context_tokens: int) -> dict[str, Any]:
    """Return the arguments of one `ollama.Client.chat`."""
    arguments: dict[str, Any] = {
        "model": model,
        "messages": [{"role": part.role, "content": part.content} for part in request.messages],
        "options": {
            "num_ctx": context_tokens,
            "seed": request.seed,
            "temperature": request.temperature,
            "num_predict": request.max_tokens,
        },
    }
    if request.json_schema is not None:
        arguments["format"] = request.json_schema
    if request.top_logprobs and _GIVES_LOGPROBS:
        arguments |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    return arguments


def _reply(answer: ollama.ChatResponse, latency_s: float) -> Reply:
    return Reply(
        text=answer.message.content or "",
        prompt_tokens=answer.prompt_eval_count or 0,
        completion_tokens=answer.eval_count or 0,
        latency_s=latency_s,
        finish_reason=answer.done_reason or "stop",
        tokens=tuple(map(_token, getattr(answer, "logprobs", None) or ())),
    )


def _token(token: Any) -> TokenChoice:
    others = sorted(token.top_logprobs or (), key=lambda other: -other.logprob)
    top = tuple((other.token, other.logprob) for other in others)
    return TokenChoice(token.token, token.logprob, top)


def _with_algorithm(digest: str | None) -> str | None:
    if digest is None or digest.startswith("sha256:"):
        return digest
    return f"sha256:{digest}"


def _first(error: pydantic.ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
