"""Preregistration: what the manifest fixes before the first answer, and refuses to change after it.

A judge may join late, which is recorded. A judge with another prompt or other settings is
another judge and needs another id. A contrast that is declared after one of its judges has
answered is marked as post hoc. A model that makes runs is fixed as a judge is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from faultpair.engines.engine import Identity
from faultpair.env.errors import StudyError
from faultpair.env.records import ModelTurn
from faultpair.judges.engine_judge import EngineJudge

from .folder import StudyFolder
from .manifest import Manifest, read_manifest, write_manifest
from .spec import AgentSpec, ContrastSpec, PlannerSpec
from .stop_seal import with_stop
from .transcript import Transcript

__all__ = [
    "GeneratorSeal",
    "agent_seal",
    "planner_seal",
    "seal_answerer",
    "seal_study",
    "turns_by",
]

ANSWERER = ("engine_version", "model", "model_digest")
"""The settings of a judge that are known once its engine has identified itself."""


def seal_study(
    folder: StudyFolder,
    judges: Sequence[EngineJudge],
    *,
    asked: Collection[str],
    known: Collection[str],
    order_of: Callable[[EngineJudge], str | None] = lambda judge: None,
) -> None:
    """Seal each judge with an engine that is new or changed, each new contrast, and `[stop]`.

    Parameters
    ----------
    asked : the judges that have sent a request already; their settings are fixed
    known : the judges, of any kind, whose verdicts may be known by now
    order_of : the rule by which the requests of a judge are drawn, None for the set's order

    Raises
    ------
    StudyError
        If a judge that has sent a request, its order, a sealed contrast, or the floor at which
        a judge with answers stops was changed.
    """
    manifest = read_manifest(folder.manifest)
    entries = manifest.entry("judges")
    for judge in judges:
        entry = entries.get(judge.judge_id, {})
        entries[judge.judge_id] = _sealed(entry, judge, folder, asked, order_of(judge))
    if entries:
        manifest = manifest.with_entry("judges", entry=entries)
    for contrast in folder.study.contrasts:
        manifest = _with_contrast(manifest, contrast, folder, known)
    if folder.study.stop is not None or manifest.stop is not None:
        with_engine = [judge.judge_id for judge in judges]
        manifest = with_stop(manifest, folder, with_engine, known=known)
    write_manifest(folder.manifest, manifest)


def seal_answerer(
    folder: StudyFolder,
    judges: Iterable[EngineJudge],
    identity: Identity,
    *,
    asked: Collection[str],
) -> None:
    """Seal which model answers some judges, before their first answer."""
    manifest = read_manifest(folder.manifest)
    for judge in judges:
        entry = manifest.entry("judges", judge.judge_id)
        terms = {key: getattr(identity, key) for key in ANSWERER}
        if judge.judge_id in asked:
            _refuse_change(entry, terms, folder, *_of_judge(judge, folder))
        entry |= terms
        _add_build(entry, identity)
        manifest = manifest.with_entry("judges", judge.judge_id, entry=entry)
    write_manifest(folder.manifest, manifest)


def _sealed(
    entry: dict[str, Any],
    judge: EngineJudge,
    folder: StudyFolder,
    asked: Collection[str],
    order: str | None,
) -> dict[str, Any]:
    """Return the entry of a judge with its settings as they are now."""
    judge_id = judge.judge_id
    terms = {"prompt_hash": judge.prompt_hash(), **judge.settings()}
    # The order of the set, in which older judges were asked, has no name in a manifest.
    if order is not None:
        terms["order"] = order
    if judge_id in asked:
        if not entry:
            raise StudyError(
                f"{folder.manifest} has no seal of the judge {judge_id!r}, whose answers are kept "
                f"in {folder.replies}. Restore the manifest, or run the study elsewhere with --out."
            )
        _refuse_change(entry, {"order": order}, folder, *_of_judge(judge, folder))
        # A setting that the seal does not have was the default when the judge was sealed.
        entry |= {key: value for key, value in terms.items() if key not in entry}
        _refuse_change(entry, terms, folder, *_of_judge(judge, folder))
    elif _first_change(entry, {"order": None, **terms}) is not None:
        is_late = any(other != judge_id for other in asked)
        unknown = dict.fromkeys(ANSWERER)
        return {**terms, **unknown, "joined_late": is_late, "builds": []}
    return entry


def _with_contrast(
    manifest: Manifest, contrast: ContrastSpec, folder: StudyFolder, known: Collection[str]
) -> Manifest:
    terms = contrast.model_dump(exclude={"name"})
    entry = manifest.entry("contrasts", contrast.name)
    if not entry:
        is_late = contrast.judge in known or contrast.against in known
        entry = {**terms, "post_hoc": is_late}
    _refuse_change(
        entry,
        terms,
        folder,
        f"contrast {contrast.name!r}",
        f"Restore it in {folder.file}, or declare the new one under another name; it will be "
        "marked as post hoc if its judges have answered already.",
    )
    return manifest.with_entry("contrasts", contrast.name, entry=entry)


def _of_judge(judge: EngineJudge, folder: StudyFolder) -> tuple[str, str]:
    """Return the name of a judge in an error, and what to do if it changed."""
    return (
        f"judge {judge.judge_id!r}",
        "One id cannot hold two kinds of verdicts: give the judge of "
        f"{folder.file} another id, or restore what changed.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorSeal:
    """The seal of a model that makes the runs of a study.

    ``name`` is that of the model in errors, ``place`` that of its table in the manifest.
    ``terms`` are its settings in the study file as it is now, and ``turns`` returns the turns
    that it has taken under this seal. ``key_from``, the variable of its key, is no part of it.
    """

    folder: StudyFolder
    name: str
    place: tuple[str, ...]
    terms: Mapping[str, Any]
    turns: Callable[[], Iterable[ModelTurn]]
    key_from: str | None = None

    def check(self) -> None:
        """Raise a `StudyError` if the kept answers are of another model or of other settings."""
        if self._has_answers():
            self._refuse_change(self.entry(), self.terms)

    def enter(self, identity: Identity) -> None:
        """Seal which model answers, before the first request; another model is refused."""
        terms = {**self.terms, **_answerer(identity)}
        entry = self.entry() if self._has_answers() else {**terms, "builds": []}
        self._refuse_change(entry, terms)
        _add_build(entry, identity)
        manifest = read_manifest(self.folder.manifest)
        write_manifest(self.folder.manifest, manifest.with_entry(*self.place, entry=entry))

    def entry(self) -> dict[str, Any]:
        """Return the sealed table; if the manifest was lost, what is known from its first turn."""
        sealed = read_manifest(self.folder.manifest).entry(*self.place)
        return sealed or {**self.terms, **_answerer(next(iter(self.turns()))), "builds": []}

    def _has_answers(self) -> bool:
        return any(turn.text is not None for turn in self.turns())

    def _refuse_change(self, entry: Mapping[str, Any], terms: Mapping[str, Any]) -> None:
        _refuse_change(
            entry,
            terms,
            self.folder,
            f"{self.name} of {self.folder.file}",
            "One set cannot hold the runs of two models under one name: restore what changed, or "
            "run the study elsewhere with --out.",
        )


def agent_seal(
    folder: StudyFolder,
    spec: AgentSpec,
    transcript: Transcript,
    *,
    prompt_hash: str,
    max_tokens: int,
) -> GeneratorSeal:
    """Return the seal of a study's agent, which is sent prompts of some hash."""
    settings = spec.model_dump(exclude={"episodes", "key_from"})
    return GeneratorSeal(
        folder=folder,
        name="agent",
        place=("agent",),
        terms={"prompt_hash": prompt_hash, **settings, "max_tokens": max_tokens},
        turns=transcript.turns,
        key_from=spec.key_from,
    )


def planner_seal(
    folder: StudyFolder, spec: PlannerSpec, transcript: Transcript, *, prompt_hash: str
) -> GeneratorSeal:
    """Return the seal of one of a study's planners, which is sent prompts of some hash."""
    return GeneratorSeal(
        folder=folder,
        name=f"planner {spec.id!r}",
        place=("planners", spec.id),
        terms={"prompt_hash": prompt_hash, **spec.model_dump(exclude={"id", "key_from"})},
        turns=lambda: turns_by(transcript, spec.id),
        key_from=spec.key_from,
    )


def turns_by(transcript: Transcript, planner_id: str) -> Iterator[ModelTurn]:
    """Yield the turns of a planner on all records."""
    for turn in transcript.turns():
        # Record, tier and planner, as in WFL-00012-easy-small; the last may hold hyphens.
        if turn.trajectory_id.split("-", 3)[-1] == planner_id:
            yield turn


def _first_change(entry: Mapping[str, Any], terms: Mapping[str, Any]) -> str | None:
    return next((key for key, value in terms.items() if entry.get(key) != value), None)


def _refuse_change(
    entry: Mapping[str, Any], terms: Mapping[str, Any], folder: StudyFolder, name: str, advice: str
) -> None:
    """Refuse terms that differ from the sealed ones."""
    key = _first_change(entry, terms)
    if key is not None:
        raise StudyError(
            f"The {name} was sealed in {folder.manifest} with {key} {entry.get(key)!r}, and now "
            f"it is {terms[key]!r}. {advice}"
        )


def _answerer(source: Identity | ModelTurn) -> dict[str, Any]:
    return {"engine_version": source.engine_version, "model_digest": source.model_digest}


def _add_build(entry: dict[str, Any], identity: Identity) -> None:
    builds = entry.setdefault("builds", [])
    if identity.build is not None and identity.build not in builds:
        builds.append(identity.build)
