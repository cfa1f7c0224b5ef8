"""The command line: exit codes, the version, and what a terminal may do to it."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from random import Random

import pytest
from typer import Typer

from faultpair.cli.app import COMMANDS
from faultpair.version import __version__

ROOT = Path(__file__).resolve().parents[3]


def test_the_version_is_printed(faultpair):
    done = faultpair("--version")
    assert (done.code, done.out.strip()) == (0, f"faultpair {__version__}")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nonsense",),
        ("build",),
        ("build", "--nonsense"),
        ("list",),
        ("judge", "--judge", "rules"),
        ("replay", "--instances", "x"),
        ("report",),
        ("power",),
        ("power", "results/paper", "--delta", "much"),
        ("check-fault", "wrong_tool", "--n", "0"),
        ("check-fault", "wrong_tool", "--n", "many"),
    ],
)
def test_a_usage_error_is_2(faultpair, arguments):
    assert faultpair(*arguments).code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_the_line_of_a_command_in_the_list_is_that_of_its_own_help(command):
    found = resolve_name(f"faultpair.cli.{command.replace('-', '_')}:command")
    line = found.info.help if isinstance(found, Typer) else found.__doc__
    assert COMMANDS[command] == line


def test_the_list_of_commands_is_in_their_order(faultpair):
    lines = faultpair("--help").out.splitlines()
    names = [line.split()[1] for line in lines if line[:3] in {"│ " + name[0] for name in COMMANDS}]
    assert [name for name in names if name in COMMANDS] == list(COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (("--help",), "faultpair.cli.build"),
        (("list", "faults"), "faultpair.analysis"),
        (("build", "--help"), "faultpair.analysis"),
        (("show", "--help"), "scipy"),
    ],
)
def test_a_command_imports_no_other_and_no_analysis_that_it_does_not_use(arguments, unused):
    program = (
        "import sys; from faultpair.cli import main\n"
        f"try: main({list(arguments)!r})\n"
        f"finally: assert {unused!r} not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(faultpair, command):
    done = faultpair(command, "--help")
    assert done.code == 0
    assert "Usage:" in done.out
    assert command in done.out


def test_run_builds_judges_and_shows_the_table(faultpair, small, tmp_path):
    done = faultpair("run", small.folder.file, "--out", tmp_path)
    assert done.code == 0
    assert (tmp_path / "trajectories.jsonl").read_bytes() == small.folder.trajectories.read_bytes()
    verdicts = (tmp_path / "verdicts.jsonl").read_bytes().splitlines()
    assert len(verdicts) == 2 * len(small.runs)
    assert "A small set" in done.out
    assert "rules" in done.out


@pytest.mark.parametrize("command", ["replay", "judge"])
def test_files_that_are_not_there_are_named(faultpair, small, tmp_path, command):
    more = ("--judge", "rules", "--out", tmp_path / "v") if command == "judge" else ()
    missing = tmp_path / "nowhere.jsonl"
    for instances, trajectories in (
        (missing, small.folder.trajectories),
        (small.folder.instances, missing),
    ):
        done = faultpair(command, *more, "--instances", instances, "--trajectories", trajectories)
        assert done.code == 2
        assert done.err.strip() == f"faultpair: Cannot read {missing}: No such file or directory."


def test_an_interrupted_command_is_incomplete_and_says_so_in_one_line(
    faultpair, small, tmp_path, monkeypatch
):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("faultpair.cli.build.build_from", interrupted)
    done = faultpair("build", small.folder.file, "--out", tmp_path)
    assert done == (3, "", "faultpair: interrupted before the end.\n")


# In a process of its own, as a terminal would run it.


def in_a_shell(command):
    """Run a shell command in which ``faultpair`` is the command of this checkout."""
    script = f'set -o pipefail; faultpair() {{ "{sys.executable}" -m faultpair "$@"; }}; {command}'
    return subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, check=False)


@pytest.mark.parametrize(
    "surroundings",
    [
        {"LC_ALL": "tr_TR.UTF-8"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"COLUMNS": "30"},
        {"COLUMNS": "30", "FORCE_COLOR": "1", "PYTHONIOENCODING": "latin-1"},
    ],
    ids=lambda surroundings: " ".join(f"{name}={value}" for name, value in surroundings.items()),
)
def test_no_locale_encoding_or_width_makes_it_fail(small, surroundings):
    planted = next(run["trajectory_id"] for run in small.runs if run["label"]["parent_id"])
    done = subprocess.run(
        [sys.executable, "-m", "faultpair", "show", planted, "--study", small.folder.out],
        cwd=ROOT, env=os.environ | surroundings, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"wrong_tool" in done.stdout


def test_a_closed_pipe_ends_the_command_quietly_and_not_as_a_failed_gate():
    done = in_a_shell("faultpair list faults | true")
    assert done.returncode in {0, 4}  # 0 if all was written before the reader went
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_standard_output_is_an_infrastructure_error():
    done = in_a_shell("faultpair list faults > /dev/full")
    assert done.returncode == 4
    assert done.stderr.startswith(b"faultpair: ")
    assert b"Traceback" not in done.stderr


def test_a_mistake_is_one_line_on_the_error_stream_only(tmp_path):
    done = in_a_shell(f"faultpair build {tmp_path}/{'x' * 150}")
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "module", ["pkgutil", "faultpair.cli.app", "pydantic", "faultpair.cli.run"]
)
@pytest.mark.parametrize("how", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"])
def test_an_interruption_while_a_module_is_imported_ends_in_a_sentence(tmp_path, module, how):
    (tmp_path / "command.py").write_text(
        "import sys, faultpair.cli\n"
        f"sys.modules.pop({module!r}, None)\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            {how}\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "faultpair.cli.main(['run', 'results/paper', '--dry-run'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "command"], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (3, "faultpair: interrupted before the end.\n")


@pytest.mark.slow
def test_ctrl_c_at_any_instant_of_the_start_of_a_run_ends_in_a_sentence(tmp_path):
    code = (
        "import faultpair.cli, sys\nprint('ready', flush=True)\nfaultpair.cli.main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", code, "run", "results/paper", "--limit", "0"]
    instants = Random(1)
    for number in range(30):
        with subprocess.Popen(
            [*command, "--out", tmp_path / str(number)], cwd=ROOT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as run:  # fmt: skip
            assert run.stdout.readline() == "ready\n"
            with suppress(subprocess.TimeoutExpired):
                run.wait(instants.uniform(0.0, 1.0))
            run.send_signal(signal.SIGINT)
            _, told = run.communicate(timeout=60)
        assert "Traceback" not in told
        assert run.returncode == 0 or (run.returncode, "nterrupted" in told) == (3, True), told
