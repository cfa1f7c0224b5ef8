"""The seal of a model that plays or plans: who makes the runs, fixed before the first answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from faultpair.engines.engine import Identity
from faultpair.env.errors import StudyError
from faultpair.env.records import ModelTurn

from .folder import StudyFolder
from .manifest import read_manifest, write_manifest

__all__ = ["GeneratorSeal"]


@dataclass(frozen=True, slots=True)
class GeneratorSeal:
    """An entry of a study's manifest that says who made its runs.

    ``whose`` is what an error calls it, ``place`` are the keys that lead to it, ``terms``
    what the study says now, and ``turns`` returns those that were taken under it.
    """

    folder: StudyFolder
    whose: str
    place: tuple[str, ...]
    terms: Mapping[str, Any]
    turns: Callable[[], Iterable[ModelTurn]]

    def check(self) -> None:
        """Refuse to go on with another than the one whose answers are kept.

        Raises
        ------
        StudyError
            It names what differs.
        """
        if self._has_answers():
            self._refuse_another(self.entry(), self.terms)

    def enter(self, identity: Identity) -> None:
        """Enter who answers, before anybody is asked; without an answer, a seal binds nobody.

        Raises
        ------
        StudyError
            If the kept answers are those of another.
        """
        terms = {**self.terms, **_who(identity)}
        entry = self.entry() if self._has_answers() else {**terms, "builds": []}
        self._refuse_another(entry, terms)
        if identity.build is not None and identity.build not in entry["builds"]:
            entry["builds"].append(identity.build)
        self._write(entry)

    def entry(self) -> dict[str, Any]:
        """Return the entry; where the manifest was lost, as far as the first turn tells it."""
        found: Any = read_manifest(self.folder.manifest)
        for key in self.place:
            found = found.get(key, {})
        return found or {**self.terms, **_who(next(iter(self.turns()))), "builds": []}

    def _has_answers(self) -> bool:
        return any(turn.text is not None for turn in self.turns())

    def _refuse_another(self, entry: Mapping[str, Any], terms: Mapping[str, Any]) -> None:
        for key, value in terms.items():
            if entry.get(key) != value:
                raise StudyError(
                    f"The {self.whose} of {self.folder.file} was sealed in {self.folder.manifest} "
                    f"with {key} {entry.get(key)!r}, and now it is {value!r}. What two have made "
                    "must not pass for the work of one: restore what changed, or run the study "
                    "elsewhere with --out."
                )

    def _write(self, entry: dict[str, Any]) -> None:
        manifest = read_manifest(self.folder.manifest)
        *parents, last = self.place
        around = manifest
        for key in parents:
            around = around.setdefault(key, {})
        around[last] = entry
        write_manifest(self.folder.manifest, manifest)


def _who(answers: Identity | ModelTurn) -> dict[str, Any]:
    return {"engine_version": answers.engine_version, "model_digest": answers.model_digest}
