"""What the import table cannot say: who writes files, who reads a clock, where chance comes from.

In the lists a name covers itself and all inside it, and ``.name`` the method of any object.
"""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "env", "engines", "oracle", "agents", "injector", "judges", "studies", "analysis", "faultpair",
)  # fmt: skip

# Expected with later work: env/sandbox/parts/ (below its own temporary folder), traces/worlds/
# and lab/ as writers; env/sandbox/parts/ with a monotonic clock for limits, never in a record.
WRITERS = ("faultpair/", "studies/", "analysis/rebuild.py", "analysis/validate.py")
WRITES = (
    "<open to write>", ".write_text", ".write_bytes", ".mkdir", ".touch", ".unlink", ".rename",
    ".symlink_to", "os.replace", "os.remove", "os.makedirs", "shutil", "tempfile", "numpy.save",
    "numpy.savez", "numpy.savetxt",
)  # fmt: skip

CLOCK_READERS = ("faultpair/", "engines/")
CLOCKS = ("time", ".now", ".utcnow", ".today")

CHANCE = (
    "uuid", "secrets", "os.urandom", "hash", "random.random", "random.seed", "random.choice",
    "random.sample", "random.shuffle", "random.randint", "random.SystemRandom",
    "numpy.random.seed", "numpy.random.random", "numpy.random.default_rng",
)  # fmt: skip


def sources() -> list[str]:
    """Return the modules of all packages, as paths from the root, not through links."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return sorted(file.relative_to(ROOT).as_posix() for file in files)


def used(code: str) -> Iterator[str]:
    """Yield what a module imports and calls, by its full name."""
    full_names: dict[str, str] = {}
    calls = []
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Import(names=names):
                full_names |= {name.asname or name.name: name.name for name in names}
            case ast.ImportFrom(module=str(module), names=names, level=0):
                full_names |= {name.asname or name.name: f"{module}.{name.name}" for name in names}
            case ast.Call():
                calls.append(node)
    yield from full_names.values()
    for call in calls:
        first, dot, rest = ast.unparse(call.func).partition(".")
        name = full_names.get(first, first) + dot + rest
        yield "<open to write>" if opens_to_write(name, call) else name


def opens_to_write(name: str, call: ast.Call) -> bool:
    """Return whether a call opens a file in a mode other than reading."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [node.value for node in arguments if isinstance(node, ast.Constant)]
    modes = [text for text in texts if isinstance(text, str) and set(text) <= set("rwaxbt+")]
    return name.split(".")[-1] == "open" and any(set(mode) & set("wax+") for mode in modes)


def found(code: str, bans: tuple[str, ...]) -> list[str]:
    """Return the names in a module that a list of bans covers."""
    return [
        name
        for name in used(code)
        for ban in bans
        if name == ban or name.startswith(f"{ban}.") or (ban[0] == "." and name.endswith(ban))
    ]


@pytest.mark.parametrize("source", sources())
def test_only_the_modules_listed_write_files_or_read_a_clock_and_chance_has_one_source(source):
    code = (ROOT / source).read_text(encoding="utf-8")
    assert source.startswith(WRITERS) or not found(code, WRITES)
    assert source.startswith(CLOCK_READERS) or not found(code, CLOCKS)
    assert not found(code, CHANCE)


@pytest.mark.parametrize(
    ("code", "bans"),
    [
        ("open(path, 'w')", WRITES),
        ("path.open(mode='ab')", WRITES),
        ("import pathlib\npathlib.Path('a.b').write_text('x')", WRITES),
        ("from time import perf_counter", CLOCKS),
        ("import datetime as dt\ndt.datetime.now()", CLOCKS),
        ("import numpy as np\nnp.random.seed(1)", CHANCE),
        ("hash('x')", CHANCE),
    ],
)
def test_a_forbidden_use_is_found(code, bans):
    assert found(code, bans)


@pytest.mark.parametrize(
    "code",
    ["path.open('rb')", "sim.now", "run_time(3)", "from random import Random\nRandom(3).random()"],
)
def test_a_permitted_use_is_not_reported(code):
    assert not found(code, WRITES + CLOCKS + CHANCE)


ACYCLIC = ("analysis",)
"""Packages whose folders import each other in one direction only."""

COMMANDS = (
    "analysis/rebuild.py", "analysis/validate.py", "analysis/bfcl.py", "analysis/plans/effects.py",
)  # fmt: skip
"""Run as ``python -m``: each is above all layers, wherever its file is."""


def imported(source: str) -> Iterator[Path]:
    """Yield the modules of ours that a module imports, as paths from the root."""
    for node in ast.walk(ast.parse((ROOT / source).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".") if node.module else []
            if node.level:
                start = Path(source).parents[node.level - 1].joinpath(*module)
            elif module[0] == "faultpair":
                start = Path(*module[1:])
            else:
                continue
            is_package = (ROOT / start).is_dir()
            yield from (start / name.name if is_package else start for name in node.names)


def folder_imports(package: str) -> dict[str, set[str]]:
    """Return for each folder the folders that its modules import from; a command is its own."""
    graph: dict[str, set[str]] = {}
    for source in sources():
        if source.startswith(f"{package}/"):
            folder = source if source in COMMANDS else Path(source).parent.as_posix()
            homes = {path.parent.as_posix() for path in imported(source)}
            graph.setdefault(folder, set()).update(homes - {folder})
    return graph


@pytest.mark.parametrize("package", ACYCLIC)
def test_no_folder_imports_from_itself_by_way_of_another(package):
    assert list(TopologicalSorter(folder_imports(package)).static_order())
