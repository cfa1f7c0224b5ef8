"""A server with the chat completions of OpenAI: ``openai:MODEL``.

OPENAI_BASE_URL names the server, unless the options do.
"""

from __future__ import annotations

from time import perf_counter

import httpx

from faultpair.env.errors import UsageError

from .addresses import OPENAI, openai_address
from .engine import Engine, EngineOptions, Identity, Reply, Request
from .http import JsonClient, refuse_failure
from .openai_wire import ANSWER, Answer, body_of, reply_of

__all__ = ["open_openai"]

MOST_PARALLEL = 16
_NO_SUCH_PAGE = (404, 405, 501)


def open_openai(model: str, *, options: EngineOptions) -> Engine:
    """Open a model of a server. The base URL may end in /v1, in a slash, or in neither."""
    base = openai_address(options.base_url)
    if base == OPENAI and not options.api_key:
        raise UsageError(
            f"openai:{model} needs an API key: set OPENAI_API_KEY. For another server, set "
            "OPENAI_BASE_URL, such as http://localhost:8000/v1."
        )
    return _OpenAICompatible(model, base, options)


class _OpenAICompatible:
    """One model of one server.

    Notes
    -----
    Such servers do not report their version. `identify` returns the ``system_fingerprint``
    of the answers so far, several in alphabetical order; without any, it returns the
    ``Server`` header of ``/models``. ``build`` says which of the two it is. The identity is
    therefore most precise after the last answer.
    """

    def __init__(self, model: str, base: httpx.URL, options: EngineOptions) -> None:
        self.name = f"openai:{model}"
        self.max_parallel = options.parallel or MOST_PARALLEL
        self._model = model
        self._base = base
        self._context_tokens = options.context_tokens
        self._client = JsonClient(timeout_s=options.timeout_s, api_key=options.api_key)
        self._fingerprints: set[str] = set()
        self._models: set[str] = set()

    def identify(self) -> Identity:
        server = self._server()
        fingerprints = ", ".join(sorted(self._fingerprints))
        source = "system_fingerprint" if fingerprints else "Server header" if server else None
        others = ", ".join(sorted(self._models - {self._model}))
        notes = [source and f"version: {source}", others and f"answered as {others}"]
        return Identity(
            "openai",
            engine_version=fingerprints or server,
            model=self._model,
            build="; ".join(filter(None, notes)) or None,
        )

    def context_tokens(self) -> int | None:
        return self._context_tokens

    def count_tokens(self, request: Request) -> int | None:
        return None

    def complete(self, request: Request) -> Reply:
        started = perf_counter()
        body = body_of(self._model, request)
        answer = self._client.post(_below(self._base, "chat/completions"), body, ANSWER)
        latency_s = perf_counter() - started
        self._note(answer)
        return reply_of(answer, latency_s=latency_s)

    def close(self) -> None:
        self._client.close()

    def _note(self, answer: Answer) -> None:
        if answer.system_fingerprint:
            self._fingerprints.add(answer.system_fingerprint)
        if answer.model:
            self._models.add(answer.model)

    def _server(self) -> str | None:
        """Return the Server header of the list of models; None if the server has no such list."""
        response = self._client.get(_below(self._base, "models"))
        if response.status_code in _NO_SUCH_PAGE:
            return None
        refuse_failure(response)
        server: str | None = response.headers.get("server")
        return server


def _below(base: httpx.URL, path: str) -> httpx.URL:
    return base.copy_with(path=f"{base.path}/{path}")
