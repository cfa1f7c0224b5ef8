"""Every command of README, CONTRIBUTING and docs works on a fresh machine.

A command that would ask a model runs with ``--dry-run``; a placeholder in capitals, such
as STUDY, is replaced by an existing name.
"""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in (*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")))
    if page.name not in ("CHANGELOG.md", "domains.md")  # the example of a domain has its own test
]
COMMAND = re.compile(r"faultpair [\w-]+ .+")
# make and pip are tests of their own: .ci/run, tests/test_wheel.py, tests/injector. A model is
# downloaded, and `analysis.bfcl` reads data that are not in the repository.
ELSEWHERE = re.compile(r"make |python3 -m venv|\. |faultpair models get|python -m analysis.bfcl")
PLACEHOLDERS = {
    "STUDY": "docs/examples/first-run",
    "check-domain NAME": "check-domain toy",
    "NAME": "wrong_tool",
    "MODEL": "some-model",
    "JUDGE": "rules",
}
NEEDS_NO_MODEL = re.compile(r"--dry-run|--limit 0|--only python:")


def commands(page: str) -> list[str]:
    """Return the commands of a page: lines of blocks for a shell, and code inside sentences."""
    text = (ROOT / page).read_text(encoding="utf-8")
    fence = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    blocks = [body for language, body in fence.findall(text) if language == "sh"]
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    code = [" ".join(words.split()) for words in re.findall(r"`([^`]+)`", fence.sub("", text))]
    return [line.split("  #")[0].strip() for line in lines + list(filter(COMMAND.match, code))]


def runnable(command: str) -> str:
    """Return a command with its placeholders filled, that asks no model."""
    for name, value in PLACEHOLDERS.items():
        command = re.sub(rf"(?<![\w/]){name}\b", value, command)
    if command.startswith("faultpair run") and not NEEDS_NO_MODEL.search(command):
        command += " --dry-run"
    if command.startswith("faultpair rebuild"):
        command += " --study noise --no-figures"  # .ci/check-kept checks all studies
    return command


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run_in_a_fresh_copy(page, shell, checkout):
    shutil.copytree(ROOT / "results", checkout / "results")
    lines = [runnable(line) for line in commands(page) if not ELSEWHERE.match(line)]
    shell("\n".join(["export XDG_CACHE_HOME=$PWD/cache", *lines]))


def test_there_are_commands_to_run():
    assert sum(map(len, map(commands, PAGES))) > 20
