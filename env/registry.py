"""Parts by name, in the order of their registration.

A registry refuses a second part of one name, and lists the known names with an unknown
one. It loads plug-ins only for a name that it lacks, or for all names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from .errors import PluginError, UsageError
from .plugins import Plugins

__all__ = ["Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """An ordered table from names to parts of one kind, such as ``"fault"``."""

    def __init__(self, kind: str, plugins: Plugins[T] | None = None) -> None:
        self.kind = kind
        self._plugins = plugins
        self._parts: dict[str, T] = {}
        self._from_plugins: set[str] = set()

    def add(self, name: str, part: T) -> None:
        """Register a part.

        Raises
        ------
        PluginError
            If the name is taken; the message shows who holds it.
        """
        if name in self._parts:
            raise PluginError(
                f"{self.kind} {name!r} is registered twice: {_origin(self._parts[name])} has "
                f"this name, and {_origin(part)} claims it too. Rename the second."
            )
        self._parts[name] = part

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise UsageError(self.unknown(name))
        return self._parts[name]

    def get(self, name: str, default: T) -> T:
        """Return the part of a name, or another value if there is none."""
        return self._parts[name] if name in self else default

    def unknown(self, name: str) -> str:
        """Return the message for an unknown name."""
        names = dict.fromkeys((*self._parts, *(self._plugins.names() if self._plugins else ())))
        known = ", ".join(names) or "none"
        return f"No {self.kind} is named {name!r}. Known {self.kind}s: {known}."

    def __contains__(self, name: object) -> bool:
        if name not in self._parts and isinstance(name, str):
            self._add_plugins(name)
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        self._add_plugins()
        return iter(self._parts)

    def __len__(self) -> int:
        self._add_plugins()
        return len(self._parts)

    def values(self) -> tuple[T, ...]:
        """Return the parts in the order in which they were registered, plug-ins last."""
        self._add_plugins()
        return tuple(self._parts.values())

    def _add_plugins(self, name: str | None = None) -> None:
        if self._plugins is None:
            return
        found = [one for one in self._plugins.parts(name) if one[0] not in self._from_plugins]
        for plugin, part in found:
            self.add(plugin, part)
        self._from_plugins.update(plugin for plugin, _ in found)


def _origin(part: object) -> str:
    part = getattr(part, "watched", part)
    kind = part if isinstance(part, type) else type(part)
    return f"{kind.__module__}.{kind.__qualname__}"
