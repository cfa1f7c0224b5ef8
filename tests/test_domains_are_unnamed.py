"""A module outside a domain's own packages neither names a domain nor its kind of instance."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "env", "engines", "oracle", "agents", "injector", "judges", "studies", "analysis", "faultpair",
)  # fmt: skip
DOMAINS = ("support_desk", "workflow", "toy")
INSTANCES = ("SupportDeskInstance", "WorkflowInstance", "CloakroomInstance")

DESK_WORDS = ("customer", "amount_", "premature_stop", "refund")
DESK_ADAPTERS = (
    "analysis/data/release.py",  # the adapter of the release of trajectory-judge
    "agents/episode_facts.py",  # a field of kept files
)

ITS_OWN = (
    "env/{}", "oracle/{}.py", "injector/faults/{}", "judges/rules/{}",
    "judges/reply_grounding/{}", "judges/floor/{}.py",
)  # fmt: skip
EXCEPT = {
    "env/catalog.py": "it lists the domains and reads instances of the release",
    "env/release.py": "the release adapter: the domain of its files, which name none",
    "oracle/catalog.py": "it lists the oracles",
    "injector/catalog.py": "it lists the faults",
    "judges/catalog.py": "it lists the judges",
    "faultpair/__init__.pyi": "the public API: fault plug-ins of the desk use its instances",
}


def sources() -> list[str]:
    """Return the modules of all packages, as paths from the root."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py*"))
    paths = sorted(file.relative_to(ROOT).as_posix() for file in files)
    own = tuple(place.format(domain) for place in ITS_OWN for domain in DOMAINS)
    paths = [path for path in paths if path.endswith((".py", ".pyi"))]
    return [path for path in paths if path not in EXCEPT and not path.startswith(own)]


def constants(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string of a module that is no docstring."""
    statements = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    docstrings = {node for node in statements if isinstance(node, ast.Constant)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if node not in docstrings:
                yield node.lineno, text


def named(code: str) -> Iterator[str]:
    """Yield where a module names a domain or its kind of instance; docstrings do not count."""
    tree = ast.parse(code)
    yield from (f"line {line}: {text}" for line, text in constants(tree) if text in DOMAINS)
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=names):
                words = [*(module or "").split("."), *(name.name for name in names)]
            case ast.Import(names=names):
                words = [word for name in names for word in name.name.split(".")]
            case ast.Name(id=name) | ast.Attribute(attr=name):
                words = [name]
            case _:
                continue
        yield from (f"line {node.lineno}: {word}" for word in words if word in DOMAINS + INSTANCES)


@pytest.mark.parametrize("source", sources())
def test_no_generic_module_names_a_domain(source):
    assert list(named((ROOT / source).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("source", [s for s in sources() if s not in DESK_ADAPTERS])
def test_no_generic_module_holds_a_word_of_the_support_desk(source):
    tree = ast.parse((ROOT / source).read_text(encoding="utf-8"))
    texts = [text for _, text in constants(tree)]
    assert not [text for text in texts for word in DESK_WORDS if word in text.casefold()]


@pytest.mark.parametrize("source", EXCEPT)
def test_every_exception_is_needed(source):
    assert list(named((ROOT / source).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "code",
    [
        "if domain == 'workflow': pass",
        "from faultpair.env.toy.instances import x",
        "from ..env import support_desk",
        "import faultpair.env.toy",
        "isinstance(one, records.WorkflowInstance)",
    ],
)
def test_a_name_is_found(code):
    assert list(named(code))


def test_a_docstring_may_name_a_domain():
    assert not list(named('"""toy"""\nx = 1\n"""workflow"""'))
