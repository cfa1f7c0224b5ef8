"""The texts that judges are asked with. Each is a file, and a test pins the hash of each prompt."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import UsageError

__all__ = ["answer_text", "role_text", "task_text", "taxonomy"]


@cache
def role_text(domain: str) -> str:
    """Return what every judge of a domain is told first: procedure, tools, kinds of fault."""
    parts = DOMAINS[domain]
    return _read("role.txt").format(
        procedure="\n".join(map(str, parts.procedure)),
        tools="\n".join(
            f"{tool.name}({', '.join(tool.arguments)}): {tool.purpose}" for tool in parts.tools
        ),
        faults=_read(_faults_file(domain)),
    )


@cache
def taxonomy(domain: str) -> tuple[str, ...]:
    """Return the names of the kinds of fault that the judges of a domain are told of."""
    lines = _read(_faults_file(domain)).splitlines()
    return tuple(line.partition(":")[0] for line in lines)


@cache
def task_text(task: str) -> str:
    """Return what a judge is told to do."""
    return _read(f"tasks/{task}.txt")


@cache
def answer_text(answer: str) -> str:
    """Return how a judge is told to answer."""
    return _read(f"answers/{answer}.txt")


def _faults_file(domain: str) -> str:
    name = f"faults/{domain}.txt"
    if not files(__name__).joinpath(name).is_file():
        raise UsageError(f"Domain {domain!r} has no list of fault kinds for judges to be told of.")
    return name


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8").rstrip("\n")
