"""The 224 numbers of the paper that follow from its public release, one by one.

What only that release has (words in its rationales, its invented sentences, its
votes) is counted here and not in `analysis`.
"""

import json
import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from faultpair.analysis.data.release import load_release
from faultpair.analysis.metrics.catalog import Computed, compute, numbers_of
from faultpair.analysis.metrics.key import Group
from faultpair.analysis.stats.bootstrap import UnitColumns
from faultpair.analysis.stats.intervals import percentile
from faultpair.analysis.tables.paper_intervals import of_paper, paper_intervals
from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Step

from ..conftest import named

JUDGES = {
    "rules": "programmatic",
    "outcome": "outcome:qwen2.5:14b",
    "step14b": "step:qwen2.5:14b",
    "step8b": "step:llama3.1:8b",
    "selfcons": "selfcons3:qwen2.5:14b",
}
CELLS = {
    "unchanged_silent": "cell=unchanged-survives",
    "unchanged_loud": "cell=unchanged-lost",
    "changed_silent": "cell=changed-survives",
    "changed_loud": "cell=changed-lost",
}
UNCHANGED = (
    "wrong_tool",
    "hallucinated_argument",
    "skipped_precondition",
    "ignored_observation",
)
METRICS = {
    "recall": "recall/all",
    "silent": "recall/silent",
    "loud": "recall/loud",
    "fa": "false-alarms",
    "delta": "delta/all",
    "loc_det": "localisation/detected",
    "loc_joint": "localisation/joint",
    "type_f1": "typing/macro-f1",
    "ece": "ece",
    "brier": "brier",
    "f1": "f1",
    "type_joint": "typing/joint",
    "ppv5": "precision/0.05",
}
STEMS = (
    ("replacement", "dispatch", "tuesday"),
    ("subscription", "cancel"),
    ("voucher", "credited"),
    ("courier", "collect", "tomorrow"),
)
ABOUT_THE_REPLY = re.compile(
    r"\b(repl(?:y|ies|ied|ying)|answer\w*|messages?|respon\w*)\b", re.IGNORECASE
)
PROCEDURE = ("get_customer", "lookup_order", "get_policy", "check_eligibility")


@pytest.fixture(scope="module")
def release(release_dir):
    return load_release(release_dir / "raw", release_dir / "instances.jsonl")


@pytest.fixture(scope="module")
def computed(release):
    return compute(release)


@pytest.fixture(scope="module")
def numbers(computed):
    return named(numbers_of(computed))


@pytest.fixture(scope="module")
def expected(release_dir):
    found = json.loads((release_dir / "expected.json").read_text(encoding="utf-8"))
    return {name: entry for name, entry in found.items() if name != "_doc"}


@pytest.fixture(scope="module")
def ours(computed, numbers, release_dir):
    found = {}
    found |= _design(numbers)
    found |= _tables(computed, numbers)
    found |= _sections(computed, numbers)
    return found | Texts(release_dir, computed).numbers()


def test_all_numbers_of_the_paper_come_out(ours, expected):
    assert len(expected) == 224
    assert sorted(expected) == sorted(ours)
    problems = []
    for name, entry in expected.items():
        value, low, high = ours[name]
        wrong = _differs(entry, value, low, high)
        line = f"{name:56} {value!s:>22} {entry['value']!s:>14} {_difference(value, entry)}\n"
        sys.stdout.write(line)
        if wrong:
            problems.append(f"{name}: {wrong}; ours {value, low, high}, expected {entry}")
    assert not problems, "\n".join(problems)


def test_points_agree_at_every_printed_digit(ours, expected):
    for name, entry in expected.items():
        printed = str(entry["paper"]["value"])
        value = ours[name][0]
        if re.fullmatch(r"[+-]?\d+\.\d+", printed) and not isinstance(value, str):
            digits = len(printed.split(".")[1])
            assert abs(value - float(printed)) <= 0.5 * 10**-digits + 1e-12, name


def test_late_parents_pair_every_fault_and_leave_their_verdicts_open(release_dir, numbers):
    late = load_release(
        release_dir / "raw",
        release_dir / "instances.jsonl",
        late_parents=release_dir / "late_parents.jsonl",
    )
    now = named(numbers_of(compute(late, n_resamples=200)))
    outcome = f"{JUDGES['outcome']}/"
    assert now["design/pairs"].estimate == 300
    assert now["design/unpaired"].estimate == 0
    assert now[f"{outcome}delta/all"].estimate == numbers[f"{outcome}delta/all"].estimate
    assert now[f"{outcome}pairs/all/dropped"].estimate == 49
    blind, seeing = (now[f"{JUDGES[name]}/bounds/all"] for name in ("outcome", "step14b"))
    assert blind.ci_low == blind.ci_high == 41 / 300
    assert seeing.ci_low < seeing.estimate < seeing.ci_high
    assert now["design/pairs/blind=goal-and-reply"].estimate == 200


def test_the_table_of_the_release_has_both_intervals(computed, numbers, expected):
    table = paper_intervals(computed, numbers_of(computed))
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    ours, papers = rows[JUDGES["outcome"], "Δ"]
    entry = expected["table3.outcome.delta"]
    assert ours.estimate == papers.estimate == pytest.approx(entry["value"])
    assert papers.ci_low == pytest.approx(entry["lo"], abs=0.004)
    assert ours == numbers[f"{JUDGES['outcome']}/delta/all"]
    assert ours.ci_low < papers.ci_low
    assert len(rows) > 80


def test_precision_in_the_set_is_the_share_of_flagged_runs_that_are_faulty(numbers, expected):
    small = JUDGES["step8b"]
    flags = expected["s7_3.step8b.flags"]["value"]
    detected = expected["s7_3.step8b.detected"]["value"]
    own = numbers[f"{small}/precision/own"]
    assert own.estimate == pytest.approx(detected / flags)
    assert own.ci_low < own.estimate < own.ci_high
    assert numbers[f"{small}/precision/own/floor"].estimate == own.ci_low
    assert numbers["flag all/precision/own"].estimate == 0.75


def test_flagging_all_has_the_f1_that_the_release_names(numbers, expected):
    assert "600/700" in expected["s7_3.step8b.f1"]["note"]
    assert numbers["flag all/f1"].estimate == pytest.approx(600 / 700)
    assert numbers["flag none/f1"].estimate == 0


def test_brier_by_class_makes_the_brier_score_that_the_release_gives(numbers, expected):
    for short, judge in JUDGES.items():
        faults, clean = (numbers[f"{judge}/brier/{name}"] for name in ("faults", "clean"))
        assert (faults.n, clean.n) == (300, 100)
        mean = (300 * faults.estimate + 100 * clean.estimate) / 400
        assert mean == pytest.approx(numbers[f"{judge}/brier"].estimate, abs=1e-9), short


def test_named_steps_leave_out_what_lies_outside_of_the_run(numbers, expected):
    named_steps = numbers[f"{JUDGES['step14b']}/localisation/named"]
    missing = expected["s6.step14b.steps_outside"]["value"]
    assert named_steps.n == expected["s7_3.step14b.detected"]["value"] - missing
    detected = numbers[f"{JUDGES['step14b']}/localisation/detected"]
    assert named_steps.estimate * named_steps.n == pytest.approx(detected.estimate * detected.n)
    assert numbers[f"{JUDGES['outcome']}/localisation/named"].estimate is None


def test_types_are_counted_by_scenario(numbers):
    counted = "design/type-by-scenario/type=skipped_precondition"
    assert [numbers[f"{counted}/{name}"].estimate for name in ("happy", "restocking")] == [25, 25]
    assert f"{counted}/expired" not in numbers
    of_type = [
        numbers[name].estimate for name in numbers if name.startswith("design/type-by-scenario/")
    ]
    assert sum(of_type) == 300
    flagged = numbers[f"{JUDGES['outcome']}/flagged-by-scenario/type=wrong_tool/happy"]
    assert (flagged.estimate, flagged.n) == (7, 9)


def test_vote_shares_of_the_released_passes_are_those_of_its_rationales(numbers, release_dir):
    votes = Counter()
    for verdict in _lines(release_dir / "raw/verdicts.jsonl"):
        if verdict["judge_id"] == JUDGES["selfcons"]:
            is_clean = verdict["trajectory_id"].endswith("-clean")
            votes["clean" if is_clean else "faults", int(verdict["rationale"][0])] += 1
    for (name, flags), n in votes.items():
        assert numbers[f"{JUDGES['selfcons']}/votes/{name}/{flags} of 3"].estimate == n
    assert len(votes) == 7  # no clean run has three
    assert f"{JUDGES['selfcons']}/auc/all" in numbers


def test_invented_sentences_are_wordings(numbers, expected):
    voucher = "Your account has been credited with a 10 EUR voucher as an apology"
    judge = f"{JUDGES['step14b']}/recall/variant"
    found = {name: one for name, one in numbers.items() if name.startswith(judge)}
    own = found.pop(f"{judge}={voucher}/type=unsupported_claim")
    assert _flags({"": own}, "") == expected["s7_3.step14b.sentence.voucher.flagged"]["value"]
    assert own.n == expected["s7_3.step14b.sentence.voucher.n"]["value"]
    others = expected["s7_3.step14b.sentence.other_three.flagged"]
    assert sum(_flags(found, name) for name in found) == others["value"]
    assert (len(found), sum(one.n for one in found.values())) == (3, others["n"])


@pytest.mark.parametrize("strictly", [True, False])
def test_the_required_sequence_is_that_of_the_clean_runs_of_the_release(release_dir, strictly):
    runs = _lines(release_dir / "raw/trajectories.jsonl")
    kept = Counter()
    for run in runs:
        steps = msgspec.convert(run["steps"], tuple[Step, ...])
        if DOMAINS["support_desk"].dialogue.follows(steps, strictly=strictly):
            kept[_kind(run)] += 1
    assert kept == {None: 100, "ignored_observation": 50, "unsupported_claim": 50}


def _differs(entry, value, low, high):
    if isinstance(entry["value"], str) or entry["value"] is None:
        return None if value == entry["value"] else "value"
    if abs(value - entry["value"]) > 5e-10 * max(1.0, abs(entry["value"])):
        return "value"
    if "lo" not in entry:
        return None
    exact = "Clopper" in entry["ci_method"]
    # Without n the tolerance is that of the release. s7_3.unsup_delta_step_minus_outcome, on 50
    # pairs, just keeps it though its own step is 0.02; see docs/decisions/0006-resample-stream.md.
    step = 1e-9 if exact else 1 / entry["n"] if "n" in entry else 0.004
    ends = ((low, entry["lo"]), (high, entry["hi"]))
    return "interval" if any(abs(a - b) > step + 1e-9 for a, b in ends) else None


def _difference(value, entry):
    if isinstance(value, str) or value is None:
        return "same" if value == entry["value"] else "different"
    return f"{value - entry['value']:+.1e}"


def _plain(value):
    return (value, None, None)


def _replicates(computed: Computed, judge: str):
    return named(computed.replicates(computed.study.judges.index(JUDGES[judge])))


def _drawn(computed: Computed, judge: str, name: str):
    number = _replicates(computed, judge).get(name)
    if number is None:
        return _plain(None)
    return (float(number.values[0]), *percentile(number.values))


def _number(computed, numbers, judge, metric):
    """Our number with the interval that the paper uses: exact at 0 and 1, else percentile.

    Those that we publish are others (docs/decisions/0036-intervals-that-cover.md).
    """
    replicates = computed.replicates(computed.study.judges.index(JUDGES[judge]))
    found = [of_paper(key, own) for key, own in replicates.items() if str(key) == metric]
    if not found or found[0].ci_low is None:
        return _drawn(computed, judge, metric)
    return found[0].estimate, found[0].ci_low, found[0].ci_high


def _of(numbers, name):
    return _plain(numbers[name].estimate)


def _design(numbers):
    found = {
        "design.n_trajectories": _of(numbers, "design/runs"),
        "design.n_clean": _of(numbers, "design/clean"),
        "design.n_silent": _of(numbers, "design/faults/silent"),
        "design.n_loud": _of(numbers, "design/faults/loud"),
        "design.n_verdicts": _of(numbers, "design/verdicts"),
        "design.n_reply_unchanged": _of(numbers, "design/faults/unchanged"),
        "design.n_reply_unchanged_silent": _of(numbers, "design/faults/cell=unchanged-survives"),
        "design.n_reply_unchanged_loud": _of(numbers, "design/faults/cell=unchanged-lost"),
        "design.n_pairs": _of(numbers, "design/pairs"),
    }
    for kind in (*UNCHANGED, "premature_stop", "unsupported_claim"):
        n = numbers[f"design/faults/type={kind}"].estimate
        silent = numbers[f"design/faults/type={kind}/silent"].estimate
        changed = numbers[f"design/faults/type={kind}/changed"].estimate
        fate = {0: "never", n: "always"}.get(silent, "at full price")
        found[f"table1.{kind}.n"] = _plain(n)
        found[f"table1.{kind}.rule_recall"] = _of(numbers, f"programmatic/recall/type={kind}")
        found[f"table1.{kind}.outcome_survives"] = _plain(fate)
        found[f"table1.{kind}.reply_changed"] = _plain({0: "no", n: "yes"}[changed])
    return found


def _tables(computed, numbers):
    found = {}
    number = partial(_number, computed, numbers)
    for judge, name in JUDGES.items():
        for short in ("recall", "silent", "loud", "fa", "delta", "loc_det", "loc_joint"):
            found[f"table3.{judge}.{short}"] = number(judge, METRICS[short])
        for short in ("type_f1", "ece"):
            found[f"table3.{judge}.{short}"] = number(judge, METRICS[short])
        for cell, group in CELLS.items():
            found[f"table4.{cell}.{judge}.recall"] = _of(numbers, f"{name}/recall/{group}")
            found[f"table4.{cell}.{judge}.delta"] = _drawn(computed, judge, f"delta/{group}")
        found[f"table4.clean.{judge}.false_alarms"] = number(judge, "false-alarms")
        found[f"s6.{judge}.ppv5"] = _drawn(computed, judge, "precision/0.05")
        found[f"appE.{judge}.f1"] = _drawn(computed, judge, "f1")
        found[f"appE.{judge}.type_joint"] = _drawn(computed, judge, "typing/joint")
        found[f"s7_3.{judge}.seconds_per_trajectory"] = _of(numbers, f"{name}/cost/seconds")
    for cell, group in CELLS.items():
        found[f"table4.{cell}.n"] = _of(numbers, f"design/faults/{group}")
        found[f"table4.{cell}.n_pairs"] = _of(numbers, f"design/pairs/{group}")
    return found


def _sections(computed, numbers):
    return (
        _section_6(numbers)
        | _section_7_1(computed, numbers)
        | _section_7_3(computed, numbers)
        | _differences(computed)
    )


def _section_6(numbers):
    step = JUDGES["step14b"]
    acted = numbers[f"{step}/localisation/detected/acted"]
    alarms = numbers[f"{step}/false-alarms"]
    recall = numbers[f"{step}/recall/all"].estimate * 0.05  # of 5 % faulty runs, taken as known
    return {
        "s6.step14b.fa_upper": _plain(alarms.ci_high),
        "s6.step14b.ppv5_at_fa_upper": _plain(recall / (recall + alarms.ci_high * 0.95)),
        "s6.step14b.loc_five_types_exact": _plain(round(acted.estimate * acted.n)),
        "s6.step14b.loc_five_types_detected": _plain(acted.n),
    }


def _section_7_1(computed, numbers):
    outcome = JUDGES["outcome"]
    recalls = [numbers[f"{outcome}/recall/type={kind}"].estimate for kind in UNCHANGED]
    found = {
        "s7_1.outcome.unchanged_recall_min": _plain(min(recalls)),
        "s7_1.outcome.unchanged_recall_max": _plain(max(recalls)),
        "s7_1.step14b.unchanged_recall": _of(numbers, f"{JUDGES['step14b']}/recall/unchanged"),
        "s7_1.outcome.loud_flags": _plain(_flags(numbers, f"{outcome}/recall/loud")),
        "s7_1.outcome.loud_flags_unchanged": _plain(
            _flags(numbers, f"{outcome}/recall/cell=unchanged-lost")
        ),
        "s7_1.outcome.delta_loud": _drawn(computed, "outcome", "delta/loud"),
        "s7_1.outcome.n_pairs_loud": _of(numbers, "design/pairs/loud"),
        "s7_1.outcome.delta_silent": _drawn(computed, "outcome", "delta/silent"),
        "s7_1.outcome.n_pairs_silent": _of(numbers, "design/pairs/silent"),
        "s7_1.outcome.delta_premature_stop": _of(numbers, f"{outcome}/delta/type=premature_stop"),
    }
    for short in ("recall", "delta"):
        gap = _drawn(computed, "outcome", f"gap/{short}-loud-minus-silent")
        found[f"s7_1.outcome.gap_{short}_loud_minus_silent"] = gap
    for judge, section in (("outcome", "s7_1"), ("step14b", "s7_3")):
        name = f"{section}.{judge}.delta_unsupported_claim"
        found[name] = _of(numbers, f"{JUDGES[judge]}/delta/type=unsupported_claim")
    found["s7_3.outcome.unsup_recall"] = _of(numbers, f"{outcome}/recall/type=unsupported_claim")
    others = {"expired", "non_refundable", "wrong_customer"}
    for scenario in ("happy", "restocking", "already_refunded"):
        name = f"{outcome}/false-alarms/scenario={scenario}"
        found[f"s7_1.outcome.clean_flags.{scenario}"] = _plain(_flags(numbers, name))
        found[f"s7_1.outcome.clean_n.{scenario}"] = _plain(numbers[name].n)
    names = [f"{outcome}/false-alarms/scenario={scenario}" for scenario in sorted(others)]
    flags = sum(_flags(numbers, name) for name in names)
    found["s7_1.outcome.clean_flags.other_escalations"] = _plain(flags)
    n = sum(numbers[name].n for name in names)
    found["s7_1.outcome.clean_n.other_escalations"] = _plain(n)
    return found


def _section_7_3(computed, numbers):
    step, small = JUDGES["step14b"], JUDGES["step8b"]
    exact = numbers[f"{small}/localisation/detected"]
    detected = _flags(numbers, f"{step}/recall/all")
    typed = numbers[f"{step}/typing/joint"]
    mistyped = detected - round(typed.estimate * typed.n)
    deltas = [numbers[f"{small}/{name}"].estimate for name in _by_type(computed)]
    halluc, stop = "confusion/hallucinated_argument", "confusion/premature_stop"
    found_halluc = numbers[f"{step}/recall/type=hallucinated_argument"]
    return {
        "s7_3.step8b.flags": _of(numbers, f"{small}/runs/flagged"),
        "s7_3.step8b.f1": _of(numbers, f"{small}/f1"),
        "s7_3.step8b.exact_step": _plain(round(exact.estimate * exact.n)),
        "s7_3.step8b.detected": _plain(_flags(numbers, f"{small}/recall/all")),
        "s7_3.step8b.type_joint": _of(numbers, f"{small}/typing/joint"),
        "s7_3.step8b.completion_tokens_mean": _of(numbers, f"{small}/cost/completion-tokens"),
        "s7_3.step14b.completion_tokens_mean": _of(numbers, f"{step}/cost/completion-tokens"),
        "s7_3.step8b.distinct_rationales": _of(numbers, f"{small}/rationales/distinct"),
        "s7_3.step8b.max_type_delta": _plain(max(deltas)),
        "s7_3.step14b.detected": _plain(detected),
        "s7_3.step14b.mistyped": _plain(mistyped),
        "s7_3.step14b.mistyped_share": _plain(mistyped / detected),
        "s7_3.step14b.halluc_detected": _plain(round(found_halluc.estimate * found_halluc.n)),
        "s7_3.step14b.halluc_as_wrong_tool": _of(numbers, f"{step}/{halluc}/wrong_tool"),
        "s7_3.step14b.prem_correct": _of(numbers, f"{step}/{stop}/premature_stop"),
        "s7_3.step14b.prem_as_unsupported": _of(numbers, f"{step}/{stop}/unsupported_claim"),
        "s7_3.step14b.prem_as_skipped": _of(numbers, f"{step}/{stop}/skipped_precondition"),
        "s7_3.selfcons.majority.ppv5": _drawn(computed, "selfcons", "precision/0.05"),
    }


def _differences(computed):
    found = {}
    pairs = {
        "s7_3.selfcons_minus_step.silent": ("selfcons", "step14b", "recall/silent"),
        "s7_3.selfcons_minus_step.type_f1": ("selfcons", "step14b", "typing/macro-f1"),
        "s7_3.selfcons_minus_step.ece": ("selfcons", "step14b", "ece"),
        "s7_3.selfcons_minus_step.brier": ("selfcons", "step14b", "brier"),
        "s7_3.unsup_delta_step_minus_outcome": (
            "step14b",
            "outcome",
            "delta/type=unsupported_claim",
        ),
    }
    for name, (one, other, metric) in pairs.items():
        left, right = (_replicates(computed, judge)[metric] for judge in (one, other))
        values = left.values - right.values
        found[name] = (float(values[0]), *percentile(values))
    return found


def _flags(numbers, name):
    return round(numbers[name].estimate * numbers[name].n)


def _by_type(computed):
    return [f"delta/type={kind}" for kind in computed.study.runs.failure_type.names]


class Texts:
    """What must be counted in the texts of the release."""

    def __init__(self, folder: Path, computed: Computed) -> None:
        self.runs = {run["trajectory_id"]: run for run in _lines(folder / "raw/trajectories.jsonl")}
        self.late = _lines(folder / "late_parents.jsonl")
        self.verdicts = {
            (verdict["judge_id"], verdict["trajectory_id"]): verdict
            for verdict in _lines(folder / "raw/verdicts.jsonl")
        }
        self.required = {
            instance["instance_id"]: instance["expected"]["amount_eur"]
            for instance in _lines(folder / "instances.jsonl")
        }
        self.computed = computed
        self.claims = [name for name, run in self.runs.items() if _kind(run) == "unsupported_claim"]
        self.clean = [name for name, run in self.runs.items() if not run["label"]["faulty"]]

    def numbers(self):
        return self._texts() | self._sentences() | self._votes() | self._steps()

    def of(self, judge, run):
        return self.verdicts[JUDGES[judge], run]

    def _texts(self):
        study = self.computed.study
        outcome = study.judges.index(JUDGES["outcome"])
        verdicts, fault, parent = study.verdicts, study.fault, study.parent
        same = np.ones(len(fault), bool)
        for field in ("flagged", "confidence", "rationale"):
            values = getattr(verdicts, field)[outcome]
            same &= values[fault] == values[parent]
        same &= verdicts.named.codes[outcome][fault] == verdicts.named.codes[outcome][parent]
        kinds = Counter(_cell(run) for run in self.runs.values())
        example = self.of("step14b", "INS-00000-unsupported_claim")
        return {
            "design.outcome_identical_pairs": _plain(
                int((same & self.computed.design.groups[Group("unchanged")]).sum())
            ),
            "design.n_late_parents": _plain(len(self.late)),
            "design.n_cells": _plain(len(kinds)),
            "s3.loud_unchanged_reply_states_authorised_amount": _plain(
                sum(map(self._states_authorised, self.runs.values()))
            ),
            "s7_3.example.confidence": _plain(example["confidence"]),
        }

    def _states_authorised(self, run):
        if _kind(run) not in UNCHANGED or run["label"]["outcome_correct"]:
            return False
        return f"{self.required[run['instance_id']]:.2f}" in run["final_answer"]

    def _sentence(self, name):
        reply = self.runs[name]["final_answer"].lower()
        return next(place for place, stems in enumerate(STEMS) if stems[0] in reply)

    def _sentences(self):
        flagged = {name for name in self.claims if self.of("step14b", name)["faulty"]}
        voucher = {name for name in self.claims if self._sentence(name) == 2}
        misses = [name for name in self.claims if name not in flagged]
        texts = {name: self.of("step14b", name)["rationale"].lower() for name in misses}
        naming = [
            name
            for name, text in texts.items()
            if any(stem in text for stem in STEMS[self._sentence(name)])
        ]
        about = [text for text in texts.values() if ABOUT_THE_REPLY.search(text)]
        others = set(self.claims) - voucher
        return {
            "s7_3.step14b.sentence.voucher.flagged": _plain(len(flagged & voucher)),
            "s7_3.step14b.sentence.voucher.n": _plain(len(voucher)),
            "s7_3.step14b.sentence.other_three.flagged": _plain(len(flagged & others)),
            "s7_3.step14b.sentence.other_three.n": _plain(len(others)),
            "s7_3.step14b.unsup_misses": _plain(len(misses)),
            "s7_3.step14b.misses_discussing_reply": _plain(len(about)),
            "s7_3.step14b.misses_naming_sentence": _plain(len(naming)),
        }

    def _votes(self):
        votes = {
            name: int(self.of("selfcons", name)["rationale"].split("/")[0]) for name in self.runs
        }
        shares = Counter(self.of("selfcons", name)["confidence"] for name in self.runs)
        misses = [name for name in self.claims if not self.of("selfcons", name)["faulty"]]
        any_vote = np.array([votes[name] > 0 for name in self.claims])
        ledger = UnitColumns(len(self.claims))
        ledger.add("flagged", any_vote)
        share = ledger.sums(np.zeros(len(any_vote), np.int64), purpose="any")["flagged"] / 50
        faulty = [votes[n] > 0 for n, run in self.runs.items() if run["label"]["faulty"]]
        alarms = [votes[name] > 0 for name in self.clean]
        right, wrong = np.mean(faulty) * 0.05, np.mean(alarms) * 0.95
        return {
            "s7_3.selfcons.conf_two_thirds": _plain(shares[2 / 3]),
            "s7_3.selfcons.conf_one": _plain(shares[1.0]),
            "s7_3.selfcons.unsup_misses": _plain(len(misses)),
            "s7_3.selfcons.unsup_misses_no_vote": _plain(sum(votes[n] == 0 for n in misses)),
            "s7_3.selfcons.unsup_misses_one_vote": _plain(sum(votes[n] == 1 for n in misses)),
            "s7_3.selfcons.any_sample.unsup_recall": (share[0], *percentile(share)),
            "s7_3.selfcons.any_sample.fa": _plain(np.mean(alarms)),
            "s7_3.selfcons.any_sample.ppv5": _plain(right / (right + wrong)),
        }

    def _steps(self):
        missing = [
            name
            for name, run in self.runs.items()
            if run["label"]["faulty"]
            and self.of("step14b", name)["faulty"]
            and self.of("step14b", name)["failure_step"] is None
        ]
        assert {_kind(self.runs[name]) for name in missing} == {"premature_stop"}
        wrong_tool = [run for run in self.runs.values() if _kind(run) == "wrong_tool"]
        clean = [self.runs[name] for name in self.clean]
        return {
            "s6.step14b.steps_outside": _plain(len(missing)),
            "seqrule.wrong_tool.caught": _plain(sum(map(_out_of_order, wrong_tool))),
            "seqrule.clean_flags": _plain(sum(map(_out_of_order, clean))),
        }


def _lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _kind(run):
    return run["label"]["failure_type"]


def _cell(run):
    return _kind(run), run["label"]["outcome_correct"]


def _out_of_order(run):
    """Whether the procedure is no subsequence of the calls."""
    calls = iter(step["call"]["tool"] for step in run["steps"])
    return not all(tool in calls for tool in PROCEDURE)
