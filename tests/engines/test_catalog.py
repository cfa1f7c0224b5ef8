import sys
from pkgutil import resolve_name

import pytest

from faultpair.engines.catalog import PROVIDERS, open_engine
from faultpair.engines.engine import EngineOptions
from faultpair.env.errors import UsageError

ANYWHERE = EngineOptions(base_url="http://127.0.0.1:1")


@pytest.fixture
def opened():
    """Return a function that opens an engine which is closed when the test is over."""
    engines = []

    def open_one(name, options=ANYWHERE):
        engines.append(open_engine(name, options))
        return engines[-1]

    yield open_one
    for engine in engines:
        engine.close()


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("ollama:qwen2.5:14b", "ollama:qwen2.5:14b"),
        ("ollama/qwen2.5:14b", "ollama:qwen2.5:14b"),
        ("ollama:org/model:latest", "ollama:org/model:latest"),
        ("openai:gpt-4o-mini", "openai:gpt-4o-mini"),
        ("openai/org/model", "openai:org/model"),
        ("scripted:faulty", "scripted:faulty"),
        ("scripted/faulty", "scripted:faulty"),
        ("python:json:loads", "python:json:loads"),
        ("http://127.0.0.1:1/judge", "http://127.0.0.1:1/judge"),
        ("https://host.example/judge?v=2", "https://host.example/judge?v=…"),
        (f"cmd:{sys.executable} -c 'a b'", f"cmd:{sys.executable} -c 'a b'"),
        (f"cmd/{sys.executable}", f"cmd:{sys.executable}"),
    ],
)
def test_a_name_is_a_provider_and_a_model_which_may_hold_colons_and_slashes(
    opened, name, canonical
):
    assert opened(name).name == canonical


def test_a_replay_is_opened_by_the_path_of_its_file(opened, tmp_path):
    kept = tmp_path / "kept.jsonl"
    kept.touch()
    assert opened(f"replay:{kept}").name == f"replay:{kept}"


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=lambda provider: provider.name)
def test_every_opener_is_a_function_below_the_package(provider):
    assert callable(resolve_name(f"faultpair.engines.{provider.opener}"))


@pytest.mark.parametrize("name", ["gpt:4o", "gpt-4o", "", ":", "/model", "OPENAI:x"])
def test_an_unknown_provider_is_refused_with_the_known(name):
    with pytest.raises(
        UsageError, match=r"No provider is named .* Known providers: ollama, openai"
    ):
        open_engine(name)


@pytest.mark.parametrize("name", ["openai", "openai:", "ollama/", "cmd: "])
def test_a_provider_without_a_model_is_refused(name):
    with pytest.raises(UsageError, match=r"names no model; expected (openai|ollama|cmd):MODEL"):
        open_engine(name)


@pytest.mark.parametrize("name", ["http:judge", "http", "https:/judge", "http://", "https://:80"])
def test_an_incomplete_address_is_refused(name):
    with pytest.raises(UsageError, match="is not an address"):
        open_engine(name)


@pytest.mark.parametrize(
    ("name", "most"),
    [("openai:m", 16), ("ollama:m", 1), ("http://127.0.0.1/", 4), ("scripted:coin", 1)],
)
def test_each_kind_says_how_many_requests_at_once_are_of_use(opened, name, most):
    assert opened(name).max_parallel == most


@pytest.mark.parametrize("name", ["openai:m", "ollama:m", "http://127.0.0.1/", "python:json:loads"])
def test_the_user_may_say_how_many_requests_at_once_are_of_use(opened, name):
    assert opened(name, EngineOptions(base_url="http://127.0.0.1", parallel=3)).max_parallel == 3


@pytest.mark.parametrize("name", ["openai:m", "http://127.0.0.1/", "python:json:loads"])
def test_the_context_is_unknown_without_an_option(opened, name, ask):
    assert opened(name).context_tokens() is None
    assert opened(name).count_tokens(ask()) is None
