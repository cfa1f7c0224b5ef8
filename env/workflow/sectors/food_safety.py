"""Food safety: batches, the cold and the heat that keep them sound, and recalls."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Quantity, Share

__all__ = ["FOOD_SAFETY"]

BATCH = Identifier("batch", "batch", "BAT")
COLD_STORE = Identifier("cold_store", "cold store", "CST")
GROWER = Identifier("grower", "grower", "GRW")
INSPECTOR = Identifier("food_inspector", "inspector", "FIN")
KITCHEN = Identifier("kitchen", "kitchen", "KIT")
RECIPE = Identifier("recipe", "recipe", "RCP")

ALLERGEN = Choice(
    "allergen",
    {"gluten": "wheat and its kin", "lactose": "anything milky", "tree_nuts": "hard kernels"},
)
BATCH_GRADE = Choice(
    "batch_grade",
    {"sound": "fit to eat", "doubtful": "a borderline case", "unsafe": "not to be served"},
)
EATERS = Choice(
    "eater_group",
    {"infants": "babies", "patients": "sick people", "adults": "healthy grown-ups"},
)
AUDIT_DAY = Day("audit_day")
PROBE_DAY = Day("probe_day")
RETURN_DAY = Day("return_day")
VALID_FROM = Day("valid_from")
VISIT_DAY = Day("visit_day")

ACIDITY = Quantity("acidity", "on the pH scale", 3.5, 7, 0.1)
AUDIT_POINTS = Quantity("audit_points", "points", 20, 100)
BOXES_RETURNED = Quantity("boxes_returned", "boxes", 20, 480, 10)
BOXES_SHIPPED = Quantity("boxes_shipped", "boxes", 500, 950, 10)
BOX_FEE = Quantity("box_fee", "euros a box", 2, 9, 0.5)
COLONIES = Quantity("colony_count", "colonies per gram", 50, 900, 10)
COLONIES_AHEAD = Quantity("colonies_ahead", "colonies per gram", 100, 5_000, 50)
COLONY_LIMIT = Quantity("colony_limit", "colonies per gram", 500, 6_000, 100)
CORE_DEGREES = Quantity("core_degrees", "degrees", 60, 90, 0.5)
GROWTH = Quantity("colony_growth", "colonies per gram an hour", 4, 45)
HOLD_MINUTES = Quantity("hold_minutes", "minutes", 2, 40)
HOURS_KEPT = Quantity("hours_kept", "hours", 6, 96, 2)
LETHALITY = Quantity("lethality", "lethal minutes", 2, 120, 2)
MEAN_POINTS = Quantity("mean_points", "points", 20, 100)
OPEN_CASES = Quantity("open_cases", "cases", 2, 30)
PEAK_DEGREES = Quantity("peak_degrees", "degrees", 2, 14, 0.5)
RECALL_COST = Quantity("recall_cost", "euros", 1_000, 9_500, 100)
SAFE_HOURS = Quantity("safe_hours", "hours", 2, 400, 2)
STORE_DEGREES = Quantity("store_degrees", "degrees", 2, 14, 0.5)
TOTAL_BOXES = Quantity("total_boxes", "boxes", 1_000, 5_000, 100)
RETURN_SHARE = Share("return_share")

COLONIES_ALLOWED = {"infants": 300, "patients": 900, "adults": 2_500}


def _colonies_ahead(colony_count: float, colony_growth: float, hours_kept: float) -> float:
    return colony_count + colony_growth * hours_kept


def _batch_grade(colonies_ahead: float, colony_limit: float) -> str:
    if colonies_ahead > colony_limit:
        return "unsafe"
    return "doubtful" if colonies_ahead > colony_limit / 2 else "sound"


def _colony_limit(acidity_level: float, eater_group: str) -> float:
    return COLONIES_ALLOWED[eater_group] * max(12 - acidity_level, 1) / 4


def _lethality(core_degrees: float, hold_minutes: float) -> float:
    return hold_minutes * max(core_degrees - 55, 0) / 10


def _return_share(boxes_shipped: float, boxes_returned: float) -> float:
    return min(boxes_returned / max(boxes_shipped, 1), 1)


FOOD_SAFETY = Sector(
    "food_safety",
    "food safety",
    (
        Tool(
            "count_open_recall_cases",
            "Count the recalls that are still open.",
            (),
            (Field("open_cases", OPEN_CASES),),
            ask="count the open recall cases",
            hint="how many times we are getting goods back at the moment",
        ),
        Tool(
            "get_recall_handling_fee",
            "Return what the carrier charges at present for each recalled box, in euros.",
            (),
            (Field("box_fee", BOX_FEE),),
            ask="get the recall handling fee",
            hint="what the carrier takes for bringing a carton back",
        ),
        Tool(
            "find_batch_recipe_card",
            "Find the recipe that a batch was made by.",
            (Parameter("batch_id", BATCH, "behind {}"),),
            (Field("recipe_id", RECIPE),),
            ask="find the batch recipe card",
            hint="what exactly was being made",
        ),
        Tool(
            "find_batch_cold_store",
            "Find the cold store in which a batch lies.",
            (Parameter("batch_id", BATCH, "holding {}"),),
            (Field("store_id", COLD_STORE),),
            ask="find the batch cold store",
            hint="where those goods are being chilled",
        ),
        Tool(
            "trace_batch_source_grower",
            "Trace a batch back to the grower of its main ingredient.",
            (Parameter("batch_id", BATCH, "of {}"),),
            (Field("grower_id", GROWER),),
            ask="trace the batch source grower",
            hint="which farm it all came from",
        ),
        Tool(
            "get_grower_audit_points",
            "Return the points, out of 100, that a grower got in the audit of a given day, or else "
            "in the latest.",
            (
                Parameter("grower_id", GROWER, "for {}"),
                Parameter("audit_day", AUDIT_DAY, "as judged on {}", optional=True),
            ),
            (Field("audit_points", AUDIT_POINTS),),
            ask="get the grower audit points",
            hint="how well that farm did when it was looked over",
        ),
        Tool(
            "average_grower_audit_points",
            "Compute the mean of several growers' audit points.",
            (Parameter("points_given", ListOf(AUDIT_POINTS), "over {}"),),
            (Field("mean_points", MEAN_POINTS),),
            ask="average the grower audit points",
            hint="how good those farms are on the whole",
            run=lambda points_given: sum(points_given) / len(points_given),
        ),
        Tool(
            "measure_cold_store_temperature",
            "Measure the temperature of a cold store, on a given day if any, else now.",
            (
                Parameter("store_id", COLD_STORE, "in {}"),
                Parameter("probe_day", PROBE_DAY, "as logged on {}", optional=True),
            ),
            (Field("store_degrees", STORE_DEGREES),),
            ask="measure the cold store temperature",
            hint="how well the goods are being chilled",
        ),
        Tool(
            "find_warmest_store_reading",
            "Find the highest of several cold store temperatures.",
            (Parameter("store_readings", ListOf(STORE_DEGREES), "among {}"),),
            (Field("peak_degrees", PEAK_DEGREES),),
            ask="find the warmest store reading",
            hint="how bad it gets in the worst of those fridges",
            run=lambda store_readings: max(store_readings),
        ),
        Tool(
            "get_recipe_acidity_level",
            "Return the acidity of a recipe's product on the pH scale.",
            (Parameter("recipe_id", RECIPE, "of {}"),),
            (Field("acidity_level", ACIDITY),),
            ask="get the recipe acidity level",
            hint="how sour the stuff is",
        ),
        Tool(
            "measure_batch_colony_count",
            "Measure the colonies per gram in a batch, in the sample of a given day or the latest.",
            (
                Parameter("batch_id", BATCH, "in {}"),
                Parameter("probe_day", PROBE_DAY, "sampled on {}", optional=True),
            ),
            (Field("colony_count", COLONIES),),
            ask="measure the batch colony count",
            hint="how many germs were in it to begin with",
        ),
        Tool(
            "compute_colony_growth_rate",
            "Compute how many colonies per gram are added an hour: half of temperature times pH.",
            (
                Parameter("store_degrees", STORE_DEGREES, "kept at {}"),
                Parameter("acidity_level", ACIDITY, "at {}"),
            ),
            (Field("colony_growth", GROWTH),),
            ask="compute the colony growth rate",
            hint="how fast germs multiply under these conditions",
            run=lambda store_degrees, acidity_level: store_degrees * acidity_level / 2,
        ),
        Tool(
            "project_batch_colony_count",
            "Project the colonies per gram of a batch after hours of growth at a constant rate.",
            (
                Parameter("colony_count", COLONIES, "starting with {}"),
                Parameter("colony_growth", GROWTH, "rising by {}"),
                Parameter("hours_kept", HOURS_KEPT, "after {}"),
            ),
            (Field("colonies_ahead", COLONIES_AHEAD),),
            ask="project the batch colony count",
            hint="how many germs there will be by the time it is sold",
            run=_colonies_ahead,
        ),
        Tool(
            "forecast_product_germ_level",
            "Forecast the germ level of a product from its present level, its rise and its age.",
            (
                Parameter("colony_count", COLONIES, "with {} today"),
                Parameter("colony_growth", GROWTH, "gaining {}"),
                Parameter("hours_kept", HOURS_KEPT, "left for {}"),
            ),
            (Field("colonies_ahead", COLONIES_AHEAD),),
            ask="forecast the product germ level",
            hint="how much will be crawling about in it later on",
            run=_colonies_ahead,
            same_as="project_batch_colony_count",
        ),
        Tool(
            "compute_eater_colony_limit",
            "Compute how many colonies per gram a group of eaters may be served, fewer the less "
            "acid the product is.",
            (
                Parameter("acidity_level", ACIDITY, "measuring {}"),
                Parameter("eater_group", EATERS, "eaten by {}"),
            ),
            (Field("colony_limit", COLONY_LIMIT),),
            ask="compute the eater colony limit",
            hint="how many germs can be tolerated on that plate",
            run=_colony_limit,
        ),
        Tool(
            "grade_batch_germ_load",
            "Grade a batch: unsafe above the limit, doubtful above half of it, else sound.",
            (
                Parameter("colonies_ahead", COLONIES_AHEAD, "with {} to come"),
                Parameter("colony_limit", COLONY_LIMIT, "where {} are allowed"),
            ),
            (Field("batch_grade", BATCH_GRADE),),
            ask="grade the batch germ load",
            hint="whether anybody should be given those goods",
            run=_batch_grade,
        ),
        Tool(
            "compute_remaining_safe_hours",
            "Compute in how many hours a batch reaches its colony limit, zero if it is past it.",
            (
                Parameter("colony_count", COLONIES, "now at {}"),
                Parameter("colony_growth", GROWTH, "climbing by {}"),
                Parameter("colony_limit", COLONY_LIMIT, "up to {}"),
            ),
            (Field("safe_hours", SAFE_HOURS),),
            ask="compute the remaining safe hours",
            hint="how long it can still be sold without worry",
            run=lambda colony_count, colony_growth, colony_limit: (
                max(colony_limit - colony_count, 0) / max(colony_growth, 0.1)
            ),
        ),
        Tool(
            "probe_batch_core_temperature",
            "Return the core temperature that a batch reached in cooking, by the probe of a given "
            "day or the latest.",
            (
                Parameter("batch_id", BATCH, "within {}"),
                Parameter("probe_day", PROBE_DAY, "as cooked on {}", optional=True),
            ),
            (Field("core_degrees", CORE_DEGREES),),
            ask="probe the batch core temperature",
            hint="how hot it got in the middle",
        ),
        Tool(
            "get_recipe_hold_minutes",
            "Return for how many minutes a recipe has the core temperature held.",
            (Parameter("recipe_id", RECIPE, "under {}"),),
            (Field("hold_minutes", HOLD_MINUTES),),
            ask="get the recipe hold minutes",
            hint="how long it has to be left in the heat",
        ),
        Tool(
            "compute_core_cooking_lethality",
            "Compute the lethality of cooking: minutes held, times the degrees above 55, by 10.",
            (
                Parameter("core_degrees", CORE_DEGREES, "cooked at {}"),
                Parameter("hold_minutes", HOLD_MINUTES, "for {}"),
            ),
            (Field("lethal_minutes", LETHALITY),),
            ask="compute the core cooking lethality",
            hint="how thoroughly the oven has killed what was in there",
            run=_lethality,
        ),
        Tool(
            "rate_heat_kill_strength",
            "Rate how strongly heat kills germs from the temperature reached and for how long.",
            (
                Parameter("core_degrees", CORE_DEGREES, "heated to {}"),
                Parameter("hold_minutes", HOLD_MINUTES, "kept hot for {}"),
            ),
            (Field("lethal_minutes", LETHALITY),),
            ask="rate the heat kill strength",
            hint="whether the cooking was enough to make it harmless",
            run=_lethality,
            same_as="compute_core_cooking_lethality",
        ),
        Tool(
            "count_batch_shipped_boxes",
            "Count the boxes of a batch that were shipped.",
            (Parameter("batch_id", BATCH, "from {}"),),
            (Field("boxes_shipped", BOXES_SHIPPED),),
            ask="count the batch shipped boxes",
            hint="how much of it has left the house",
        ),
        Tool(
            "sum_recalled_batch_boxes",
            "Add up the shipped boxes of several batches.",
            (Parameter("box_counts", ListOf(BOXES_SHIPPED), "over {}"),),
            (Field("total_boxes", TOTAL_BOXES),),
            ask="sum the recalled batch boxes",
            hint="how many cartons we would have to get back altogether",
            run=lambda box_counts: sum(box_counts),
        ),
        Tool(
            "count_recall_returned_boxes",
            "Count the boxes of a recalled batch that have come back, up to a given day if any.",
            (
                Parameter("batch_id", BATCH, "belonging to {}"),
                Parameter("return_day", RETURN_DAY, "received up to {}", optional=True),
            ),
            (Field("boxes_returned", BOXES_RETURNED),),
            ask="count the recall returned boxes",
            hint="how much of it has found its way home",
        ),
        Tool(
            "compute_recall_return_share",
            "Compute the share of shipped boxes that a recall has brought back.",
            (
                Parameter("boxes_shipped", BOXES_SHIPPED, "with {} sent out"),
                Parameter("boxes_returned", BOXES_RETURNED, "with {} back again"),
            ),
            (Field("return_share", RETURN_SHARE),),
            ask="compute the recall return share",
            hint="what fraction of the goods we got hold of again",
            run=_return_share,
        ),
        Tool(
            "rate_withdrawal_recovery_ratio",
            "Rate a withdrawal from the market by the ratio of boxes recovered to boxes sold.",
            (
                Parameter("boxes_shipped", BOXES_SHIPPED, "having sold {}"),
                Parameter("boxes_returned", BOXES_RETURNED, "having recovered {}"),
            ),
            (Field("return_share", RETURN_SHARE),),
            ask="rate the withdrawal recovery ratio",
            hint="how well pulling it off the shelves has worked",
            run=_return_share,
            same_as="compute_recall_return_share",
        ),
        Tool(
            "estimate_recall_carrier_cost",
            "Estimate the cost of a recall: a fee for each box, and half of it again for the share "
            "not yet returned if the share that is returned is given.",
            (
                Parameter("boxes_shipped", BOXES_SHIPPED, "collecting {}"),
                Parameter("box_fee", BOX_FEE, "charged at {}"),
                Parameter("return_share", RETURN_SHARE, "with {} already back", optional=True),
            ),
            (Field("recall_eur", RECALL_COST),),
            ask="estimate the recall carrier cost",
            hint="what it costs to fetch everything back",
            run=lambda boxes_shipped, box_fee, return_share=1: (
                boxes_shipped * box_fee * (1 + (1 - return_share) / 2)
            ),
        ),
        Tool(
            "block_graded_batch_release",
            "Block a batch from release for its grade, with the count and the inspector if given.",
            (
                Parameter("batch_id", BATCH, "on {}"),
                Parameter("batch_grade", BATCH_GRADE, "declared {}"),
                Parameter("colonies_ahead", COLONIES_AHEAD, "because of {}", optional=True),
                Parameter("inspector_id", INSPECTOR, "signed by {}", optional=True),
            ),
            (),
            ask="block the graded batch release",
            hint="that the goods are not going anywhere",
        ),
        Tool(
            "schedule_kitchen_hygiene_visit",
            "Schedule an inspector's visit to a kitchen on a day, with what gave rise to it.",
            (
                Parameter("kitchen_id", KITCHEN, "at {}"),
                Parameter("inspector_id", INSPECTOR, "carried out by {}"),
                Parameter("visit_day", VISIT_DAY, "set for {}"),
                Parameter("audit_points", AUDIT_POINTS, "after only {}", optional=True),
                Parameter("store_degrees", STORE_DEGREES, "with fridges at {}", optional=True),
                Parameter("allergen_watched", ALLERGEN, "looking for {}", optional=True),
            ),
            (),
            ask="schedule the kitchen hygiene visit",
            hint="that somebody will look over the cooks' shoulders",
        ),
        Tool(
            "configure_recipe_release_rules",
            "Set for whom a recipe is released and, as far as given, the limits that apply.",
            (
                Parameter("recipe_id", RECIPE, "for {}"),
                Parameter("eater_group", EATERS, "made for {}"),
                Parameter("allergen_watched", ALLERGEN, "kept clear of {}", optional=True),
                Parameter("acidity_level", ACIDITY, "no higher than {}", optional=True),
                Parameter("store_degrees", STORE_DEGREES, "chilled to {}", optional=True),
                Parameter("core_degrees", CORE_DEGREES, "cooked through at {}", optional=True),
                Parameter("hold_minutes", HOLD_MINUTES, "held there for {}", optional=True),
                Parameter("lethal_minutes", LETHALITY, "reaching {}", optional=True),
                Parameter("colony_limit", COLONY_LIMIT, "with {} at most", optional=True),
                Parameter("hours_kept", HOURS_KEPT, "sold within {}", optional=True),
                Parameter("audit_points", AUDIT_POINTS, "from farms with {}", optional=True),
                Parameter("inspector_id", INSPECTOR, "approved by {}", optional=True),
                Parameter("valid_from", VALID_FROM, "taking effect on {}", optional=True),
            ),
            (),
            ask="configure the recipe release rules",
            hint="that the dish may only go out under our conditions",
        ),
    ),
)
