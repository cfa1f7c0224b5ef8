"""The embedded engine, ``local:MODEL``: a model that runs in this process, no server to start.

The model is loaded at the first request. A slot keeps the prompt it was last
asked, so requests that begin alike are best sent one after another.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from time import perf_counter
from typing import Any

from faultpair.env.records import TokenChoice

from .engine import Engine, Identity, Reply, Request
from .llama_cpp import EmbeddedServer, Size, build, grammar_of, require_binding, version
from .model_files import check_gguf, find_model, sha256_of
from .openai_wire import chat_of
from .options import EngineOptions

__all__ = ["open_local"]

CONTEXT_TOKENS = 4096


def open_local(model: str, *, options: EngineOptions, reuses_prompts: bool = True) -> Engine:
    """Return the engine that runs a model in this process; nothing is loaded yet.

    Parameters
    ----------
    model : str
        A known name, the stem of a file in the cache folder, or the path of a GGUF file.
    reuses_prompts : bool
        Whether a slot computes only what is new in a prompt.

    Notes
    -----
    A prompt computed in other pieces rounds otherwise: where prompts are reused, the
    log-probabilities of a reply depend a little on what was asked before. With one slot
    and ``reuses_prompts=False`` equal requests get equal replies to the last bit, whatever
    was asked in between, and each prompt costs its full time.

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
        model,
        find_model(model),
        size,
        timeout_s=options.timeout_s,
        reuses_prompts=reuses_prompts,
    )


class _LocalEngine:
    """A model file and, once it has been asked, the server that has it loaded."""

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
        settings = self._loaded().get("/props")["default_generation_settings"]
        return int(settings["n_ctx"])

    def count_tokens(self, request: Request) -> int | None:
        answer = self._loaded().post("/v1/chat/completions/input_tokens", _body(request))
        return int(answer["input_tokens"])

    def complete(self, request: Request) -> Reply:
        server = self._loaded()
        with self._slots:  # The wait for a slot counts neither as latency nor against the time-out.
            started = perf_counter()
            answer = server.post("/v1/chat/completions", _body(request) | self._reuse)
            latency_s = perf_counter() - started
        return _reply(answer, latency_s)

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
    """Say how the engine was built, and in how many slots: both decide how sums are rounded."""
    return build() if slots == 1 else f"{build()}; {slots} slots"


def _body(request: Request) -> dict[str, Any]:
    body = chat_of(request)
    if request.json_schema is not None:
        body["grammar"] = grammar_of(request.json_schema)
    return body


def _reply(answer: dict[str, Any], latency_s: float) -> Reply:
    (choice,) = answer["choices"]
    usage = answer["usage"]
    return Reply(
        text=choice["message"]["content"] or "",
        prompt_tokens=usage["prompt_tokens"],
        completion_tokens=usage["completion_tokens"],
        cached_tokens=usage["prompt_tokens_details"]["cached_tokens"],
        latency_s=latency_s,
        finish_reason=choice["finish_reason"],
        tokens=tuple(map(_token, (choice.get("logprobs") or {}).get("content", ()))),
    )


def _token(found: dict[str, Any]) -> TokenChoice:
    top = tuple((_piece(other), other["logprob"]) for other in found["top_logprobs"])
    return TokenChoice(token=_piece(found), logprob=found["logprob"], top=top)


def _piece(found: dict[str, Any]) -> str:
    """Return a token as text; one that ends inside a character shows the bytes it has of it."""
    return bytes(found["bytes"]).decode("utf-8", "backslashreplace")
