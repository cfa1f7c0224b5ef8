"""The texts of prompts. Each is a file, and a test pins the hash of each prompt.

The words of a domain (procedure, tools, kinds of fault) are filled into ``role.txt``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import UsageError

__all__ = ["answer_text", "plan_text", "role_text", "task_text", "taxonomy"]


@cache
def role_text(domain: str) -> str:
    """Return the first text of every judge of a domain: procedure, tools, kinds of fault.

    Raises
    ------
    UsageError
        If the domain has no kinds of fault.
    """
    parts = DOMAINS[domain]
    if not parts.fault_kinds:
        raise UsageError(f"Domain {domain!r} has no kinds of fault for model judges.")
    return _read("role.txt").format(
        procedure="\n".join(map(str, parts.procedure)),
        tools="\n".join(
            f"{tool.name}({', '.join(tool.arguments)}): {tool.purpose}" for tool in parts.tools
        ),
        faults="\n".join(map(str, parts.fault_kinds)),
    )


@cache
def taxonomy(domain: str) -> tuple[str, ...]:
    """Return the names of the kinds of fault that the prompts of a domain hold."""
    return tuple(kind.name for kind in DOMAINS[domain].fault_kinds)


@cache
def task_text(task: str) -> str:
    """Return the text of a task."""
    return _read(f"tasks/{task}.txt")


@cache
def answer_text(answer: str) -> str:
    """Return the text of an answer form."""
    return _read(f"answers/{answer}.txt")


@cache
def plan_text(name: str) -> str:
    """Return a text of the judges of plans, such as ``single/sequence``."""
    return _read(f"plans/{name}.txt")


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8").rstrip("\n")
