"""The domains, built-in and of plug-ins, and the reader of their instances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from .domain import AnyDomain, Domain
from .errors import RecordError
from .jsonl import decode_line, read_lines
from .plugins import Plugins, Refusal, require_documented, require_name
from .records import Instance
from .registry import Registry
from .release import DEFAULT_DOMAIN
from .support_desk import SupportDesk
from .support_desk.release import ReleaseInstance
from .toy import Cloakroom
from .workflow import Workflow

__all__ = ["DEFAULT_DOMAIN", "DOMAINS", "read_instances"]


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


def read_instances(path: Path) -> dict[str, Instance]:
    """Return the instances of a file by id, of whatever domain.

    Raises
    ------
    RecordError
        For a line that is no instance of its domain, or a second instance of one id.
    """
    instances: dict[str, Instance] = {}
    for number, line in read_lines(path):
        where = f"{path}, line {number}"
        instance = _read_instance(line, where)
        if instance.instance_id in instances:
            raise RecordError(f"{where}: instance {instance.instance_id} is here a second time.")
        instances[instance.instance_id] = instance
    return instances


def _read_instance(line: bytes, where: str) -> Instance:
    domain = decode_line(_HEAD, line, where).domain
    if domain is None:
        return decode_line(_RELEASE, line, where).to_support_desk()
    if domain not in DOMAINS:
        raise RecordError(f"{where}: field domain: {DOMAINS.unknown(domain)}")
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(DOMAINS[domain].instance_type)
    instance: Instance = decode_line(decoder, line, where)
    return instance
