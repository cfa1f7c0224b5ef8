"""A Python function as a judge: ``python:package.module:function``.

It takes a dict, the exhibit, and returns a dict, the answer. Its module is looked for in the
current folder after all others.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from faultpair.env.errors import EngineError, PluginError, UsageError

from ..engine import Engine, EngineOptions, Identity
from .document import ExternalEngine, digest_of

__all__ = ["open_function"]

_LONGEST_MESSAGE = 1_000

Function = Callable[[dict[str, Any]], object]


def open_function(target: str, *, options: EngineOptions) -> Engine:
    """Import the function that a target names."""
    module_name, _, function_name = target.partition(":")
    if not module_name or not function_name:
        raise UsageError(f"'python:{target}' names no function; expected python:module:function.")
    module = _import(module_name)
    return _FunctionEngine(target, _function(module, function_name), module, options)


class _FunctionEngine(ExternalEngine):
    """A function in this process. An exception in it becomes a final `EngineError`.

    It is called from one thread at a time, unless the option ``parallel`` allows more.
    """

    def __init__(
        self, target: str, function: Function, module: ModuleType, options: EngineOptions
    ) -> None:
        self.name = f"python:{target}"
        self.max_parallel = options.parallel or 1
        self._target = target
        self._function = function
        self._file = getattr(module, "__file__", None)

    def identify(self) -> Identity:
        digest = digest_of(Path(self._file)) if self._file else None
        return Identity("python", model=self._target, model_digest=digest)

    def _answer(self, document: bytes) -> object:
        folder = os.getcwd()  # noqa: PTH109 — as `os.chdir` below
        try:
            return self._call(msgspec.json.decode(document))
        finally:
            os.chdir(folder)  # a judge that changes the folder must not move our records

    def _call(self, exhibit: dict[str, Any]) -> object:
        try:
            return self._function(exhibit)
        except (EngineError, KeyboardInterrupt):
            raise  # a function that calls a server may decide itself whether to try again
        except BaseException as error:
            raise EngineError(
                f"{self.name} raised {type(error).__name__}: {_message(error)}"
                f"{_place(error, self._file)}"
            ) from error


def _import(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise UsageError(
                f"There is no Python module {name!r}, neither installed nor in {here}."
            ) from error
        raise _broken(name, error) from error
    except (Exception, SystemExit) as error:
        raise _broken(name, error) from error


def _broken(name: str, error: BaseException) -> PluginError:
    return PluginError(
        f"Module {name!r} cannot be imported: {type(error).__name__}: {error}. "
        f"Correct it until `python -c 'import {name}'` works."
    )


def _function(module: ModuleType, name: str) -> Function:
    if not hasattr(module, name):
        functions = [found for found, _ in inspect.getmembers(module, inspect.isfunction)]
        raise UsageError(
            f"Module {module.__name__!r} has no {name!r}. Functions in it: "
            f"{', '.join(functions) or 'none'}."
        )
    function = getattr(module, name)
    if not callable(function) or inspect.iscoroutinefunction(function):
        kind = "an async function" if callable(function) else f"of type {type(function).__name__}"
        raise PluginError(
            f"{module.__name__}:{name} is {kind}; expected a plain function that takes a dict "
            "and returns one."
        )
    checked: Function = function
    return checked


def _message(error: BaseException) -> str:
    """Return the message of an exception, as text that a record can hold."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 — the message is outside code too
        return "(its message cannot be shown)"
    return text[:_LONGEST_MESSAGE].encode("utf-8", "replace").decode()


def _place(error: BaseException, file: str | None) -> str:
    """Return the line of the judge's file that raised, since no traceback is shown."""
    traceback, line = error.__traceback__, None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" (line {line})" if line else ""
