"""Plug-ins: entry points, each loaded and checked at its first use.

Reading entry points costs milliseconds, so it waits until a name is unknown or all names
are wanted. A broken plug-in is refused by name, with the reason.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pkgutil import resolve_name
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .errors import FaultpairError, PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "Plugins",
    "Refusal",
    "cause_of",
    "documentation",
    "offered",
    "require_documented",
    "require_name",
]

T = TypeVar("T")

GROUPS = tuple(
    f"faultpair.{kind}" for kind in ("faults", "domains", "oracles", "judges", "rule_packs")
)
"""The groups of entry points."""

TRIAL = "faultpair.env.plugin_trial:how_it_ended"
"""Imported when there is a plug-in to load: most processes never need it."""

_NO_PLUGINS = {"faultpair", "typer", "click", "__main__"}
"""Packages that a command passes through when it ends as it should."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Refusal(Exception):  # noqa: N818, the loader turns it into a PluginError
    """The reason why a part is refused, without its name."""


@cache
def offered(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group in a fixed order."""
    from importlib.metadata import entry_points  # most processes never need it

    return tuple(sorted(entry_points(group=group)))


class Plugins(Generic[T]):
    """The entry points of one group.

    ``check`` is given the loaded part, of a class an instance, and the name of the
    entry point. It returns the part or raises `Refusal`. ``place`` is where this object
    can be imported from, as ``module:name``.
    """

    def __init__(
        self, kind: str, group: str, check: Callable[[Any, str], T], *, place: str
    ) -> None:
        self.kind = kind
        self.group = group
        self._check = check
        self._place = place
        self._loaded: dict[EntryPoint, T] = {}

    def names(self) -> Iterator[str]:
        """Yield the names on offer, without loading their parts."""
        return (entry_point.name for entry_point in offered(self.group))

    def parts(self, name: str | None = None) -> Iterator[tuple[str, T]]:
        """Yield name and part of each plug-in, or of those under one name.

        Raises
        ------
        PluginError
            If a part cannot be loaded or does not pass its check.
        """
        for entry_point in offered(self.group):
            if name in (None, entry_point.name):
                if entry_point not in self._loaded:
                    self._loaded[entry_point] = self._tried_and_loaded(entry_point)
                yield entry_point.name, self._loaded[entry_point]

    def _tried_and_loaded(self, entry_point: EntryPoint) -> T:
        end = resolve_name(TRIAL)(entry_point, self._place)
        if end is not None:
            raise self._refused(entry_point, end)
        return self.load(entry_point)

    def load(self, entry_point: EntryPoint) -> T:
        """Return the part of an entry point once it has passed its check.

        Raises
        ------
        PluginError
            If it cannot be loaded or does not pass; the message names it and the reason.
        """
        # Foreign code may raise anything; here, and nowhere else, that becomes a
        # refusal that names the plug-in.
        loaded: Any = None
        try:
            loaded = entry_point.load()
            part = loaded() if isinstance(loaded, type) else loaded
        except (Exception, SystemExit) as error:
            reason = f"it cannot be loaded: {type(error).__name__}: {error}"
            raise self._refused(entry_point, reason) from error
        try:
            return self._check(part, entry_point.name)
        except Refusal as refusal:
            reason = str(refusal).replace("{part}", _described(loaded))
            raise self._refused(entry_point, reason) from refusal
        except (Exception, SystemExit) as error:
            reason = f"trying it fails: {type(error).__name__}: {error}"
            raise self._refused(entry_point, reason) from error

    def _refused(self, entry_point: EntryPoint, reason: str) -> PluginError:
        return PluginError(
            f"The {self.kind} {entry_point.name!r} of the plug-in {entry_point.value!r} is "
            f"refused: {reason}."
        )


def cause_of(error: BaseException) -> BaseException:
    """Return the error that tells a user the cause of an exception.

    That is the exception itself, or, if code of a plug-in raised it, an error that names the
    plug-in.
    """
    if isinstance(error, FaultpairError):
        return error
    places = [
        (frame.f_globals.get("__name__", "").partition(".")[0], frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
    ]
    if not {package for package, *_ in places} - _NO_PLUGINS:
        return error  # as each command ends; reading all entry points takes milliseconds
    owners = {
        point.module.partition(".")[0]: point.value for group in GROUPS for point in offered(group)
    }
    for package, file, line in reversed(places):
        if package in owners:
            return PluginError(
                f"The plug-in {owners[package]!r} failed with {type(error).__name__}: {error} "
                f"({file}, line {line}). Correct it or uninstall it."
            )
    return error


def require_name(name: object, expected: str) -> None:
    """Refuse a part whose name is no word, or not that of its entry point."""
    if not isinstance(name, str) or not _NAME.fullmatch(name.replace("-", "_")):
        raise Refusal(f"its name is {name!r}, not a word in lower case")
    if name != expected:
        raise Refusal(f"its name is {name!r}, not that of its entry point")


def require_documented(part: object) -> None:
    """Refuse a part whose class has no docstring but the one that a dataclass makes up."""
    if not documentation(part):
        raise Refusal("its class has no docstring")


def documentation(part: object) -> str:
    """Return the docstring of a part's class, from its source if Python dropped it (``-OO``)."""
    kind = type(part)
    text: object = part.__doc__  # of the part itself, if it stands for one of another class
    if text is None and sys.flags.optimize > 1:
        text = _docstring_in_source(kind)
    words = text.strip() if isinstance(text, str) else ""
    return "" if words.startswith(f"{kind.__name__}(") else words


def _docstring_in_source(kind: type) -> str | None:
    import ast  # as below: only Python with -OO needs them
    import inspect
    from textwrap import dedent

    try:
        (definition,) = ast.parse(dedent(inspect.getsource(kind))).body
    except (OSError, TypeError, SyntaxError):
        return "(Python runs with -OO, which drops descriptions.)"
    return ast.get_docstring(definition) if isinstance(definition, ast.ClassDef) else None


def _described(part: object) -> str:
    return f"the class {part.__name__}" if isinstance(part, type) else f"a {type(part).__name__}"
