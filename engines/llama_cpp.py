"""A llama.cpp server inside this process, asked over HTTP on loopback.

HTTP rather than a call of the binding: a waiting call can then time out and be
interrupted, and the server drops the work of a caller that went away.
"""

from __future__ import annotations

import atexit
import json
import os
import re
from contextlib import closing, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from socket import SHUT_RDWR
from time import monotonic, sleep
from typing import Any

from faultpair.env.errors import EngineError, UsageError

from .model_files import check_gguf

__all__ = ["EmbeddedServer", "Size", "build", "grammar_of", "require_binding", "version"]

ONE_LINE = {
    "x-guidance": {
        "whitespace_flexible": False,
        "item_separator": ", ",
        "key_separator": ": ",
    }
}
"""JSON as it is mostly written, with the blanks that models expect and no others."""
ONE_LINE_GBNF = (('":" space', '": "'), ('"," space', '", "'))
BLANKS_GBNF = re.compile(r"^space ::= .*$", re.MULTILINE)
CLOSE_S = 5.0
"""Seconds for which closing a server waits until its prompts are read."""

_BUSY: list[Any] = []
"""Servers that were closed while they read a prompt."""
atexit.register(_BUSY.clear)  # a thread that computes while the process ends would crash it

WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")


@dataclass(frozen=True, slots=True)
class Size:
    """How large a server is: the tokens a slot holds, the slots, the threads they share."""

    context_tokens: int
    slots: int
    threads: int


class EmbeddedServer:
    """A loaded model and the client that asks it. To make one is to load: it takes seconds.

    Raises
    ------
    EngineError
        If the model cannot be loaded.
    """

    def __init__(self, model: Path, size: Size, *, timeout_s: float) -> None:
        check_gguf(model)
        self._native: Any = _start(model, size)
        self._address = self._native.listening_address.removeprefix("http://")
        self._timeout_s = timeout_s
        self._open: set[HTTPConnection] = set()

    def get(self, path: str) -> dict[str, Any]:
        """Return the answer to a GET request."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a POST request.

        Raises
        ------
        EngineError
            If there is none in time, or it is a refusal.
        """
        return self._ask("POST", path, json.dumps(body))

    def close(self) -> None:
        """Unload the model within about `CLOSE_S`; calls in flight fail.

        Their connections are shut first. The destructor waits for the batch that is being
        computed and holds Python's lock, so a server that still reads a long prompt is kept
        until the process ends.
        """
        if self._native is None:
            return
        for connection in tuple(self._open):
            if connection.sock is not None:
                with suppress(OSError):
                    connection.sock.shutdown(SHUT_RDWR)
        if self._reads_prompts():
            _BUSY.append(self._native)
        self._native = None  # Else this is the only reference, and the destructor runs here.

    def _reads_prompts(self) -> bool:
        """Return whether some slot reads a prompt for `CLOSE_S`; batches of answers are short."""
        until = monotonic() + CLOSE_S
        while (left := until - monotonic()) > 0:
            with (
                suppress(OSError, HTTPException),
                closing(HTTPConnection(self._address, timeout=left)) as connection,
            ):
                connection.request("GET", "/slots")
                slots = json.loads(connection.getresponse().read())
                if not any(slot["is_processing"] and not _n_decoded(slot) for slot in slots):
                    return False
                sleep(0.05)
        return True

    def _ask(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        try:
            status, content = self._exchange(method, path, body)
        except TimeoutError as error:
            raise EngineError(
                f"The embedded engine gave no answer within {self._timeout_s:g} s. "
                "Allow it more time, or name a smaller model.",
                transient=True,
            ) from error
        except (OSError, HTTPException) as error:
            raise EngineError(
                "The embedded engine broke off before it had answered; was it closed?",
                transient=True,
            ) from error
        answer: dict[str, Any] = json.loads(content)
        if status >= HTTPStatus.BAD_REQUEST:
            raise _refusal(status, answer["error"])
        return answer

    def _exchange(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        connection = HTTPConnection(self._address, timeout=self._timeout_s)
        self._open.add(connection)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            self._open.discard(connection)
            connection.close()


def _n_decoded(slot: dict[str, Any]) -> int:
    return sum(token["n_decoded"] for token in slot.get("next_token", ()))


def require_binding() -> None:
    """Refuse to go on without the binding.

    Raises
    ------
    UsageError
        If the extra ``local`` is not installed.
    """
    if find_spec("xllamacpp") is None:
        raise UsageError(
            "The embedded engine is not installed. Install it: pip install 'faultpair[local]'"
        )


def version() -> str:
    """Return name and version of the binding, which pins that of llama.cpp."""
    return f"xllamacpp {_binding().__version__}"


def build() -> str:
    """Return what the engine was compiled with and uses; another build may round otherwise."""
    binding = _binding()
    features = " ".join(str(binding.get_system_info()).split()).rstrip(" |")
    return f"{binding.BUILD_INFO['compiler']}; {features}; grammar {_dialect(grammar_of({}))}"


def grammar_of(json_schema: dict[str, Any]) -> str:
    """Return the grammar of a schema, in the dialect that the engine was built with.

    ``response_format`` would let a model put its JSON between fences, which are
    cut from the text but not from the tokens. Blanks between tokens of JSON are
    fixed, since some models never stop writing them. Which dialect an engine
    speaks depends on how it was built; both are told the same.
    """
    grammar: str = _binding().json_schema_to_grammar(json_schema | ONE_LINE)
    for loose, fixed in ONE_LINE_GBNF:
        grammar = grammar.replace(loose, fixed)
    return BLANKS_GBNF.sub('space ::= ""', grammar)


def _binding() -> Any:
    """Import the binding, and first have its threads sleep when they wait for one another.

    They would spin, and with one other busy process beside them answers take many
    times as long, as each spins away the turn that the other needs.
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
    parameters.n_ctx = size.slots * size.context_tokens  # shared out equally
    parameters.kv_unified = False
    parameters.cpuparams.n_threads = size.threads
    parameters.cpuparams_batch.n_threads = size.threads
    parameters.verbosity = 0  # else it logs to the user's terminal
    parameters.ui = False
    parameters.fit_params = False  # else the memory that is free decides the context
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
