"""The process of a ``python:`` judge, a script: a fresh interpreter that imports the function.

Each line of input is a JSON object and is answered by one. The first names module, function and
folders to look in; the answer names the module's file. Each further one holds an exhibit. It
uses nothing of this project, so that the judge finds nothing of it but this script.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

import msgspec

__all__ = ["Function", "check_function", "outcome"]

LONGEST_MESSAGE = 1_000
CO_COROUTINE = 0x80  # `inspect` has it, and takes long to import
EXAMPLE = "expected a dict such as {'faulty': True}"

Function = Callable[[dict[str, Any]], object]


class Refusal(Exception):  # noqa: N818 — it is sent as a line, and is no error of this process
    """Why a function cannot be used; ``kind`` says whose mistake it is."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def main() -> None:
    """Serve one function until the input ends."""
    questions, send = _private_channel()
    owner = os.getpid()
    try:
        setup = msgspec.json.decode(questions.readline())
        module = _import(setup["module"], setup["folders"])
        function = check_function(getattr_of(module, setup["function"]), module.__name__)
    except Refusal as refusal:
        send({"refused": str(refusal), "kind": refusal.kind})
        return
    file = getattr(module, "__file__", None)
    send({"file": file})
    del setup, module
    for line in questions:
        folder = os.getcwd()  # noqa: PTH109
        answer = outcome(function, file, msgspec.json.decode(line)["exhibit"])
        if os.getpid() != owner:  # a fork that returned from the function
            os._exit(1)
        with suppress(OSError):
            os.chdir(folder)  # a judge that changes the folder finds the usual one at the next call
        send(answer)


def outcome(function: Function, file: str | None, exhibit: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of a function under the key ``answer``, or why there is none as ``error``.

    The answer is encoded, for only this process can hold it in another form than JSON.
    """
    try:
        answer = function(exhibit)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 — SystemExit too: it would end without a word
        return _failure(error, file)
    if not isinstance(answer, dict):
        return {"error": f"answered with a {type(answer).__name__}; {EXAMPLE}."}
    try:
        return {"answer": msgspec.Raw(msgspec.json.encode(answer))}
    except (TypeError, ValueError, RecursionError) as error:
        return {"error": f"answered with a value that JSON cannot hold: {error}."}


def check_function(function: object, place: str) -> Function:
    """Return a function that can be called with a dict; refuse others."""
    is_async = isinstance(function, FunctionType) and function.__code__.co_flags & CO_COROUTINE
    if callable(function) and not is_async:
        return function
    kind = "an async function" if callable(function) else f"of type {type(function).__name__}"
    raise Refusal(
        "plugin", f"{place} is {kind}; expected a plain function that takes a dict and returns one."
    )


def getattr_of(module: ModuleType, name: str) -> object:
    """Return what a module holds under a name."""
    if not hasattr(module, name):
        functions = sorted(
            n for n, found in vars(module).items() if isinstance(found, FunctionType)
        )
        raise Refusal(
            "usage",
            f"Module {module.__name__!r} has no {name!r}. Functions in it: "
            f"{', '.join(functions) or 'none'}.",
        )
    return getattr(module, name)


def _private_channel() -> tuple[Any, Callable[[dict[str, Any]], None]]:
    """Take input and output away from the judge, whose prints go to standard error instead."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)

    def send(answer: dict[str, Any]) -> None:
        rest = msgspec.json.encode(answer) + b"\n"
        while rest:
            rest = rest[os.write(answers, rest) :]

    return questions, send


def _import(name: str, folders: list[str]) -> ModuleType:
    """Import a module, from the search path of the run and its folder if it is not installed.

    These are on the search path only where the module needs them, since the study may be there.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError:
        sys.path += [folder for folder in folders if folder not in sys.path]
    except BaseException as error:
        raise _broken(name, error) from error
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise Refusal(
                "usage",
                f"There is no Python module {name!r}, neither installed nor in {folders[-1]}.",
            ) from error
        raise _broken(name, error) from error
    except BaseException as error:
        raise _broken(name, error) from error


def _broken(name: str, error: BaseException) -> Refusal:
    return Refusal(
        "plugin",
        f"Module {name!r} cannot be imported: {type(error).__name__}: {_message(error)}. "
        f"Correct it until `python -c 'import {name}'` works.",
    )


def _failure(error: BaseException, file: str | None) -> dict[str, Any]:
    errors = sys.modules.get("faultpair.env.errors")
    if errors is not None and isinstance(error, errors.EngineError):
        # A function that calls a server may decide itself whether to try again.
        return {
            "error": _message(error),
            "is_own": True,
            "transient": bool(error.transient),
            "is_overload": bool(error.is_overload),
            "retry_after_s": error.retry_after_s and float(error.retry_after_s),
        }
    text = f"raised {type(error).__name__}: {_message(error)}{_place(error, file)}"
    return {"error": text}


def _message(error: BaseException) -> str:
    """Return the message of an exception, as text that a record can hold."""
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 — the message is outside code too
        return "(its message cannot be shown)"
    return text[:LONGEST_MESSAGE].encode("utf-8", "replace").decode()


def _place(error: BaseException, file: str | None) -> str:
    """Return the line of the judge's file that raised, since no traceback is shown."""
    traceback, line = error.__traceback__, None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == file:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" (line {line})" if line else ""


if __name__ == "__main__":
    main()
