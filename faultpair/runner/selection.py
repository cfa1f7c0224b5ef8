"""Which judges are asked in a run, and which earlier judges keep their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from faultpair.calls.session import RunLimits
from faultpair.engines.catalog import shown_name
from faultpair.engines.secrets import key_in
from faultpair.env.errors import StudyError, UsageError
from faultpair.studies.exchanges import ExchangeLog
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import seal_study
from faultpair.studies.runs import Run

from .order import RequestOrder
from .panel import JudgeAssignment, Panel, names_an_engine, panel_of
from .requests import RequestState, pending, plan_requests

__all__ = ["JudgeSelection", "seal_selection", "select_judges"]


@dataclass(frozen=True, slots=True)
class JudgeSelection:
    """The judges of a run.

    ``panel`` holds all judges with known answers, ``declared`` the assignments of the study
    file and the command line, and ``assignments`` those that may be asked in this run,
    each with its number of passes. ``order`` is that of their requests.
    """

    panel: Panel
    declared: tuple[JudgeAssignment, ...]
    assignments: tuple[JudgeAssignment, ...]
    order: RequestOrder

    def states(
        self, runs: Sequence[Run], log: ExchangeLog, *, share: bool = True
    ) -> list[RequestState]:
        """Return the state of each request of the panel about some runs."""
        state_of = partial(RequestState.of, log=log, share=share)
        return list(map(state_of, plan_requests(self.panel.assignments, runs, self.order)))

    def wanted(self, states: Iterable[RequestState]) -> list[RequestState]:
        """Return the states of the requests that may be sent in this run, settled or not."""
        repeats = {each.judge.judge_id: each.repeats for each in self.assignments}
        return [
            state
            for state in states
            if state.request.key.repeat < repeats.get(state.request.key.judge_id, 0)
        ]

    def to_send(
        self, states: Iterable[RequestState], limits: RunLimits, *, retry: bool = False
    ) -> list[RequestState]:
        """Return the states whose requests are to be sent in this run (see `pending`)."""
        return list(pending(self.wanted(states), share=limits.share, retry=retry))

    def check_keys(self, states: Iterable[RequestState]) -> None:
        """Raise a `UsageError` if a judge with a request to send has no key where its table says.

        All are checked before the first is asked.
        """
        sending = {state.request.key.judge_id for state in states}
        for each in self.assignments:
            if each.key_from is not None and each.judge.judge_id in sending:
                key_in(each.key_from, f"key_from of the judge {each.judge.judge_id!r}")


def select_judges(
    folder: StudyFolder, extra: Sequence[str], limits: RunLimits, log: ExchangeLog
) -> JudgeSelection:
    """Return the judges of a run.

    A judge from an earlier command line, and passes beyond those of the study, keep
    their verdicts without being named again.

    Raises
    ------
    UsageError, StudyError
        If a limit or a contrast names an unknown judge.
    """
    ids = {*folder.study.judge_ids, *map(shown_name, extra)}
    earlier = [name for name in log.passes if name not in ids and names_an_engine(name)]
    panel = panel_of(folder.study, (*extra, *earlier))
    present = tuple(judge_id for judge_id in panel.ids if judge_id not in earlier)
    only = tuple(map(shown_name, limits.only))
    for name in only:
        if name not in present:
            raise UsageError(f"The study has no judge {name!r}. Its judges: {', '.join(present)}.")
    _refuse_unknown_contrasts(folder, panel)
    _refuse_unknown_stops(folder, panel)
    declared = tuple(each for each in panel.assignments if each.judge.judge_id in present)
    assignments = tuple(
        each if limits.repeats is None else replace(each, repeats=limits.repeats)
        for each in declared
        if not only or each.judge.judge_id in only
    )
    repeats = {each.judge.judge_id: each.repeats for each in assignments}
    known = tuple(_widened(each, repeats, log.passes) for each in panel.assignments)
    study = folder.study
    order = RequestOrder(study.seed, study.world, is_drawn=study.stop is not None)
    return JudgeSelection(replace(panel, assignments=known), declared, assignments, order)


def _refuse_unknown_contrasts(folder: StudyFolder, panel: Panel) -> None:
    """Refuse a contrast with an unknown judge, before it is sealed and the others are asked."""
    for contrast in folder.study.contrasts:
        for judge_id in (contrast.judge, contrast.against):
            if judge_id not in panel.ids:
                raise StudyError(
                    f"The contrast {contrast.name!r} of {folder.file} names the judge "
                    f"{judge_id!r}, which the study does not have. Its judges: "
                    f"{', '.join(panel.ids)}."
                )


def _refuse_unknown_stops(folder: StudyFolder, panel: Panel) -> None:
    """Refuse to stop a judge that makes no requests."""
    asking = [each.judge.judge_id for each in panel.assignments]
    for group in () if folder.study.stop is None else folder.study.stop.watched(asking):
        for judge_id in group:
            if judge_id not in asking:
                raise StudyError(
                    f"[stop] of {folder.file} names the judge {judge_id!r}, which is none that "
                    f"asks an engine. Those of the study: {', '.join(asking) or 'none'}."
                )


def _widened(assignment: JudgeAssignment, *passes: dict[str, int]) -> JudgeAssignment:
    known = (counts.get(assignment.judge.judge_id, 0) for counts in passes)
    return replace(assignment, repeats=max(assignment.repeats, *known))


def seal_selection(folder: StudyFolder, selection: JudgeSelection, log: ExchangeLog) -> None:
    """Seal the declared judges and the contrasts of a study, before the first answers."""
    judges = [each.judge for each in selection.declared]
    known = _known_judges(folder, log, selection)
    order_of = selection.order.name_for
    seal_study(folder, judges, asked=log.passes, known=known, order_of=order_of)


def _known_judges(folder: StudyFolder, log: ExchangeLog, selection: JudgeSelection) -> set[str]:
    """Return the judges whose verdicts may be known: all, if a run with answers did not end."""
    known = set(log.passes)
    if known and not folder.verdicts.exists():
        known |= set(selection.panel.ids)
    if folder.verdicts.exists():
        with folder.verdicts.open("rb") as lines:
            for line in lines:
                # An earlier version, when killed, left half a line; the file is written anew.
                with suppress(msgspec.DecodeError, RecursionError):
                    known.add(_JUDGED.decode(line).judge_id)
    return known


class _Judged(msgspec.Struct):
    judge_id: str


_JUDGED = msgspec.json.Decoder(_Judged)
