"""The declared contrasts of a study, each with the reading and the mark of its seal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from faultpair.studies.manifest import Manifest, SealedContrast

if TYPE_CHECKING:
    from faultpair.studies.spec import ContrastSpec, StudySpec

__all__ = ["Contrast", "sealed_contrasts"]

TERMS = ("judge", "against", "metric", "group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One judge minus another, on one group of faults or on the clean runs.

    ``post_hoc`` says whether one of the judges had answered when it was declared; None if
    the contrast has no seal.
    """

    name: str
    judge: str
    against: str
    metric: str
    group: str
    reading: str
    post_hoc: bool | None = None


def sealed_contrasts(study: StudySpec | None, manifest: Manifest) -> tuple[Contrast, ...]:
    """Return the declared contrasts of a study; without a study file, the sealed ones."""
    seals = manifest.contrasts
    if study is None:
        return tuple(
            Contrast(name=name, **msgspec.structs.asdict(seal)) for name, seal in seals.items()
        )
    return tuple(_with_seal(declared, seals.get(declared.name)) for declared in study.contrasts)


def _with_seal(declared: ContrastSpec, seal: SealedContrast | None) -> Contrast:
    contrast = Contrast(**declared.model_dump())
    if seal is None:
        return contrast
    if any(getattr(seal, term) != getattr(contrast, term) for term in TERMS):
        return replace(contrast, post_hoc=True)
    return replace(contrast, reading=seal.reading, post_hoc=seal.post_hoc)
