"""How much of the code one run passes through: modules, depth of calls, states of requests.

Taken so: a fresh process runs `faultpair run` on a study of 3 clean runs, 3 faults, one rule
pack and one scripted judge, six requests in all, under `sys.setprofile` and
`threading.setprofile`. A module counts if a function of it executes, comprehensions and
lambdas included; the body of a module or a class does not count, nor what it calls while it
is imported. The depth is the number of frames of ours on the stack of a thread. Taken in
the same way, the run passed through 112 modules (127 with calls at import) at depth 20
before it was simplified.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MOST_MODULES = 90
GREATEST_DEPTH = 14
N_REQUESTS = 6

STUDY = """\
title = "Six requests"
domain = "support_desk"
seed = 7
clean = 3
judges = ["rules"]

[[faults]]
name = "wrong_tool"
count = 3

[[model_judges]]
id = "s"
engine = "scripted:clean"
"""

PROFILED = """\
import json, sys, threading
from collections import Counter
from functools import cache
from inspect import CO_NEWLOCALS
from pathlib import Path

root, study, found = sys.argv[1:]

@cache
def module_of(code):
    path = Path(code.co_filename)
    if not code.co_filename.startswith(root) or not code.co_flags & CO_NEWLOCALS:
        return None
    inside = path.resolve().relative_to(root)
    return None if inside.parts[0].startswith(".venv") else inside.as_posix()

calls, deepest, local = Counter(), [], threading.local()

def profile(frame, event, arg):
    stack = local.__dict__.setdefault("stack", [])
    if event == "call":
        stack.append(frame.f_code)
        is_import = any(code.co_name == "<module>" for code in stack)
        if module_of(frame.f_code) is not None and not is_import:
            calls[module_of(frame.f_code), frame.f_code.co_qualname] += 1
            ours = [code for code in stack if module_of(code) is not None]
            if len(ours) > len(deepest):
                deepest[:] = [f"{module_of(code)}: {code.co_qualname}" for code in ours]
    elif event == "return" and stack:
        stack.pop()

from faultpair.cli.app import main
threading.setprofile(profile)
sys.setprofile(profile)
try:
    main(["run", study])
except SystemExit as ended:
    code = ended.code
finally:
    sys.setprofile(None)
    threading.setprofile(None)
modules = sorted({module for module, _ in calls})
once = {name: n for (_, name), n in calls.items() if name in ("RequestState.of", "panel_of")}
Path(found).write_text(json.dumps([code, modules, deepest, once]))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return exit code, modules, deepest stack and some counts of calls of a profiled run."""
    folder = tmp_path_factory.mktemp("six")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    found = folder / "found.json"
    command = [sys.executable, "-c", PROFILED, ROOT, folder / "study.toml", found]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, env=environment, capture_output=True, check=True)
    assert len((folder / "replies.jsonl").read_bytes().splitlines()) == N_REQUESTS
    return json.loads(found.read_bytes())


def test_the_panel_and_the_state_of_each_request_are_looked_up_once(run):
    code, _, _, n_calls = run
    assert not code
    assert n_calls == {"panel_of": 1, "RequestState.of": N_REQUESTS}


def test_a_run_passes_through_few_modules(run):
    _, modules, _, _ = run
    assert len(modules) <= MOST_MODULES, "\n".join(modules)


def test_calls_of_a_run_are_not_deep(run):
    _, _, deepest, _ = run
    assert len(deepest) <= GREATEST_DEPTH, "\n".join(deepest)
