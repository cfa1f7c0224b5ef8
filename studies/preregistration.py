"""The seal: what was fixed about a judge and a contrast before the first answer was in.

It stands in the manifest. A judge may join later, which is recorded; a judge whose
prompt or settings changed is another judge and needs another id; a contrast that
is declared when one of its judges has answered already is marked as post hoc.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from faultpair.engines.engine import Identity
from faultpair.env.errors import StudyError
from faultpair.runner.panel import JudgeAssignment

from .folder import StudyFolder
from .manifest import read_manifest, write_manifest
from .sections import ContrastSpec

__all__ = ["seal_answerer", "seal_study"]

ANSWERER = ("engine_version", "model", "model_digest")
"""What is only known of a judge once its engine was asked who it is."""


def seal_study(
    folder: StudyFolder,
    seats: Sequence[JudgeAssignment],
    *,
    asked: Collection[str],
    known: Iterable[str],
) -> None:
    """Enter every judge that asks and every contrast that is new, with its reading.

    Parameters
    ----------
    asked : the judges that have asked already; their terms stand
    known : the judges, of any kind, whose verdicts could be known by now

    Raises
    ------
    StudyError
        If a judge that has asked, or a sealed contrast, was changed.
    """
    manifest = read_manifest(folder.manifest)
    known = set(known)
    if seats:
        judges = manifest.setdefault("judges", {})
        for seat in seats:
            _seal_judge(judges, seat, folder, set(asked))
    if folder.study.contrasts:
        sealed = manifest.setdefault("contrasts", {})
        for contrast in folder.study.contrasts:
            _seal_contrast(sealed, contrast, folder, known)
    write_manifest(folder.manifest, manifest)


def seal_answerer(
    folder: StudyFolder,
    seats: Iterable[JudgeAssignment],
    identity: Identity,
    *,
    asked: Collection[str],
) -> None:
    """Enter who answers some judges, before their first answer.

    Raises
    ------
    StudyError
        If somebody else has answered one of them before.
    """
    manifest = read_manifest(folder.manifest)
    for seat in seats:
        judge_id = seat.judge.judge_id
        entry = manifest["judges"][judge_id]
        for key in ANSWERER:
            value = getattr(identity, key)
            if judge_id in asked and entry.get(key) != value:
                raise StudyError(_changed_judge(judge_id, key, entry.get(key), value, folder))
            entry[key] = value
        builds = entry.setdefault("builds", [])
        if identity.build is not None and identity.build not in builds:
            builds.append(identity.build)
    write_manifest(folder.manifest, manifest)


def _seal_judge(
    judges: dict[str, Any], seat: JudgeAssignment, folder: StudyFolder, asked: set[str]
) -> None:
    judge_id = seat.judge.judge_id
    terms = {"prompt_hash": seat.judge.prompt_hash(), **seat.judge.settings()}
    entry = judges.get(judge_id)
    if entry is None and judge_id in asked:
        raise StudyError(
            f"{folder.manifest} has no seal of the judge {judge_id!r}, whose answers are kept in "
            f"{folder.replies}. Restore the manifest, or run the study elsewhere with --out."
        )
    if entry is not None and judge_id in asked:
        for key, value in terms.items():
            # A setting that the entry does not know was the default when it was sealed.
            if entry.setdefault(key, value) != value:
                raise StudyError(_changed_judge(judge_id, key, entry[key], value, folder))
    elif entry is None or any(entry.get(key) != value for key, value in terms.items()):
        is_late = bool(asked - {judge_id})
        nobody = dict.fromkeys(ANSWERER)
        judges[judge_id] = {**terms, **nobody, "joined_late": is_late, "builds": []}


def _seal_contrast(
    sealed: dict[str, Any], contrast: ContrastSpec, folder: StudyFolder, known: set[str]
) -> None:
    terms = contrast.model_dump(exclude={"name"})
    entry = sealed.get(contrast.name)
    if entry is None:
        is_late = bool(known & {contrast.judge, contrast.against})
        sealed[contrast.name] = {**terms, "post_hoc": is_late}
        return
    for key, value in terms.items():
        if entry.get(key) != value:
            raise StudyError(_changed_contrast(contrast, key, entry.get(key), value, folder))


def _changed_contrast(
    contrast: ContrastSpec, key: str, was: Any, now: Any, folder: StudyFolder
) -> str:
    return (
        f"The contrast {contrast.name!r} was sealed in {folder.manifest} with {key} {was!r}, and "
        f"in {folder.file} it is {now!r}. Restore it, or declare the new one under another name; "
        "it will be marked as post hoc if its judges have answered already."
    )


def _changed_judge(judge_id: str, key: str, was: Any, now: Any, folder: StudyFolder) -> str:
    return (
        f"The judge {judge_id!r} was sealed in {folder.manifest} with {key} {was!r}, and now it "
        f"is {now!r}. Verdicts of two kinds must not stand under one id: give the judge of "
        f"{folder.file} another id, or restore what changed."
    )
