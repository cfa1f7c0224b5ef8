"""What a manifest seals: the judges as they were set, the contrasts as they were agreed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from faultpair.env.errors import RecordError

from .declared import Contrast

__all__ = ["SealedJudge", "Seals", "read_seals", "with_seals"]


class SealedJudge(msgspec.Struct, frozen=True, gc=False):
    """How a judge that asks somebody was set before its first answer, and who answers."""

    view: str | None = None
    task: str | None = None
    form: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    model: str | None = None
    model_digest: str | None = None
    temperature: float | None = None
    seed: int | None = None
    samples: int | None = None
    joined_late: bool = False


class SealedContrast(msgspec.Struct, frozen=True, gc=False):
    """A contrast as it was first declared."""

    judge: str
    against: str
    metric: str = "delta"
    group: str = "all"
    reading: str = ""
    post_hoc: bool = True

    @property
    def terms(self) -> tuple[str, str, str, str]:
        """Return what is compared, on what."""
        return self.judge, self.against, self.metric, self.group


class Seals(msgspec.Struct, frozen=True):
    """The parts of a manifest that analysis reads; ``agent`` is there if a model made the runs."""

    judges: dict[str, SealedJudge] = {}
    contrasts: dict[str, SealedContrast] = {}
    agent: dict[str, Any] | None = None


def read_seals(path: Path) -> Seals:
    """Read a manifest; one that is not there seals nothing.

    Raises
    ------
    RecordError
        If it does not fit.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Seals) if path.is_file() else Seals()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"Cannot read {path}: {error}. Restore it.") from error


def with_seals(
    declared: Iterable[Contrast] | None, sealed: dict[str, SealedContrast]
) -> tuple[Contrast, ...]:
    """Return the declared contrasts, each with the reading and the mark of its seal.

    Without a study file the sealed ones stand for themselves. One that is not as it
    was sealed is post hoc.
    """
    if declared is None:
        return tuple(
            Contrast(name, *seal.terms, seal.reading, seal.post_hoc)
            for name, seal in sealed.items()
        )
    return tuple(_sealed(contrast, sealed.get(contrast.name)) for contrast in declared)


def _sealed(contrast: Contrast, seal: SealedContrast | None) -> Contrast:
    if seal is None:
        return contrast
    terms = (contrast.judge, contrast.against, contrast.metric, contrast.group)
    if seal.terms != terms:
        return replace(contrast, post_hoc=True)
    return replace(contrast, reading=seal.reading, post_hoc=seal.post_hoc)
