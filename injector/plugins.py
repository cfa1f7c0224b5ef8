"""Fault types of other packages: the entry points of the group ``faultpair.faults``.

An entry point has the name of its fault and points at a `Fault` subclass or an
instance of one, which is held to the contract before it is used, and watched while it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from inspect import Parameter, signature
from itertools import islice
from random import Random
from typing import Any

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import PluginError
from faultpair.env.plugins import Plugins, Refusal, documentation, require_documented, require_name
from faultpair.env.records import ReplyPolicy, Trajectory

from .conformance import MOST_SITES, check_fault
from .fault import Calls, Edit, Example, Fault, Site

__all__ = ["OUTSIDE", "WatchedFault"]

_METHODS = {
    "sites": ("instance", "run"),
    "edit": ("instance", "run", "site", "rng"),
    "examples": (),
    "may_host": ("instance",),
}
_TRIAL_HOSTS = 12
_TRIAL_INSTANCES = 600


class WatchedFault(Fault):
    """A fault type of another package that keeps its contract, checked at each use.

    It passed a trial on a dozen hosts. What it does on later ones, such as an exception, an
    endless iterator or another edit of an equal stream, becomes an error that names it.
    Its attributes are those that it had when it was loaded.
    """

    def __init__(self, part: Fault) -> None:
        self.watched = part
        self.__doc__ = documentation(part)
        self.name = part.name  # type: ignore[misc]
        self.domain = part.domain  # type: ignore[misc]
        self.scenarios = tuple(part.scenarios)  # type: ignore[misc]
        self.follow_ups = tuple(part.follow_ups)  # type: ignore[misc]
        self.policies = tuple(part.policies)  # type: ignore[misc]
        self.is_control = part.is_control  # type: ignore[misc]

    def may_host(self, instance: Any) -> bool:
        """Return its answer."""
        return bool(self._call("may_host", instance))

    def sites(self, instance: Any, run: Trajectory) -> Iterator[Site]:
        """Yield its sites, which two looks must show alike."""
        first, again = (self._call("sites", instance, run) for _ in range(2))
        if len(first) > MOST_SITES:
            raise self._broken("few sites", f"it yields more than {MOST_SITES} for one run")
        if first != again or not all(isinstance(site, Site) for site in first):
            raise self._broken("same run, same sites", "a second look yields others")
        return iter(first)

    def edit(self, instance: Any, run: Calls, site: Site, rng: Random) -> Edit:
        """Return its edit, which two equal streams must give alike."""
        edit, again = (self._call("edit", instance, run, site, each) for each in (rng, copy(rng)))
        if not isinstance(edit, Edit) or edit != again:
            raise self._broken("same stream, same edit", "equal streams give different edits")
        return edit

    def examples(self) -> tuple[Example, ...]:
        """Return its examples."""
        return tuple(self._call("examples"))

    def _call(self, method: str, *arguments: object) -> Any:
        """Call a method of the part; what it yields is a list without more than it may yield."""
        # Foreign code may raise anything; that becomes an error that names the plug-in.
        try:
            found = getattr(self.watched, method)(*arguments)
            return list(islice(found, MOST_SITES + 1)) if method == "sites" else found
        except (Exception, SystemExit) as error:
            raise self._broken(method, f"it raises {type(error).__name__}: {error}") from error

    def _broken(self, law: str, detail: str) -> PluginError:
        kind = type(self.watched)
        return PluginError(
            f"The fault {self.name!r} of the plug-in {kind.__module__}:{kind.__qualname__} broke "
            f"its contract: {law}: {detail}. It kept it on its trial, so `faultpair check-fault "
            f"{self.name} --domain {self.domain} -n 2000` may show where it does not."
        )


def _checked(part: Any, name: str) -> Fault:
    """Refuse what is no fault type, or breaks the contract on a trial of about a dozen hosts."""
    if not isinstance(part, Fault):
        raise Refusal("it is no Fault but {part}")
    require_name(getattr(part, "name", None), name)
    domain: Any = getattr(part, "domain", None)
    if not isinstance(domain, str) or domain not in DOMAINS:
        raise Refusal(f"its domain: {DOMAINS.unknown(str(domain))}")
    require_documented(part)
    _require_attributes(part)
    for method, expected in _METHODS.items():
        _require_signature(part, method, expected)
    report = check_fault(part, _TRIAL_INSTANCES, max_hosts=_TRIAL_HOSTS)
    if report.violations:
        raise Refusal(str(report.violations[0]))
    return WatchedFault(part)


def _require_attributes(fault: Fault) -> None:
    if not isinstance(fault.is_control, bool):
        raise Refusal(f"its is_control is {fault.is_control!r}, neither True nor False")
    for name, kind in (("scenarios", str), ("follow_ups", str), ("policies", ReplyPolicy)):
        found = getattr(fault, name)
        if not isinstance(found, tuple) or not all(isinstance(each, kind) for each in found):
            raise Refusal(f"its {name} is {found!r:.100}, no tuple of {kind.__name__}")
    if not fault.policies:
        raise Refusal("its policies are empty")
    unknown = set(fault.scenarios) - set(DOMAINS[fault.domain].scenarios)
    if unknown:
        known = ", ".join(DOMAINS[fault.domain].scenarios)
        raise Refusal(f"its scenario {min(unknown)!r} does not exist; known are: {known}")


def _require_signature(fault: Fault, method: str, expected: tuple[str, ...]) -> None:
    found = getattr(fault, method)
    if not callable(found):
        raise Refusal(f"its {method} is {found!r:.100}, no method")
    parameters = signature(found).parameters
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    names = tuple(p.name for p in parameters.values() if p.kind in positional)
    if names != expected or len(names) != len(parameters):
        expects = ", ".join(expected)
        raise Refusal(
            f"its method has the signature {method}{signature(found)}; expected is ({expects})"
        )


OUTSIDE: Plugins[Fault] = Plugins(
    "fault", "faultpair.faults", _checked, place=f"{__name__}:OUTSIDE"
)
