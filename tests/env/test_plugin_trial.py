"""A plug-in that ends its process is refused by name, and no command ends with code 0."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SOUND = '''\
from faultpair.env.records import Cell
from faultpair.injector.fault import Delete, Edit, Example, Fault, Site


class Kept(Fault):
    """Keep the coat."""

    name = "kept"
    domain = "toy"

    def sites(self, instance, run):
        return (Site(step.index) for step in run.steps if step.call.tool == "hand_over")

    def edit(self, instance, run, site, rng):
        return Edit(Delete(site.step), "the coat is kept")

    def examples(self):
        return (Example(0, ("find_coat", "reply"), 1, Cell.UNCHANGED_LOST),)
'''
STUDY = """\
title = "Coats"
domain = "toy"
seed = 7
clean = 2
[[faults]]
name = "kept"
count = 2
"""


@pytest.fixture
def command(tmp_path):
    """Run `faultpair` where a plug-in with some code is installed."""
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    installed = tmp_path / "installed"
    points = installed / "coats-1.dist-info" / "entry_points.txt"
    points.parent.mkdir(parents=True)
    points.write_text("[faultpair.faults]\nkept = coats:Kept\n", encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(installed))),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    def run(*arguments, code=None, **more):
        if code is not None:
            (installed / "coats.py").write_text(code, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "faultpair", *arguments],
            cwd=tmp_path,
            env=environment | more,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


ENDS = {
    "exit while it is imported": ("import os\nos._exit(0)\n" + SOUND, "exit code 0"),
    "exit with a code": ("import os\nos._exit(3)\n" + SOUND, "exit code 3"),
    "exit on a host": (
        SOUND.replace("return (Site", "import os; os._exit(0); (Site"),
        "exit code 0",
    ),
    "killed": ("import os\nos.kill(os.getpid(), 9)\n" + SOUND, "exit code -9"),
    "sys.exit while it is imported": ("import sys\nsys.exit(0)\n" + SOUND, "SystemExit: 0"),
}


@pytest.mark.parametrize("arguments", [("build", "study.toml"), ("list", "faults")], ids=" ".join)
@pytest.mark.parametrize(("code", "words"), ENDS.values(), ids=ENDS)
def test_a_plugin_that_ends_its_process_is_refused_by_name(command, arguments, code, words):
    done = command(*arguments, code=code)
    assert done.returncode == 2
    assert "The fault 'kept' of the plug-in 'coats:Kept' is refused" in done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_trial_is_kept_until_a_file_of_the_plugin_changes(command, tmp_path):
    counted = "from pathlib import Path\nwith Path('n').open('a') as n:\n    n.write('.')\n" + SOUND
    n_loads = []
    for code in (counted, None, counted + "\n"):
        assert command("build", "study.toml", code=code).returncode == 0
        n_loads.append((tmp_path / "n").stat().st_size)
    assert n_loads == [2, 3, 5]  # a trial and a use, a use, a trial and a use


def test_a_plugin_that_ends_its_process_later_is_refused_after_the_change(command):
    assert command("build", "study.toml", code=SOUND).returncode == 0
    done = command("build", "study.toml", code="import os\nos._exit(0)\n" + SOUND)
    assert (done.returncode, done.stdout) == (2, "")


def test_without_a_cache_folder_each_command_tries_the_plugin(command):
    assert command("build", "study.toml", code=SOUND, XDG_CACHE_HOME="/dev/null").returncode == 0


def test_plugins_and_descriptions_work_where_python_drops_docstrings(command):
    listed = command("list", "faults", "--domain", "toy", code=SOUND, PYTHONOPTIMIZE="2")
    assert "Keep the coat." in listed.stdout
    assert "Hand the coat over" in listed.stdout or "coat_kept" in listed.stdout
    shown = command("build", "--help", PYTHONOPTIMIZE="2")
    assert "Build a study's set" in shown.stdout
    assert command("build", "study.toml", PYTHONOPTIMIZE="2").returncode == 0


RACK = """\
from faultpair.env.toy import Cloakroom


class Rack(Cloakroom):
    \"\"\"A cloakroom that breaks.\"\"\"

    name = "rack"

    def generate(self, seed, index, world=1):
        if index > 3:
            END
        return super().generate(seed, index, world)
"""


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("raise ValueError('no rack')", "failed with ValueError: no rack"),
        ("raise SystemExit(0)", "failed with SystemExit: 0"),
        ("int('x')", "failed with ValueError: invalid literal"),
    ],
)
def test_a_domain_that_breaks_in_a_build_is_named_with_its_line(command, tmp_path, end, words):
    points = tmp_path / "installed" / "coats-1.dist-info" / "entry_points.txt"
    points.write_text(
        "[faultpair.domains]\nrack = coats:Rack\n"
        "[faultpair.oracles]\nrack = faultpair.oracle.toy:toy_oracle\n",
        encoding="utf-8",
    )
    (tmp_path / "study.toml").write_text(
        'title = "Rack"\ndomain = "rack"\nseed = 7\nclean = 9\n', encoding="utf-8"
    )
    done = command("build", "study.toml", code=RACK.replace("END", end))
    assert done.returncode == 2
    assert f"The plug-in 'coats:Rack' {words}" in done.stderr
    assert "coats.py, line 11" in done.stderr
    assert "Traceback" not in done.stderr
