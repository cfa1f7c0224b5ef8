"""The public API: what a plug-in imports."""

import subprocess
import sys
from inspect import isclass, isfunction
from typing import get_args, get_type_hints

import pytest

import faultpair
from faultpair import SupportDeskInstance

PARTS = [getattr(faultpair, name) for name in faultpair.__all__]


def named_in(hint):
    """Yield the classes that a type hint is made of."""
    yield from [hint] if isclass(hint) else ()
    for part in get_args(hint):
        yield from named_in(part)


def signatures():
    """Return every public function, every public class and its methods.

    What an instance holds is its domain's own; one reads it and does not name it.
    """
    classes = [part for part in PARTS if isclass(part) and part is not SupportDeskInstance]
    methods = [method for kind in classes for method in vars(kind).values() if isfunction(method)]
    return [*filter(isfunction, PARTS), *classes, *methods]


def test_every_public_name_is_there_once_and_documented():
    assert len(set(faultpair.__all__)) == len(faultpair.__all__)
    assert all(isinstance(part, str) or part.__doc__ for part in PARTS)


def test_what_public_names_take_and_give_is_public_too():
    for part in signatures():
        for hint in get_type_hints(part).values():
            for kind in named_in(hint):
                ours = kind.__module__.startswith("faultpair.")
                assert not ours or kind in PARTS, f"{part.__qualname__} speaks of {kind}"


def test_a_process_imports_no_more_than_the_names_that_it_uses():
    code = "import sys, faultpair.env.errors; print('faultpair.sets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_all_public_names_are_listed_and_an_unknown_one_is_refused():
    assert set(faultpair.__all__) <= set(dir(faultpair))
    with pytest.raises(AttributeError, match="module 'faultpair' has no attribute 'nonsense'"):
        _ = faultpair.nonsense


def test_a_package_is_an_attribute_before_it_is_imported():
    code = "import faultpair; print(faultpair.judges.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "faultpair.judges\n"


def test_an_older_name_is_the_same_part():
    assert faultpair.Study is faultpair.StudySpec
