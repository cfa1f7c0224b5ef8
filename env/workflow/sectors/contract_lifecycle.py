"""Contract lifecycle: values, deadlines, clauses, signatures and renewals."""

from __future__ import annotations

from datetime import date, timedelta

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Note, Quantity, Share

__all__ = ["CONTRACT_LIFECYCLE"]

CONTRACT = Identifier("contract", "contract", "CT")
PARTNER = Identifier("partner", "partner", "PN")
CLAUSE = Identifier("clause", "clause", "CL")
SIGNATORY = Identifier("signatory", "signatory", "SG")
AMENDMENT = Identifier("amendment", "amendment", "AM")
TEMPLATE = Identifier("template", "template", "TP")
JURISDICTION = Name("jurisdiction", ("Veldland", "Port Amery", "Kestria", "Low Marches"))
START_DAY = Day("contract_start")
END_DAY = Day("contract_end")
NOTICE_DEADLINE = Day("notice_deadline")
STATEMENT_DAY = Day("statement_day")
SIGNING_DEADLINE = Day("signing_deadline")
PAYMENT_DEADLINE = Day("payment_deadline")
EFFECTIVE_DAY = Day("effective_day")

CONTRACT_VALUE = Quantity("contract_value_euros", "euros", 20_000, 900_000, 10_000)
YEARLY_VALUE = Quantity("yearly_value_euros", "euros", 5_000, 300_000, 5_000)
INDEXED_VALUE = Quantity("indexed_value_euros", "euros", 5_000, 300_000, 5_000)
PORTFOLIO_VALUE = Quantity("portfolio_value_euros", "euros", 100_000, 900_000, 10_000)
LIABILITY_CAP = Quantity("liability_cap_euros", "euros", 10_000, 600_000, 10_000)
CAP_MULTIPLE = Quantity("cap_multiple", "times", 1, 5, 0.5)
TERM = Quantity("term_months", "months", 6, 72, 6)
NOTICE = Quantity("notice_days", "days", 15, 180, 15)
SIGNING_DAYS = Quantity("signing_days", "days", 2, 60)
MEAN_SIGNING_DAYS = Quantity("mean_signing_days", "days", 2, 60)
OVERDUE_AMOUNT = Quantity("overdue_amount_euros", "euros", 1_000, 60_000, 500)
OVERDUE_DAYS = Quantity("overdue_days", "days", 5, 180, 5)
LATE_INTEREST = Quantity("late_interest_euros", "euros", 100, 3_000, 100)
REMINDER_DAYS = Quantity("reminder_days", "days", 1, 14)
INDEX_RATE = Share("index_rate", 1, 9)
RATE_CEILING = Share("rate_ceiling", 1, 6)
INTEREST_RATE = Share("interest_rate", 4, 14)
CONTRACT_RISK = Share("contract_risk")
CREDIT = Choice(
    "credit_grade",
    {"sound": "a safe payer", "shaky": "a slow payer", "distressed": "close to bankruptcy"},
)
DEVIATION = Choice(
    "clause_deviation",
    {
        "standard": "true to our usual text",
        "softened": "slightly bent",
        "rewritten": "beyond recognition",
    },
)
APPROVAL = Choice(
    "approval_level",
    {"manager": "the head of the unit", "director": "the top floor", "board": "the whole council"},
)
RENEWAL = Choice(
    "renewal_advice",
    {"extend": "carry on", "renegotiate": "talk it over again", "terminate": "let it go"},
)

PAYMENT_DAYS = Quantity("payment_days", "days", 10, 90, 5)
DISCOUNT_RATE = Share("early_payment_discount", 1, 5)
DELAY_PENALTY = Quantity("delay_penalty_euros", "euros", 500, 9_000, 500)
WARRANTY = Quantity("warranty_months", "months", 6, 60, 6)
SECRECY_YEARS = Quantity("secrecy_years", "years", 1, 10)
BILLING = Choice(
    "billing_rhythm",
    {
        "monthly": "at the turn of each month",
        "quarterly": "once a season",
        "annual": "every spring",
    },
)

AMENDMENT_NOTE = Note("amendment_note", ("Filed.", "Filed beside the original."))
DRAFT_NOTE = Note("draft_note", ("Draft written.", "Draft written; a blank is left open."))

CREDIT_POINTS = {"sound": 0.05, "shaky": 0.25, "distressed": 0.5}
DEVIATION_POINTS = {"standard": 0.05, "softened": 0.15, "rewritten": 0.35}


def _end(contract_start: str, term_months: float) -> str:
    # No month lacks a 28th, so a term that starts later in a month ends on that day.
    first = date.fromisoformat(contract_start)
    months = first.year * 12 + first.month - 1 + int(term_months)
    return date(months // 12, months % 12 + 1, min(first.day, 28)).isoformat()


def _deadline(contract_end: str, notice_days: float) -> str:
    return (date.fromisoformat(contract_end) - timedelta(days=int(notice_days))).isoformat()


def _risk(credit_grade: str, clause_deviation: str, liability_cap_euros: float = 0) -> float:
    points = CREDIT_POINTS[credit_grade] + DEVIATION_POINTS[clause_deviation]
    return min(points + liability_cap_euros / 5_000_000, 1)


def _approval(contract_value_euros: float, contract_risk: float) -> str:
    stake = contract_value_euros * (1 + contract_risk)
    if stake < 150_000:
        return "manager"
    return "director" if stake < 700_000 else "board"


def _advice(
    indexed_value_euros: float, contract_risk: float, overdue_amount_euros: float = 0
) -> str:
    trouble = contract_risk + indexed_value_euros / 1_000_000 + overdue_amount_euros / 100_000
    if trouble < 0.4:
        return "extend"
    return "renegotiate" if trouble < 0.8 else "terminate"


CONTRACT_LIFECYCLE = Sector(
    "contract_lifecycle",
    "contract lifecycle",
    (
        Tool(
            "read_price_index",
            "Read by what share prices have risen over the last year.",
            (),
            (Field("index_rate", INDEX_RATE),),
            ask="read the price index",
            hint="by how much everything got dearer",
        ),
        Tool(
            "get_contract_value",
            "Look up the value of a contract over its whole term.",
            (Parameter("contract_id", CONTRACT, "of {}"),),
            (Field("contract_value_euros", CONTRACT_VALUE),),
            ask="get the contract value",
            hint="how much money the agreement is about",
        ),
        Tool(
            "get_notice_period",
            "Look up how many days before its end a contract must be cancelled.",
            (Parameter("contract_id", CONTRACT, "of {}"),),
            (Field("notice_days", NOTICE),),
            ask="get the notice period",
            hint="how far ahead of the end we have to speak up",
        ),
        Tool(
            "get_contract_dates",
            "Look up the first day of a contract and its term.",
            (Parameter("contract_id", CONTRACT, "of {}"),),
            (Field("contract_start", START_DAY), Field("term_months", TERM)),
            ask="get the contract dates",
            hint="when the agreement began and how long it was made for",
        ),
        Tool(
            "find_contract_partner",
            "Find the partner with whom a contract was made.",
            (Parameter("contract_id", CONTRACT, "of {}"),),
            (Field("partner_id", PARTNER),),
            ask="find the contract partner",
            hint="who sits on the other side of the table",
        ),
        Tool(
            "rate_partner_credit",
            "Rate how safely a partner pays its debts.",
            (Parameter("partner_id", PARTNER, "of {}"),),
            (Field("credit_grade", CREDIT),),
            ask="rate the partner credit",
            hint="whether the other side can pay its bills",
        ),
        Tool(
            "measure_signing_days",
            "Measure how many days a contract took from draft to last signature.",
            (Parameter("contract_id", CONTRACT, "of {}"),),
            (Field("signing_days", SIGNING_DAYS),),
            ask="measure the signing days",
            hint="how long it took until everybody had put their name down",
        ),
        Tool(
            "average_signing_days",
            "Average the days that several contracts took to be signed.",
            (Parameter("signing_times", ListOf(SIGNING_DAYS), "over {}"),),
            (Field("mean_signing_days", MEAN_SIGNING_DAYS),),
            ask="average the signing days",
            hint="how long it usually takes until all names are on paper",
            run=lambda signing_times: sum(signing_times) / len(signing_times),
        ),
        Tool(
            "total_yearly_values",
            "Add up what several contracts are worth in a year.",
            (Parameter("yearly_amounts", ListOf(YEARLY_VALUE), "over {}"),),
            (Field("portfolio_value_euros", PORTFOLIO_VALUE),),
            ask="total the yearly values",
            hint="what all these agreements are good for together from January to December",
            run=lambda yearly_amounts: sum(yearly_amounts),
        ),
        Tool(
            "pick_earliest_deadline",
            "Pick the earliest of several deadlines for notice.",
            (Parameter("exit_deadlines", ListOf(NOTICE_DEADLINE), "out of {}"),),
            (Field("notice_deadline", NOTICE_DEADLINE),),
            ask="pick the earliest deadline",
            hint="which date comes up soonest",
            run=lambda exit_deadlines: min(exit_deadlines),
        ),
        Tool(
            "grade_clause_wording",
            "Grade how far a clause in a contract departs from the standard wording.",
            (
                Parameter("contract_id", CONTRACT, "in {}"),
                Parameter("clause_id", CLAUSE, "under {}"),
            ),
            (Field("clause_deviation", DEVIATION),),
            ask="grade the clause wording",
            hint="how far the text strays from what we normally write",
        ),
        Tool(
            "compute_contract_end",
            "Compute the last day of a contract from its first day and its term.",
            (
                Parameter("contract_start", START_DAY, "in force since {}"),
                Parameter("term_months", TERM, "made for {}"),
            ),
            (Field("contract_end", END_DAY),),
            ask="compute the contract end",
            hint="when the agreement runs out",
            run=_end,
        ),
        Tool(
            "compute_notice_deadline",
            "Compute the last day on which notice can be given.",
            (
                Parameter("contract_end", END_DAY, "running out on {}"),
                Parameter("notice_days", NOTICE, "to be cancelled {} ahead"),
            ),
            (Field("notice_deadline", NOTICE_DEADLINE),),
            ask="compute the notice deadline",
            hint="by when we have to speak up to get out",
            run=_deadline,
        ),
        Tool(
            "derive_cancellation_cutoff",
            "Derive the cutoff after which a contract can no longer be cancelled in time.",
            (
                Parameter("contract_end", END_DAY, "running out on {}"),
                Parameter("notice_days", NOTICE, "to be cancelled {} ahead"),
            ),
            (Field("notice_deadline", NOTICE_DEADLINE),),
            ask="derive the cancellation cutoff",
            hint="from what date on it is too late to walk away",
            run=_deadline,
            same_as="compute_notice_deadline",
        ),
        Tool(
            "compute_yearly_value",
            "Compute what a contract is worth in a year.",
            (
                Parameter("contract_value_euros", CONTRACT_VALUE, "worth {} altogether"),
                Parameter("term_months", TERM, "made for {}"),
            ),
            (Field("yearly_value_euros", YEARLY_VALUE),),
            ask="compute the yearly value",
            hint="what the agreement comes to from January to December",
            run=lambda contract_value_euros, term_months: (
                contract_value_euros * 12 / max(term_months, 1)
            ),
        ),
        Tool(
            "compute_liability_cap",
            "Compute the most that can be claimed, twice the yearly value if not told otherwise.",
            (
                Parameter("yearly_value_euros", YEARLY_VALUE, "worth {} a year"),
                Parameter("cap_multiple", CAP_MULTIPLE, "limited to {} that sum", optional=True),
            ),
            (Field("liability_cap_euros", LIABILITY_CAP),),
            ask="compute the liability cap",
            hint="how much could be claimed at the very most",
            run=lambda yearly_value_euros, cap_multiple=2: yearly_value_euros * cap_multiple,
        ),
        Tool(
            "apply_price_indexation",
            "Raise a yearly value by an index, up to a ceiling if there is such a limit.",
            (
                Parameter("yearly_value_euros", YEARLY_VALUE, "worth {} a year"),
                Parameter("index_rate", INDEX_RATE, "with prices up by {}"),
                Parameter("rate_ceiling", RATE_CEILING, "but by no more than {}", optional=True),
            ),
            (Field("indexed_value_euros", INDEXED_VALUE),),
            ask="apply the price indexation",
            hint="what the agreement will cost after the rise",
            run=lambda yearly_value_euros, index_rate, rate_ceiling=1: (
                yearly_value_euros * (1 + min(index_rate, rate_ceiling))
            ),
        ),
        Tool(
            "score_contract_risk",
            "Score the risk of a contract by its partner's credit and its wording.",
            (
                Parameter("credit_grade", CREDIT, "with a counterparty that is {}"),
                Parameter("clause_deviation", DEVIATION, "in language that is {}"),
                Parameter("liability_cap_euros", LIABILITY_CAP, "liable up to {}", optional=True),
            ),
            (Field("contract_risk", CONTRACT_RISK),),
            ask="score the contract risk",
            hint="how dangerous the agreement is for us",
            run=_risk,
        ),
        Tool(
            "rate_deal_exposure",
            "Rate our exposure in a deal, given how its partner pays and how it is worded.",
            (
                Parameter("credit_grade", CREDIT, "with a counterparty that is {}"),
                Parameter("clause_deviation", DEVIATION, "in language that is {}"),
                Parameter("liability_cap_euros", LIABILITY_CAP, "liable up to {}", optional=True),
            ),
            (Field("contract_risk", CONTRACT_RISK),),
            ask="rate the deal exposure",
            hint="how badly we could get burnt",
            run=_risk,
            same_as="score_contract_risk",
        ),
        Tool(
            "pick_approval_level",
            "Pick who must approve a contract of a value and a risk.",
            (
                Parameter("contract_value_euros", CONTRACT_VALUE, "worth {} altogether"),
                Parameter("contract_risk", CONTRACT_RISK, "with a danger of {}"),
            ),
            (Field("approval_level", APPROVAL),),
            ask="pick the approval level",
            hint="how high up it has to go for a yes",
            run=_approval,
        ),
        Tool(
            "route_contract_approval",
            "Route a contract to the level of the company that may agree to it.",
            (
                Parameter("contract_value_euros", CONTRACT_VALUE, "worth {} altogether"),
                Parameter("contract_risk", CONTRACT_RISK, "with a danger of {}"),
            ),
            (Field("approval_level", APPROVAL),),
            ask="route the contract approval",
            hint="whose blessing it needs",
            run=_approval,
            same_as="pick_approval_level",
        ),
        Tool(
            "find_approving_signatory",
            "Find the person who signs at an approval level, in a jurisdiction if it matters.",
            (
                Parameter("approval_level", APPROVAL, "speaking for {}"),
                Parameter("signing_jurisdiction", JURISDICTION, "in {}", optional=True),
            ),
            (Field("signatory_id", SIGNATORY),),
            ask="find the approving signatory",
            hint="whose pen it takes",
        ),
        Tool(
            "get_overdue_amount",
            "Look up what a partner owes on a day and for how long.",
            (
                Parameter("partner_id", PARTNER, "of {}"),
                Parameter("statement_day", STATEMENT_DAY, "as of {}"),
            ),
            (Field("overdue_amount_euros", OVERDUE_AMOUNT), Field("overdue_days", OVERDUE_DAYS)),
            ask="get the overdue amount",
            hint="how far behind the other side is with its payments",
        ),
        Tool(
            "compute_late_interest",
            "Compute the interest on a late payment, at nine percent a year if not given.",
            (
                Parameter("overdue_amount_euros", OVERDUE_AMOUNT, "on a debt of {}"),
                Parameter("overdue_days", OVERDUE_DAYS, "open for {}"),
                Parameter("interest_rate", INTEREST_RATE, "charged at {} a year", optional=True),
            ),
            (Field("late_interest_euros", LATE_INTEREST),),
            ask="compute the late interest",
            hint="how much extra the dawdling costs them",
            run=lambda overdue_amount_euros, overdue_days, interest_rate=0.09: (
                overdue_amount_euros * interest_rate * overdue_days / 365
            ),
        ),
        Tool(
            "recommend_contract_renewal",
            "Recommend whether to renew a contract at its new price, given its risk and any debts.",
            (
                Parameter("indexed_value_euros", INDEXED_VALUE, "at a new price of {}"),
                Parameter("contract_risk", CONTRACT_RISK, "with a danger of {}"),
                Parameter("overdue_amount_euros", OVERDUE_AMOUNT, "on a debt of {}", optional=True),
            ),
            (Field("renewal_advice", RENEWAL),),
            ask="recommend the contract renewal",
            hint="whether we should stay with it",
            run=_advice,
        ),
        Tool(
            "request_contract_signature",
            "Ask a signatory to sign a contract by a deadline, with reminders if wanted.",
            (
                Parameter("contract_id", CONTRACT, "under {}"),
                Parameter("signatory_id", SIGNATORY, "from {}"),
                Parameter("signing_deadline", SIGNING_DEADLINE, "by {}"),
                Parameter("reminder_days", REMINDER_DAYS, "nudged {} before", optional=True),
            ),
            (),
            ask="request the contract signature",
            hint="that the right person has been asked to put a name to it",
        ),
        Tool(
            "send_payment_reminder",
            "Remind a partner of a debt and the interest on it.",
            (
                Parameter("partner_id", PARTNER, "to {}"),
                Parameter("overdue_amount_euros", OVERDUE_AMOUNT, "on a debt of {}"),
                Parameter("late_interest_euros", LATE_INTEREST, "plus {} for the delay"),
                Parameter("payment_deadline", PAYMENT_DEADLINE, "payable by {}", optional=True),
            ),
            (),
            ask="send the payment reminder",
            hint="that the debtor has been told to settle up",
        ),
        Tool(
            "draft_contract_amendment",
            "Draft an amendment that puts a new price into a contract from a day on.",
            (
                Parameter("contract_id", CONTRACT, "to {}"),
                Parameter("indexed_value_euros", INDEXED_VALUE, "at a new price of {}"),
                Parameter("effective_day", EFFECTIVE_DAY, "valid from {}"),
                Parameter("notice_days", NOTICE, "to be cancelled {} ahead", optional=True),
                Parameter("liability_cap_euros", LIABILITY_CAP, "liable up to {}", optional=True),
                Parameter("signing_jurisdiction", JURISDICTION, "in {}", optional=True),
            ),
            (Field("amendment_id", AMENDMENT),),
            ask="draft the contract amendment",
            hint="where the new terms are written down",
        ),
        Tool(
            "file_signed_amendment",
            "File an amendment that a signatory has signed.",
            (
                Parameter("amendment_id", AMENDMENT, "for {}"),
                Parameter("signatory_id", SIGNATORY, "from {}"),
            ),
            (Field("amendment_note", AMENDMENT_NOTE),),
            ask="file the signed amendment",
            hint="that the change lies in the cabinet beside the original",
        ),
        Tool(
            "generate_contract_draft",
            "Fill a template with the terms of a contract; what is not given stays as printed.",
            (
                Parameter("template_id", TEMPLATE, "out of {}"),
                Parameter("partner_id", PARTNER, "to {}"),
                Parameter("contract_value_euros", CONTRACT_VALUE, "worth {} altogether"),
                Parameter("term_months", TERM, "made for {}"),
                Parameter("contract_start", START_DAY, "beginning on {}", optional=True),
                Parameter("payment_days", PAYMENT_DAYS, "payable within {}", optional=True),
                Parameter("billing_rhythm", BILLING, "charged {}", optional=True),
                Parameter(
                    "early_payment_discount", DISCOUNT_RATE, "less {} if quick", optional=True
                ),
                Parameter("delay_penalty_euros", DELAY_PENALTY, "fined {} if late", optional=True),
                Parameter("warranty_months", WARRANTY, "vouched for over {}", optional=True),
                Parameter("secrecy_years", SECRECY_YEARS, "kept quiet for {}", optional=True),
                Parameter("signing_jurisdiction", JURISDICTION, "in {}", optional=True),
            ),
            (Field("draft_note", DRAFT_NOTE),),
            ask="generate the contract draft",
            hint="that a first version of the paper is on the table",
        ),
    ),
)
