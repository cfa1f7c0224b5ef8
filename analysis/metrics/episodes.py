"""Episodes: the outcomes of a model that acts in the world, from the facts kept of each."""

from __future__ import annotations

from collections.abc import Iterable, Sized

from faultpair.agents.episode_facts import Ending, EpisodeFacts, LabelledBy
from faultpair.env.domain import Confirmation

from ..data.episode_calls import EpisodeCalls
from ..data.study_data import StudyData
from ..stats.estimate import Estimate, count
from ..stats.intervals import proportion
from .key import Group, NumberKey, Numbers

__all__ = ["agent_key", "confirmation_in", "episode_numbers", "fault_kinds"]


def agent_key(stat: str) -> NumberKey:
    """Return the key of a number of the acting model."""
    return NumberKey(stat, family="agent")


def fault_kinds(study: StudyData) -> dict[NumberKey, str]:
    """Return each kind of fault among the episodes by the key of its share."""
    kinds = {one.failure_type for one in study.episodes if one.failure_type}
    return {agent_key("")._replace(group=Group("kind", kind)): kind for kind in sorted(kinds)}


def episode_numbers(study: StudyData) -> Numbers:
    """Return counts and shares of the episodes; nothing where no model acted."""
    episodes = study.episodes
    if not episodes:
        return {}
    replied = [one for one in episodes if one.ended == Ending.REPLY]
    confirmation = confirmation_in(study)
    confirmed = [one.is_confirmed for one in episodes if one.is_confirmed is not None]
    shares = {
        "faulty": _of(episodes, (one.faulty for one in episodes)),
        "silent": _of(episodes, (one.faulty and one.outcome_correct for one in episodes)),
        "loud": _of(episodes, (one.faulty and not one.outcome_correct for one in episodes)),
        "by-rule": _of(episodes, (one.labelled_by == LabelledBy.RULE for one in episodes)),
        "by-outcome": _of(episodes, (one.labelled_by == LabelledBy.OUTCOME for one in episodes)),
        "outcome-wrong": _of(episodes, (not one.outcome_correct for one in episodes)),
        "replied": _of(episodes, (one.ended == Ending.REPLY for one in episodes)),
        "turn-limit": _of(episodes, (one.ended == Ending.TURN_LIMIT for one in episodes)),
        "unreadable": _of(episodes, (one.ended == Ending.UNREADABLE for one in episodes)),
        "too-long": _of(episodes, (one.ended == Ending.TOO_LONG for one in episodes)),
        "oracle-reply": _of(replied, (one.reply_is_oracles for one in replied)),
    }
    if confirmation is not None:
        shares[confirmation.name] = _of(confirmed, confirmed)
    shares |= _of_calls(study.episode_calls)
    totals = _totals(episodes) | _totals_of_calls(study.episode_calls)
    return {agent_key(stat): number for stat, number in (totals | shares).items()} | {
        key: _of(episodes, (one.failure_type == kind for one in episodes))
        for key, kind in fault_kinds(study).items()
    }


def confirmation_in(study: StudyData) -> Confirmation | None:
    """Return the fact that some replies of a study's domain must state."""
    domain = study.runs.only_domain()
    dialogue = domain.dialogue if domain else None
    return dialogue.confirmation if dialogue else None


def _totals(episodes: tuple[EpisodeFacts, ...]) -> dict[str, Estimate]:
    totals = {
        "episodes": len(episodes),
        "calls": sum(one.n_steps for one in episodes),
        "calls-refused": sum(one.n_refused for one in episodes),
        "answers-unreadable": sum(one.n_unreadable for one in episodes),
        "prompt-tokens": sum(one.prompt_tokens for one in episodes),
        "completion-tokens": sum(one.completion_tokens for one in episodes),
    }
    return {name: count(total, len(episodes)) for name, total in totals.items()}


def _totals_of_calls(calls: tuple[EpisodeCalls, ...]) -> dict[str, Estimate]:
    totals = {
        "calls-repeated": sum(one.n_repeated for one in calls),
        "replies": sum(one.n_replies for one in calls),
    }
    return {name: count(total, len(calls)) for name, total in totals.items()}


def _of_calls(calls: tuple[EpisodeCalls, ...]) -> dict[str, Estimate]:
    """Return shares of episodes by their calls, and of replies by what they speak of."""
    ordered = [one for one in calls if one.follows is not None]
    spoken = [one for one in calls if one.mentions is not None]
    done, undone = ([one for one in spoken if one.is_done is is_done] for is_done in (True, False))
    return {
        "repeats-a-call": _of(calls, (one.n_repeated > 0 for one in calls)),
        "replied-once": _of(calls, (one.n_replies == 1 for one in calls)),
        "sequence-strict": _of(ordered, (bool(one.follows_strictly) for one in ordered)),
        "sequence-lenient": _of(ordered, (bool(one.follows) for one in ordered)),
        "mentions-done": _of(done, (bool(one.mentions) for one in done)),
        "mentions-undone": _of(undone, (bool(one.mentions) for one in undone)),
    }


def _of(some: Sized, hits: Iterable[bool]) -> Estimate:
    return proportion(sum(hits), len(some), "there is no such episode")
