"""A llama.cpp server inside this process, reached over HTTP on loopback.

HTTP and not a call of the binding: a waiting call can then time out and be interrupted,
and the server drops the work of a connection that is closed.
"""

from __future__ import annotations

import atexit
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from socket import SHUT_RDWR, socket
from time import monotonic, sleep
from typing import Any, TypeVar

import httpx
import msgspec

from faultpair.env.errors import EngineError, UsageError

from .clients import client_settings
from .http import OBJECT, decoded
from .known_models import check_gguf

__all__ = ["EmbeddedServer", "Size", "build", "grammar_of", "require_binding", "version"]

ONE_LINE = {
    "x-guidance": {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
}
"""JSON with one blank after each colon and comma, which models expect, and no others."""
ONE_LINE_GBNF = (('":" space', '": "'), ('"," space', '", "'))
BLANKS_GBNF = re.compile(r"^space ::= .*$", re.MULTILINE)
CLOSE_S = 5.0
"""Seconds for which closing a server waits until its prompts are read."""

_BUSY: list[Any] = []
"""Servers that were closed while they read a prompt."""
atexit.register(_BUSY.clear)  # a thread that computes while the process ends would crash it

WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")

T = TypeVar("T")
SLOTS = msgspec.json.Decoder(list[dict[str, Any]])


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a server: tokens in a slot, slots, and the threads that the slots share."""

    context_tokens: int
    slots: int
    threads: int


class EmbeddedServer:
    """A loaded model and its client. The constructor loads the model, which takes seconds."""

    def __init__(self, model: Path, size: Size, *, timeout_s: float) -> None:
        check_gguf(model)
        self._native: Any = _start(model, size)
        self._timeout_s = timeout_s
        # An idle connection would keep a thread of the server waiting.
        settings = client_settings(timeout_s, None, keeps_connections=False)
        self._client = httpx.Client(base_url=self._native.listening_address, **settings)
        self._sockets: set[socket] = set()

    def send(
        self, path: str, decoder: msgspec.json.Decoder[T], body: dict[str, Any] | None = None
    ) -> T:
        """Return the answer to a GET request, or to a POST request if there is a body.

        Raises
        ------
        EngineError
            If there is no answer in time, or it is a refusal.
        """
        try:
            response = self._exchange("GET" if body is None else "POST", path, body)
        except httpx.TimeoutException as error:
            raise EngineError(
                f"The embedded engine gave no answer within {self._timeout_s:g} s. "
                "Allow it more time, or name a smaller model.",
                transient=True,
            ) from error
        except httpx.TransportError as error:
            raise EngineError(
                "The embedded engine broke off before it answered; it may have been closed.",
                transient=True,
            ) from error
        if response.is_error:
            raise _refusal(response.status_code, OBJECT.decode(response.content)["error"])
        return decoded(response, decoder)

    def close(self) -> None:
        """Unload the model within about `CLOSE_S`; calls in flight fail.

        Their connections are shut first. The destructor waits for the batch that is being
        computed and holds Python's lock, so a server that still reads a long prompt is kept
        until the process ends.
        """
        if self._native is None:
            return
        for open_socket in tuple(self._sockets):
            with suppress(OSError):
                open_socket.shutdown(SHUT_RDWR)
        if self._reads_prompts():
            _BUSY.append(self._native)
        self._native = None  # Else this is the only reference, and the destructor runs here.

    def _reads_prompts(self) -> bool:
        """Return whether some slot reads a prompt for `CLOSE_S`; batches of answers are short."""
        until = monotonic() + CLOSE_S
        while (left := until - monotonic()) > 0:
            with suppress(httpx.TransportError):
                slots = SLOTS.decode(self._client.get("/slots", timeout=left).content)
                if not any(slot["is_processing"] and not _n_decoded(slot) for slot in slots):
                    return False
                sleep(0.05)
        return True

    def _exchange(self, method: str, path: str, body: dict[str, Any] | None) -> httpx.Response:
        """Send a request, and keep its socket for `close` while it waits for the answer."""
        opened: list[socket] = []

        def trace(event: str, info: Mapping[str, Any]) -> None:
            if event == "connection.connect_tcp.complete":
                opened.append(info["return_value"].get_extra_info("socket"))
                self._sockets.update(opened)

        try:
            return self._client.request(method, path, json=body, extensions={"trace": trace})
        finally:
            self._sockets.difference_update(opened)


def _n_decoded(slot: dict[str, Any]) -> int:
    return sum(token["n_decoded"] for token in slot.get("next_token", ()))


def require_binding() -> None:
    """Raise a `UsageError` if the extra ``local`` is not installed."""
    if find_spec("xllamacpp") is None:
        raise UsageError(
            "The embedded engine is not installed. Install it: pip install 'faultpair[local]'"
        )


def version() -> str:
    """Return name and version of the binding, which fix the version of llama.cpp."""
    return f"xllamacpp {_binding().__version__}"


def build() -> str:
    """Return the compiler and the features of the engine, since builds differ in rounding."""
    binding = _binding()
    features = " ".join(str(binding.get_system_info()).split()).rstrip(" |")
    return f"{binding.BUILD_INFO['compiler']}; {features}; grammar {_dialect(grammar_of({}))}"


def grammar_of(json_schema: dict[str, Any]) -> str:
    """Return the grammar of a schema, in the dialect that the engine was built with.

    ``response_format`` would let a model put its JSON between fences, which the server
    removes from the text but not from the tokens. Blanks between tokens of JSON are fixed,
    since some models never stop writing them. Both dialects get the same rules.
    """
    grammar: str = _binding().json_schema_to_grammar(json_schema | ONE_LINE)
    for loose, fixed in ONE_LINE_GBNF:
        grammar = grammar.replace(loose, fixed)
    return BLANKS_GBNF.sub('space ::= ""', grammar)


def _binding() -> Any:
    """Import the binding, with threads that sleep while they wait for one another.

    By default they spin, which takes many times as long beside another busy process: each
    thread uses up the processor time that the other needs.
    """
    if not any(name in os.environ for name in WAITING):
        os.environ["GOMP_SPINCOUNT"] = "1000"
    return import_module("xllamacpp")


def _dialect(grammar: str) -> str:
    return "llguidance" if grammar.startswith("%llguidance") else "gbnf"


def _start(model: Path, size: Size) -> Any:
    try:
        return _binding().Server(_parameters(model, size))
    except RuntimeError as error:
        raise EngineError(
            f"The model file {model} cannot be loaded. It may be incomplete, of a kind that "
            f"{version()} does not know, or too large for the memory of this machine with "
            f"{size.slots} × {size.context_tokens} tokens of context."
        ) from error


def _parameters(model: Path, size: Size) -> Any:
    parameters = _binding().CommonParams()
    parameters.model.path = str(model)
    parameters.n_parallel = size.slots
    parameters.n_ctx = size.slots * size.context_tokens  # divided equally among the slots
    parameters.kv_unified = False
    parameters.cpuparams.n_threads = size.threads
    parameters.cpuparams_batch.n_threads = size.threads
    parameters.verbosity = 0  # else it logs to the terminal
    parameters.ui = False
    parameters.fit_params = False  # else the free memory decides the context size
    parameters.cache_ram_mib = 0  # else old prompts are kept, up to 8 GB of them
    parameters.warmup = False
    return parameters


def _refusal(status: int, error: dict[str, Any]) -> EngineError:
    if error.get("type") == "exceed_context_size_error":
        return EngineError(
            f"The prompt has {error['n_prompt_tokens']} tokens, and the context holds "
            f"{error['n_ctx']}. Give the engine a larger context or the judge a shorter view."
        )
    reason = str(error.get("message", "no reason given")).rstrip(".")
    return EngineError(
        f"The embedded engine refused the request with status {status}: {reason}.",
        transient=status >= 500,
        is_overload=status == 503,
    )
