"""The texts that an agent is asked with: the procedure word for word, the tools, the form."""

from __future__ import annotations

from importlib.resources import files

from env.domain import AnyDomain

__all__ = ["again_text", "agent_text"]


def agent_text(domain: AnyDomain, *, turns: int) -> str:
    """Return what an agent of a domain is told before its first request."""
    return _read("agent.txt").format(
        procedure="\n".join(map(str, domain.procedure)),
        tools="\n".join(
            f"{tool.name}({', '.join(tool.arguments)}): {tool.purpose}" for tool in domain.tools
        ),
        turns=turns,
    )


def again_text(reason: str) -> str:
    """Return what an agent is told whose answer could not be read."""
    return _read("again.txt").format(reason=reason)


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8").rstrip("\n")
