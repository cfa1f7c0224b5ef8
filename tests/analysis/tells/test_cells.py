"""A planted tell is found, the edit itself is explained by a mask, and noise is neither."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra 'tells' is not installed")
from threadpoolctl import threadpool_limits

from faultpair.analysis.tells.cells import LEAST_PAIRS, cells_of
from faultpair.analysis.tells.features import GROUPS
from faultpair.analysis.tells.pages import Pair
from faultpair.analysis.tells.rule import Verdict, ends_of, p_of
from faultpair.analysis.tells.sets import PairedSet, paired_set
from faultpair.analysis.tells.tables import findings_of
from faultpair.env.rng import stream
from faultpair.studies.folder import open_study


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """The threads of small classifiers wait for each other most of the time."""
    with threadpool_limits(1):
        yield


ROOT = Path(__file__).resolve().parents[3]
WORDS = ("open", "read", "check", "look", "note", "list", "count", "weigh")
GROUP = {group.name: group for group in GROUPS}


def page(rng, customer, paid=5, thought="I pay.", place=0.5):
    look = {
        "thought": " ".join(rng.choices(WORDS, k=4)),
        "call": {"tool": "look", "args": {}},
        "observation": {"id": customer},
    }
    pay = {
        "thought": thought,
        "call": {"tool": "pay", "args": {"sum": paid}},
        "observation": None,
    }
    return {
        "goal": f"Pay {rng.random()}", "steps": [look, pay], "reply": "Paid.",
        "end_state": None, "places": (place, rng.random()),
    }  # fmt: skip


def made(n, *, kind="overpaid", of_fault=None, of_clean=None):
    """Return a set of n pairs, whose pages are drawn alike beside what is given for each."""
    pairs = []
    for number in range(n):
        rng = stream("pairs", number)
        pages = [
            page(rng, f"CUS-{10000 + int(rng.random() * 90000)}", **(own(rng) if own else {}))
            for own in (of_fault, of_clean)
        ]
        one = {**pages[0], "goal": pages[1]["goal"]}
        names = (f"{number}-{kind}", f"{number}-clean")
        pairs.append(Pair(kind, f"i{number}", names, (one, pages[1])))
    return PairedSet("toy", "toy", "", tuple(pairs), (), (), orders=None)


def verdicts(runs, *groups):
    cells = [cell for name in groups or GROUP for cell in cells_of(runs, GROUP[name])]
    return {
        (finding.cell["contrast"], finding.cell["group"]): finding.verdict
        for finding in findings_of({"cells": cells})
    }


def with_id(runs, prefix):
    """Give every fault an id that begins with some digits."""

    def planted(pair):
        look, pay = pair.pages[0]["steps"]
        digits = look["observation"]["id"][-4:]
        own = {**look, "observation": {"id": f"CUS-{prefix}{digits}"}}
        return replace(pair, pages=({**pair.pages[0], "steps": [own, pay]}, pair.pages[1]))

    return replace(runs, faults=tuple(map(planted, runs.faults)))


def test_noise_has_no_tell():
    assert set(verdicts(made(60)).values()) == {Verdict.CHANCE}


def test_digits_that_mark_a_fault_are_a_tell():
    found = verdicts(with_id(made(60), "9"), "digits of ids")
    assert found["overpaid", "digits of ids"] is Verdict.TELL


def test_what_the_edit_changes_is_the_fault_itself():
    runs = made(60, of_fault=lambda _: {"paid": 500})
    found = verdicts(runs, "amounts in calls", "numbers", "digits of ids")
    assert found["overpaid", "amounts in calls"] is Verdict.FAULT
    assert found["overpaid", "numbers"] is Verdict.FAULT
    assert found["overpaid", "digits of ids"] is Verdict.CHANCE


def test_a_thought_beside_the_edit_is_a_tell():
    def nervous(_):
        return {"paid": 500, "thought": "I hope that I may pay."}

    found = verdicts(made(60, of_fault=nervous), "thoughts", "amounts in calls")
    assert found["overpaid", "thoughts"] is Verdict.TELL
    assert found["overpaid", "amounts in calls"] is Verdict.FAULT


def test_a_place_in_the_order_of_requests_is_a_tell():
    runs = made(
        60,
        of_fault=lambda rng: {"place": 0.4 + rng.random() * 0.6},
        of_clean=lambda rng: {"place": rng.random() * 0.6},
    )
    name = "place in the order of requests"
    assert verdicts(runs, name)["overpaid", name] is Verdict.TELL


def test_types_with_few_pairs_share_a_contrast():
    few, many = made(LEAST_PAIRS - 10, kind="rare"), made(LEAST_PAIRS, kind="often")
    also = made(LEAST_PAIRS - 10, kind="seldom").faults
    both = replace(many, faults=(*many.faults, *few.faults, *also))
    cells = {cell["contrast"]: cell["pairs"] for cell in cells_of(both, GROUP["goal"])}
    assert cells == {"often": 30, "other types": 40, "faulty against clean": 70}


def test_what_a_fault_shares_with_its_clean_run_is_of_the_instance():
    """The goals of instances that host five faults are told from those that host one."""
    pairs = [
        replace(
            pair,
            names=(f"{pair.instance}-{copy}", pair.names[1]),
            pages=tuple({**own, "goal": "easy" if hosts > 1 else "hard"} for own in pair.pages),
        )
        for number, pair in enumerate(made(80).faults)
        for hosts in [6 if number % 2 else 1]
        for copy in range(hosts)
    ]
    runs = replace(made(1), faults=tuple(pairs))
    found = verdicts(runs, "goal")
    assert found == {
        ("overpaid", "goal"): Verdict.CHANCE,
        ("faulty against clean", "goal"): Verdict.INSTANCE,
    }


@pytest.mark.slow
def test_intervals_and_p_values_of_noise_are_those_of_noise():
    """Over many sets of noise, the spread is that of the permutations."""
    z = []
    for number in range(20):
        runs = made(40)
        rng = stream("noise", number)
        pairs = [
            replace(
                pair,
                pages=tuple({**own, "places": (rng.random(), rng.random())} for own in pair.pages),
            )
            for pair in runs.faults
        ]
        (cell, _) = cells_of(
            replace(runs, faults=tuple(pairs)), GROUP["place in the order of requests"]
        )
        assert ends_of(cell)[0] < cell["auc"] < ends_of(cell)[1]
        assert 0 < p_of(cell) < 1
        z.append((cell["auc"] - 0.5) / cell["sd"])
    assert abs(np.mean(z)) < 0.5
    assert 0.6 < np.std(z) < 1.4


@pytest.mark.slow
def test_the_prefix_of_the_second_customer_is_a_tell_in_world_1_alone(tmp_path):
    study = (ROOT / "results/balanced/study.toml").read_text(encoding="utf-8")
    head = study[study.index("domain") : study.index("judges")]
    fault = '[[faults]]\nname = "verified_someone_else"\ncount = 60\n'
    found = {}
    for world in (1, 2):
        file = tmp_path / f"{world}.toml"
        file.write_text(f'title = "t"\nworld = {world}\n{head}\n{fault}', encoding="utf-8")
        runs = paired_set("desk", open_study(file))
        found[world] = verdicts(runs, "digits of ids")["verified_someone_else", "digits of ids"]
    assert found == {1: Verdict.TELL, 2: Verdict.CHANCE}
