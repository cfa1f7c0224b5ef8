"""Exit codes of the errors, as the command line promises them."""

import pytest

from faultpair.env import errors


@pytest.mark.parametrize(
    ("kind", "exit_code"),
    [
        (errors.UsageError, 2),
        (errors.StudyError, 2),
        (errors.RecordError, 2),
        (errors.PluginError, 2),
        (errors.InfrastructureError, 4),
    ],
)
def test_every_error_is_one_of_ours_and_has_its_exit_code(kind, exit_code):
    assert issubclass(kind, errors.FaultpairError)
    assert kind.exit_code == exit_code
