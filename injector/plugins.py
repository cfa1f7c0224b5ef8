"""Fault types from outside: the entry points of the group ``faultpair.faults``.

An entry point bears the name of its fault and points at a `Fault` subclass or
an instance of one. It is held to the contract before it is used, and a broken
one is refused by name with the reason.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, signature
from typing import Any

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import PluginError

from .conformance import check_fault
from .fault import Fault

__all__ = ["GROUP", "load_fault", "outside_faults"]

GROUP = "faultpair.faults"

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_METHODS = {
    "sites": ("instance", "run"),
    "edit": ("instance", "run", "site", "rng"),
    "examples": (),
    "may_host": ("instance",),
}
_TRIAL_HOSTS = 12
_TRIAL_INSTANCES = 600


@cache
def outside_faults(name: str | None = None) -> tuple[Fault, ...]:
    """Return the fault types that plug-ins offer, or those under one name.

    Raises
    ------
    PluginError
        If one of them breaks the contract; the message names it and the reason.
    """
    return tuple(load_fault(found) for found in _offered() if name in (None, found.name))


@cache
def _offered() -> tuple[EntryPoint, ...]:
    """Return the entry points in a fixed order. Reading them costs milliseconds."""
    return tuple(sorted(entry_points(group=GROUP)))


def load_fault(entry_point: EntryPoint) -> Fault:
    """Return the fault type of an entry point once it has passed all checks.

    Raises
    ------
    PluginError
        If it cannot be imported, is no fault type, or breaks the contract on
        a trial of about a dozen hosts.
    """
    # A stranger's code may raise anything; here, and nowhere else in this
    # package, that becomes a refusal with the plug-in's name on it.
    try:
        part = entry_point.load()
        fault = part() if isinstance(part, type) and issubclass(part, Fault) else part
    except Exception as error:
        raise _refused(entry_point, f"it cannot be loaded: {_told(error)}") from error
    if not isinstance(fault, Fault):
        raise _refused(entry_point, f"it is no Fault but {_kind(part)}")
    _inspect(entry_point, fault)
    _try(entry_point, fault)
    return fault


def _inspect(entry_point: EntryPoint, fault: Fault) -> None:
    """Refuse what can be seen without running it."""
    name: Any = getattr(fault, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _refused(entry_point, f"its name is {name!r}, not a word in lower case")
    if name != entry_point.name:
        raise _refused(entry_point, f"its name is {name!r}, not that of its entry point")
    domain: Any = getattr(fault, "domain", None)
    if domain not in DOMAINS:
        raise _refused(entry_point, f"its domain: {DOMAINS.unknown(str(domain))}")
    if not _is_documented(type(fault)):
        raise _refused(entry_point, "its class has no docstring")
    for method, wanted in _METHODS.items():
        problem = _signature_problem(fault, method, wanted)
        if problem is not None:
            raise _refused(entry_point, problem)


def _try(entry_point: EntryPoint, fault: Fault) -> None:
    """Refuse what breaks the contract when it is planted."""
    try:
        report = check_fault(fault, _TRIAL_INSTANCES, max_hosts=_TRIAL_HOSTS)
    except Exception as error:
        raise _refused(entry_point, f"planting it fails: {_told(error)}") from error
    if report.violations:
        raise _refused(entry_point, f"{report.violations[0]}")


def _is_documented(kind: type[Fault]) -> bool:
    """Return whether a class has a docstring other than the one a dataclass makes up."""
    text = (kind.__doc__ or "").strip()
    return bool(text) and not text.startswith(f"{kind.__name__}(")


def _signature_problem(fault: Fault, method: str, wanted: tuple[str, ...]) -> str | None:
    written = signature(getattr(fault, method))
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    names = tuple(p.name for p in written.parameters.values() if p.kind in positional)
    if names == wanted and len(names) == len(written.parameters):
        return None
    return f"its method has the signature {method}{written}; wanted is ({', '.join(wanted)})"


def _refused(entry_point: EntryPoint, reason: str) -> PluginError:
    return PluginError(
        f"The fault {entry_point.name!r} of the plug-in {entry_point.value!r} is refused: {reason}."
    )


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _kind(part: object) -> str:
    return f"the class {part.__name__}" if isinstance(part, type) else f"a {type(part).__name__}"
