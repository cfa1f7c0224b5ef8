"""The language of OpenAI's chat completions: a request as it is sent, an answer as it comes.

Of a JSON schema only what OpenAI's strict mode takes is sent. Bounds such as ``maxLength``
or ``minimum`` are dropped, every object is closed and all its properties are required,
and an enumeration says its types. A reply that fits the schema sent may so break a bound
of the schema asked for; whoever reads it checks. That mode has no open objects: a schema
with one, whose keys only the reply will tell, is sent as it is and the mode is off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from faultpair.env.records import TokenChoice

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


class _Alternative(msgspec.Struct):
    token: str
    logprob: float


class _Token(msgspec.Struct):
    token: str
    logprob: float
    top_logprobs: list[_Alternative] | None = None


class _Logprobs(msgspec.Struct):
    content: list[_Token] | None = None


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class _PromptDetails(msgspec.Struct):
    cached_tokens: _Count | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0
    prompt_tokens_details: _PromptDetails | None = None


class Answer(msgspec.Struct):
    """A chat completion; fields that are not named here are ignored."""

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
    """Return what every server of this kind is sent; how it takes a schema is its own affair."""
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
    """Return the first choice. A refusal is the model's text, to be read as any other."""
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
    """Return a schema as OpenAI's strict mode takes it, properties in their order.

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
    """Return whether a schema has an object, at any depth, that may hold keys it does not name.

    An object with properties that does not say so itself counts as closed.

    Examples
    --------
    >>> is_open({"properties": {"args": {"type": "object"}}})
    True
    >>> is_open({"properties": {"faulty": {"type": "boolean"}}})
    False
    """
    more = schema.get("additionalProperties", "properties" not in schema)
    is_object = schema.get("type") == "object" or "properties" in schema
    return (is_object and more is not False) or any(map(is_open, _parts_of(schema)))


def _parts_of(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas that stand directly in a schema."""
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
    top = tuple((other.token, other.logprob) for other in others)
    return TokenChoice(token.token, token.logprob, top)
