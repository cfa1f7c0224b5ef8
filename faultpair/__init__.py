"""Faultpair: can this judge of agent runs be trusted?

The public names, which are all that a plug-in needs to import.
"""

from env.errors import (
    EngineError,
    FaultpairError,
    InfrastructureError,
    PluginError,
    RecordError,
    StudyError,
    UsageError,
)
from env.records import (
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
from env.rng import below, pick
from env.support_desk.instances import SupportDeskInstance
from env.workflow.instances import Tier, ToolSchema
from injector.conformance import Report, Violation, check_fault
from injector.fault import (
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
from judges.exhibit import Exhibit
from judges.judge import Finding, Judge
from judges.plans.conditions import GroundTruth, PlanForm
from judges.task import AnswerForm

from .building import BuildReport, build
from .sections import (
    AgentSpec,
    ContrastSpec,
    ModelJudgeSpec,
    PlanJudgeSpec,
    PlannerSpec,
    PlantSpec,
    VoteSpec,
)
from .study import Study
from .study_folder import StudyFolder, open_study
from .version import __version__

__all__ = [
    "AgentSpec",
    "AnswerForm",
    "BuildReport",
    "Call",
    "Calls",
    "Cell",
    "ContrastSpec",
    "Delete",
    "Edit",
    "EndState",
    "EngineError",
    "Example",
    "Exhibit",
    "Fault",
    "FaultpairError",
    "Finding",
    "FollowUp",
    "GroundTruth",
    "InfrastructureError",
    "Insert",
    "Instance",
    "Judge",
    "Label",
    "ModelJudgeSpec",
    "Move",
    "Observation",
    "Operation",
    "PlanForm",
    "PlanJudgeSpec",
    "PlannerSpec",
    "PlantSpec",
    "PluginError",
    "RecordError",
    "Replace",
    "ReplyPolicy",
    "Report",
    "Site",
    "Step",
    "Study",
    "StudyError",
    "StudyFolder",
    "SupportDeskInstance",
    "Tier",
    "ToolSchema",
    "Trajectory",
    "Truncate",
    "UsageError",
    "Verdict",
    "Violation",
    "VoteSpec",
    "__version__",
    "below",
    "build",
    "check_fault",
    "open_study",
    "pick",
]
