"""Faultpair: can this judge of agent runs be trusted?

The public names, which are all that a plug-in needs to import.
"""

from env.errors import FaultpairError
from env.records import (
    Call,
    Cell,
    Instance,
    Label,
    Observation,
    ReplyPolicy,
    Step,
    Trajectory,
    Verdict,
)
from injector.conformance import Report, check_fault
from injector.fault import (
    Calls,
    Delete,
    Edit,
    Example,
    Fault,
    FollowUp,
    Insert,
    Move,
    Replace,
    Site,
    Truncate,
)
from judges.exhibit import Exhibit
from judges.judge import Finding, Judge

from .build import build
from .study import Study, open_study
from .version import __version__

__all__ = [
    "Call",
    "Calls",
    "Cell",
    "Delete",
    "Edit",
    "Example",
    "Exhibit",
    "Fault",
    "FaultpairError",
    "Finding",
    "FollowUp",
    "Insert",
    "Instance",
    "Judge",
    "Label",
    "Move",
    "Observation",
    "Replace",
    "ReplyPolicy",
    "Report",
    "Site",
    "Step",
    "Study",
    "Trajectory",
    "Truncate",
    "Verdict",
    "__version__",
    "build",
    "check_fault",
    "open_study",
]
