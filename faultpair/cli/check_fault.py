"""`faultpair check-fault`: whether a fault type keeps its contract."""

from __future__ import annotations

from typing import Annotated

import typer

from faultpair.env.catalog import DEFAULT_DOMAIN, DOMAINS
from faultpair.env.errors import UsageError
from faultpair.injector.catalog import faults_of, find_fault
from faultpair.injector.conformance import check_fault
from faultpair.injector.fault import Fault

from .display.terminal import console

__all__ = ["command"]


def command(
    name: Annotated[str, typer.Argument(help="A fault type or control.")],
    domain: Annotated[str, typer.Option(help="Its domain.")] = DEFAULT_DOMAIN,
    n: Annotated[int, typer.Option(help="Instances to try it on.", min=1)] = 200,
    world: Annotated[int, typer.Option(help="The world of the instances.", min=1)] = 1,
) -> None:
    """Check a fault type against its contract; exit with 1 if it breaks a law."""
    fault = _find_fault(domain, name)
    worlds = DOMAINS[domain].worlds
    if world not in worlds:
        known = ", ".join(map(str, worlds))
        raise UsageError(f"The domain {domain} has no world {world}. Its worlds: {known}.")
    report = check_fault(fault, n_instances=n, world=world)
    console.print(str(report), soft_wrap=True)
    if not report.ok:
        raise typer.Exit(1)


def _find_fault(domain: str, name: str) -> Fault:
    """Return a fault; the refusal of one that another domain has names that domain."""
    try:
        return find_fault(domain, name)
    except UsageError as error:
        owners = [other for other in DOMAINS if domain in DOMAINS and _has_fault(other, name)]
        if not owners:
            raise
        options = " or ".join(f"--domain {owner}" for owner in owners)
        raise UsageError(
            f"The domain {domain!r} has no fault {name!r}; it is one of {', '.join(owners)}. "
            f"Give {options}."
        ) from error


def _has_fault(domain: str, name: str) -> bool:
    return any(fault.name == name for fault in faults_of(domain))
