"""Fault types of other packages: the entry points of the group ``faultpair.faults``.

An entry point has the name of its fault and points at a `Fault` subclass or an
instance of one, which is held to the contract before it is used.
"""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

from faultpair.env.catalog import DOMAINS
from faultpair.env.plugins import Plugins, Refusal, require_documented, require_name

from .conformance import check_fault
from .fault import Fault

__all__ = ["OUTSIDE"]

_METHODS = {
    "sites": ("instance", "run"),
    "edit": ("instance", "run", "site", "rng"),
    "examples": (),
    "may_host": ("instance",),
}
_TRIAL_HOSTS = 12
_TRIAL_INSTANCES = 600


def _checked(part: Any, name: str) -> Fault:
    """Refuse what is no fault type, or breaks the contract on a trial of about a dozen hosts."""
    if not isinstance(part, Fault):
        raise Refusal("it is no Fault but {part}")
    require_name(getattr(part, "name", None), name)
    domain: Any = getattr(part, "domain", None)
    if domain not in DOMAINS:
        raise Refusal(f"its domain: {DOMAINS.unknown(str(domain))}")
    require_documented(part)
    for method, expected in _METHODS.items():
        _require_signature(part, method, expected)
    report = check_fault(part, _TRIAL_INSTANCES, max_hosts=_TRIAL_HOSTS)
    if report.violations:
        raise Refusal(str(report.violations[0]))
    return part


def _require_signature(fault: Fault, method: str, expected: tuple[str, ...]) -> None:
    found = signature(getattr(fault, method))
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    names = tuple(p.name for p in found.parameters.values() if p.kind in positional)
    if names != expected or len(names) != len(found.parameters):
        expects = ", ".join(expected)
        raise Refusal(f"its method has the signature {method}{found}; expected is ({expects})")


OUTSIDE: Plugins[Fault] = Plugins("fault", "faultpair.faults", _checked)
