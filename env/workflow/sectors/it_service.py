"""IT service management: tickets, devices, services and the changes made to them."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Note, Quantity, Share

__all__ = ["IT_SERVICE"]

TICKET = Identifier("ticket", "ticket", "TK")
SERVICE = Identifier("it_service", "service", "SV")
DEVICE = Identifier("device", "laptop", "LT")
ENGINEER = Identifier("engineer", "engineer", "EN")
CHANGE = Identifier("change", "change", "CH")
SKILL = Name("skill", ("Networking", "Databases", "Directory Services", "Printing", "Telephony"))
SINCE_DAY = Day("count_from_day")
WINDOW_DAY = Day("change_window_day")

BACKLOG = Quantity("waiting_tickets", "tickets", 20, 600, 10)
AGENTS = Quantity("agents_on_shift", "agents", 2, 40)
HANDLING = Quantity("handling_minutes", "minutes", 10, 240, 5)
MEAN_HANDLING = Quantity("mean_handling_minutes", "minutes", 10, 120, 5)
WAIT = Quantity("queue_wait_hours", "hours", 1, 48, 0.5)
DOWNTIME = Quantity("downtime_minutes", "minutes", 5, 900, 5)
LONGEST_DOWNTIME = Quantity("longest_downtime_minutes", "minutes", 60, 900, 5)
PERIOD = Quantity("period_days", "days", 7, 90)
USERS = Quantity("service_users", "users", 100, 3_000, 100)
LOST_HOURS = Quantity("lost_working_hours", "hours", 100, 9_000, 100)
WAGE = Quantity("hourly_wage_euros", "euros", 20, 90, 5)
DOWNTIME_COST = Quantity("downtime_cost_euros", "euros", 1_000, 90_000, 500)
FEE = Quantity("monthly_fee_euros", "euros", 500, 20_000, 500)
CREDIT = Quantity("service_credit_euros", "euros", 100, 5_000, 100)
DEVICE_AGE = Quantity("device_age_months", "months", 3, 84, 3)
REPAIR_PRICE = Quantity("repair_price_euros", "euros", 50, 900, 10)
REPLACEMENT_PRICE = Quantity("replacement_price_euros", "euros", 600, 3_000, 100)
REPLACEMENT_BILL = Quantity("replacement_bill_euros", "euros", 2_000, 20_000, 500)
MEMORY = Quantity("memory_gb", "gigabytes", 8, 64, 8)
AVAILABILITY = Share("measured_availability", 80, 99)
TARGET = Share("availability_target", 90, 99)
CHANGE_RISK = Share("change_risk")
COVERAGE = Share("test_coverage", 10, 95)
OUTAGE_HOURS = Quantity("planned_outage_hours", "hours", 0.5, 8, 0.5)
IMPACT = Choice(
    "ticket_impact",
    {
        "one_person": "a nuisance to a lone colleague",
        "team_wide": "a blow to a whole group",
        "site_wide": "a standstill for everybody",
    },
)
URGENCY = Choice(
    "ticket_urgency",
    {"relaxed": "in no hurry", "pressing": "needed by tonight", "critical": "needed this minute"},
)
PRIORITY = Choice(
    "ticket_priority",
    {"p1": "the top concern", "p2": "next in line", "p3": "a case for a quiet hour"},
)
SYMPTOM = Choice(
    "symptom",
    {
        "login_failure": "being locked out",
        "slow_response": "crawling along",
        "data_missing": "files gone astray",
    },
)
VERDICT = Choice(
    "renewal_verdict",
    {"keep": "worth mending", "replace": "fit for the scrap heap"},
)

OPENING_HOURS = Quantity("support_hours", "hours", 8, 24, 2)
ANSWER_MINUTES = Quantity("answer_minutes", "minutes", 5, 120, 5)
FIX_HOURS = Quantity("fix_hours", "hours", 2, 72, 2)
BACKUP_HOURS = Quantity("backup_interval_hours", "hours", 1, 24)
RETENTION = Quantity("retention_weeks", "weeks", 2, 104, 2)
PATCH_DAYS = Quantity("patch_interval_days", "days", 7, 60)
SESSION_MINUTES = Quantity("session_minutes", "minutes", 5, 240, 5)
STORAGE = Quantity("storage_quota_gb", "gigabytes", 50, 2_000, 50)
WARNING_SHARE = Share("quota_warning_share", 50, 95)
REVIEW_DAY = Day("policy_review_day")
REPORTING = Choice(
    "reporting_rhythm",
    {"weekly": "every Friday", "monthly": "at each month's end", "quarterly": "once a season"},
)

CHANGE_NOTE = Note("change_note", ("Window reserved.", "Window reserved, board informed."))
POLICY_NOTE = Note("policy_note", ("Policy in force.", "Policy in force from tonight."))

IMPACT_POINTS = {"one_person": 1, "team_wide": 2, "site_wide": 3}
URGENCY_POINTS = {"relaxed": 1, "pressing": 2, "critical": 3}


def _priority(ticket_impact: str, ticket_urgency: str) -> str:
    points = IMPACT_POINTS[ticket_impact] + URGENCY_POINTS[ticket_urgency]
    if points > 4:
        return "p1"
    return "p2" if points == 4 else "p3"


def _wait(waiting_tickets: float, agents_on_shift: float, mean_handling_minutes: float) -> float:
    return waiting_tickets * mean_handling_minutes / 60 / max(agents_on_shift, 1)


def _verdict(
    repair_price_euros: float, replacement_price_euros: float, device_age_months: float = 36
) -> str:
    # A device is written off over five years; what is left of its price may be spent on it.
    left = replacement_price_euros * max(60 - device_age_months, 0) / 60
    return "keep" if repair_price_euros < left else "replace"


def _change_risk(
    service_users: float,
    downtime_minutes: float,
    planned_outage_hours: float = 1,
    test_coverage: float = 0.5,
) -> float:
    exposure = service_users / 6_000 + downtime_minutes / 3_600 + planned_outage_hours / 32
    return min(exposure, 1) * (1 - test_coverage / 2)


IT_SERVICE = Sector(
    "it_service",
    "IT service management",
    (
        Tool(
            "read_desk_backlog",
            "Read how many tickets wait at the service desk.",
            (),
            (Field("waiting_tickets", BACKLOG),),
            ask="read the desk backlog",
            hint="how much work is piled up at the counter",
        ),
        Tool(
            "get_ticket_service",
            "Look up the service that a ticket is about.",
            (Parameter("ticket_id", TICKET, "on {}"),),
            (Field("service_id", SERVICE),),
            ask="get the ticket service",
            hint="what the complaint is about",
        ),
        Tool(
            "get_ticket_device",
            "Look up the device from which a ticket was filed.",
            (Parameter("ticket_id", TICKET, "on {}"),),
            (Field("device_id", DEVICE),),
            ask="get the ticket device",
            hint="which machine is playing up",
        ),
        Tool(
            "assess_ticket_impact",
            "Assess how many people a ticket's trouble reaches.",
            (
                Parameter("ticket_id", TICKET, "of {}"),
                Parameter("service_users", USERS, "where {} are signed up", optional=True),
            ),
            (Field("ticket_impact", IMPACT),),
            ask="assess the ticket impact",
            hint="how many people are hit by the trouble",
        ),
        Tool(
            "assess_ticket_urgency",
            "Assess how soon a ticket's trouble will do harm.",
            (
                Parameter("ticket_id", TICKET, "of {}"),
                Parameter("observed_symptom", SYMPTOM, "which speaks of {}", optional=True),
            ),
            (Field("ticket_urgency", URGENCY),),
            ask="assess the ticket urgency",
            hint="how long the trouble can be left alone",
        ),
        Tool(
            "time_ticket_handling",
            "Read how long a closed ticket was worked on.",
            (Parameter("ticket_id", TICKET, "of {}"),),
            (Field("handling_minutes", HANDLING),),
            ask="time the ticket handling",
            hint="how long somebody sat over it",
        ),
        Tool(
            "average_handling_minutes",
            "Average the time that several tickets took.",
            (Parameter("handling_times", ListOf(HANDLING), "over {}"),),
            (Field("mean_handling_minutes", MEAN_HANDLING),),
            ask="average the handling minutes",
            hint="how long such a case takes as a rule",
            run=lambda handling_times: sum(handling_times) / len(handling_times),
        ),
        Tool(
            "estimate_queue_wait",
            "Estimate how long a new ticket waits until somebody begins with it.",
            (
                Parameter("waiting_tickets", BACKLOG, "behind {}"),
                Parameter("agents_on_shift", AGENTS, "with {} at the desk"),
                Parameter("mean_handling_minutes", MEAN_HANDLING, "at {} a case"),
            ),
            (Field("queue_wait_hours", WAIT),),
            ask="estimate the queue wait",
            hint="how patient a caller has to be",
            run=_wait,
        ),
        Tool(
            "predict_caller_delay",
            "Predict the delay until the case of somebody who calls now is taken up.",
            (
                Parameter("waiting_tickets", BACKLOG, "behind {}"),
                Parameter("agents_on_shift", AGENTS, "with {} at the desk"),
                Parameter("mean_handling_minutes", MEAN_HANDLING, "at {} a case"),
            ),
            (Field("queue_wait_hours", WAIT),),
            ask="predict the caller delay",
            hint="when somebody who rings now gets their turn",
            run=_wait,
            same_as="estimate_queue_wait",
        ),
        Tool(
            "derive_ticket_priority",
            "Derive the priority of a ticket from its impact and its urgency.",
            (
                Parameter("ticket_impact", IMPACT, "known to be {}"),
                Parameter("ticket_urgency", URGENCY, "with the fix {}"),
            ),
            (Field("ticket_priority", PRIORITY),),
            ask="derive the ticket priority",
            hint="where in the line it belongs",
            run=_priority,
        ),
        Tool(
            "rate_case_importance",
            "Rate the importance of a case from its reach and how pressed its victims are.",
            (
                Parameter("ticket_impact", IMPACT, "known to be {}"),
                Parameter("ticket_urgency", URGENCY, "with the fix {}"),
            ),
            (Field("ticket_priority", PRIORITY),),
            ask="rate the case importance",
            hint="how seriously the desk must take it",
            run=_priority,
            same_as="derive_ticket_priority",
        ),
        Tool(
            "find_free_engineer",
            "Find an engineer with a skill who has time for a case of a priority.",
            (
                Parameter("required_skill", SKILL, "trained in {}"),
                Parameter("ticket_priority", PRIORITY, "ranked as {}", optional=True),
            ),
            (Field("engineer_id", ENGINEER),),
            ask="find the free engineer",
            hint="who has time to take care of it",
        ),
        Tool(
            "measure_service_downtime",
            "Measure how long a service has been down since a day.",
            (
                Parameter("service_id", SERVICE, "of {}"),
                Parameter("count_from_day", SINCE_DAY, "since {}"),
            ),
            (Field("downtime_minutes", DOWNTIME),),
            ask="measure the service downtime",
            hint="how long people could not use it",
        ),
        Tool(
            "pick_longest_downtime",
            "Pick the longest of several downtimes.",
            (Parameter("downtimes_listed", ListOf(DOWNTIME), "out of {}"),),
            (Field("longest_downtime_minutes", LONGEST_DOWNTIME),),
            ask="pick the longest downtime",
            hint="how bad the worst stretch was",
            run=lambda downtimes_listed: max(downtimes_listed),
        ),
        Tool(
            "compute_service_availability",
            "Compute the share of a period in which a service was up, 30 days if not given.",
            (
                Parameter("downtime_minutes", DOWNTIME, "after {} of silence"),
                Parameter("period_days", PERIOD, "in the course of {}", optional=True),
            ),
            (Field("measured_availability", AVAILABILITY),),
            ask="compute the service availability",
            hint="for what part of the time it could be relied on",
            run=lambda downtime_minutes, period_days=30: max(
                1 - downtime_minutes / (period_days * 1_440), 0
            ),
        ),
        Tool(
            "get_availability_target",
            "Look up the availability that was promised for a service.",
            (Parameter("service_id", SERVICE, "of {}"),),
            (Field("availability_target", TARGET),),
            ask="get the availability target",
            hint="how reliable it was promised to be",
        ),
        Tool(
            "compute_service_credit",
            "Compute what is paid back of a fee, a tenth for each point below the target.",
            (
                Parameter("measured_availability", AVAILABILITY, "up for {} of the time"),
                Parameter("availability_target", TARGET, "where {} was promised"),
                Parameter("monthly_fee_euros", FEE, "out of {} a month"),
            ),
            (Field("service_credit_euros", CREDIT),),
            ask="compute the service credit",
            hint="how much money is owed back for the broken promise",
            run=lambda measured_availability, availability_target, monthly_fee_euros: (
                min(max(availability_target - measured_availability, 0) * 10, 1) * monthly_fee_euros
            ),
        ),
        Tool(
            "count_service_users",
            "Count the people who use a service.",
            (Parameter("service_id", SERVICE, "of {}"),),
            (Field("service_users", USERS),),
            ask="count the service users",
            hint="how many people depend on it",
        ),
        Tool(
            "get_device_age",
            "Look up how long ago a device was bought.",
            (Parameter("device_id", DEVICE, "of {}"),),
            (Field("device_age_months", DEVICE_AGE),),
            ask="get the device age",
            hint="how old the machine is",
        ),
        Tool(
            "quote_device_repair",
            "Quote the price of repairing a device.",
            (
                Parameter("device_id", DEVICE, "of {}"),
                Parameter("device_age_months", DEVICE_AGE, "after {} of use", optional=True),
            ),
            (Field("repair_price_euros", REPAIR_PRICE),),
            ask="quote the device repair",
            hint="what mending the machine would cost",
        ),
        Tool(
            "quote_replacement_device",
            "Quote the price of a new device of the same class, with as much memory as wanted.",
            (
                Parameter("device_id", DEVICE, "in place of {}"),
                Parameter("memory_gb", MEMORY, "with {} inside", optional=True),
            ),
            (Field("replacement_price_euros", REPLACEMENT_PRICE),),
            ask="quote the replacement device",
            hint="what a new machine would cost",
        ),
        Tool(
            "total_replacement_prices",
            "Add up the prices of several new devices.",
            (Parameter("device_prices", ListOf(REPLACEMENT_PRICE), "over {}"),),
            (Field("replacement_bill_euros", REPLACEMENT_BILL),),
            ask="total the replacement prices",
            hint="how big the bill for all the new machines gets",
            run=lambda device_prices: sum(device_prices),
        ),
        Tool(
            "decide_device_renewal",
            "Decide between repair and replacement by what a device is still worth at its age.",
            (
                Parameter("repair_price_euros", REPAIR_PRICE, "if mending costs {}"),
                Parameter(
                    "replacement_price_euros", REPLACEMENT_PRICE, "against {} for a new machine"
                ),
                Parameter("device_age_months", DEVICE_AGE, "after {} of use", optional=True),
            ),
            (Field("renewal_verdict", VERDICT),),
            ask="decide the device renewal",
            hint="whether mending the machine still makes sense",
            run=_verdict,
        ),
        Tool(
            "weigh_repair_worth",
            "Weigh whether a repair is worth its price beside that of a new device.",
            (
                Parameter("repair_price_euros", REPAIR_PRICE, "if mending costs {}"),
                Parameter(
                    "replacement_price_euros", REPLACEMENT_PRICE, "against {} for a new machine"
                ),
                Parameter("device_age_months", DEVICE_AGE, "after {} of use", optional=True),
            ),
            (Field("renewal_verdict", VERDICT),),
            ask="weigh the repair worth",
            hint="what becomes of the machine",
            run=_verdict,
            same_as="decide_device_renewal",
        ),
        Tool(
            "compute_lost_working_hours",
            "Compute the working hours that a downtime takes from the users of a service.",
            (
                Parameter("downtime_minutes", DOWNTIME, "after {} of silence"),
                Parameter("service_users", USERS, "where {} are signed up"),
            ),
            (Field("lost_working_hours", LOST_HOURS),),
            ask="compute the lost working hours",
            hint="how much time all those people sat idle",
            run=lambda downtime_minutes, service_users: downtime_minutes / 60 * service_users,
        ),
        Tool(
            "price_lost_working_hours",
            "Price lost working hours, at 35 euros an hour if no wage is given.",
            (
                Parameter("lost_working_hours", LOST_HOURS, "with {} gone"),
                Parameter("hourly_wage_euros", WAGE, "at {} an hour each", optional=True),
            ),
            (Field("downtime_cost_euros", DOWNTIME_COST),),
            ask="price the lost working hours",
            hint="what the silence has cost the company",
            run=lambda lost_working_hours, hourly_wage_euros=35: (
                lost_working_hours * hourly_wage_euros
            ),
        ),
        Tool(
            "assign_ticket_engineer",
            "Hand a ticket to an engineer and put it in the place that its priority deserves.",
            (
                Parameter("ticket_id", TICKET, "for {}"),
                Parameter("engineer_id", ENGINEER, "naming {}"),
                Parameter("ticket_priority", PRIORITY, "ranked as {}"),
                Parameter("queue_wait_hours", WAIT, "due within {}", optional=True),
            ),
            (),
            ask="assign the ticket engineer",
            hint="that the case lies on the right person's desk",
        ),
        Tool(
            "score_change_risk",
            "Score the risk of a change to a service by its users, its record and the plan.",
            (
                Parameter("service_users", USERS, "where {} are signed up"),
                Parameter("downtime_minutes", DOWNTIME, "after {} of silence"),
                Parameter("planned_outage_hours", OUTAGE_HOURS, "off for {}", optional=True),
                Parameter("test_coverage", COVERAGE, "with {} of it tried out", optional=True),
            ),
            (Field("change_risk", CHANGE_RISK),),
            ask="score the change risk",
            hint="how likely it is that touching it ends badly",
            run=_change_risk,
        ),
        Tool(
            "book_change_window",
            "Reserve a window in which a change may be carried out.",
            (
                Parameter("change_id", CHANGE, "for {}"),
                Parameter("change_window_day", WINDOW_DAY, "on {}"),
                Parameter("change_risk", CHANGE_RISK, "with a danger of {}"),
                Parameter("planned_outage_hours", OUTAGE_HOURS, "off for {}", optional=True),
                Parameter("engineer_id", ENGINEER, "naming {}", optional=True),
                Parameter("service_users", USERS, "where {} are signed up", optional=True),
            ),
            (Field("change_note", CHANGE_NOTE),),
            ask="book the change window",
            hint="that a slot for the work is reserved",
        ),
        Tool(
            "configure_service_policy",
            "Set how a service is supported and kept; what is not given keeps its house value.",
            (
                Parameter("service_id", SERVICE, "governing {}"),
                Parameter("availability_target", TARGET, "where {} was promised"),
                Parameter("answer_minutes", ANSWER_MINUTES, "answering within {}"),
                Parameter("fix_hours", FIX_HOURS, "solving within {}", optional=True),
                Parameter("support_hours", OPENING_HOURS, "open for {} a day", optional=True),
                Parameter("backup_interval_hours", BACKUP_HOURS, "copied after {}", optional=True),
                Parameter("retention_weeks", RETENTION, "with copies kept {}", optional=True),
                Parameter("patch_interval_days", PATCH_DAYS, "updated after {}", optional=True),
                Parameter(
                    "session_minutes", SESSION_MINUTES, "signing out after {}", optional=True
                ),
                Parameter("storage_quota_gb", STORAGE, "with {} of space", optional=True),
                Parameter("quota_warning_share", WARNING_SHARE, "warning at {}", optional=True),
                Parameter("monthly_fee_euros", FEE, "for {} a month", optional=True),
                Parameter("reporting_rhythm", REPORTING, "with figures {}", optional=True),
                Parameter("engineer_id", ENGINEER, "naming {}", optional=True),
                Parameter("policy_review_day", REVIEW_DAY, "looked at again on {}", optional=True),
            ),
            (Field("policy_note", POLICY_NOTE),),
            ask="configure the service policy",
            hint="that the rules for running it are laid down",
        ),
    ),
)
