"""OpenAI's chat completions: the JSON of a request and of an answer.

A JSON schema is reduced to what OpenAI's strict mode accepts: bounds such as ``maxLength``
or ``minimum`` are dropped, every object is closed, all its properties are required, and an
enumeration names its types. A reply may therefore break a bound of the original schema;
the parser of the reply checks. Strict mode has no open objects: a schema with an object
whose keys are not fixed is sent unchanged, and the mode is off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from faultpair.env.records import TokenChoice, Tokens

from .engine import Reply, Request

__all__ = ["ANSWER", "Answer", "body_of", "chat_of", "is_open", "reply_of", "strict"]

_NOT_IN_STRICT_MODE = frozenset(
    {
        "$schema", "contains", "default", "dependentRequired", "dependentSchemas", "else",
        "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "maxContains",
        "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems",
        "minLength", "minProperties", "minimum", "multipleOf", "not", "pattern",
        "patternProperties", "propertyNames", "then", "unevaluatedItems",
        "unevaluatedProperties", "uniqueItems",
    }
)  # fmt: skip
_BY_NAME = ("properties", "$defs", "definitions")
_IN_LISTS = ("anyOf", "oneOf", "allOf")
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


class _Piece(msgspec.Struct):
    token: str
    logprob: float
    bytes: list[int] | None = None

    @property
    def text(self) -> str:
        """The token as text; the bytes of an incomplete character are shown as escapes."""
        if self.bytes is None:
            return self.token
        return bytes(self.bytes).decode("utf-8", "backslashreplace")


class _Token(_Piece):
    top_logprobs: list[_Piece] | None = None


class _Logprobs(msgspec.Struct):
    content: list[_Token] | None = None


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _PromptDetails(msgspec.Struct):
    cached_tokens: Tokens | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0
    prompt_tokens_details: _PromptDetails | None = None


class Answer(msgspec.Struct):
    """A chat completion; other fields are ignored."""

    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]
    model: str | None = None
    system_fingerprint: str | None = None
    usage: _Usage | None = None


ANSWER = msgspec.json.Decoder(Answer)


def body_of(model: str, request: Request) -> bytes:
    """Return the JSON to post."""
    body = {"model": model, **chat_of(request)}
    if request.json_schema is not None:
        body["response_format"] = _response_format(request.json_schema)
    return msgspec.json.encode(body)


def chat_of(request: Request) -> dict[str, Any]:
    """Return the part of a request that every such server takes; the schema is not in it."""
    chat: dict[str, Any] = {
        "messages": msgspec.to_builtins(request.messages),
        "temperature": request.temperature,
        "seed": request.seed,
        "max_tokens": request.max_tokens,
    }
    if request.top_logprobs:
        chat |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    return chat


def reply_of(answer: Answer, *, latency_s: float) -> Reply:
    """Return the first choice as a reply; a refusal counts as the model's text."""
    choice = answer.choices[0]
    usage = answer.usage or _Usage()
    details = usage.prompt_tokens_details or _PromptDetails()
    return Reply(
        text=choice.message.content or choice.message.refusal or "",
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=details.cached_tokens or 0,
        latency_s=latency_s,
        finish_reason=choice.finish_reason or "stop",
        tokens=tuple(map(_choice_of, (choice.logprobs and choice.logprobs.content) or ())),
    )


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema reduced to OpenAI's strict mode, properties in their order.

    Examples
    --------
    >>> strict({"type": "string", "maxLength": 9})
    {'type': 'string'}
    >>> strict({"properties": {"kind": {"enum": ["late", None]}}})["properties"]
    {'kind': {'enum': ['late', None], 'type': ['string', 'null']}}
    """
    kept = {
        keyword: _strict_part(keyword, value)
        for keyword, value in schema.items()
        if keyword not in _NOT_IN_STRICT_MODE
    }
    if "properties" in kept:
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    if "enum" in kept and "type" not in kept:
        kept["type"] = list(dict.fromkeys(_TYPES[type(value)] for value in kept["enum"]))
    return kept


def is_open(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema has, at any depth, an object that allows unnamed keys.

    An object with properties counts as closed unless it declares itself open.

    Examples
    --------
    >>> is_open({"properties": {"args": {"type": "object"}}})
    True
    >>> is_open({"properties": {"faulty": {"type": "boolean"}}})
    False
    """
    additional = schema.get("additionalProperties", "properties" not in schema)
    is_object = schema.get("type") == "object" or "properties" in schema
    return (is_object and additional is not False) or any(map(is_open, _parts_of(schema)))


def _parts_of(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the direct sub-schemas of a schema."""
    for keyword in _BY_NAME:
        yield from schema.get(keyword, {}).values()
    for keyword in _IN_LISTS:
        yield from schema.get(keyword, ())
    if "items" in schema:
        yield schema["items"]


def _strict_part(keyword: str, value: Any) -> Any:
    if keyword in _BY_NAME:
        return {name: strict(part) for name, part in value.items()}
    if keyword in _IN_LISTS:
        return [strict(part) for part in value]
    return strict(value) if keyword == "items" else value


def _response_format(schema: dict[str, Any]) -> dict[str, Any]:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title", "reply")))[:64]
    is_strict = not is_open(schema)
    sent = strict(schema) if is_strict else schema
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": sent, "strict": is_strict},
    }


def _choice_of(token: _Token) -> TokenChoice:
    others = sorted(token.top_logprobs or (), key=lambda other: -other.logprob)
    top = tuple((other.text, other.logprob) for other in others)
    return TokenChoice(token.text, token.logprob, top)
