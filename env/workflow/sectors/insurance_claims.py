"""Insurance claims: motor policies, the damage that is reported, and what is paid for it."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Flag, Identifier, ListOf, Name, Quantity, Share

__all__ = ["INSURANCE_CLAIMS"]

CLAIM = Identifier("claim", "claim", "CL")
POLICY = Identifier("policy", "policy", "PL")
HOLDER = Identifier("policyholder", "policyholder", "PH")
VEHICLE = Identifier("vehicle", "vehicle", "VH")
GARAGE = Identifier("garage", "garage", "GR")
ADJUSTER = Identifier("adjuster", "adjuster", "AJ")
INSPECTION = Identifier("inspection", "inspection", "IN")

DAMAGE = Quantity("damage_cost", "euros", 500, 30_000, 100)
REPORT_DELAY = Quantity("report_delay", "days", 2, 90)
PARTS = Quantity("parts_cost", "euros", 100, 9_000, 100)
REPAIR_HOURS = Quantity("repair_hours", "hours", 2, 80, 0.5)
HOURLY_RATE = Quantity("hourly_rate", "euros an hour", 30, 120, 5)
COVER = Quantity("cover_limit", "euros", 5_000, 90_000, 500)
EXCESS = Quantity("excess", "euros", 100, 900, 50)
PREMIUM = Quantity("premium", "euros a year", 200, 2_000, 100)
NEW_PREMIUM = Quantity("renewal_premium", "euros a year", 200, 3_000, 100)
PORTFOLIO = Quantity("premium_income", "euros a year", 1_000, 9_000, 100)
PAYOUT = Quantity("payout", "euros", 100, 30_000, 100)
RESERVE = Quantity("reserve", "euros", 2_000, 90_000, 500)
CONTINGENCY = Share("contingency", 5, 40)
FAULT_SHARE = Share("fault_share", 5, 95)
DISCOUNT = Share("fleet_discount", 2, 25)
LOSS_RATIO = Quantity("loss_ratio", "euros per euro earned", 1.5, 30, 0.5)
VALUE = Quantity("vehicle_value", "euros", 3_000, 50_000, 500)
WORTH_BAR = Share("repair_bar", 50, 90)
PRIOR = Quantity("prior_claims", "earlier losses", 2, 12)
FRAUD_SCORE = Quantity("fraud_score", "points", 5, 100)
WIND = Quantity("wind_speed", "km/h", 20, 160, 5)
CASES = Quantity("open_cases", "files", 3, 60)
MEAN_CASES = Quantity("mean_cases", "files each", 3, 60, 0.5)
MILEAGE = Quantity("mileage_cap", "km a year", 5_000, 40_000, 500)
CLEAN_YEARS = Quantity("clean_years", "years", 2, 20)
DRIVERS = Quantity("driver_count", "people", 2, 6)

REGION = Name("region", ("Ashcombe", "Brookmere", "Calder Vale", "Dunmarsh", "Elmsford"))
DAMAGE_TYPE = Choice(
    "damage_type",
    {"collision": "a crash", "hail": "falling ice", "theft": "a break-in", "flood": "high water"},
)
TREATMENT = Choice("treatment", {"write_off": "beyond mending", "repairable": "worth mending"})
USAGE = Choice(
    "usage",
    {
        "private_use": "for leisure",
        "commute": "for the drive to work",
        "commercial": "for business",
    },
)
PAYMENT_PLAN = Choice("payment_plan", {"lump_sum": "all at once", "split": "in small parts"})
PARKING = Choice("parking", {"kerbside": "out in the street", "locked_bay": "behind a gate"})
LOSS_DAY = Day("loss_day")
START_DAY = Day("start_day")
BOOKED_DAY = Day("booked_day")
RENEWAL_DAY = Day("renewal_day")
IS_OPENED = Flag("is_opened")
IS_RELEASED = Flag("is_released")


def _repair_bill(parts_cost: float, repair_hours: float, hourly_rate: float) -> float:
    return round(parts_cost + repair_hours * hourly_rate)


def _payout(
    damage_cost: float, excess_amount: float, cover_limit: float, fault_share: float = 0
) -> float:
    """Pay the damage above the excess up to the limit, less the part that the insured caused."""
    return round(max(min(damage_cost - excess_amount, cover_limit), 0) * (1 - fault_share))


def _treatment(damage_cost: float, vehicle_value: float, repair_bar: float = 0.7) -> str:
    return "write_off" if damage_cost > repair_bar * vehicle_value else "repairable"


def _fraud_score(prior_claims: float, report_delay: float, wind_speed: float = 0) -> float:
    """Score a claim; a storm on the day of the loss makes it easier to believe."""
    return max(min(round(6 * prior_claims + report_delay / 3 - wind_speed / 8), 100), 0)


def _loss_ratio(payout_sum: float, yearly_premium: float) -> float:
    return round(payout_sum / max(yearly_premium, 1), 2)


INSURANCE_CLAIMS = Sector(
    "insurance_claims",
    "insurance claims",
    (
        Tool(
            "find_policy_of_claim",
            "Find the policy under which a claim was made.",
            (Parameter("claim_id", CLAIM, "numbered {}"),),
            (Field("policy_id", POLICY),),
            ask="find the policy of the claim",
            hint="under which contract the loss falls",
        ),
        Tool(
            "get_claim_report",
            "Read the cost of the damage in a claim and how many days passed before it came in.",
            (Parameter("claim_id", CLAIM, "for {}"),),
            (Field("damage_cost", DAMAGE), Field("report_delay", REPORT_DELAY)),
            ask="get the claim report",
            hint="how bad the damage is and how late we heard of it",
        ),
        Tool(
            "find_policyholder_of_policy",
            "Find the person who holds a policy.",
            (Parameter("policy_id", POLICY, "numbered {}"),),
            (Field("policyholder_id", HOLDER),),
            ask="find the policyholder of the policy",
            hint="who signed the contract",
        ),
        Tool(
            "find_insured_vehicle",
            "Find the vehicle that a policy insures.",
            (Parameter("policy_id", POLICY, "under {}"),),
            (Field("vehicle_id", VEHICLE),),
            ask="find the insured vehicle",
            hint="which car the contract is about",
        ),
        Tool(
            "get_policy_terms",
            "Read the most that a policy pays and the excess that the insured bears.",
            (Parameter("policy_id", POLICY, "under {}"),),
            (Field("cover_limit", COVER), Field("excess_amount", EXCESS)),
            ask="get the policy terms",
            hint="how far the contract goes and what is left to the insured",
        ),
        Tool(
            "get_annual_premium",
            "Read the yearly premium of a policy, at present or as of a renewal.",
            (
                Parameter("policy_id", POLICY, "under {}"),
                Parameter("renewal_day", RENEWAL_DAY, "as it stands on {}", optional=True),
            ),
            (Field("yearly_premium", PREMIUM),),
            ask="get the annual premium",
            hint="what being insured costs in a year",
        ),
        Tool(
            "get_vehicle_value",
            "Read what a vehicle was worth before the loss.",
            (Parameter("vehicle_id", VEHICLE, "for {}"),),
            (Field("vehicle_value", VALUE),),
            ask="get the vehicle value",
            hint="what the car would have sold for",
        ),
        Tool(
            "look_up_market_worth",
            "Look up the price that a vehicle, undamaged, would fetch on the market.",
            (Parameter("vehicle_id", VEHICLE, "for {}"),),
            (Field("vehicle_value", VALUE),),
            ask="look up the market worth",
            hint="what a buyer would have given for the car",
            same_as="get_vehicle_value",
        ),
        Tool(
            "count_prior_claims",
            "Count the claims that a policyholder made before, in all or since a day.",
            (
                Parameter("policyholder_id", HOLDER, "for {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("prior_claims", PRIOR),),
            ask="count the prior claims",
            hint="how often the person has come to us before",
        ),
        Tool(
            "estimate_vehicle_damage",
            "Estimate from photographs what mending a vehicle costs, for all damage or one kind.",
            (
                Parameter("vehicle_id", VEHICLE, "for {}"),
                Parameter("damage_type", DAMAGE_TYPE, "after {}", optional=True),
            ),
            (Field("damage_cost", DAMAGE),),
            ask="estimate the vehicle damage",
            hint="how bad the car looks in the pictures",
        ),
        Tool(
            "get_garage_rate",
            "Read what a garage charges for an hour of work.",
            (Parameter("garage_id", GARAGE, "at {}"),),
            (Field("hourly_rate", HOURLY_RATE),),
            ask="get the garage rate",
            hint="how much the mechanics charge",
        ),
        Tool(
            "get_repair_quote",
            "Read a garage's quote, parts and hours, for the usual repair or one kind of damage.",
            (
                Parameter("garage_id", GARAGE, "at {}"),
                Parameter("damage_type", DAMAGE_TYPE, "after {}", optional=True),
            ),
            (Field("parts_cost", PARTS), Field("repair_hours", REPAIR_HOURS)),
            ask="get the repair quote",
            hint="what the workshop thinks it will take to mend it",
        ),
        Tool(
            "compute_repair_bill",
            "Compute the bill of a repair from its parts, its hours and the hourly rate.",
            (
                Parameter("parts_cost", PARTS, "with parts for {}"),
                Parameter("repair_hours", REPAIR_HOURS, "taking {} of work"),
                Parameter("hourly_rate", HOURLY_RATE, "charged at {}"),
            ),
            (Field("damage_cost", DAMAGE),),
            ask="compute the repair bill",
            hint="what mending it comes to in the end",
            run=_repair_bill,
        ),
        Tool(
            "total_damage_costs",
            "Add up the damage of several claims, with a margin for what may turn up yet.",
            (
                Parameter("damage_costs", ListOf(DAMAGE), "over {}"),
                Parameter(
                    "contingency", CONTINGENCY, "with {} on top for surprises", optional=True
                ),
            ),
            (Field("reserve", RESERVE),),
            ask="total the damage costs",
            hint="how much to set aside for all of them",
            run=lambda damage_costs, contingency=0: round(sum(damage_costs) * (1 + contingency)),
        ),
        Tool(
            "total_annual_premiums",
            "Add up the premiums of several policies, less a discount if they form a fleet.",
            (
                Parameter("premiums", ListOf(PREMIUM), "over {}"),
                Parameter("fleet_discount", DISCOUNT, "knocking off {}", optional=True),
            ),
            (Field("premium_income", PORTFOLIO),),
            ask="total the annual premiums",
            hint="what all the contracts bring in together",
            run=lambda premiums, fleet_discount=0: round(sum(premiums) * (1 - fleet_discount)),
        ),
        Tool(
            "count_adjuster_cases",
            "Count the cases that an adjuster has open.",
            (Parameter("adjuster_id", ADJUSTER, "with {}"),),
            (Field("open_cases", CASES),),
            ask="count the adjuster cases",
            hint="how many files are lying on that desk",
        ),
        Tool(
            "average_adjuster_load",
            "Compute the mean number of open cases over several adjusters.",
            (Parameter("case_counts", ListOf(CASES), "over {}"),),
            (Field("mean_cases", MEAN_CASES),),
            ask="average the adjuster load",
            hint="how busy the team is on the whole",
            run=lambda case_counts: round(sum(case_counts) / len(case_counts), 2),
        ),
        Tool(
            "get_storm_reading",
            "Read the highest wind speed measured in a region on a day.",
            (
                Parameter("region_name", REGION, "around {}"),
                Parameter("loss_day", LOSS_DAY, "for the events of {}"),
            ),
            (Field("wind_speed", WIND),),
            ask="get the storm reading",
            hint="how hard it was blowing that day",
        ),
        Tool(
            "score_claim_fraud",
            "Score from 0 to 100 how suspect a claim is, by history, delay and that day's wind.",
            (
                Parameter("prior_claims", PRIOR, "after {}"),
                Parameter("report_delay", REPORT_DELAY, "reported {} late"),
                Parameter("wind_speed", WIND, "in winds of {}", optional=True),
            ),
            (Field("fraud_score", FRAUD_SCORE),),
            ask="score the claim fraud",
            hint="whether somebody may be telling us stories",
            run=_fraud_score,
        ),
        Tool(
            "open_fraud_inquiry",
            "Open an inquiry if a claim scores 50 or more, or yet more where desks are full.",
            (
                Parameter("claim_id", CLAIM, "for {}"),
                Parameter("fraud_score", FRAUD_SCORE, "rated {} for suspicion"),
                Parameter("mean_cases", MEAN_CASES, "with desks at {}", optional=True),
            ),
            (Field("is_opened", IS_OPENED),),
            ask="open the fraud inquiry",
            hint="whether the detectives are on it",
            run=lambda claim_id, fraud_score, mean_cases=0: fraud_score >= 50 + mean_cases / 4,
        ),
        Tool(
            "decide_total_loss",
            "Decide whether damage exceeds the part of a vehicle's value that makes repair pay.",
            (
                Parameter("damage_cost", DAMAGE, "with damage put at {}"),
                Parameter("vehicle_value", VALUE, "with a car worth {}"),
                Parameter("repair_bar", WORTH_BAR, "drawing the line at {}", optional=True),
            ),
            (Field("treatment", TREATMENT),),
            ask="decide on the total loss",
            hint="whether there is any point in mending it",
            run=_treatment,
        ),
        Tool(
            "compute_claim_payout",
            "Compute what a claim pays: damage less excess, up to the limit, less the own fault.",
            (
                Parameter("damage_cost", DAMAGE, "with damage put at {}"),
                Parameter("excess_amount", EXCESS, "with the first {} borne by the insured"),
                Parameter("cover_limit", COVER, "capped at {}"),
                Parameter("fault_share", FAULT_SHARE, "bearing {} of the blame", optional=True),
            ),
            (Field("payout_sum", PAYOUT),),
            ask="compute the claim payout",
            hint="how much money the insured will see",
            run=_payout,
        ),
        Tool(
            "settle_indemnity_amount",
            "Settle the indemnity that is due after excess, limit and own fault.",
            (
                Parameter("damage_cost", DAMAGE, "with damage put at {}"),
                Parameter("excess_amount", EXCESS, "with the first {} borne by the insured"),
                Parameter("cover_limit", COVER, "capped at {}"),
                Parameter("fault_share", FAULT_SHARE, "bearing {} of the blame", optional=True),
            ),
            (Field("payout_sum", PAYOUT),),
            ask="settle the indemnity amount",
            hint="what we owe for it when all is said and done",
            run=_payout,
            same_as="compute_claim_payout",
        ),
        Tool(
            "compute_loss_ratio",
            "Compute what is paid out for each euro of yearly premium.",
            (
                Parameter("payout_sum", PAYOUT, "with {} going to the insured"),
                Parameter("yearly_premium", PREMIUM, "bringing in {}"),
            ),
            (Field("loss_ratio", LOSS_RATIO),),
            ask="compute the loss ratio",
            hint="whether the contract earns its keep",
            run=_loss_ratio,
        ),
        Tool(
            "measure_claims_burden",
            "Measure how heavily the sum paid weighs on the premium of a year.",
            (
                Parameter("payout_sum", PAYOUT, "with {} going to the insured"),
                Parameter("yearly_premium", PREMIUM, "bringing in {}"),
            ),
            (Field("loss_ratio", LOSS_RATIO),),
            ask="measure the claims burden",
            hint="how much goes out for every euro that comes in",
            run=_loss_ratio,
            same_as="compute_loss_ratio",
        ),
        Tool(
            "rate_renewal_premium",
            "Set next year's premium: a tenth more for every earlier claim, and more for losses.",
            (
                Parameter("yearly_premium", PREMIUM, "bringing in {}"),
                Parameter("prior_claims", PRIOR, "after {}"),
                Parameter("loss_ratio", LOSS_RATIO, "paying out {}", optional=True),
            ),
            (Field("renewal_premium", NEW_PREMIUM),),
            ask="rate the renewal premium",
            hint="what the person will be charged next year",
            run=lambda yearly_premium, prior_claims, loss_ratio=0: round(
                yearly_premium * (1 + prior_claims / 10 + loss_ratio / 50)
            ),
        ),
        Tool(
            "release_claim_payment",
            "Release a payment on a claim unless it exceeds 9000 euros; tell whether it went out.",
            (
                Parameter("claim_id", CLAIM, "for {}"),
                Parameter("payout_sum", PAYOUT, "with {} going to the insured"),
            ),
            (Field("is_released", IS_RELEASED),),
            ask="release the claim payment",
            hint="whether the money may go out without a second signature",
            run=lambda claim_id, payout_sum: payout_sum <= 9_000,
        ),
        Tool(
            "inform_policy_holder",
            "Tell a policyholder how a claim stands.",
            (Parameter("policyholder_id", HOLDER, "numbered {}"),),
            (),
            ask="inform the policy holder",
            hint="that the insured person has heard from us",
        ),
        Tool(
            "book_vehicle_inspection",
            "Book the inspection of a vehicle at a garage on a day.",
            (
                Parameter("vehicle_id", VEHICLE, "for {}"),
                Parameter("garage_id", GARAGE, "at {}"),
                Parameter("booked_day", BOOKED_DAY, "to be seen on {}"),
                Parameter("damage_type", DAMAGE_TYPE, "after {}", optional=True),
            ),
            (Field("inspection_id", INSPECTION),),
            ask="book the vehicle inspection",
            hint="that an expert will look the car over",
        ),
        Tool(
            "underwrite_motor_policy",
            "Write a motor policy for a holder and a vehicle, with all its conditions.",
            (
                Parameter("policyholder_id", HOLDER, "for {}"),
                Parameter("vehicle_id", VEHICLE, "covering {}"),
                Parameter("cover_limit", COVER, "capped at {}"),
                Parameter("start_day", START_DAY, "counted from {}"),
                Parameter(
                    "excess_amount", EXCESS, "with the first {} borne by the insured", optional=True
                ),
                Parameter("renewal_premium", NEW_PREMIUM, "priced at {}", optional=True),
                Parameter("region_name", REGION, "around {}", optional=True),
                Parameter("vehicle_usage", USAGE, "driven {}", optional=True),
                Parameter("payment_plan", PAYMENT_PLAN, "settled {}", optional=True),
                Parameter("parking_place", PARKING, "left overnight {}", optional=True),
                Parameter("mileage_cap", MILEAGE, "doing at most {}", optional=True),
                Parameter("clean_years", CLEAN_YEARS, "without an accident for {}", optional=True),
                Parameter("driver_count", DRIVERS, "shared by {}", optional=True),
            ),
            (Field("policy_id", POLICY),),
            ask="underwrite the motor policy",
            hint="that the car is insured from then on",
        ),
    ),
)
