"""What the import table cannot say: who writes files, who reads a clock, where chance comes from.

In the lists a name covers itself and all inside it, and ``.name`` the method of any object.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "env", "engines", "oracle", "agents", "injector", "judges", "studies", "analysis", "faultpair",
)  # fmt: skip

# Expected with later work: env/sandbox/parts/ (below its own temporary folder), traces/worlds/
# and lab/ as writers; env/sandbox/parts/ with a monotonic clock for limits, never in a record.
WRITERS = (
    "faultpair/",
    "studies/",
    "analysis/rebuild.py",
    "analysis/validate.py",
    "analysis/tells/__main__.py",
    "engines/external/supervisor.py",  # the folder that a judge works in
    "env/plugin_trial.py",  # which plug-ins have passed, in the cache folder of the user
)
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


COMMANDS = (
    "analysis/rebuild.py", "analysis/validate.py", "analysis/bfcl.py", "analysis/plans/effects.py",
    "analysis/tells/__main__.py",
)  # fmt: skip
"""Run as ``python -m``: each is above all layers, wherever its file is."""

LISTS = ("/catalog.py", "/__init__.py")
"""Modules that list the parts of a package, and so import from the folders below their own."""


def imported(source: str) -> Iterator[str]:
    """Yield the modules of ours that a module imports, as paths from the root."""
    for node in ast.walk(ast.parse((ROOT / source).read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            continue
        module = node.module.split(".") if node.module else []
        if node.level:
            start = Path(source).parents[node.level - 1].joinpath(*module)
        elif module[0] == "faultpair":
            start = Path(*(module[1:] if module[1:2] and module[1] in PACKAGES else module))
        else:
            continue
        for name in node.names:
            path = start / name.name if (ROOT / start).is_dir() else start
            is_module = (ROOT / f"{path}.py").is_file()
            yield f"{path}.py" if is_module else f"{start}/__init__.py"


def folder_of(source: str) -> str:
    return Path(source).parent.as_posix()


def composing(imports: dict[str, set[str]]) -> set[str]:
    """Return the modules that import, directly or by a module beside them, from a folder below."""
    found: set[str] = set()
    while True:
        more = {
            source
            for source, names in imports.items()
            if not source.endswith(LISTS)
            for name in names
            if folder_of(name).startswith(f"{folder_of(source)}/")
            or (name in found and folder_of(name) == folder_of(source))
        }
        if more == found:
            return found
        found = more


def part_imports(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return which parts of the project import from which others.

    A folder is two parts: the modules that put the folders below it together (`composing`),
    and the others, which these folders may rest on. A list and a command are parts themselves.
    """
    upper = composing(imports)

    def part_of(source: str) -> str:
        if source in COMMANDS or source.endswith(LISTS):
            return source
        return f"{folder_of(source)}{' (composing)' if source in upper else ''}"

    graph: dict[str, set[str]] = {}
    for source, names in imports.items():
        part = part_of(source)
        graph.setdefault(part, set()).update({part_of(name) for name in names} - {part})
    return graph


def test_no_part_of_the_project_imports_from_itself_by_way_of_another():
    imports = {source: {*imported(source)} - {source} for source in sources()}
    assert list(TopologicalSorter(part_imports(imports)).static_order())


def test_only_the_command_of_the_same_name_imports_a_command():
    users = {(source, name) for source in sources() for name in imported(source)}
    users = {(source, name) for source, name in users if name in COMMANDS}
    assert users == {("faultpair/cli/rebuild.py", "analysis/rebuild.py")}


def test_a_folder_that_rests_on_what_composes_it_is_found():
    imports = {
        "env/a.py": {"env/part/b.py"},
        "env/part/b.py": {"env/c.py"},
        "env/c.py": set(),
        "env/catalog.py": {"env/part/b.py"},
    }
    assert composing(imports) == {"env/a.py"}
    assert list(TopologicalSorter(part_imports(imports)).static_order())
    imports["env/part/b.py"].add("env/a.py")
    cyclic = TopologicalSorter(part_imports(imports))
    with pytest.raises(CycleError):
        cyclic.prepare()
