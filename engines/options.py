"""Options of an engine: address, key, time-out, context size and requests at once."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from faultpair.env.errors import UsageError

__all__ = ["EngineOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Options beside the name of an engine, each used by the engines that it concerns.

    If ``base_url`` or ``api_key`` is None, the environment supplies it; the key is in no
    representation. ``timeout_s`` bounds a whole reply, not its pauses. ``parallel`` is the
    number of requests at once, None for the default of the engine. ``threads`` is for
    engines that compute in this process.

    Raises
    ------
    UsageError
        For a number that is not positive.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    context_tokens: int | None = None
    timeout_s: float = 120.0
    parallel: int | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(value, int | float) and not value > 0:
                raise UsageError(f"{option.name} is {value}; expected a number above 0.")
