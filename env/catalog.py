"""The domains, built-in and of plug-ins, and the reader of their instances."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from .domain import AnyDomain, Domain
from .errors import RecordError
from .jsonl import decode_line, read_placed_lines
from .plugins import Plugins, Refusal, require_documented, require_name
from .records import Instance
from .registry import Registry
from .release import DEFAULT_DOMAIN
from .support_desk import SupportDesk
from .support_desk.release import ReleaseInstance
from .toy import Cloakroom
from .workflow import Workflow

__all__ = [
    "DEFAULT_DOMAIN",
    "DOMAINS",
    "PlacedInstance",
    "instance_on",
    "placed_instances",
    "read_instances",
]


def _checked(part: Any, name: str) -> AnyDomain:
    if not isinstance(part, Domain):
        raise Refusal("it is no Domain but {part}")
    require_name(part.name, name)
    require_documented(part)
    first, again = (part.generate(0, 0) for _ in range(2))
    if not isinstance(first, part.instance_type) or first != again:
        raise Refusal("generate(0, 0) gives no instance of its type, or another one each time")
    for world in part.worlds:
        if part.generate_in(world, 0, 0) != part.generate_in(world, 0, 0):
            raise Refusal(f"in world {world} it gives another instance each time")
    return part


OUTSIDE: Plugins[AnyDomain] = Plugins(
    "domain", "faultpair.domains", _checked, place=f"{__name__}:OUTSIDE"
)
DOMAINS: Registry[AnyDomain] = Registry("domain", OUTSIDE)
DOMAINS.add("toy", Cloakroom())
DOMAINS.add("support_desk", SupportDesk())
DOMAINS.add("workflow", Workflow())

_RELEASE = msgspec.json.Decoder(ReleaseInstance)


class _Head(msgspec.Struct):
    domain: str | None = None


_HEAD = msgspec.json.Decoder(_Head)


class PlacedInstance(NamedTuple):
    """An instance, and where its line begins in the file and how long it is, in bytes."""

    instance: Instance
    begin: int
    length: int


def read_instances(path: Path) -> dict[str, Instance]:
    """Return the instances of a file by id, of whatever domain; errors as `placed_instances`."""
    placed = placed_instances(path)
    return {instance.instance_id: instance for instance, _, _ in placed}


def placed_instances(path: Path) -> Iterator[PlacedInstance]:
    """Yield each instance of a file with its place.

    Raises
    ------
    RecordError
        For a line that is no instance of its domain, or a second instance of one id.
    """
    seen: set[str] = set()
    for number, begin, line in read_placed_lines(path):
        where = f"{path}, line {number}"
        instance = instance_on(line, where)
        if instance.instance_id in seen:
            raise RecordError(f"{where}: instance {instance.instance_id} is here a second time.")
        seen.add(instance.instance_id)
        yield PlacedInstance(instance, begin, len(line))


def instance_on(line: bytes, where: str) -> Instance:
    """Return the instance on a line; ``where`` names the line in errors."""
    domain = decode_line(_HEAD, line, where).domain
    if domain is None:
        return decode_line(_RELEASE, line, where).to_support_desk()
    if domain not in DOMAINS:
        raise RecordError(f"{where}: field domain: {DOMAINS.unknown(domain)}")
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(DOMAINS[domain].instance_type)
    instance: Instance = decode_line(decoder, line, where)
    return instance
