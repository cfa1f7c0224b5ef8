"""The judge ``composite``: the findings of several judges joined to one."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from .exhibit import Exhibit
from .judge import Finding, Judge

__all__ = ["Composite"]


@dataclass(frozen=True, slots=True)
class Composite:
    """Flag what any of its parts flags.

    Of several findings the one with the earliest step counts, since a later one may be a
    consequence; at one step, that of the earlier part. A run that a part leaves unscored
    is unscored unless another part flags it. If no part flags, the least confident
    finding counts.
    """

    parts: tuple[Judge, ...]
    judge_id: str = "composite"
    summary: str = "Rules, sequence and reply-grounding as one: the strongest model-free baseline."
    view: str = "full-steps"
    task: str = "check-steps"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Return one finding for those of all parts."""
        findings = [(part.judge_id, part.judge(exhibit)) for part in self.parts]
        flags = [(name, finding) for name, finding in findings if finding.faulty]
        if flags:
            name, first = min(flags, key=lambda flag: _step_of(flag[1], len(exhibit.steps)))
            return _named(name, first)
        unread = next((flag for flag in findings if flag[1].faulty is None), None)
        if unread is not None:
            name, finding = unread
            return Finding(None, unscored=f"{name}: {finding.unscored}")
        return min((finding for _, finding in findings), key=_confidence)


def _step_of(finding: Finding, n_steps: int) -> int:
    return n_steps if finding.failure_step is None else finding.failure_step


def _confidence(finding: Finding) -> float:
    return 0.5 if finding.confidence is None else finding.confidence


def _named(name: str, finding: Finding) -> Finding:
    return replace(
        finding, rationale=f"{name}: {finding.rationale}", unscored=None, score=None, scores=None
    )
