"""The JSON Lines format of AgentJudgeBench's release, read and written by its field names.

What the release does not know, the sector and the values that a request states,
comes after its fields and may be missing. Our references go as the strings that
they are; a placeholder of another make stays the string that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...errors import RecordError
from ...jsonl import decode_line, read_lines
from ...plans.records import Tier, ToolSchema
from ...records import Call
from ..instances import TOPOLOGIES, WorkflowInstance

__all__ = ["Generated", "Released", "from_line", "read_release", "to_line"]

FOREIGN_SECTOR = "release"


@dataclass(frozen=True, slots=True)
class Generated:
    """A plan that a generator made of a record's request, as far as the line tells which."""

    calls: tuple[Call, ...]
    tier: Tier | None = None
    generator: str | None = None


@dataclass(frozen=True, slots=True)
class Released:
    """A record of a release at its easy tier, and the plans that came with it."""

    instance: WorkflowInstance
    generated: tuple[Generated, ...] = ()


class _Call(msgspec.Struct):
    name: str
    arguments: dict[str, Any] | str


class _Tool(msgspec.Struct):
    name: str
    description: str = ""
    parameters: dict[str, Any] = {}
    returns: dict[str, Any] = {}


class _Line(msgspec.Struct):
    id: str | int
    dag_type: str
    user_message: str
    query_medium: str
    query_hard: str
    available_tools: list[_Tool]
    expected_responses: list[_Call]
    generated_tool_calls: Any = None
    sector: str = FOREIGN_SECTOR
    given: dict[str, Any] = {}


_LINE = msgspec.json.Decoder(_Line)
_CALLS = msgspec.json.Decoder(list[_Call])


def read_release(path: Path) -> Iterator[Released]:
    """Yield the records of a file.

    Raises
    ------
    RecordError
        For a line that is none; it names file, line and field.
    """
    for number, line in read_lines(path):
        yield from_line(line, f"{path}, line {number}")


def from_line(line: bytes, where: str) -> Released:
    """Return the record on a line.

    Raises
    ------
    RecordError
        If it is none; the message begins with ``where`` and names the field.
    """
    found = decode_line(_LINE, line, where)
    name = str(found.id)
    if not name.strip():
        raise RecordError(f"{where}: field id: it is empty. Give each record a name or a number.")
    instance = WorkflowInstance(
        instance_id=f"{name}-{Tier.EASY}",
        difficulty=_topology(found.dag_type, where),
        goal=found.user_message,
        given=found.given,
        record_id=name,
        sector=found.sector,
        tier=Tier.EASY,
        query_easy=found.user_message,
        query_medium=found.query_medium,
        query_hard=found.query_hard,
        tools=_pool(found.available_tools, f"{where}: field available_tools"),
        plan=_calls(found.expected_responses, f"{where}: field expected_responses"),
    )
    field = f"{where}: field generated_tool_calls"
    return Released(instance, tuple(_generated(found.generated_tool_calls, field)))


def to_line(instance: WorkflowInstance, generated: Sequence[Generated] = ()) -> bytes:
    """Return the line of a record and of the plans that were made of its request.

    Plans stand in an object by tier and generator; a single one that tells neither
    stands by itself.

    Raises
    ------
    RecordError
        If some plans tell their tier or generator and others do not.
    """
    line = _Line(
        instance.record_id,
        instance.difficulty,
        instance.query_easy,
        instance.query_medium,
        instance.query_hard,
        [
            _Tool(tool.name, tool.description, tool.parameters, tool.returns)
            for tool in instance.tools
        ],
        _written(instance.plan),
        _filed(instance.record_id, generated),
        instance.sector,
        instance.given,
    )
    return msgspec.json.encode(line) + b"\n"


def _topology(said: str, where: str) -> str:
    name = said.strip().casefold().replace("-", "_").replace(" ", "_")
    if name not in TOPOLOGIES:
        known = ", ".join(TOPOLOGIES)
        raise RecordError(f"{where}: field dag_type: expected one of {known}, got {said!r}.")
    return name


def _pool(found: Sequence[_Tool], where: str) -> tuple[ToolSchema, ...]:
    pool: dict[str, ToolSchema] = {}
    for place, tool in enumerate(found):
        here = f"{where}[{place}]"
        if tool.name in pool:
            raise RecordError(f"{here}.name: {tool.name!r} is in the pool a second time.")
        _refuse_no_schema(tool.parameters, f"{here}.parameters")
        _refuse_no_schema(tool.returns, f"{here}.returns")
        pool[tool.name] = ToolSchema(tool.name, tool.description, tool.parameters, tool.returns)
    return tuple(pool.values())


def _refuse_no_schema(schema: dict[str, Any], where: str) -> None:
    """Refuse what no names of arguments or of fields can be read from."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict):
        raise RecordError(f"{where}.properties: expected an object, got {properties!r:.60}.")
    for name, part in properties.items():
        if not isinstance(part, dict):
            raise RecordError(
                f"{where}.properties.{name}: expected the JSON schema of a value, an object, "
                f"got {part!r:.60}."
            )
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise RecordError(f"{where}.required: expected a list of names, got {required!r:.60}.")


def _calls(found: Sequence[_Call], where: str) -> tuple[Call, ...]:
    return tuple(
        Call(call.name, _arguments(call.arguments, f"{where}[{place}].arguments"))
        for place, call in enumerate(found)
    )


def _arguments(found: dict[str, Any] | str, where: str) -> dict[str, Any]:
    """Return arguments that are an object, or a text that holds one, as some servers send it."""
    if isinstance(found, dict):
        return found
    try:
        return msgspec.json.decode(found, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(
            f"{where}: expected a JSON object, got the text {found!r:.60}."
        ) from error


def _generated(
    found: object, where: str, tier: Tier | None = None, generator: str | None = None
) -> Iterator[Generated]:
    """Yield the plans in a list, or in an object that files them by tier, by generator or both."""
    if found is None:
        return
    if isinstance(found, list):
        calls = decode_line(_CALLS, msgspec.json.encode(found), where)
        yield Generated(_calls(calls, where), tier, generator)
    elif isinstance(found, dict):
        for key, part in found.items():
            below = f"{where}.{key}"
            if tier is None and key in tuple(Tier):
                yield from _generated(part, below, Tier(key), generator)
            elif generator is None:
                yield from _generated(part, below, tier, key)
            else:
                raise RecordError(f"{below}: expected calls of {generator}, got one more key.")
    else:
        raise RecordError(
            f"{where}: expected a list of calls, or an object that holds one for each tier or "
            f"generator, got {found!r:.60}."
        )


def _written(calls: Sequence[Call]) -> list[_Call]:
    return [_Call(call.tool, call.args) for call in calls]


def _filed(record_id: str, generated: Sequence[Generated]) -> Any:
    """Return plans as a line holds them: null, a list, or objects by tier and generator."""
    keys = [
        tuple(str(key) for key in (plan.tier, plan.generator) if key is not None)
        for plan in generated
    ]
    if len(set(map(len, keys))) > 1 or len(set(keys)) < len(keys):
        raise RecordError(
            f"The plans of {record_id} cannot be told apart: give each its tier and generator."
        )
    filed: Any = None
    for path, plan in zip(keys, generated, strict=True):
        filed = _put(filed, path, _written(plan.calls))
    return filed


def _put(filed: Any, path: tuple[str, ...], calls: list[_Call]) -> Any:
    if not path:
        return calls
    inside = filed or {}
    return {**inside, path[0]: _put(inside.get(path[0]), path[1:], calls)}
