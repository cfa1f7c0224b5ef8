"""How an engine is to be opened: where it is, who pays, how long to wait, how much at once."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from faultpair.env.errors import UsageError

__all__ = ["EngineOptions"]


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What a name leaves open; each engine reads what concerns it.

    ``base_url`` and ``api_key`` are taken from the environment where they are None
    (see `faultpair.engines.catalog`), and the key is in no representation. ``timeout_s``
    bounds a whole reply, not its pauses. ``parallel`` is how many requests at once are of
    use; None leaves it to the engine. ``threads`` is for engines that compute
    in this process.

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
