"""An engine that answers from a script, without a model and without a clock.

The table at the end has the scripts that have a name; most fill whatever JSON schema the
request asks for.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from faultpair.env.errors import EngineError, UsageError
from faultpair.env.records import TokenChoice
from faultpair.env.registry import Registry

from .engine import EngineOptions, Identity, Reply, Request, request_hash

__all__ = ["SCRIPTS", "ScriptedEngine", "fitting_reply", "open_scripted"]

Script = Callable[[Request], str]

_OPPOSITES = {"true": "false", "false": "true", "yes": "no", "no": "yes"}
_SURE, _UNLIKELY = -0.1053605, -2.302585  # log-probabilities of 0.9 and 0.1
_WORDS = {
    True: ("yes", "faulty", "fail", "incorrect", "wrong"),
    False: ("no", "clean", "pass", "correct", "right"),
}
"""The words of enumerations for a faulty and a clean run."""


class ScriptedEngine:
    """An engine whose replies are fixed in advance.

    Parameters
    ----------
    reply : callable, sequence of str, or mapping from str to str
        A function of the request, which may raise `EngineError`; or replies in their order,
        of which the last repeats; or a reply for each text that a prompt may hold. The
        first key in the prompt counts, so ``""`` as the last key matches all others.
    name : str
        The name of the engine.
    context_tokens : int or None
        The context size, counted in words of the prompt.

    Notes
    -----
    With log-probabilities, ``true``, ``false``, ``yes`` and ``no`` have probability 0.9
    and their opposite 0.1; all other tokens are certain. A reply of more tokens than
    ``max_tokens`` is not cut.

    Examples
    --------
    >>> from faultpair.engines.engine import Message
    >>> engine = ScriptedEngine({"ORD-1": "yes", "": "no"})
    >>> engine.complete(Request((Message("user", "Is ORD-1 refunded?"),))).text
    'yes'
    """

    max_parallel = 1

    def __init__(
        self,
        reply: Script | Sequence[str] | Mapping[str, str],
        *,
        name: str = "scripted:own",
        context_tokens: int | None = None,
    ) -> None:
        self.name = name
        self._script = _as_script(reply)
        self._context_tokens = context_tokens

    def identify(self) -> Identity:
        """Return the name of the script as the model."""
        return Identity("scripted", model=self.name.removeprefix("scripted:"))

    def context_tokens(self) -> int | None:
        return self._context_tokens

    def count_tokens(self, request: Request) -> int:
        return sum(len(message.content.split()) for message in request.messages)

    def complete(self, request: Request) -> Reply:
        text = self._script(request)
        pieces = re.findall(r"\w+|\W", text)
        return Reply(
            text,
            prompt_tokens=self.count_tokens(request),
            completion_tokens=len(pieces),
            finish_reason="length" if len(pieces) > request.max_tokens else "stop",
            tokens=tuple(map(_token, pieces)) if request.top_logprobs else (),
        )

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def open_scripted(model: str, *, options: EngineOptions) -> ScriptedEngine:
    """Open the engine of a named script."""
    if model not in SCRIPTS:
        raise UsageError(SCRIPTS.unknown(model))
    return ScriptedEngine(
        SCRIPTS[model], name=f"scripted:{model}", context_tokens=options.context_tokens
    )


def _as_script(reply: Script | Sequence[str] | Mapping[str, str]) -> Script:
    if callable(reply):
        return reply
    if isinstance(reply, Mapping):
        return partial(_look_up, dict(reply))
    rest = [reply] if isinstance(reply, str) else list(reversed(reply))
    if not rest:
        raise UsageError("A script has no replies; expected at least one.")
    return partial(_next_of, rest, threading.Lock())


def _next_of(rest: list[str], lock: threading.Lock, request: Request) -> str:
    """Return the last of some replies, and remove it unless it is the only one."""
    with lock:
        return rest.pop() if len(rest) > 1 else rest[0]


def _look_up(replies: Mapping[str, str], request: Request) -> str:
    """Return the reply for the first key that the prompt holds."""
    prompt = "\n".join(message.content for message in request.messages)
    for key, reply in replies.items():
        if key in prompt:
            return reply
    raise EngineError(
        "The script has no reply to this prompt. It knows prompts that hold one of: "
        f"{', '.join(map(repr, replies))}."
    )


def _token(piece: str) -> TokenChoice:
    opposite = _OPPOSITES.get(piece)
    if opposite is None:
        return TokenChoice(piece, 0.0, ((piece, 0.0),))
    return TokenChoice(piece, _SURE, ((piece, _SURE), (opposite, _UNLIKELY)))


def fitting_reply(request: Request, *, faulty: bool) -> str:
    """Return a verdict, faulty or clean, in the form that the request asks for.

    With a schema it is JSON that fits: booleans are the verdict, a grade is the best or the
    worst of its scale, a nullable part is null in a clean verdict, and every other value is
    the smallest allowed. Without a schema it is ``yes`` or ``no``.

    Examples
    --------
    >>> fitting_reply(Request((), {"properties": {"faulty": {"type": "boolean"}}}), faulty=True)
    '{"faulty":true}'
    """
    schema = request.json_schema
    if schema is None:
        return _WORDS[faulty][0]
    return msgspec.json.encode(_Filler(schema, faulty=faulty).fill(schema)).decode()


class _Filler:
    """Makes a value for each part of a schema, with references looked up in its root."""

    def __init__(self, root: Mapping[str, Any], *, faulty: bool) -> None:
        self._root = root
        self._faulty = faulty

    def fill(self, schema: Mapping[str, Any]) -> object:
        schema = self._narrow(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._choose(schema["enum"])
        makers: dict[str, Callable[[Mapping[str, Any]], object]] = {
            "object": self._object,
            "array": lambda part: [self.fill(part["items"])] * int(part.get("minItems", 0)),
            "string": _string,
            "boolean": lambda part: self._faulty,
            "integer": lambda part: int(_least(part, otherwise=0)),
            "number": self._number,
        }
        maker = makers.get(schema.get("type", "object" if "properties" in schema else ""))
        return None if maker is None else maker(schema)

    def _narrow(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """Follow a reference, and choose one of several types: null for a clean verdict."""
        if "$ref" in schema:
            return self._narrow(self._look_up(schema["$ref"]))
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices is None and isinstance(schema.get("type"), list):
            choices = [{**schema, "type": name} for name in schema["type"]]
        if not choices:
            return schema
        parts = [self._narrow(choice) for choice in choices]
        is_null = [part.get("type") == "null" for part in parts]
        wanted = is_null.index(not self._faulty) if (not self._faulty) in is_null else 0
        return parts[wanted]

    def _look_up(self, reference: str) -> Mapping[str, Any]:
        part: Any = self._root
        for name in reference.removeprefix("#/").split("/"):
            part = part[name]
        schema: Mapping[str, Any] = part
        return schema

    def _choose(self, values: list[Any]) -> object:
        """Return the word for the verdict, null for a clean run, a grade, or the first."""
        words = {
            verdict: [word for word in _WORDS[verdict] if word in values] for verdict in _WORDS
        }
        if all(words.values()):
            return words[self._faulty][0]
        if not self._faulty and None in values:
            return None
        if all(isinstance(value, int | float) for value in values):
            return min(values) if self._faulty else max(values)
        return next((value for value in values if value is not None), None)

    def _number(self, schema: Mapping[str, Any]) -> float:
        """Return an end of a scale of grades, which begins at 0; else a confidence."""
        if schema.get("minimum") == 0 and "maximum" in schema:
            return 0.0 if self._faulty else float(schema["maximum"])
        return min(0.9, float(schema.get("maximum", 0.9)))

    def _object(self, schema: Mapping[str, Any]) -> dict[str, object]:
        return {name: self.fill(part) for name, part in schema.get("properties", {}).items()}


def _string(schema: Mapping[str, Any]) -> str:
    text = "As the script says.".ljust(int(schema.get("minLength", 0)), ".")
    return text[: schema.get("maxLength")]


def _least(schema: Mapping[str, Any], *, otherwise: int) -> float:
    if "minimum" in schema:
        return float(schema["minimum"])
    return float(min(otherwise, schema.get("maximum", otherwise)))


def _coin(request: Request) -> str:
    """Decide by the hash of the request, so that equal requests get equal replies."""
    return fitting_reply(request, faulty=int(request_hash(request)[0], 16) % 2 == 1)


def _cut(request: Request) -> str:
    return fitting_reply(request, faulty=True)[:-2]


def _broken(request: Request) -> str:
    raise EngineError("This script never replies.", transient=True)


SCRIPTS: Registry[Script] = Registry("script")
SCRIPTS.add("clean", partial(fitting_reply, faulty=False))
SCRIPTS.add("faulty", partial(fitting_reply, faulty=True))
SCRIPTS.add("coin", _coin)
SCRIPTS.add("garbage", lambda request: "I would rather not say {")
SCRIPTS.add("cut", _cut)
SCRIPTS.add("broken", _broken)
