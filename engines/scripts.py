"""The scripts that have a name, and replies that fit whatever schema they are asked to fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from faultpair.env.errors import EngineError
from faultpair.env.registry import Registry

from .engine import Request, request_hash

__all__ = ["SCRIPTS", "fitting_reply"]

_WORDS = {
    True: ("yes", "faulty", "fail", "incorrect", "wrong"),
    False: ("no", "clean", "pass", "correct", "right"),
}
"""What an enumeration calls a faulty and a clean run."""


def fitting_reply(request: Request, *, faulty: bool) -> str:
    """Return a reply that calls a run faulty or clean, in the form the request asks for.

    Under a schema it is JSON that fits it: booleans say whether the run is
    faulty, a grade is the best or the worst of its scale, what may be null is null
    unless there is a fault to describe, and all else is the least that is allowed.
    Without a schema it is ``yes`` or ``no``.

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
    """Makes a value for each part of a schema; references are looked up in its root."""

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
        """Follow a reference, and choose one of several types; null where nothing is to be said."""
        if "$ref" in schema:
            return self._narrow(self._look_up(schema["$ref"]))
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices is None and isinstance(schema.get("type"), list):
            choices = [{**schema, "type": one} for one in schema["type"]]
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
        found: Mapping[str, Any] = part
        return found

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
        """Return an end of a scale from 0 on, which is one of grades, else a confidence."""
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
    """Toss by the request itself, so that equal requests get equal replies."""
    return fitting_reply(request, faulty=int(request_hash(request)[0], 16) % 2 == 1)


def _cut(request: Request) -> str:
    return fitting_reply(request, faulty=True)[:-2]


def _broken(request: Request) -> str:
    raise EngineError("This script never replies.", transient=True)


SCRIPTS: Registry[Callable[[Request], str]] = Registry("script")
SCRIPTS.add("clean", lambda request: fitting_reply(request, faulty=False))
SCRIPTS.add("faulty", lambda request: fitting_reply(request, faulty=True))
SCRIPTS.add("coin", _coin)
SCRIPTS.add("garbage", lambda request: "I would rather not say {")
SCRIPTS.add("cut", _cut)
SCRIPTS.add("broken", _broken)
