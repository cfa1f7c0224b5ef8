"""Verdicts in parts: a judge that is asked for one metric at a time gives one verdict in all.

The parts of a pass are put together once all of them are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from faultpair.env.records import Verdict

__all__ = ["Parts"]

_Pass = tuple[str, str, int]


@dataclass(slots=True)
class Parts:
    """Collects the parts of verdicts, by run, judge and repeat."""

    _open: dict[_Pass, list[Verdict]] = field(default_factory=dict)

    def add(self, part: Verdict, n_parts: int) -> Verdict | None:
        """Take in a part; return the verdict that it completes, if it does.

        A verdict of one part is complete as it is.
        """
        if n_parts == 1:
            return part
        key = (part.trajectory_id, part.judge_id, part.repeat)
        parts = self._open.setdefault(key, [])
        parts.append(part)
        return _whole(self._open.pop(key)) if len(parts) == n_parts else None


def _whole(parts: Sequence[Verdict]) -> Verdict:
    """Return parts as one verdict, which is unscored if one of them is or two say the same."""
    parts = sorted(parts, key=lambda part: part.sample)
    scores = {name: entry for part in parts for name, entry in (part.scores or {}).items()}
    unscored = _first(part.unscored for part in parts)
    if unscored is None and len(scores) < len(parts):
        unscored = "two answers grade the same metric"
    return replace(
        parts[0],
        faulty=None if unscored else any(part.faulty for part in parts),
        latency_s=round(sum(part.latency_s for part in parts), 6),
        prompt_tokens=sum(part.prompt_tokens for part in parts),
        completion_tokens=sum(part.completion_tokens for part in parts),
        error=_first(part.error for part in parts),
        sample=0,
        scores=None if unscored else scores,
        unscored=unscored,
        shared_from=_shared_from(parts),
    )


def _shared_from(parts: Sequence[Verdict]) -> str | None:
    """Return whose answers a verdict shares, if it had none of its own."""
    return None if any(part.shared_from is None for part in parts) else parts[0].shared_from


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
