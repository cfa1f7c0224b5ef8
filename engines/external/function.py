"""A Python function as a judge: ``python:package.module:function``.

It takes a dict, the exhibit, and returns a dict, the answer. It runs in a process of its own,
which imports it by name. Its module is looked for in the current folder after all others. A
function that is passed as an object runs in this process, and the identity of its engine says so.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from faultpair.env.errors import EngineError, PluginError, UsageError

from ..engine import Engine, EngineOptions, Identity
from ..http import OBJECT
from ..transport import MOST_BYTES
from .document import ExternalEngine, digest_of
from .pool import ProcessPool
from .process import LineProcess
from .surroundings import PYTHON_VARIABLES, surroundings_of
from .worker import Function, outcome

__all__ = ["FunctionEngine", "open_function"]

_WORKER = Path(__file__).with_name("worker.py")
_REFUSALS = {"usage": UsageError, "plugin": PluginError}


class _Outcome(msgspec.Struct):
    """What `worker.outcome` returns: an answer, or an error and whether it may pass."""

    answer: msgspec.Raw = msgspec.Raw()
    error: str | None = None
    is_own: bool = False
    transient: bool = False
    is_overload: bool = False
    retry_after_s: float | None = None


_OUTCOME = msgspec.json.Decoder(_Outcome)


def open_function(target: str, *, options: EngineOptions) -> Engine:
    """Start a process that imports the function that a target names."""
    module_name, _, function_name = target.partition(":")
    if not module_name or not function_name:
        raise UsageError(f"'python:{target}' names no function; expected python:module:function.")
    engine = _ModuleEngine(target, options)
    engine.load()
    return engine


class _ModuleEngine(ExternalEngine):
    """A function in processes of its own, one for each call at the same time.

    An exception in it becomes a final `EngineError`. The end of a process, or a time-out after
    which it is killed, is transient.
    """

    def __init__(self, target: str, options: EngineOptions) -> None:
        self.name = f"python:{target}"
        self.max_parallel = options.parallel or 1
        self._target = target
        self._timeout_s = options.timeout_s
        self._surroundings = surroundings_of(options.process, PYTHON_VARIABLES)
        here = os.getcwd()  # noqa: PTH109
        self._folders = [*(folder or here for folder in sys.path), here]
        self._digest: str | None = None
        self._pool = ProcessPool(self._start)

    def load(self) -> None:
        """Start the first process, which shows whether there is such a function."""
        try:
            with self._pool.process():
                pass
        except EngineError as error:
            module = self._target.partition(":")[0]
            raise PluginError(f"Module {module!r} cannot be imported: {error}") from error

    def identify(self) -> Identity:
        return Identity("python", model=self._target, model_digest=self._digest)

    def close(self) -> None:
        self._pool.close()

    def _reply(self, document: bytes) -> tuple[str, int | None]:
        try:
            with self._pool.process() as process:
                line = process.ask(b'{"exhibit":%b}' % document, self._whole)
            return _text_of(line, self.name), None
        except EngineError as error:
            raise self._surroundings.explained(error) from error

    def _whole(self, line: bytes) -> bytes:
        if len(line) > MOST_BYTES:
            raise EngineError(f"{self.name} gave an answer of more than {MOST_BYTES // 10**6} MB.")
        return line

    def _start(self) -> LineProcess:
        # -P: the folder of the script is not on the search path.
        command = [sys.executable, "-P", str(_WORKER)]
        process = LineProcess(
            command, self._surroundings, name=self.name, timeout_s=self._timeout_s
        )
        try:
            self._import_in(process)
        except BaseException:
            process.kill()
            raise
        return process

    def _import_in(self, process: LineProcess) -> None:
        module, _, function = self._target.partition(":")
        setup = {"module": module, "function": function, "folders": self._folders}
        found = OBJECT.decode(process.ask(msgspec.json.encode(setup), self._whole))
        if "refused" in found:
            raise _REFUSALS[found["kind"]](
                found["refused"] + self._surroundings.hint(found["refused"])
            )
        digest = digest_of(Path(found["file"])) if found["file"] else None
        if self._digest not in (None, digest):
            raise EngineError(f"The file {found['file']} of {self.name} changed during the run.")
        self._digest = digest


class FunctionEngine(ExternalEngine):
    """A function that is passed as an object, such as one of a notebook.

    It runs in this process, where it can see the study, and is called from one thread at a time.
    """

    max_parallel = 1

    def __init__(self, function: Function) -> None:
        self._model = f"{function.__module__}:{function.__qualname__}"
        self.name = f"python-in-process:{self._model}"
        self._function = function
        self._file = function.__code__.co_filename if hasattr(function, "__code__") else None

    def identify(self) -> Identity:
        return Identity("python-in-process", model=self._model)

    def _reply(self, document: bytes) -> tuple[str, int | None]:
        folder = os.getcwd()  # noqa: PTH109 — as `os.chdir` below
        try:
            found = outcome(self._function, self._file, msgspec.json.decode(document))
        finally:
            os.chdir(folder)  # a judge that changes the folder must not move our records
        return _text_of(msgspec.json.encode(found), self.name), None


def _text_of(line: bytes, name: str) -> str:
    """Return the text of an answer.

    Raises
    ------
    EngineError
        If the function raised an exception, or returned what is no answer.
    """
    try:
        found = _OUTCOME.decode(line)
    except msgspec.DecodeError as error:
        raise EngineError(f"{name} wrote to the descriptor that carries its answers.") from error
    if found.error is None:
        return bytes(found.answer).decode()
    raise EngineError(
        found.error if found.is_own else f"{name} {found.error}",
        transient=found.transient,
        is_overload=found.is_overload,
        retry_after_s=found.retry_after_s,
    )
