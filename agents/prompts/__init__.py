"""The texts in the prompts of agents and planners. Prompt hashes hold them fixed."""

from __future__ import annotations

from importlib.resources import files

from faultpair.env.domain import AnyDomain

__all__ = ["again_text", "agent_text", "plan_text"]


def agent_text(domain: AnyDomain, *, turns: int) -> str:
    """Return the system message of an agent of a domain."""
    return _read("agent.txt").format(
        procedure="\n".join(map(str, domain.procedure)),
        tools="\n".join(
            f"{tool.name}({', '.join(tool.arguments)}): {tool.purpose}" for tool in domain.tools
        ),
        turns=turns,
    )


def again_text(reason: str) -> str:
    """Return the message to an agent after an unreadable answer."""
    return _read("again.txt").format(reason=reason)


def plan_text() -> str:
    """Return the system message of a planner."""
    return _read("plan.txt")


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8").rstrip("\n")
