"""The memory of a run grows by what a request needs, not by runs, prompts or pairs of judges."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="the size of a process is read from /proc"
    ),
]

# The folder of benchmarks is no package that can be imported from everywhere.
_SPEC = spec_from_file_location(
    "memory_benchmark", Path(__file__).resolve().parents[3] / "bench" / "memory.py"
)
bench = module_from_spec(_SPEC)
_SPEC.loader.exec_module(bench)


def test_an_asking_judge_takes_less_than_4_kb_a_run(tmp_path):
    """It took 10 KB when a run held all exhibits."""
    sizes = []
    for n_runs in (4_000, 10_000):
        bench.study_of_runs(tmp_path / str(n_runs), n_runs)
        sizes.append(bench.peak_mb("run", tmp_path / str(n_runs)))
    small, large = sizes
    assert large < 170
    assert (large - small) * 1024 / 6_000 < 4


@pytest.mark.parametrize("command", ["run", "report"])
def test_a_judge_takes_less_than_half_a_megabyte(tmp_path, command):
    """It took 4 MB in a report, which held all judges under all resamples."""
    bench.study_of_judges(tmp_path / "judges", 200)
    if command == "report":
        bench.peak_mb("run", tmp_path / "judges")
    assert bench.peak_mb(command, tmp_path / "judges") < 90 + 200 * 0.5
