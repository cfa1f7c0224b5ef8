"""Faultpair: can this judge of agent runs be trusted?

The public names, which are all that a plug-in needs to import.
"""

try:
    from faultpair.env.rng import below, pick
except ModuleNotFoundError as error:
    if error.name != "faultpair.env":
        raise
    raise ImportError(
        "The links in the folder faultpair/ were checked out as text files: run `git config "
        "core.symlinks true` (on Windows in developer mode) and then `git checkout -f -- "
        "faultpair`, or install the wheel."
    ) from None

from faultpair.env.domain import (
    Clause,
    Confirmation,
    Dialogue,
    Domain,
    FaultKind,
    PlanDomain,
    Shown,
    ToolSpec,
    World,
)
from faultpair.env.errors import (
    EngineError,
    FaultpairError,
    InfrastructureError,
    PluginError,
    RecordError,
    StudyError,
    UsageError,
)
from faultpair.env.kernel import Action, refusal
from faultpair.env.plans.records import PlanInstance, Tier, ToolSchema
from faultpair.env.records import (
    Call,
    Cell,
    EndState,
    Instance,
    Label,
    Observation,
    ReplyPolicy,
    Step,
    Trajectory,
    Verdict,
)
from faultpair.env.rng import below, pick, stream
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.injector.conformance import Report, Violation, check_fault
from faultpair.injector.fault import (
    Calls,
    Delete,
    Edit,
    Example,
    Fault,
    FollowUp,
    Insert,
    Move,
    Operation,
    Replace,
    Site,
    Truncate,
)
from faultpair.judges.exhibit import Exhibit
from faultpair.judges.judge import Finding, Judge
from faultpair.judges.plans.conditions import GroundTruth, PlanForm
from faultpair.judges.rules import Facts, Rule, RulePack
from faultpair.judges.rules.values import is_grounded, show
from faultpair.judges.task import AnswerForm
from faultpair.sets.build import BuildReport, build
from faultpair.sets.check_domain import DomainReport, check_domain
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.spec import (
    AgentSpec,
    ContrastSpec,
    ModelJudgeSpec,
    PlanJudgeSpec,
    PlannerSpec,
    PlantSpec,
    StudySpec,
    VoteSpec,
)
from faultpair.version import __version__

Study = StudySpec
"""The name of `StudySpec` up to version 0.1; it goes with the next release."""

__all__ = [
    "Action", "AgentSpec", "AnswerForm", "BuildReport", "Call", "Calls", "Cell", "Clause",
    "Confirmation", "ContrastSpec", "Delete", "Dialogue", "Domain", "DomainReport", "Edit",
    "EndState", "EngineError", "Example", "Exhibit", "Facts", "Fault", "FaultKind",
    "FaultpairError", "Finding", "FollowUp", "GroundTruth", "InfrastructureError", "Insert",
    "Instance", "Judge", "Label", "ModelJudgeSpec", "Move", "Observation", "Operation",
    "PlanDomain", "PlanForm", "PlanInstance", "PlanJudgeSpec", "PlannerSpec", "PlantSpec",
    "PluginError", "RecordError", "Replace", "ReplyPolicy", "Report", "Rule", "RulePack",
    "Shown", "Site", "Step", "Study", "StudyError", "StudyFolder", "StudySpec",
    "SupportDeskInstance", "Tier", "ToolSchema", "ToolSpec", "Trajectory", "Truncate",
    "UsageError", "Verdict", "Violation", "VoteSpec", "World", "__version__", "below", "build",
    "check_domain", "check_fault", "is_grounded", "open_study", "pick", "refusal", "show",
    "stream",
]  # fmt: skip
