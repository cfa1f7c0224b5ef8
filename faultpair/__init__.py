"""Faultpair: can this judge of agent runs be trusted?

The public names, which are all that a plug-in needs to import. The stub beside this file,
`__init__.pyi`, lists them with their modules. A name is imported when it is first used, so that
a command does not wait for all of them.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

try:
    import_module("faultpair.env")
except ModuleNotFoundError as error:
    if error.name != "faultpair.env":
        raise
    raise ImportError(
        "The links in the folder faultpair/ were checked out as text files: run `git config "
        "core.symlinks true` (on Windows in developer mode) and then `git checkout -f -- "
        "faultpair`, or install the wheel."
    ) from None

_RENAMED = {"Study": "StudySpec"}
"""Names of version 0.1 with their present names; the next release removes them."""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_homes())
    if name in _homes():
        part = getattr(import_module(_homes()[name]), _RENAMED.get(name, name))
        return globals().setdefault(name, part)
    if find_spec(f"{__name__}.{name}") is not None:  # a package of ours, such as `judges`
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})


@cache
def _homes() -> dict[str, str]:
    """Return the module of each public name, as the stub says."""
    # Most processes use no public name, and need not import a parser.
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = (node for node in stub.body if isinstance(node, ast.ImportFrom))
    homes = {name.name: str(node.module) for node in imports for name in node.names}
    return homes | {old: homes[new] for old, new in _RENAMED.items()}
