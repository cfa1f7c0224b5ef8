"""Streams: what `random.Random` gives for their key, and the same everywhere."""

import copy
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.rng import below, key_of, pick, stream

ROOT = Path(__file__).resolve().parents[2]

METHODS = {
    "random": lambda rng: rng.random(),
    "getrandbits": lambda rng: rng.getrandbits(77),
    "randrange": lambda rng: rng.randrange(3, 1000, 7),
    "randint": lambda rng: rng.randint(-5, 5),
    "choice": lambda rng: rng.choice("abcdefgh"),
    "choices": lambda rng: rng.choices(range(50), weights=range(50), k=3),
    "sample": lambda rng: rng.sample(range(1000), 5),
    "shuffle": lambda rng: _shuffled(rng),
    "uniform": lambda rng: rng.uniform(-1, 1),
    "triangular": lambda rng: rng.triangular(),
    "gauss": lambda rng: rng.gauss(0, 1),
    "normalvariate": lambda rng: rng.normalvariate(0, 1),
    "expovariate": lambda rng: rng.expovariate(2.0),
    "betavariate": lambda rng: rng.betavariate(2, 3),
    "randbytes": lambda rng: rng.randbytes(9),
    "getstate": lambda rng: rng.getstate(),
}


def _shuffled(rng: Random) -> list[int]:
    cards = list(range(20))
    rng.shuffle(cards)
    return cards


@pytest.mark.parametrize("first", METHODS)
def test_a_stream_equals_a_random_of_its_key_in_any_order_of_methods(first):
    ours, plain = stream(7, "support_desk", 12), Random(key_of(7, "support_desk", 12))
    for method in (first, *METHODS):
        assert METHODS[method](ours) == METHODS[method](plain)


@given(
    st.lists(st.sampled_from([name for name in METHODS if name != "getstate"]), max_size=20),
    st.integers(),
)
def test_any_order_of_methods_gives_what_random_gives(methods, seed):
    ours, plain = stream(seed, "x"), Random(key_of(seed, "x"))
    assert [METHODS[name](ours) for name in methods] == [METHODS[name](plain) for name in methods]


def test_a_method_that_is_kept_before_the_first_draw_does_not_start_again():
    draw, plain = stream("kept").random, Random(key_of("kept"))
    assert [draw() for _ in range(3)] == [plain.random() for _ in range(3)]


def test_a_stream_can_be_seeded_copied_and_given_a_state():
    reseeded, restored = stream("a"), stream("b")
    reseeded.seed(5)
    restored.setstate(Random(6).getstate())
    assert reseeded.random() == Random(5).random()
    assert restored.random() == Random(6).random()
    assert copy.deepcopy(stream("c")).random() == Random(key_of("c")).random()


def test_drawing_from_one_stream_moves_no_other():
    one, other = stream(1, "one"), stream(1, "other")
    untouched = stream(1, "other").random()
    one.random()
    assert other.random() == untouched


def test_an_option_is_drawn_with_random_only_and_each_is_drawn():
    rng, drawn = stream(7, "options"), stream(7, "options")
    numbers = [below(rng, 3) for _ in range(50)]
    assert numbers == [int(drawn.random() * 3) for _ in range(50)]
    assert set(numbers) == {0, 1, 2}
    options = ("a", "b", "c")
    again = stream(7, "options")
    assert [pick(again, options) for _ in range(50)] == [options[number] for number in numbers]


def test_pinned_values():
    assert key_of(7, "support_desk", 0) == 14383193768751346993
    assert key_of("") == 16476032584258269876
    assert stream(7, "support_desk", 0).getrandbits(32) == 3929328002
    assert stream(0, "docs").random() == 0.14212247827074653


def test_another_process_with_another_hash_seed_draws_the_same():
    program = (
        "from faultpair.env.rng import stream; print(stream(3, 'é', 'x').sample(range(10**6), 8))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("0", "4711")
    }
    assert told == {str(stream(3, "é", "x").sample(range(10**6), 8))}
