"""Human resources: pay, leave, absence, hiring and the growth of people."""

from __future__ import annotations

from datetime import date

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Note, Quantity, Share

__all__ = ["HUMAN_RESOURCES"]

EMPLOYEE = Identifier("employee", "employee", "EM")
TEAM = Identifier("team", "team", "TM")
MANAGER = Identifier("manager", "manager", "MG")
CANDIDATE = Identifier("candidate", "candidate", "CA")
VACANCY = Identifier("vacancy", "vacancy", "VC")
OFFER = Identifier("job_offer", "offer", "OF")
SUBJECT = Name("subject", ("Spreadsheets", "First Aid", "Negotiation", "Welding", "Bookkeeping"))
HIRING_DAY = Day("hiring_day")
REFERENCE_DAY = Day("reference_day")
SINCE_DAY = Day("count_since_day")
HOLIDAY_START = Day("holiday_start")
JOB_START = Day("job_start_day")
PROFILE_START = Day("payroll_start_day")

SALARY = Quantity("yearly_salary_euros", "euros", 24_000, 96_000, 1_000)
NEW_SALARY = Quantity("new_salary_euros", "euros", 24_000, 99_000, 1_000)
MARKET_SALARY = Quantity("market_salary_euros", "euros", 24_000, 99_000, 1_000)
PAYROLL = Quantity("payroll_euros", "euros", 100_000, 900_000, 10_000)
HOURLY_WAGE = Quantity("hourly_wage_euros", "euros", 12, 60, 0.5)
WEEKLY_HOURS = Quantity("weekly_hours", "hours", 16, 40, 2)
OVERTIME = Quantity("overtime_hours", "hours", 2, 80, 2)
TOTAL_OVERTIME = Quantity("total_overtime_hours", "hours", 20, 400, 10)
OVERTIME_PAY = Quantity("overtime_pay_euros", "euros", 100, 4_000, 100)
SERVICE_YEARS = Quantity("service_years", "years", 0.5, 30, 0.5)
HOLIDAY_DAYS = Quantity("holiday_entitlement_days", "days", 20, 40)
TAKEN_DAYS = Quantity("holiday_taken_days", "days", 1, 20)
CARRIED_DAYS = Quantity("carried_days", "days", 1, 10)
HOLIDAY_BALANCE = Quantity("holiday_balance_days", "days", 1, 30)
ABSENCE_DAYS = Quantity("absence_days", "days", 1, 60)
MEAN_ABSENCE = Quantity("mean_absence_days", "days", 1, 40)
HEADCOUNT = Quantity("team_headcount", "people", 4, 120, 2)
LEAVERS = Quantity("people_leaving", "people", 1, 20)
TRAINING_FEE = Quantity("training_fee_euros", "euros", 100, 3_000, 100)
TURNOVER = Share("turnover_rate", 2, 40)
WAGE_GROWTH = Share("wage_growth", 1, 9)
SURCHARGE = Share("overtime_surcharge", 10, 100)
RATING = Choice(
    "performance_rating",
    {"weak": "struggling", "solid": "doing fine", "outstanding": "a star"},
)
DEPARTURE = Choice(
    "departure_risk",
    {"rooted": "here for good", "wavering": "torn", "restless": "with one foot outside"},
)
PARTING = Choice(
    "leaving_reason",
    {"relocation": "a new home", "retirement": "old age", "competitor": "a rival's lure"},
)

BONUS_SHARE = Share("bonus_share", 1, 30)
PENSION_SHARE = Share("pension_share", 1, 12)
MEAL_ALLOWANCE = Quantity("meal_allowance_euros", "euros", 2, 12)
PAY_RHYTHM = Choice(
    "pay_rhythm",
    {"weekly": "every Friday", "monthly": "at each month's end"},
)
TAX_CLASS = Choice(
    "tax_class",
    {"single_earner": "the only breadwinner", "shared_earner": "half of a working couple"},
)

HOLIDAY_NOTE = Note("holiday_note", ("Leave granted.", "Leave granted; a stand-in is named."))
ENROLMENT_NOTE = Note("enrolment_note", ("Seat reserved.", "Seat reserved, papers sent."))
PROFILE_NOTE = Note("profile_note", ("Profile saved.", "Profile saved for the next run."))

RAISE = {"weak": 0.0, "solid": 0.02, "outstanding": 0.05}
LOYALTY = {"weak": 2, "solid": 4, "outstanding": 3}


def _service_years(hiring_day: str, reference_day: str) -> float:
    days = (date.fromisoformat(reference_day) - date.fromisoformat(hiring_day)).days
    return max(days, -days) / 365


def _balance(
    holiday_entitlement_days: float, holiday_taken_days: float, carried_days: float = 0
) -> float:
    return max(holiday_entitlement_days + carried_days - holiday_taken_days, 0)


def _new_salary(
    yearly_salary_euros: float, performance_rating: str, wage_growth: float = 0
) -> float:
    return yearly_salary_euros * (1 + RAISE[performance_rating] + wage_growth)


def _turnover(people_leaving: float, team_headcount: float) -> float:
    return min(people_leaving / max(team_headcount, 1), 1)


def _departure(
    performance_rating: str, service_years: float, market_salary_euros: float = 40_000
) -> str:
    ties = LOYALTY[performance_rating] + service_years / 4 - market_salary_euros / 20_000
    if ties > 4:
        return "rooted"
    return "wavering" if ties > 2 else "restless"


HUMAN_RESOURCES = Sector(
    "human_resources",
    "human resources",
    (
        Tool(
            "read_wage_growth",
            "Read by what share wages have risen in the trade over the last year.",
            (),
            (Field("wage_growth", WAGE_GROWTH),),
            ask="read the wage growth",
            hint="by how much pay has gone up across the trade",
        ),
        Tool(
            "get_employee_salary",
            "Look up what an employee earns in a year.",
            (Parameter("employee_id", EMPLOYEE, "of {}"),),
            (Field("yearly_salary_euros", SALARY),),
            ask="get the employee salary",
            hint="what the person earns in a year",
        ),
        Tool(
            "get_hiring_day",
            "Look up the day on which an employee was hired.",
            (Parameter("employee_id", EMPLOYEE, "of {}"),),
            (Field("hiring_day", HIRING_DAY),),
            ask="get the hiring day",
            hint="when the person joined us",
        ),
        Tool(
            "rate_employee_performance",
            "Look up how an employee's work was rated at the last review.",
            (Parameter("employee_id", EMPLOYEE, "of {}"),),
            (Field("performance_rating", RATING),),
            ask="rate the employee performance",
            hint="how good the person's work is",
        ),
        Tool(
            "find_employee_team",
            "Find the team in which an employee works.",
            (Parameter("employee_id", EMPLOYEE, "of {}"),),
            (Field("team_id", TEAM),),
            ask="find the employee team",
            hint="which group the person works in",
        ),
        Tool(
            "find_team_manager",
            "Find the manager who leads a team.",
            (Parameter("team_id", TEAM, "of {}"),),
            (Field("manager_id", MANAGER),),
            ask="find the team manager",
            hint="who leads the group",
        ),
        Tool(
            "count_team_members",
            "Count the people in a team.",
            (Parameter("team_id", TEAM, "of {}"),),
            (Field("team_headcount", HEADCOUNT),),
            ask="count the team members",
            hint="how many people the group has",
        ),
        Tool(
            "sum_team_salaries",
            "Add up the salaries of several employees.",
            (Parameter("salaries_listed", ListOf(SALARY), "over {}"),),
            (Field("payroll_euros", PAYROLL),),
            ask="sum the team salaries",
            hint="what all these people earn together",
            run=lambda salaries_listed: sum(salaries_listed),
        ),
        Tool(
            "sum_overtime_hours",
            "Add up the overtime of several employees.",
            (Parameter("overtime_listed", ListOf(OVERTIME), "over {}"),),
            (Field("total_overtime_hours", TOTAL_OVERTIME),),
            ask="sum the overtime hours",
            hint="how much extra time all these people put in together",
            run=lambda overtime_listed: sum(overtime_listed),
        ),
        Tool(
            "average_absence_days",
            "Average the days on which several employees were absent.",
            (Parameter("absences_listed", ListOf(ABSENCE_DAYS), "over {}"),),
            (Field("mean_absence_days", MEAN_ABSENCE),),
            ask="average the absence days",
            hint="how long people stay at home as a rule",
            run=lambda absences_listed: sum(absences_listed) / len(absences_listed),
        ),
        Tool(
            "count_absence_days",
            "Count the working days that an employee has missed since a day.",
            (
                Parameter("employee_id", EMPLOYEE, "of {}"),
                Parameter("count_since_day", SINCE_DAY, "since {}"),
            ),
            (Field("absence_days", ABSENCE_DAYS),),
            ask="count the absence days",
            hint="how often the person stayed at home",
        ),
        Tool(
            "count_overtime_hours",
            "Count the overtime that an employee has worked since a day.",
            (
                Parameter("employee_id", EMPLOYEE, "of {}"),
                Parameter("count_since_day", SINCE_DAY, "since {}"),
            ),
            (Field("overtime_hours", OVERTIME),),
            ask="count the overtime hours",
            hint="how much extra time the person put in",
        ),
        Tool(
            "count_taken_holidays",
            "Count the days of leave that an employee has taken since a day.",
            (
                Parameter("employee_id", EMPLOYEE, "of {}"),
                Parameter("count_since_day", SINCE_DAY, "since {}"),
            ),
            (Field("holiday_taken_days", TAKEN_DAYS),),
            ask="count the taken holidays",
            hint="how much time off is already used up",
        ),
        Tool(
            "count_team_leavers",
            "Count the people who have left a team since a day, for a reason if it is given.",
            (
                Parameter("team_id", TEAM, "of {}"),
                Parameter("count_since_day", SINCE_DAY, "since {}"),
                Parameter("leaving_reason", PARTING, "because of {}", optional=True),
            ),
            (Field("people_leaving", LEAVERS),),
            ask="count the team leavers",
            hint="how many colleagues have said goodbye",
        ),
        Tool(
            "compute_turnover_rate",
            "Compute the share of a team that has left.",
            (
                Parameter("people_leaving", LEAVERS, "with {} gone"),
                Parameter("team_headcount", HEADCOUNT, "in a group of {}"),
            ),
            (Field("turnover_rate", TURNOVER),),
            ask="compute the turnover rate",
            hint="what part of the group walks away",
            run=_turnover,
        ),
        Tool(
            "derive_attrition_share",
            "Derive the share of its people that a team has lost.",
            (
                Parameter("people_leaving", LEAVERS, "with {} gone"),
                Parameter("team_headcount", HEADCOUNT, "in a group of {}"),
            ),
            (Field("turnover_rate", TURNOVER),),
            ask="derive the attrition share",
            hint="how badly the group is bleeding people",
            run=_turnover,
            same_as="compute_turnover_rate",
        ),
        Tool(
            "compute_service_years",
            "Compute the years of service that lie between the day of hiring and a reference day.",
            (
                Parameter("hiring_day", HIRING_DAY, "employed since {}"),
                Parameter("reference_day", REFERENCE_DAY, "as of {}"),
            ),
            (Field("service_years", SERVICE_YEARS),),
            ask="compute the service years",
            hint="how long the person has been with us",
            run=_service_years,
        ),
        Tool(
            "compute_holiday_entitlement",
            "Compute the days of leave in a year: 24 and half a day for each year of service.",
            (
                Parameter("service_years", SERVICE_YEARS, "after {} in the company"),
                Parameter("weekly_hours", WEEKLY_HOURS, "working {} a week", optional=True),
            ),
            (Field("holiday_entitlement_days", HOLIDAY_DAYS),),
            ask="compute the holiday entitlement",
            hint="how much time off the person has a right to",
            run=lambda service_years, weekly_hours=40: (24 + service_years / 2) * weekly_hours / 40,
        ),
        Tool(
            "compute_holiday_balance",
            "Compute the days of leave that are left, with those carried over.",
            (
                Parameter("holiday_entitlement_days", HOLIDAY_DAYS, "with a right to {} off"),
                Parameter("holiday_taken_days", TAKEN_DAYS, "after {} of vacation"),
                Parameter("carried_days", CARRIED_DAYS, "with {} from last year", optional=True),
            ),
            (Field("holiday_balance_days", HOLIDAY_BALANCE),),
            ask="compute the holiday balance",
            hint="how much time off is left",
            run=_balance,
        ),
        Tool(
            "derive_leave_remainder",
            "Derive the remainder of an employee's leave for the year.",
            (
                Parameter("holiday_entitlement_days", HOLIDAY_DAYS, "with a right to {} off"),
                Parameter("holiday_taken_days", TAKEN_DAYS, "after {} of vacation"),
                Parameter("carried_days", CARRIED_DAYS, "with {} from last year", optional=True),
            ),
            (Field("holiday_balance_days", HOLIDAY_BALANCE),),
            ask="derive the leave remainder",
            hint="how long a trip could still be paid for",
            run=_balance,
            same_as="compute_holiday_balance",
        ),
        Tool(
            "compute_hourly_wage",
            "Compute the pay for an hour, for a week of 40 hours if not given.",
            (
                Parameter("yearly_salary_euros", SALARY, "earning {} a year"),
                Parameter("weekly_hours", WEEKLY_HOURS, "working {} a week", optional=True),
            ),
            (Field("hourly_wage_euros", HOURLY_WAGE),),
            ask="compute the hourly wage",
            hint="what an hour of the person's time costs",
            run=lambda yearly_salary_euros, weekly_hours=40: (
                yearly_salary_euros / 52 / max(weekly_hours, 1)
            ),
        ),
        Tool(
            "price_overtime_hours",
            "Price overtime, with a surcharge of a quarter if not given.",
            (
                Parameter("hourly_wage_euros", HOURLY_WAGE, "paid {} an hour"),
                Parameter("overtime_hours", OVERTIME, "for {} on top"),
                Parameter("overtime_surcharge", SURCHARGE, "raised by {}", optional=True),
            ),
            (Field("overtime_pay_euros", OVERTIME_PAY),),
            ask="price the overtime hours",
            hint="what the late evenings are worth in money",
            run=lambda hourly_wage_euros, overtime_hours, overtime_surcharge=0.25: (
                hourly_wage_euros * overtime_hours * (1 + overtime_surcharge)
            ),
        ),
        Tool(
            "compute_salary_raise",
            "Compute a new salary from the rating of somebody's work and the growth of wages.",
            (
                Parameter("yearly_salary_euros", SALARY, "earning {} a year"),
                Parameter("performance_rating", RATING, "seen as {}"),
                Parameter("wage_growth", WAGE_GROWTH, "with wages up by {}", optional=True),
            ),
            (Field("new_salary_euros", NEW_SALARY),),
            ask="compute the salary raise",
            hint="what the person ought to earn from now on",
            run=_new_salary,
        ),
        Tool(
            "propose_adjusted_pay",
            "Propose the pay that a review and the market call for.",
            (
                Parameter("yearly_salary_euros", SALARY, "earning {} a year"),
                Parameter("performance_rating", RATING, "seen as {}"),
                Parameter("wage_growth", WAGE_GROWTH, "with wages up by {}", optional=True),
            ),
            (Field("new_salary_euros", NEW_SALARY),),
            ask="propose the adjusted pay",
            hint="what figure would be fair in the next contract",
            run=_new_salary,
            same_as="compute_salary_raise",
        ),
        Tool(
            "grade_departure_risk",
            "Grade the risk that somebody leaves, by rating, service and what others would pay.",
            (
                Parameter("performance_rating", RATING, "seen as {}"),
                Parameter("service_years", SERVICE_YEARS, "after {} in the company"),
                Parameter(
                    "market_salary_euros", MARKET_SALARY, "worth {} elsewhere", optional=True
                ),
            ),
            (Field("departure_risk", DEPARTURE),),
            ask="grade the departure risk",
            hint="how likely the person is to quit",
            run=_departure,
        ),
        Tool(
            "enrol_course_participant",
            "Enrol an employee in a course on a subject.",
            (
                Parameter("employee_id", EMPLOYEE, "naming {}"),
                Parameter("course_subject", SUBJECT, "in {}"),
                Parameter("training_fee_euros", TRAINING_FEE, "costing {}", optional=True),
                Parameter("manager_id", MANAGER, "agreed by {}", optional=True),
            ),
            (Field("enrolment_note", ENROLMENT_NOTE),),
            ask="enrol the course participant",
            hint="that a seat in the classroom is reserved",
        ),
        Tool(
            "send_retention_invite",
            "Invite an employee who may leave to a talk with a manager.",
            (
                Parameter("employee_id", EMPLOYEE, "to {}"),
                Parameter("manager_id", MANAGER, "hosted by {}"),
                Parameter("departure_risk", DEPARTURE, "thought to be {}"),
            ),
            (),
            ask="send the retention invite",
            hint="that a talk about staying has been arranged",
        ),
        Tool(
            "approve_holiday_request",
            "Grant an employee leave from a day on, within the days that are left.",
            (
                Parameter("employee_id", EMPLOYEE, "of {}"),
                Parameter("holiday_balance_days", HOLIDAY_BALANCE, "with {} to spend"),
                Parameter("holiday_start", HOLIDAY_START, "away from {}"),
                Parameter("manager_id", MANAGER, "agreed by {}", optional=True),
            ),
            (Field("holiday_note", HOLIDAY_NOTE),),
            ask="approve the holiday request",
            hint="that the trip has been allowed",
        ),
        Tool(
            "prepare_job_offer",
            "Prepare an offer to a candidate for a vacancy at a salary.",
            (
                Parameter("candidate_id", CANDIDATE, "to {}"),
                Parameter("vacancy_id", VACANCY, "for {}"),
                Parameter("new_salary_euros", NEW_SALARY, "at a pay of {}"),
                Parameter("job_start_day", JOB_START, "beginning on {}"),
                Parameter("weekly_hours", WEEKLY_HOURS, "working {} a week", optional=True),
                Parameter("manager_id", MANAGER, "agreed by {}", optional=True),
            ),
            (Field("offer_id", OFFER),),
            ask="prepare the job offer",
            hint="under what number the newcomer's terms are on paper",
        ),
        Tool(
            "configure_payroll_profile",
            "Set how an employee is paid; what is not given follows the house rules.",
            (
                Parameter("employee_id", EMPLOYEE, "of {}"),
                Parameter("new_salary_euros", NEW_SALARY, "at a pay of {}"),
                Parameter("pay_rhythm", PAY_RHYTHM, "paid {}", optional=True),
                Parameter("tax_class", TAX_CLASS, "taxed as {}", optional=True),
                Parameter("weekly_hours", WEEKLY_HOURS, "working {} a week", optional=True),
                Parameter("bonus_share", BONUS_SHARE, "with {} more in a good year", optional=True),
                Parameter("pension_share", PENSION_SHARE, "putting {} by for later", optional=True),
                Parameter(
                    "meal_allowance_euros", MEAL_ALLOWANCE, "with {} for lunch", optional=True
                ),
                Parameter("overtime_surcharge", SURCHARGE, "raised by {}", optional=True),
                Parameter("manager_id", MANAGER, "agreed by {}", optional=True),
                Parameter("payroll_start_day", PROFILE_START, "valid from {}", optional=True),
            ),
            (Field("profile_note", PROFILE_NOTE),),
            ask="configure the payroll profile",
            hint="that the money will arrive in the right amount",
        ),
    ),
)
