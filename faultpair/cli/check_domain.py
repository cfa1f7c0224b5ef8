"""`faultpair check-domain`: whether a domain keeps its contract."""

from __future__ import annotations

from typing import Annotated

import typer

from faultpair.env.catalog import DOMAINS
from faultpair.sets.check_domain import check_domain

from .display.terminal import console

__all__ = ["command"]


def command(
    name: Annotated[str, typer.Argument(help="A domain.")],
    n: Annotated[int, typer.Option(help="Instances to try it on.", min=1)] = 200,
) -> None:
    """Check a domain, its oracle and rules against the contract; exit with 1 if a law is broken."""
    report = check_domain(DOMAINS[name], n_instances=n)
    console.print(str(report), highlight=False, soft_wrap=True)
    if not report.ok:
        raise typer.Exit(1)
