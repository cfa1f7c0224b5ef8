"""The limits that keep modules readable: imports, lines, bodies, positional arguments.

``ABOVE`` names the modules that are above a limit. It may only get shorter.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    "env", "engines", "oracle", "agents", "injector", "judges", "studies", "analysis", "faultpair",
)  # fmt: skip

IMPORTS, LINES, BODY, POSITIONAL = 12, 300, 45, 5
DATA = "env/workflow/sectors/"
# What lists the parts of a folder imports all of them.
LISTS = ("catalog.py", "env/workflow/sectors/__init__.py")

ABOVE: dict[str, set[str]] = {
    "imports": set(),
    "imports in functions": set(),
    "lines": set(),
    "bodies": set(),
    "positional arguments": set(),
}


@cache
def modules() -> dict[str, Path]:
    """Return the file of each module, by the name under which it is imported."""
    found = {}
    for file in (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        if parts[0] == "faultpair" and parts[1] in FOLDERS:
            continue  # the same file, behind a link
        parts = parts if parts[0] == "faultpair" else ("faultpair", *parts)
        found[".".join(parts).removesuffix(".__init__")] = file
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def exports(package: str) -> ast.Module:
    """Return the code that says what a package exports: its stub if it has one."""
    stub = modules()[package].with_suffix(".pyi")
    return ast.parse(stub.read_text(encoding="utf-8")) if stub.exists() else tree(package)


def path_of(module: str) -> str:
    return modules()[module].relative_to(ROOT).as_posix()


def imported_from(module: str, node: ast.ImportFrom) -> str:
    """Return the full name of the module that a ``from … import`` names."""
    if not node.level:
        return node.module or ""
    is_package = modules()[module].name == "__init__.py"
    parents = module.split(".")[: None if is_package else -1]
    parents = parents[: len(parents) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


def origin(package: str, name: str) -> str:
    """Return the module that defines a name, which a package's ``__init__`` may re-export."""
    if f"{package}.{name}" in modules():
        return f"{package}.{name}"
    if package in modules() and modules()[package].name == "__init__.py":
        for node in exports(package).body:
            if isinstance(node, ast.ImportFrom):
                source = imported_from(package, node)
                named = {(alias.asname or alias.name): alias.name for alias in node.names}
                if name in named and source != package and source.startswith("faultpair"):
                    return origin(source, named[name])
    return package


def imports(module: str, within: ast.AST) -> set[str]:
    """Return the modules of ours whose names a module imports within a part of its code."""
    found = set()
    for node in ast.walk(within):
        match node:
            case ast.ImportFrom(names=names):
                source = imported_from(module, node)
                if source.partition(".")[0] == "faultpair":
                    found |= {origin(source, name.name) for name in names}
            case ast.Import(names=names):
                found |= {name.name for name in names if name.name in modules()}
    return found - {module}


def functions(module: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a body without its docstring."""
    has_text = ast.get_docstring(function, clean=False) is not None and len(function.body) > 1
    assert function.end_lineno is not None
    return function.end_lineno - function.body[has_text].lineno + 1


def is_above(limit: str, module: str) -> bool:
    """Return whether a module is above one of the limits."""
    path = path_of(module)
    match limit:
        case "imports":
            return not path.endswith(LISTS) and len(imports(module, tree(module))) > IMPORTS
        case "imports in functions":
            return any(imports(module, function) for function in functions(module))
        case "lines":
            n_lines = modules()[module].read_text(encoding="utf-8").count("\n")
            return not path.startswith(DATA) and n_lines > LINES
        case "bodies":
            return any(body_lines(function) > BODY for function in functions(module))
        case "positional arguments":
            calls = (node for node in ast.walk(tree(module)) if isinstance(node, ast.Call))
            return not path.startswith(DATA) and any(len(c.args) > POSITIONAL for c in calls)
    raise ValueError(limit)


@pytest.mark.parametrize("limit", ABOVE)
def test_no_other_module_is_above_a_limit(limit):
    above = {path_of(module) for module in modules() if is_above(limit, module)}
    assert above == ABOVE[limit]


def test_an_import_through_a_package_counts_as_what_the_package_exports():
    assert origin("faultpair", "build") == "faultpair.sets.build"
    assert origin("faultpair.env", "records") == "faultpair.env.records"
    assert origin("faultpair.env.records", "Call") == "faultpair.env.records"
