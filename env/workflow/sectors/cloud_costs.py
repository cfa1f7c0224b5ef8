"""Cloud cost management: accounts, clusters, buckets, and what they cost against a budget."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Note, Quantity, Share

__all__ = ["CLOUD_COSTS"]

ACCOUNT = Identifier("cloud_account", "account", "ACC")
BUCKET = Identifier("bucket", "bucket", "BKT")
CLUSTER = Identifier("cluster", "cluster", "CLU")
SAVINGS_PLAN = Identifier("savings_plan", "savings plan", "SVP")
TEAM = Identifier("team", "team", "TEA")
WORKLOAD = Identifier("workload", "workload", "WKL")

REGION = Name("cloud_region", ("aurora-north", "delta-south", "harbour-west", "ridge-east"))
PRICING = Choice(
    "pricing_model",
    {"on_demand": "hourly hire", "reserved": "a prepaid block", "spot": "leftover capacity"},
)
STORAGE_CLASS = Choice(
    "storage_class",
    {"hot": "read all the time", "cool": "rarely touched", "archived": "put away for good"},
)
OVERSHOOT_GRADE = Choice(
    "overshoot_grade",
    {"green": "nothing to fret about", "amber": "worth a second look", "red": "out of hand"},
)
BILLING_DAY = Day("billing_day")
DUE_DAY = Day("due_day")
WINDOW_START = Day("window_start")

ALERTS = Quantity("alert_count", "alerts", 2, 60)
BILLING_GAP = Quantity("billing_gap", "euros", 100, 9_000, 100)
BUDGET = Quantity("budget", "euros", 2_000, 50_000, 500)
COMPUTE_COST = Quantity("compute_cost", "euros", 200, 9_800, 100)
CORE_HOURS = Quantity("core_hours", "core hours", 5_000, 95_000, 500)
CORE_RATE = Quantity("core_rate", "cents per core hour", 2, 12, 0.5)
EGRESS = Quantity("egress_volume", "gigabytes", 200, 9_000, 100)
EXCHANGE_RATE = Quantity("exchange_rate", "euros per dollar", 0.8, 0.99, 0.01)
FORECAST = Quantity("spend_forecast", "euros", 2_000, 99_000, 500)
IDLE_WASTE = Quantity("idle_waste", "euros", 100, 6_000, 100)
INVOICE_EUR = Quantity("invoice_eur", "euros", 2_000, 90_000, 100)
INVOICE_USD = Quantity("invoice_usd", "dollars", 2_000, 90_000, 100)
LOCK_MONTHS = Quantity("lock_months", "months", 6, 36, 6)
MEAN_VOLUME = Quantity("mean_volume", "gigabytes", 500, 60_000, 500)
MONTHLY_SPEND = Quantity("monthly_spend", "euros", 2_000, 90_000, 100)
OVERSHOOT = Quantity("overshoot", "euros", 0, 40_000, 500)
PLAN_GAIN = Quantity("plan_gain", "euros", 100, 5_000, 100)
STORAGE_COST = Quantity("storage_cost", "euros", 20, 900, 10)
STORED = Quantity("stored_volume", "gigabytes", 500, 60_000, 500)
TOTAL_SPEND = Quantity("total_spend", "euros", 10_000, 200_000, 500)
ALERT_SHARE = Share("alert_share", 50, 95)
DISCOUNT = Share("plan_discount", 10, 60)
GROWTH = Share("growth_share", 2, 40)
IDLE = Share("idle_share", 5, 70)
PEAK_IDLE = Share("peak_idle", 5, 70)

SHOWBACK = Note(
    "showback_text",
    (
        "Spending follows the plan; nothing needs to be done this month.",
        "Idle machines are the largest item that can be cut.",
        "Storage grows faster than the business does; review what is kept.",
    ),
)
EURO_PER_GIGABYTE = {"hot": 0.02, "cool": 0.01, "archived": 0.002}
EURO_PER_GIGABYTE_OUT = 0.08


def _waste(compute_cost: float, idle_share: float) -> float:
    return compute_cost * idle_share


def _overshoot(monthly_spend: float, budget_limit: float) -> float:
    return max(monthly_spend - budget_limit, 0)


def _grade(overshoot_eur: float, budget_limit: float) -> str:
    excess = overshoot_eur / max(budget_limit, 1)
    return "red" if excess > 0.8 else "amber" if excess > 0.2 else "green"


def _storage_cost(stored_gb: float, storage_class: str, egress_gb: float = 0) -> float:
    return stored_gb * EURO_PER_GIGABYTE[storage_class] + egress_gb * EURO_PER_GIGABYTE_OUT


CLOUD_COSTS = Sector(
    "cloud_costs",
    "cloud cost management",
    (
        Tool(
            "count_open_spend_alerts",
            "Count the spend alerts of the whole organisation that nobody has closed.",
            (),
            (Field("alert_count", ALERTS),),
            ask="count the open spend alerts",
            hint="how many warnings about money are still waiting for somebody",
        ),
        Tool(
            "get_billing_exchange_rate",
            "Return the euros per dollar at which the provider's bills are booked this month.",
            (),
            (Field("exchange_rate", EXCHANGE_RATE),),
            ask="get the billing exchange rate",
            hint="what a dollar is worth to us at the moment",
        ),
        Tool(
            "find_team_cloud_account",
            "Find the cloud account to which a team's usage is billed.",
            (Parameter("team_id", TEAM, "used by {}"),),
            (Field("account_id", ACCOUNT),),
            ask="find the team cloud account",
            hint="where those people's bills land",
        ),
        Tool(
            "get_account_monthly_spend",
            "Return what an account has spent in the last full month, in euros.",
            (Parameter("account_id", ACCOUNT, "on {}"),),
            (Field("monthly_spend", MONTHLY_SPEND),),
            ask="get the account monthly spend",
            hint="how much money goes out there in a month",
        ),
        Tool(
            "get_account_dollar_invoice",
            "Return the amount in dollars that the provider invoices to an account on a day.",
            (
                Parameter("account_id", ACCOUNT, "sent to {}"),
                Parameter("billing_day", BILLING_DAY, "dated {}"),
            ),
            (Field("invoice_usd", INVOICE_USD),),
            ask="get the account dollar invoice",
            hint="how much the provider wants from us",
        ),
        Tool(
            "convert_dollar_cloud_invoice",
            "Convert an invoice from dollars to euros at a given exchange rate.",
            (
                Parameter("invoice_usd", INVOICE_USD, "billed at {}"),
                Parameter("exchange_rate", EXCHANGE_RATE, "at {}"),
            ),
            (Field("invoice_eur", INVOICE_EUR),),
            ask="convert the dollar cloud invoice",
            hint="what the provider's bill is in our own money",
            run=lambda invoice_usd, exchange_rate: invoice_usd * exchange_rate,
        ),
        Tool(
            "reconcile_cloud_invoice_spend",
            "Compute by how much an invoice and the spend on our books differ, whichever is more.",
            (
                Parameter("invoice_eur", INVOICE_EUR, "with {} on the provider's bill"),
                Parameter("monthly_spend", MONTHLY_SPEND, "with {} on our own books"),
            ),
            (Field("billing_gap", BILLING_GAP),),
            ask="reconcile the cloud invoice with the spend",
            hint="how far the bill and our books are apart",
            run=lambda invoice_eur, monthly_spend: abs(invoice_eur - monthly_spend),
        ),
        Tool(
            "locate_workload_cluster",
            "Find the cluster that a workload is scheduled on.",
            (Parameter("workload_id", WORKLOAD, "hosting {}"),),
            (Field("cluster_id", CLUSTER),),
            ask="locate the workload cluster",
            hint="which group of machines that job sits on",
        ),
        Tool(
            "get_cluster_core_hours",
            "Return the core hours that a cluster was billed for in the last full month.",
            (Parameter("cluster_id", CLUSTER, "on {}"),),
            (Field("hours_billed", CORE_HOURS),),
            ask="get the cluster core hours",
            hint="how much processing time was used up",
        ),
        Tool(
            "measure_cluster_idle_share",
            "Measure the share of a cluster's cores that did no work, from a given day on if any.",
            (
                Parameter("cluster_id", CLUSTER, "in {}"),
                Parameter("window_start", WINDOW_START, "counted from {}", optional=True),
            ),
            (Field("idle_share", IDLE),),
            ask="measure the cluster idle share",
            hint="how much of the hardware stands around doing nothing",
        ),
        Tool(
            "get_region_core_rate",
            "Return the price of a core hour in a region under a pricing model.",
            (
                Parameter("region_name", REGION, "in {}"),
                Parameter("pricing_model", PRICING, "priced as {}"),
            ),
            (Field("core_rate", CORE_RATE),),
            ask="get the region core rate",
            hint="what an hour of processing goes for in that part of the world",
        ),
        Tool(
            "price_cluster_core_hours",
            "Compute the cost of core hours at a rate in cents per core hour.",
            (
                Parameter("hours_billed", CORE_HOURS, "with {} on the meter"),
                Parameter("core_rate", CORE_RATE, "charged at {}"),
            ),
            (Field("compute_cost", COMPUTE_COST),),
            ask="price the cluster core hours",
            hint="what all that processing comes to in money",
            run=lambda hours_billed, core_rate: hours_billed * core_rate / 100,
        ),
        Tool(
            "compute_idle_core_waste",
            "Compute the part of a compute cost that paid for idle cores.",
            (
                Parameter("compute_cost", COMPUTE_COST, "with {} paid for processing"),
                Parameter("idle_share", IDLE, "with {} of the cores unused"),
            ),
            (Field("idle_waste", IDLE_WASTE),),
            ask="compute the idle core waste",
            hint="how much money is burnt on machines nobody uses",
            run=_waste,
        ),
        Tool(
            "estimate_unused_capacity_spend",
            "Estimate what was paid for capacity that served nothing: cost times unused share.",
            (
                Parameter("compute_cost", COMPUTE_COST, "with processing at {}"),
                Parameter("idle_share", IDLE, "where {} did no work"),
            ),
            (Field("idle_waste", IDLE_WASTE),),
            ask="estimate the spend on unused capacity",
            hint="what we pay for power that just sits there",
            run=_waste,
            same_as="compute_idle_core_waste",
        ),
        Tool(
            "find_highest_idle_share",
            "Find the highest of several idle shares.",
            (Parameter("idle_shares", ListOf(IDLE), "among {}"),),
            (Field("peak_idle", PEAK_IDLE),),
            ask="find the highest idle share",
            hint="how lazy the laziest of them is",
            run=lambda idle_shares: max(idle_shares),
        ),
        Tool(
            "get_savings_plan_discount",
            "Return the share that a savings plan takes off the price of compute.",
            (Parameter("plan_id", SAVINGS_PLAN, "under {}"),),
            (Field("plan_discount", DISCOUNT),),
            ask="get the savings plan discount",
            hint="how much cheaper the deal makes things",
        ),
        Tool(
            "read_commitment_price_cut",
            "Read by what share a long-term commitment lowers the price of compute.",
            (Parameter("plan_id", SAVINGS_PLAN, "agreed in {}"),),
            (Field("plan_discount", DISCOUNT),),
            ask="read the price cut of the commitment",
            hint="what percentage comes off for binding ourselves",
            same_as="get_savings_plan_discount",
        ),
        Tool(
            "compute_savings_plan_gain",
            "Compute what a discount saves on a compute cost, less the idle share of it if given.",
            (
                Parameter("compute_cost", COMPUTE_COST, "on a processing bill of {}"),
                Parameter("plan_discount", DISCOUNT, "with {} taken off"),
                Parameter("idle_share", IDLE, "leaving out {} that lies idle", optional=True),
            ),
            (Field("plan_gain", PLAN_GAIN),),
            ask="compute the savings plan gain",
            hint="what signing that deal would bring us",
            run=lambda compute_cost, plan_discount, idle_share=0: (
                compute_cost * plan_discount * (1 - idle_share)
            ),
        ),
        Tool(
            "get_bucket_stored_volume",
            "Return how many gigabytes a bucket holds.",
            (Parameter("bucket_id", BUCKET, "in {}"),),
            (Field("stored_gb", STORED),),
            ask="get the bucket stored volume",
            hint="how much data has piled up",
        ),
        Tool(
            "get_bucket_egress_volume",
            "Return how many gigabytes left a bucket, from a day on if one is given.",
            (
                Parameter("bucket_id", BUCKET, "out of {}"),
                Parameter("window_start", WINDOW_START, "beginning on {}", optional=True),
            ),
            (Field("egress_gb", EGRESS),),
            ask="get the bucket egress volume",
            hint="how much data people pull out of there",
        ),
        Tool(
            "compute_bucket_storage_cost",
            "Compute the monthly cost of stored gigabytes in a class, with transfer out if given.",
            (
                Parameter("stored_gb", STORED, "holding {}"),
                Parameter("storage_class", STORAGE_CLASS, "with data that is {}"),
                Parameter("egress_gb", EGRESS, "with {} carried out", optional=True),
            ),
            (Field("storage_cost", STORAGE_COST),),
            ask="compute the bucket storage cost",
            hint="what it costs to keep those files",
            run=_storage_cost,
        ),
        Tool(
            "average_bucket_stored_volumes",
            "Compute the mean of several stored volumes.",
            (Parameter("stored_volumes", ListOf(STORED), "over {}"),),
            (Field("mean_volume", MEAN_VOLUME),),
            ask="average the stored bucket volumes",
            hint="how full they are on the whole",
            run=lambda stored_volumes: sum(stored_volumes) / len(stored_volumes),
        ),
        Tool(
            "sum_monthly_account_spends",
            "Add up the monthly spends of several accounts.",
            (Parameter("monthly_spends", ListOf(MONTHLY_SPEND), "over {}"),),
            (Field("total_spend", TOTAL_SPEND),),
            ask="sum the monthly account spends",
            hint="what all of them cost us together",
            run=lambda monthly_spends: sum(monthly_spends),
        ),
        Tool(
            "forecast_next_month_spend",
            "Forecast next month's spend from this month's, its growth, and a discount if given.",
            (
                Parameter("monthly_spend", MONTHLY_SPEND, "starting from {}"),
                Parameter("growth_rate", GROWTH, "going up by {}"),
                Parameter("plan_discount", DISCOUNT, "after a price cut of {}", optional=True),
            ),
            (Field("spend_forecast", FORECAST),),
            ask="forecast the spend of the next month",
            hint="where the bill is heading",
            run=lambda monthly_spend, growth_rate, plan_discount=0: (
                monthly_spend * (1 + growth_rate) * (1 - plan_discount)
            ),
        ),
        Tool(
            "compute_budget_overshoot",
            "Compute by how many euros a month's spend exceeds its budget, zero if it does not.",
            (
                Parameter("monthly_spend", MONTHLY_SPEND, "with {} already gone"),
                Parameter("budget_limit", BUDGET, "against a ceiling of {}"),
            ),
            (Field("overshoot_eur", OVERSHOOT),),
            ask="compute the budget overshoot",
            hint="by how much they went past what they were allowed",
            run=_overshoot,
        ),
        Tool(
            "measure_spend_above_allowance",
            "Measure how much of a month's spend lies above the allowance, zero if none does.",
            (
                Parameter("monthly_spend", MONTHLY_SPEND, "with {} paid out"),
                Parameter("budget_limit", BUDGET, "allowed up to {}"),
            ),
            (Field("overshoot_eur", OVERSHOOT),),
            ask="measure the spend above the allowance",
            hint="how far beyond the agreed figure things have gone",
            run=_overshoot,
            same_as="compute_budget_overshoot",
        ),
        Tool(
            "grade_budget_overshoot",
            "Grade an overshoot by its share of the budget: above 20 percent amber, above 80 red.",
            (
                Parameter("overshoot_eur", OVERSHOOT, "over by {}"),
                Parameter("budget_limit", BUDGET, "where {} were granted"),
            ),
            (Field("overshoot_grade", OVERSHOOT_GRADE),),
            ask="grade the budget overshoot",
            hint="how seriously we should take the excess",
            run=_grade,
        ),
        Tool(
            "compose_cost_showback_report",
            "Compose the monthly cost report for a team out of the figures that are given.",
            (
                Parameter("team_id", TEAM, "addressed to {}"),
                Parameter("total_spend", TOTAL_SPEND, "showing {} in total"),
                Parameter("storage_cost", STORAGE_COST, "with {} of it for storage", optional=True),
                Parameter("idle_waste", IDLE_WASTE, "with {} of it wasted", optional=True),
                Parameter("spend_forecast", FORECAST, "with {} expected next", optional=True),
                Parameter("overshoot_grade", OVERSHOOT_GRADE, "rated as {}", optional=True),
            ),
            (Field("showback_text", SHOWBACK),),
            ask="compose the cost showback report",
            hint="what to tell those people about their bill",
        ),
        Tool(
            "file_cluster_rightsizing_request",
            "Ask a team to shrink a cluster, stating the waste, by a day if one is given.",
            (
                Parameter("cluster_id", CLUSTER, "about {}"),
                Parameter("team_id", TEAM, "handed to {}"),
                Parameter("idle_waste", IDLE_WASTE, "with {} to be saved"),
                Parameter("due_day", DUE_DAY, "to be done by {}", optional=True),
            ),
            (),
            ask="file the cluster rightsizing request",
            hint="that the owners have been asked to shrink it",
        ),
        Tool(
            "configure_account_spend_guard",
            "Set the budget of an account and, as far as given, the rules that guard its spend.",
            (
                Parameter("account_id", ACCOUNT, "over {}"),
                Parameter("budget_limit", BUDGET, "capped at {}"),
                Parameter("alert_share", ALERT_SHARE, "warning at {} of the cap", optional=True),
                Parameter("team_id", TEAM, "warning {}", optional=True),
                Parameter("region_name", REGION, "confined to {}", optional=True),
                Parameter("pricing_model", PRICING, "allowing only {}", optional=True),
                Parameter("storage_class", STORAGE_CLASS, "for files that are {}", optional=True),
                Parameter("growth_rate", GROWTH, "letting it grow by {}", optional=True),
                Parameter("idle_share", IDLE, "tolerating {} of idleness", optional=True),
                Parameter("plan_id", SAVINGS_PLAN, "drawing on {}", optional=True),
                Parameter("lock_months", LOCK_MONTHS, "locked for {}", optional=True),
                Parameter("window_start", WINDOW_START, "in force from {}", optional=True),
                Parameter("due_day", DUE_DAY, "up for review on {}", optional=True),
                Parameter("egress_gb", EGRESS, "with at most {} leaving", optional=True),
            ),
            (),
            ask="configure the account spend guard",
            hint="that nobody there can run up a bill unnoticed",
        ),
    ),
)
