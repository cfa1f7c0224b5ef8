"""Manufacturing quality: lots and what is wrong with them, machines, gauges, control plans."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Flag, Identifier, ListOf, Name, Quantity, Share

__all__ = ["MANUFACTURING_QUALITY"]

LOT = Identifier("lot", "lot", "LT")
LINE = Identifier("production_line", "line", "PL")
MACHINE = Identifier("machine", "machine", "MC")
PART = Identifier("part", "part", "PN")
GAUGE = Identifier("gauge", "gauge", "GG")
OPERATOR = Identifier("operator", "operator", "OP")
DEVIATION = Identifier("deviation", "deviation", "DV")
CONTROL_PLAN = Identifier("control_plan", "control plan", "CP")

INSPECTED = Quantity("inspected_count", "pieces", 100, 900, 10)
DEFECTS = Quantity("defect_count", "faulty ones", 2, 60)
DEFECT_RATE = Share("defect_rate", 2, 30)
DEFECT_LIMIT = Share("defect_limit", 2, 12)
SPREAD = Quantity("process_spread", "microns either way", 2, 30)
OFFSET = Quantity("mean_offset", "microns", 2, 40)
TOLERANCE = Quantity("tolerance_width", "microns in all", 100, 500, 10)
CAPABILITY = Quantity("capability_index", "on the Cpk scale", 0.6, 2, 0.1)
GAUGE_ERROR = Quantity("gauge_error", "microns off", 2, 25, 0.5)
GAUGE_SHARE = Share("gauge_share", 2, 60)
HALL_HEAT = Quantity("hall_temperature", "degrees", 15, 32)
DOWNTIME = Quantity("down_time", "minutes", 10, 180, 5)
TOTAL_DOWNTIME = Quantity("lost_time", "minutes", 30, 500, 10)
PLANNED = Quantity("planned_time", "minutes", 200, 900, 20)
AVAILABILITY = Share("availability", 40, 98)
UNIT_COST = Quantity("unit_cost", "euros apiece", 2, 90, 0.5)
KIT_COST = Quantity("kit_cost", "euros a kit", 10, 400, 5)
SCRAP_COST = Quantity("scrap_cost", "euros", 50, 900, 10)
SEVERITY = Quantity("severity_rating", "for harm", 2, 10)
OCCURRENCE = Quantity("occurrence_rating", "for frequency", 2, 10)
DETECTION = Quantity("detection_rating", "for going unseen", 2, 10)
RISK = Quantity("risk_priority", "points of risk", 20, 900, 10)
LOT_SIZE = Quantity("lot_size", "pieces", 500, 9_000, 100)
SAMPLE = Quantity("sample_size", "samples", 5, 200, 5)
MARGIN = Share("price_margin", 5, 40)
INTERVAL = Quantity("check_interval", "minutes", 10, 240, 10)
KEEPING = Quantity("retention_time", "years", 2, 15)
REPLY_TIME = Quantity("reply_time", "hours", 2, 48)
HUMIDITY = Share("humidity_cap", 30, 70)
TORQUE = Quantity("torque_target", "newton metres", 4, 90)
BOX_SIZE = Quantity("box_size", "to a box", 10, 200, 10)
TOOL_LIFE = Quantity("tool_life", "strokes", 1_000, 90_000, 500)

PLANT = Name("plant", ("Ardley", "Bexhill Works", "Corby South", "Dunmore", "Eastfield"))
VERDICT = Choice(
    "lot_verdict",
    {"accept": "good to ship", "rework": "in need of mending", "discard": "fit for the bin"},
)
CARE = Choice(
    "inspection_level", {"reduced": "at a glance", "tightened": "with a magnifying glass"}
)
CONTAINMENT = Choice(
    "containment", {"hold_stock": "locked away", "sort_all": "gone through piece by piece"}
)
CHART = Choice("chart", {"xbar_r": "averages and ranges", "p_chart": "percentages"})
COLOUR = Choice(
    "label_colour", {"RAL3020": "bright red", "RAL6019": "pale green", "RAL1018": "yellow"}
)
START_DAY = Day("start_day")
REPORT_DAY = Day("report_day")
FIRST_DAY = Day("first_day")
LAST_DAY = Day("last_day")
IS_LOCKED = Flag("is_locked")


def _defect_rate(defect_count: float, inspected_count: float) -> float:
    return min(round(defect_count / max(inspected_count, 1), 4), 1)


def _capability(tolerance_width: float, process_spread: float, mean_offset: float = 0) -> float:
    """Compare the room that is left to the nearer limit with three standard deviations."""
    room = max(tolerance_width / 2 - mean_offset, 0)
    return round(room / (3 * max(process_spread, 1)), 2)


def _sample_size(lot_size: float, defect_rate: float, capability_index: float = 1) -> float:
    wanted = lot_size / 50 * (1 + 10 * defect_rate) / max(capability_index, 0.1)
    return min(5 + round(wanted), lot_size)


def _verdict(
    defect_rate: float,
    defect_limit: float,
    capability_index: float = 1,
    risk_priority: float = 100,
) -> str:
    weighed = defect_rate * (1 + risk_priority / 500) / max(capability_index, 0.1)
    if weighed <= defect_limit:
        return "accept"
    return "rework" if weighed <= 2 * defect_limit else "discard"


def _gauge_share(gauge_error: float, tolerance_width: float, hall_temperature: float = 20) -> float:
    """Return the part of the tolerance that errors take up; they grow away from 20 degrees."""
    drift = max(hall_temperature - 20, 20 - hall_temperature) / 20
    return min(round(2 * gauge_error * (1 + drift) / max(tolerance_width, 1), 3), 1)


MANUFACTURING_QUALITY = Sector(
    "manufacturing_quality",
    "manufacturing quality",
    (
        Tool(
            "read_hall_temperature",
            "Read the temperature of the production hall.",
            (),
            (Field("hall_temperature", HALL_HEAT),),
            ask="read the hall temperature",
            hint="how warm it is on the shop floor",
        ),
        Tool(
            "find_line_of_lot",
            "Find the production line that made a lot.",
            (Parameter("lot_id", LOT, "numbered {}"),),
            (Field("line_id", LINE),),
            ask="find the line of the lot",
            hint="where in the plant the batch was made",
        ),
        Tool(
            "read_lot_card",
            "Read which part a lot consists of and how many pieces there are.",
            (Parameter("lot_id", LOT, "for {}"),),
            (Field("part_id", PART), Field("lot_size", LOT_SIZE)),
            ask="read the lot card",
            hint="what the batch consists of and how big it is",
        ),
        Tool(
            "find_bottleneck_machine",
            "Find the machine that holds up a production line, and the part that it makes.",
            (Parameter("line_id", LINE, "on {}"),),
            (Field("machine_id", MACHINE), Field("part_id", PART)),
            ask="find the bottleneck machine",
            hint="what is holding everything up",
        ),
        Tool(
            "get_lot_inspection",
            "Read how many pieces of a lot were inspected, with what care, and how many failed.",
            (
                Parameter("lot_id", LOT, "for {}"),
                Parameter("inspection_level", CARE, "examined {}", optional=True),
            ),
            (Field("inspected_count", INSPECTED), Field("defect_count", DEFECTS)),
            ask="get the lot inspection",
            hint="how many bad pieces were found among how many",
        ),
        Tool(
            "compute_defect_rate",
            "Compute the share of the inspected pieces that are defective.",
            (
                Parameter("defect_count", DEFECTS, "with {}"),
                Parameter("inspected_count", INSPECTED, "after checking {}"),
            ),
            (Field("defect_rate", DEFECT_RATE),),
            ask="compute the defect rate",
            hint="how much of it is bad",
            run=_defect_rate,
        ),
        Tool(
            "measure_faulty_share",
            "Measure what share of the pieces that were looked at cannot be used.",
            (
                Parameter("defect_count", DEFECTS, "with {}"),
                Parameter("inspected_count", INSPECTED, "after checking {}"),
            ),
            (Field("defect_rate", DEFECT_RATE),),
            ask="measure the faulty share",
            hint="what part of it is no use to anybody",
            run=_defect_rate,
            same_as="compute_defect_rate",
        ),
        Tool(
            "get_part_specification",
            "Read the tolerance on a part's critical dimension and the defect rate that is borne.",
            (Parameter("part_id", PART, "for {}"),),
            (Field("tolerance_width", TOLERANCE), Field("defect_limit", DEFECT_LIMIT)),
            ask="get the part specification",
            hint="how exactly it has to be made and how many bad ones are borne",
        ),
        Tool(
            "get_machine_spread",
            "Read the standard deviation of what a machine makes, of late or from a day on.",
            (
                Parameter("machine_id", MACHINE, "on {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("process_spread", SPREAD),),
            ask="get the machine spread",
            hint="how much one piece differs from the next",
        ),
        Tool(
            "compute_capability_index",
            "Compute how well a process, centred or not, keeps within a tolerance (Cpk).",
            (
                Parameter("tolerance_width", TOLERANCE, "allowing {}"),
                Parameter("process_spread", SPREAD, "varying by {}"),
                Parameter("mean_offset", OFFSET, "sitting {} off centre", optional=True),
            ),
            (Field("capability_index", CAPABILITY),),
            ask="compute the capability index",
            hint="whether the process can be trusted to stay within its limits",
            run=_capability,
        ),
        Tool(
            "assess_process_fitness",
            "Assess on the Cpk scale how fit a process is for a tolerance.",
            (
                Parameter("tolerance_width", TOLERANCE, "allowing {}"),
                Parameter("process_spread", SPREAD, "varying by {}"),
                Parameter("mean_offset", OFFSET, "sitting {} off centre", optional=True),
            ),
            (Field("capability_index", CAPABILITY),),
            ask="assess the process fitness",
            hint="how safely we keep to the drawing",
            run=_capability,
            same_as="compute_capability_index",
        ),
        Tool(
            "choose_sample_size",
            "Choose how many pieces of a lot to inspect; fewer if the process is capable.",
            (
                Parameter("lot_size", LOT_SIZE, "in a batch of {}"),
                Parameter("defect_rate", DEFECT_RATE, "with {} of them bad"),
                Parameter("capability_index", CAPABILITY, "running at {}", optional=True),
            ),
            (Field("sample_size", SAMPLE),),
            ask="choose the sample size",
            hint="how many pieces somebody has to look at",
            run=_sample_size,
        ),
        Tool(
            "get_failure_ratings",
            "Read how harmful, how frequent and how hard to see a part's main failure is.",
            (Parameter("part_id", PART, "for {}"),),
            (
                Field("severity_rating", SEVERITY),
                Field("occurrence_rating", OCCURRENCE),
                Field("detection_rating", DETECTION),
            ),
            ask="get the failure ratings",
            hint="how the engineers judged what can go wrong",
        ),
        Tool(
            "compute_risk_priority",
            "Compute the risk priority number of a failure: the product of its three ratings.",
            (
                Parameter("severity_rating", SEVERITY, "rated {}"),
                Parameter("occurrence_rating", OCCURRENCE, "rated {}"),
                Parameter("detection_rating", DETECTION, "rated {}"),
            ),
            (Field("risk_priority", RISK),),
            ask="compute the risk priority",
            hint="how much the failure ought to trouble us",
            run=lambda severity_rating, occurrence_rating, detection_rating: (
                severity_rating * occurrence_rating * detection_rating
            ),
        ),
        Tool(
            "judge_lot_acceptance",
            "Judge whether a lot is accepted, reworked or discarded, by defects, process and risk.",
            (
                Parameter("defect_rate", DEFECT_RATE, "with {} of them bad"),
                Parameter("defect_limit", DEFECT_LIMIT, "putting up with {}"),
                Parameter("capability_index", CAPABILITY, "running at {}", optional=True),
                Parameter("risk_priority", RISK, "carrying {}", optional=True),
            ),
            (Field("lot_verdict", VERDICT),),
            ask="judge the lot acceptance",
            hint="what is to become of the batch",
            run=_verdict,
        ),
        Tool(
            "quarantine_rejected_lot",
            "Lock up a lot unless its verdict is to accept it; tell whether it is locked up.",
            (
                Parameter("lot_id", LOT, "numbered {}"),
                Parameter("lot_verdict", VERDICT, "found {}"),
            ),
            (Field("is_locked", IS_LOCKED),),
            ask="quarantine the rejected lot",
            hint="whether the batch is out of everybody's reach",
            run=lambda lot_id, lot_verdict: lot_verdict != "accept",
        ),
        Tool(
            "open_deviation_report",
            "Open a report on a lot that deviates, with its risk and what was done at once.",
            (
                Parameter("lot_id", LOT, "for {}"),
                Parameter("risk_priority", RISK, "carrying {}"),
                Parameter("report_day", REPORT_DAY, "noticed on {}"),
                Parameter("operator_id", OPERATOR, "seen by {}", optional=True),
                Parameter("containment_step", CONTAINMENT, "since then {}", optional=True),
            ),
            (Field("deviation_id", DEVIATION),),
            ask="open the deviation report",
            hint="that the trouble is on record",
        ),
        Tool(
            "get_gauge_error",
            "Read the measuring error of a gauge.",
            (Parameter("gauge_id", GAUGE, "for {}"),),
            (Field("gauge_error", GAUGE_ERROR),),
            ask="get the gauge error",
            hint="how wrong the instrument may be",
        ),
        Tool(
            "find_worst_gauge",
            "Find the largest of several measuring errors.",
            (Parameter("gauge_errors", ListOf(GAUGE_ERROR), "among {}"),),
            (Field("gauge_error", GAUGE_ERROR),),
            ask="find the worst gauge",
            hint="how far out the least exact instrument is",
            run=lambda gauge_errors: max(gauge_errors),
        ),
        Tool(
            "compute_gauge_share",
            "Compute the share of a tolerance that measuring errors eat, at 20 degrees or as told.",
            (
                Parameter("gauge_error", GAUGE_ERROR, "reading {}"),
                Parameter("tolerance_width", TOLERANCE, "allowing {}"),
                Parameter("hall_temperature", HALL_HEAT, "in air of {}", optional=True),
            ),
            (Field("gauge_share", GAUGE_SHARE),),
            ask="compute the gauge share",
            hint="whether the instrument is exact enough for the job",
            run=_gauge_share,
        ),
        Tool(
            "get_line_downtime",
            "Read for how many minutes a line stood still, in the last shift or since a day.",
            (
                Parameter("line_id", LINE, "on {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("down_time", DOWNTIME),),
            ask="get the line downtime",
            hint="for how long nothing was moving",
        ),
        Tool(
            "fetch_stoppage_minutes",
            "Fetch the minutes that a line lost to stoppages, in the last shift or since a day.",
            (
                Parameter("line_id", LINE, "on {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("down_time", DOWNTIME),),
            ask="fetch the stoppage minutes",
            hint="how long the belts have been at a standstill",
            same_as="get_line_downtime",
        ),
        Tool(
            "get_line_schedule",
            "Read for how many minutes a line was meant to run.",
            (Parameter("line_id", LINE, "on {}"),),
            (Field("planned_time", PLANNED),),
            ask="get the line schedule",
            hint="how long it was meant to be running",
        ),
        Tool(
            "total_line_downtime",
            "Add up the downtime of several lines.",
            (Parameter("down_times", ListOf(DOWNTIME), "over {}"),),
            (Field("lost_time", TOTAL_DOWNTIME),),
            ask="total the line downtime",
            hint="how much working time was lost altogether",
            run=lambda down_times: sum(down_times),
        ),
        Tool(
            "compute_line_availability",
            "Compute the share of the planned time in which a line was able to run.",
            (
                Parameter("down_time", DOWNTIME, "standing still for {}"),
                Parameter("planned_time", PLANNED, "out of {}"),
            ),
            (Field("availability_share", AVAILABILITY),),
            ask="compute the line availability",
            hint="how much of the shift was put to use",
            run=lambda down_time, planned_time: round(
                max(planned_time - down_time, 0) / max(planned_time, 1), 3
            ),
        ),
        Tool(
            "get_unit_cost",
            "Read what it costs to make one piece of a part.",
            (Parameter("part_id", PART, "for {}"),),
            (Field("unit_cost", UNIT_COST),),
            ask="get the unit cost",
            hint="what making a single piece comes to",
        ),
        Tool(
            "compute_scrap_cost",
            "Compute what defective pieces cost if they are all thrown away.",
            (
                Parameter("defect_count", DEFECTS, "with {}"),
                Parameter("unit_cost", UNIT_COST, "worth {}"),
            ),
            (Field("scrap_cost", SCRAP_COST),),
            ask="compute the scrap cost",
            hint="how much money the bad pieces take with them",
            run=lambda defect_count, unit_cost: round(defect_count * unit_cost, 2),
        ),
        Tool(
            "total_kit_costs",
            "Add up the costs of several parts that form a kit, with a margin on top.",
            (
                Parameter("unit_costs", ListOf(UNIT_COST), "over {}"),
                Parameter("price_margin", MARGIN, "adding {} for profit", optional=True),
            ),
            (Field("kit_cost", KIT_COST),),
            ask="total the kit costs",
            hint="what the whole set comes to",
            run=lambda unit_costs, price_margin=0: round(sum(unit_costs) * (1 + price_margin), 2),
        ),
        Tool(
            "warn_line_leader",
            "Warn the leader of a line that its quality is slipping.",
            (Parameter("line_id", LINE, "on {}"),),
            (),
            ask="warn the line leader",
            hint="that the person in charge over there has been told",
        ),
        Tool(
            "configure_control_plan",
            "Set up how a part is checked on a machine: how much, how often, with what, by whom.",
            (
                Parameter("part_id", PART, "for {}"),
                Parameter("machine_id", MACHINE, "on {}"),
                Parameter("sample_size", SAMPLE, "drawing {}"),
                Parameter("check_interval", INTERVAL, "every {}", optional=True),
                Parameter("gauge_id", GAUGE, "using {}", optional=True),
                Parameter("operator_id", OPERATOR, "watched by {}", optional=True),
                Parameter("tolerance_width", TOLERANCE, "allowing {}", optional=True),
                Parameter("defect_limit", DEFECT_LIMIT, "putting up with {}", optional=True),
                Parameter("chart_type", CHART, "plotting {}", optional=True),
                Parameter("first_day", FIRST_DAY, "in force from {}", optional=True),
                Parameter("last_day", LAST_DAY, "ending with {}", optional=True),
                Parameter("retention_time", KEEPING, "keeping records for {}", optional=True),
                Parameter("reply_time", REPLY_TIME, "answering alarms within {}", optional=True),
                Parameter("humidity_cap", HUMIDITY, "in air no damper than {}", optional=True),
                Parameter("torque_target", TORQUE, "screwed down with {}", optional=True),
                Parameter("label_colour", COLOUR, "tagged {}", optional=True),
                Parameter("plant_name", PLANT, "made at {}", optional=True),
                Parameter("box_size", BOX_SIZE, "packed {}", optional=True),
                Parameter("tool_life", TOOL_LIFE, "with a new cutter after {}", optional=True),
            ),
            (Field("control_plan_id", CONTROL_PLAN),),
            ask="configure the control plan",
            hint="that the checking is set up for good",
        ),
    ),
)
