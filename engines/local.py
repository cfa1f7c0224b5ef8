"""The embedded engine, ``local:MODEL``: a model that runs in this process.

The model is loaded at the first request. A slot caches its last prompt, so requests with a
common beginning are fastest when sent one after another.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from faultpair.env.errors import EngineError

from .engine import Engine, EngineOptions, Identity, Reply, Request
from .http import OBJECT
from .known_models import check_gguf, find_model, sha256_of
from .llama_cpp import EmbeddedServer, Size, build, grammar_of, require_binding, version
from .openai_wire import ANSWER, chat_of, reply_of

__all__ = ["open_local"]

CONTEXT_TOKENS = 4096

_TOKENS = msgspec.json.Decoder(dict[str, list[Any]])


def open_local(model: str, *, options: EngineOptions, reuses_prompts: bool = True) -> Engine:
    """Return the engine that runs a model in this process, without loading the model.

    Parameters
    ----------
    model : str
        A known name, the stem of a file in the cache folder, or the path of a GGUF file.
    reuses_prompts : bool
        Whether a slot computes only the part of a prompt that differs from its last one.

    Notes
    -----
    Rounding depends on how a prompt is split: with reuse, the log-probabilities of a reply
    depend slightly on earlier requests. With one slot and ``reuses_prompts=False``, equal
    requests get equal replies to the last bit, and each prompt costs its full time.

    Raises
    ------
    UsageError
        If there is no such model, or the extra ``local`` is not installed.
    """
    require_binding()
    size = Size(
        context_tokens=options.context_tokens or CONTEXT_TOKENS,
        slots=options.parallel or 1,
        threads=options.threads or os.cpu_count() or 1,
    )
    return _LocalEngine(
        model, find_model(model), size, timeout_s=options.timeout_s, reuses_prompts=reuses_prompts
    )


class _LocalEngine:
    """A model file and, after the first request, the server that has loaded it."""

    def __init__(
        self, model: str, path: Path, size: Size, *, timeout_s: float, reuses_prompts: bool
    ) -> None:
        self.name = f"local:{model}"
        self.max_parallel = size.slots
        self._path = path
        self._size = size
        self._timeout_s = timeout_s
        self._reuse = {"cache_prompt": reuses_prompts}
        self._server: EmbeddedServer | None = None
        self._loading = threading.Lock()
        self._slots = threading.BoundedSemaphore(size.slots)

    def identify(self) -> Identity:
        check_gguf(self._path)
        return Identity(
            engine="local",
            engine_version=version(),
            model=self._path.stem,
            model_digest=f"sha256:{sha256_of(self._path)}",
            build=_build(self._size.slots),
        )

    def context_tokens(self) -> int | None:
        settings = self._loaded().send("/props", OBJECT)["default_generation_settings"]
        return int(settings["n_ctx"])

    def count_tokens(self, request: Request) -> int | None:
        path = "/v1/chat/completions/input_tokens"
        return int(self._loaded().send(path, OBJECT, _body(request))["input_tokens"])

    def complete(self, request: Request) -> Reply:
        server = self._loaded()
        _refuse_special_tokens(server, request)
        with self._slots:  # The wait for a slot counts neither as latency nor against the time-out.
            started = perf_counter()
            answer = server.send("/v1/chat/completions", ANSWER, _body(request) | self._reuse)
            latency_s = perf_counter() - started
        return reply_of(answer, latency_s=latency_s)

    def close(self) -> None:
        with self._loading:
            server, self._server = self._server, None
        if server is not None:
            server.close()

    def _loaded(self) -> EmbeddedServer:
        with self._loading:
            if self._server is None:
                self._server = EmbeddedServer(self._path, self._size, timeout_s=self._timeout_s)
            return self._server


def _build(slots: int) -> str:
    """Return the build of the engine and its number of slots; both affect rounding."""
    return build() if slots == 1 else f"{build()}; {slots} slots"


def _refuse_special_tokens(server: EmbeddedServer, request: Request) -> None:
    """Refuse a prompt in which some text is a special token of the model, such as a role mark.

    The server reads such a text as the token, so a page could end its own message and begin
    another. The vocabulary of the model decides which texts are special.
    """
    text = "\n".join(message.content for message in request.messages)
    if _has_special_token(server, text):
        pieces = (token["piece"] for token in _tokens(server, text, with_pieces=True))
        token = next(piece for piece in pieces if _has_special_token(server, str(piece)))
        raise EngineError(
            f"The prompt holds {token!r}, a special token of the model, which would read it as "
            "the end or the beginning of a message. Leave that run out, or ask another model."
        )


def _has_special_token(server: EmbeddedServer, text: str) -> bool:
    """Return whether a text has other tokens if special ones in it are read as text."""
    return _tokens(server, text) != _tokens(server, text, parse_special=False)


def _tokens(server: EmbeddedServer, text: str, **settings: bool) -> list[Any]:
    return server.send("/tokenize", _TOKENS, {"content": text, **settings})["tokens"]


def _body(request: Request) -> dict[str, Any]:
    body = chat_of(request)
    if request.json_schema is not None:
        body["grammar"] = grammar_of(request.json_schema)
    return body
