"""Whether the records of a study are what its study file and its logs give.

The study is run again in a temporary folder from what cannot be made again: the study file,
the manifest, and the logs of answers. No request is sent. Each record that this run makes is
compared byte for byte with the kept one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from faultpair.calls.session import RunLimits, RunOutcome
from faultpair.env.jsonl import read_records
from faultpair.sets.build import build
from faultpair.studies.files import first_other_line, partial_of, sha256_of
from faultpair.studies.folder import StudyFolder, errors_named_by
from faultpair.studies.manifest import HUMAN, MANIFEST, VERDICTS, read_manifest, write_manifest
from faultpair.studies.seals import LOGS, SET

from .run import run_study

__all__ = ["RunAgain", "run_again", "sealed_file"]

KEPT = (MANIFEST, HUMAN, *LOGS)
"""What a run starts from, beside the study file."""


@dataclass(frozen=True, slots=True)
class RunAgain:
    """A study that was run again, without a request, from what is kept of it.

    ``made`` is the temporary folder of the records, ``kept`` that of the study. Without
    judges, the set was built and there is no ``outcome``.
    """

    kept: StudyFolder
    made: StudyFolder
    outcome: RunOutcome | None

    @property
    def is_whole(self) -> bool:
        """Whether the set could be made: models have made all runs of it."""
        return self.outcome is None or not self.outcome.n_unmade

    def problems(self, *names: str) -> Iterator[str]:
        """Yield a line for each record that differs from the kept one.

        A record that is kept by its digest alone is compared with that.
        """
        sealed = read_manifest(self.kept.manifest, accept_edits=True).sha256
        for name in names:
            kept, made = sealed_file(self.kept.out / name, sealed.get(name)), self.made.out / name
            if not made.is_file():
                if kept.is_file():
                    yield f"{kept}: the study file makes no such file"
            elif kept.is_file():
                if (number := first_other_line(kept, made)) is not None:
                    yield f"{kept}: line {number} is not as it is made again"
            elif name not in sealed:
                yield f"{kept}: missing"
            elif sha256_of(made) != sealed[name]:
                yield f"{kept}: it is not kept, and its digest in {MANIFEST} is of another file"


@contextmanager
def run_again(folder: StudyFolder) -> Iterator[RunAgain]:
    """Run a study in a temporary folder, and yield what it made.

    Raises
    ------
    FaultpairError
        If the study cannot be run again from what is kept: a turn is missing or of another
        question, a sealed setting is another one, a plug-in is not installed.
    """
    with TemporaryDirectory(prefix="faultpair-") as name:
        made = replace(folder, out=Path(name, folder.out.resolve().name))  # tables hold its name
        made.out.mkdir()
        with errors_named_by(folder.out, made.out):
            outcome = _outcome(folder, made)
        yield RunAgain(folder, made, outcome)


def _outcome(folder: StudyFolder, made: StudyFolder) -> RunOutcome | None:
    """Make all records of a study in another folder; None if there is only a set to make."""
    if not folder.study.made_by_models:
        build(made)
    _copy_kept(folder, made)
    if not folder.study.made_by_models and not _is_judged(folder):
        return None
    extra = _added_judges(folder)
    return run_study(made, extra=extra, limits=RunLimits(verdicts=0, calls=0))


def _copy_kept(folder: StudyFolder, made: StudyFolder) -> None:
    """Copy what a run starts from. The digests of a set that was built are those of that set.

    A run would otherwise refuse a set with other digests before it can be compared.
    """
    built = read_manifest(made.manifest).sha256
    for kept in (folder.out / name for name in KEPT):
        if kept.is_file():
            shutil.copy(kept, made.out)
    manifest = read_manifest(made.manifest)
    if built and manifest.sha256:
        entry = manifest.entry("sha256") | {name: built[name] for name in SET if name in built}
        write_manifest(made.manifest, manifest.with_entry("sha256", entry=entry))


def sealed_file(file: Path, digest: str | None) -> Path:
    """Return a file, or the sealed one of a run that was killed before it took its name."""
    partial = partial_of(file)
    is_left = digest is not None and partial.is_file() and sha256_of(partial) == digest
    return partial if is_left else file


class _Verdict(msgspec.Struct):
    judge_id: str


def _is_judged(folder: StudyFolder) -> bool:
    has_verdicts = VERDICTS in read_manifest(folder.manifest, accept_edits=True).sha256
    return has_verdicts or folder.verdicts.is_file() or folder.replies.is_file()


def _added_judges(folder: StudyFolder) -> tuple[str, ...]:
    """Return the judges that a command line added, in the order of their verdicts."""
    if not folder.verdicts.is_file():
        return ()
    ids = {verdict.judge_id: None for verdict in read_records(folder.verdicts, _Verdict)}
    return tuple(judge_id for judge_id in ids if judge_id not in folder.study.judge_ids)
