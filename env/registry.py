"""Names and what they stand for: each room of the project has one registry.

A registry keeps the order of registration, refuses a second holder of a name
and, asked for a name it lacks, lists those it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from .errors import PluginError, UsageError

__all__ = ["Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """An ordered table from names to parts of one kind, such as ``"fault"``."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._parts: dict[str, T] = {}

    def add(self, name: str, part: T) -> None:
        """Register a part.

        Raises
        ------
        PluginError
            If the name is taken; the message shows who holds it.
        """
        if name in self._parts:
            raise PluginError(
                f"{self.kind} {name!r} is registered twice: it is held by "
                f"{_origin(self._parts[name])}, and {_origin(part)} asks for it too. "
                "Give the newcomer another name."
            )
        self._parts[name] = part

    def __getitem__(self, name: str) -> T:
        try:
            return self._parts[name]
        except KeyError:
            raise UsageError(self.unknown(name)) from None

    def unknown(self, name: str) -> str:
        """Return the sentence that says a name is not held, and which are."""
        known = ", ".join(self._parts) or "none"
        return f"No {self.kind} is named {name!r}. Known {self.kind}s: {known}."

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def values(self) -> tuple[T, ...]:
        """Return the parts in the order in which they were registered."""
        return tuple(self._parts.values())


def _origin(part: object) -> str:
    kind = part if isinstance(part, type) else type(part)
    return f"{kind.__module__}.{kind.__qualname__}"
