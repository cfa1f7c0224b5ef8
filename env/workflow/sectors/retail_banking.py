"""Retail banking operations: accounts, loans, transfers, and the branches behind them."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Flag, Identifier, ListOf, Name, Note, Quantity, Share

__all__ = ["RETAIL_BANKING"]

ACCOUNT = Identifier("account", "account", "AC")
CARD = Identifier("card", "card", "CD")
CUSTOMER = Identifier("customer", "customer", "CU")
BRANCH = Identifier("branch", "branch", "BR")
LOAN = Identifier("loan", "loan", "LN")
TRANSFER = Identifier("transfer", "transfer", "TF")
ORDER = Identifier("standing_order", "standing order", "SO")
MEETING = Identifier("meeting", "appointment", "MT")

BALANCE = Quantity("balance", "euros", 500, 40_000, 100)
HOLDINGS = Quantity("holdings", "euros", 1_000, 90_000, 500)
RESERVE = Quantity("reserve", "euros", 100, 900, 50)
INCOME = Quantity("monthly_income", "euros", 1_500, 9_000, 100)
PAYMENT = Quantity("monthly_payment", "euros", 100, 1_500, 50)
PRINCIPAL = Quantity("loan_amount", "euros", 5_000, 90_000, 500)
TERM = Quantity("loan_term", "months", 12, 120, 6)
BASE_RATE = Share("base_rate", 2, 6)
LOAN_RATE = Share("loan_rate", 3, 14)
DEBT_RATIO = Share("debt_ratio")
SCORE = Quantity("credit_score", "points", 300, 850, 10)
SPENDING = Quantity("card_spending", "euros", 100, 5_000, 100)
LIMIT = Quantity("card_limit", "euros", 1_000, 15_000, 500)
CARD_ROOM = Quantity("card_room", "euros", 100, 14_000, 100)
SENT_AMOUNT = Quantity("sent_amount", "euros", 200, 20_000, 100)
FRAUD = Share("fraud_risk")
FOREIGN_SUM = Quantity("foreign_sum", "units", 500, 40_000, 100)
QUEUE = Quantity("queue", "people", 2, 40)
TARGET_WAIT = Quantity("target_wait", "minutes", 2, 20)
WAIT = Quantity("average_wait", "minutes", 2, 60, 0.5)
TELLERS = Quantity("teller_count", "tellers", 2, 9)
RETRIES = Quantity("retry_count", "retries", 2, 6)
NOTICE = Quantity("notice_time", "days of notice", 2, 14)
FEE_CAP = Quantity("fee_cap", "euros in fees", 2, 9, 0.5)
RUNS = Quantity("run_count", "payments", 3, 48, 3)
YEARLY_RISE = Share("yearly_rise", 2, 9)

COUNTRY = Name("country", ("Portugal", "Norway", "Chile", "Ghana", "Japan", "Canada"))
CURRENCY = Choice(
    "currency", {"USD": "American dollars", "GBP": "British pounds", "CHF": "Swiss francs"}
)
INTERVAL = Choice("interval", {"weekly": "week after week", "quarterly": "season after season"})
SEGMENT = Choice(
    "segment",
    {"mass_market": "an everyday client", "affluent": "well off", "starter": "new to banking"},
)
DECISION = Choice(
    "loan_decision",
    {"approve": "safe to lend", "refer": "a close call", "decline": "too risky to lend"},
)
FALLBACK = Choice("fallback", {"skip_run": "let it lapse", "overdraw": "go into the red"})
START_DAY = Day("start_day")
END_DAY = Day("end_day")
MEETING_DAY = Day("meeting_day")
IS_HELD = Flag("is_held")
LETTER = Note(
    "decision_letter",
    ("Letter on the loan decision, form A.", "Letter on the loan decision, form B."),
)

COUNTRY_RISK = {"Chile": 0.2, "Ghana": 0.3, "Japan": 0.1, "Portugal": 0.12}
UNITS_PER_EURO = {"USD": 1.1, "GBP": 0.85, "CHF": 0.95}


def _monthly_payment(loan_amount: float, loan_rate: float, loan_term: float) -> float:
    owed = loan_amount * (1 + loan_rate * loan_term / 12)
    return round(owed / max(loan_term, 1), 2)


def _debt_ratio(monthly_payment: float, monthly_income: float) -> float:
    return min(round(monthly_payment / max(monthly_income, 1), 3), 1)


def _decision(
    credit_score: float,
    debt_ratio: float,
    loan_amount: float,
    total_savings: float = 0,
    customer_segment: str = "mass_market",
    loan_term: float = 60,
) -> str:
    points = credit_score - 400 * debt_ratio - loan_amount / 500 - loan_term / 2
    points += total_savings / 250 + {"affluent": 60, "starter": -40}.get(customer_segment, 0)
    return "approve" if points >= 450 else "refer" if points >= 250 else "decline"


def _fraud_risk(sent_amount: float, payee_country: str, card_spending: float = 0) -> float:
    """Score a transfer; one within the owner's usual spending is half as suspect."""
    risk = COUNTRY_RISK.get(payee_country, 0.05) + min(sent_amount / 30_000, 0.65)
    return round(risk / 2 if sent_amount <= card_spending else risk, 3)


def _tellers(queue_length: float, target_wait: float) -> float:
    """Return the tellers who serve the queue in time, at four minutes a person."""
    return 1 + queue_length * 4 // max(target_wait, 1)


def _average_wait(queue_lengths: list[float], teller_count: float = 2) -> float:
    return round(4 * sum(queue_lengths) / len(queue_lengths) / max(teller_count, 1), 1)


RETAIL_BANKING = Sector(
    "retail_banking",
    "retail banking operations",
    (
        Tool(
            "get_central_bank_rate",
            "Read the central bank's rate that holds today.",
            (),
            (Field("base_rate", BASE_RATE),),
            ask="get the central bank rate",
            hint="what borrowing costs the lenders themselves today",
        ),
        Tool(
            "find_customer_of_account",
            "Find the customer who holds an account.",
            (Parameter("account_id", ACCOUNT, "numbered {}"),),
            (Field("customer_id", CUSTOMER),),
            ask="find the customer of the account",
            hint="who the money belongs to",
        ),
        Tool(
            "find_account_of_card",
            "Find the account to which a card's payments are booked.",
            (Parameter("card_id", CARD, "numbered {}"),),
            (Field("account_id", ACCOUNT),),
            ask="find the account of the card",
            hint="where the purchases are booked",
        ),
        Tool(
            "get_account_balance",
            "Read the balance of an account.",
            (Parameter("account_id", ACCOUNT, "for {}"),),
            (Field("current_balance", BALANCE),),
            ask="get the account balance",
            hint="how much money is sitting there",
        ),
        Tool(
            "fetch_available_funds",
            "Fetch the sum that stands to the credit of an account.",
            (Parameter("account_id", ACCOUNT, "for {}"),),
            (Field("current_balance", BALANCE),),
            ask="fetch the available funds",
            hint="what could be paid out at once",
            same_as="get_account_balance",
        ),
        Tool(
            "get_customer_income",
            "Read the income that a customer receives each month.",
            (Parameter("customer_id", CUSTOMER, "for {}"),),
            (Field("monthly_income", INCOME),),
            ask="get the customer income",
            hint="what the person earns",
        ),
        Tool(
            "get_credit_score",
            "Read the credit score of a customer, from 300 to 850 points.",
            (Parameter("customer_id", CUSTOMER, "for {}"),),
            (Field("credit_score", SCORE),),
            ask="get the credit score",
            hint="how reliably the person has paid back so far",
        ),
        Tool(
            "find_home_branch",
            "Find the branch that looks after a customer.",
            (Parameter("customer_id", CUSTOMER, "for {}"),),
            (Field("branch_id", BRANCH),),
            ask="find the home branch",
            hint="which office looks after the person",
        ),
        Tool(
            "count_branch_queue",
            "Count the people who wait in a branch right now.",
            (Parameter("branch_id", BRANCH, "at {}"),),
            (Field("queue_length", QUEUE),),
            ask="count the branch queue",
            hint="how many people are standing in line",
        ),
        Tool(
            "get_loan_terms",
            "Read the amount, the yearly rate and the term of a loan.",
            (Parameter("loan_id", LOAN, "of {}"),),
            (
                Field("loan_amount", PRINCIPAL),
                Field("loan_rate", LOAN_RATE),
                Field("loan_term", TERM),
            ),
            ask="get the loan terms",
            hint="on what conditions the money was lent",
        ),
        Tool(
            "get_transfer_details",
            "Read the amount of a transfer and the country that it goes to.",
            (Parameter("transfer_id", TRANSFER, "of {}"),),
            (Field("sent_amount", SENT_AMOUNT), Field("payee_country", COUNTRY)),
            ask="get the transfer details",
            hint="how much was sent, and where to",
        ),
        Tool(
            "find_weakest_score",
            "Find the lowest of several credit scores.",
            (Parameter("credit_scores", ListOf(SCORE), "among {}"),),
            (Field("credit_score", SCORE),),
            ask="find the weakest score",
            hint="how bad the worst of them looks",
            run=lambda credit_scores: min(credit_scores),
        ),
        Tool(
            "get_monthly_dues",
            "Add up what a customer has to pay back to lenders each month.",
            (Parameter("customer_id", CUSTOMER, "for {}"),),
            (Field("monthly_payment", PAYMENT),),
            ask="get the monthly dues",
            hint="what the person already owes to lenders",
        ),
        Tool(
            "get_card_spending",
            "Sum what was paid with a card, in the last month or since a day.",
            (
                Parameter("card_id", CARD, "on {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("card_spending", SPENDING),),
            ask="get the card spending",
            hint="how much went on purchases",
        ),
        Tool(
            "total_account_balances",
            "Add up the balances of several accounts, less a reserve that stays untouched.",
            (
                Parameter("balances", ListOf(BALANCE), "over {}"),
                Parameter("cash_reserve", RESERVE, "leaving {} untouched", optional=True),
            ),
            (Field("total_savings", HOLDINGS),),
            ask="total the account balances",
            hint="how much there is in all of them together",
            run=lambda balances, cash_reserve=0: max(sum(balances) - cash_reserve, 0),
        ),
        Tool(
            "estimate_average_wait",
            "Estimate the mean wait over several queues, at two tellers or as many as are given.",
            (
                Parameter("queue_lengths", ListOf(QUEUE), "over {}"),
                Parameter("teller_count", TELLERS, "with {} serving", optional=True),
            ),
            (Field("average_wait", WAIT),),
            ask="estimate the average wait",
            hint="how long people typically stand there",
            run=_average_wait,
        ),
        Tool(
            "compute_debt_ratio",
            "Compute the share of a monthly income that a monthly payment takes.",
            (
                Parameter("monthly_payment", PAYMENT, "with {} due each month"),
                Parameter("monthly_income", INCOME, "with {} earned each month"),
            ),
            (Field("debt_ratio", DEBT_RATIO),),
            ask="compute the debt ratio",
            hint="how much of the pay goes straight to the lender",
            run=_debt_ratio,
        ),
        Tool(
            "measure_repayment_burden",
            "Measure how large a part of what a person earns is owed every month.",
            (
                Parameter("monthly_payment", PAYMENT, "with {} due each month"),
                Parameter("monthly_income", INCOME, "with {} earned each month"),
            ),
            (Field("debt_ratio", DEBT_RATIO),),
            ask="measure the repayment burden",
            hint="what part of the earnings is already spoken for",
            run=_debt_ratio,
            same_as="compute_debt_ratio",
        ),
        Tool(
            "offer_loan_rate",
            "Set the yearly rate for a borrower: the base rate, and more for a lower score.",
            (
                Parameter("base_rate", BASE_RATE, "with central banks at {}"),
                Parameter("credit_score", SCORE, "with a record worth {}"),
            ),
            (Field("loan_rate", LOAN_RATE),),
            ask="offer a loan rate",
            hint="how expensive borrowing would be for the person",
            run=lambda base_rate, credit_score: round(
                base_rate + max(900 - credit_score, 0) / 6_000, 4
            ),
        ),
        Tool(
            "compute_card_room",
            "Compute what a card can still pay for under its limit.",
            (
                Parameter("card_spending", SPENDING, "with {} spent so far"),
                Parameter("card_limit", LIMIT, "capped at {} on the card"),
            ),
            (Field("card_room", CARD_ROOM),),
            ask="compute the card room",
            hint="what can still be bought before it is refused",
            run=lambda card_spending, card_limit: max(card_limit - card_spending, 0),
        ),
        Tool(
            "plan_teller_shifts",
            "Work out how many tellers keep a queue within a wait.",
            (
                Parameter("queue_length", QUEUE, "with {} in line"),
                Parameter("target_wait", TARGET_WAIT, "served within {}"),
            ),
            (Field("teller_count", TELLERS),),
            ask="plan the teller shifts",
            hint="how many of the staff are needed at the counters",
            run=_tellers,
        ),
        Tool(
            "convert_account_currency",
            "Convert a balance in euros into another currency.",
            (
                Parameter("current_balance", BALANCE, "holding {}"),
                Parameter("target_currency", CURRENCY, "changed into {}"),
            ),
            (Field("foreign_sum", FOREIGN_SUM),),
            ask="convert the account currency",
            hint="what it would be worth abroad",
            run=lambda current_balance, target_currency: round(
                current_balance * UNITS_PER_EURO[target_currency]
            ),
        ),
        Tool(
            "hold_suspect_transfer",
            "Stop a transfer if its fraud risk is at least one half; tell whether it was stopped.",
            (
                Parameter("transfer_id", TRANSFER, "numbered {}"),
                Parameter("fraud_risk", FRAUD, "with the odds of a swindle at {}"),
            ),
            (Field("is_held", IS_HELD),),
            ask="hold the suspect transfer",
            hint="whether the payment has been stopped",
            run=lambda transfer_id, fraud_risk: fraud_risk >= 0.5,
        ),
        Tool(
            "draft_decision_letter",
            "Draft the letter that tells a customer what was decided on a loan.",
            (
                Parameter("customer_id", CUSTOMER, "for {}"),
                Parameter("loan_decision", DECISION, "judged {}"),
            ),
            (Field("decision_letter", LETTER),),
            ask="draft the decision letter",
            hint="how the outcome will be put to the person",
        ),
        Tool(
            "compute_monthly_payment",
            "Compute the level monthly payment of a loan, with interest on the full amount.",
            (
                Parameter("loan_amount", PRINCIPAL, "borrowing {}"),
                Parameter("loan_rate", LOAN_RATE, "at {} a year"),
                Parameter("loan_term", TERM, "over {}"),
            ),
            (Field("monthly_payment", PAYMENT),),
            ask="compute the monthly payment",
            hint="what falls due every month",
            run=_monthly_payment,
        ),
        Tool(
            "estimate_loan_instalment",
            "Estimate the equal instalments in which a loan is paid back month by month.",
            (
                Parameter("loan_amount", PRINCIPAL, "borrowing {}"),
                Parameter("loan_rate", LOAN_RATE, "at {} a year"),
                Parameter("loan_term", TERM, "over {}"),
            ),
            (Field("monthly_payment", PAYMENT),),
            ask="estimate the loan instalment",
            hint="what paying it back takes each time",
            run=_monthly_payment,
            same_as="compute_monthly_payment",
        ),
        Tool(
            "assess_transfer_fraud",
            "Assess the risk that a transfer is a fraud, by amount, country and usual spending.",
            (
                Parameter("sent_amount", SENT_AMOUNT, "sending {}"),
                Parameter("payee_country", COUNTRY, "bound for {}"),
                Parameter("card_spending", SPENDING, "with {} spent so far", optional=True),
            ),
            (Field("fraud_risk", FRAUD),),
            ask="assess the transfer fraud",
            hint="how likely it is that somebody is being swindled",
            run=_fraud_risk,
        ),
        Tool(
            "book_adviser_meeting",
            "Book a meeting of a customer with an adviser of a branch on a day.",
            (
                Parameter("customer_id", CUSTOMER, "for {}"),
                Parameter("branch_id", BRANCH, "at {}"),
                Parameter("meeting_day", MEETING_DAY, "to be seen on {}"),
                Parameter("loan_decision", DECISION, "judged {}", optional=True),
            ),
            (Field("meeting_id", MEETING),),
            ask="book the adviser meeting",
            hint="that somebody will sit down with the person",
        ),
        Tool(
            "screen_loan_application",
            "Approve, refer or decline a loan by score, burden, amount and what else is known.",
            (
                Parameter("credit_score", SCORE, "with a record worth {}"),
                Parameter("debt_ratio", DEBT_RATIO, "with {} of the pay already owed"),
                Parameter("loan_amount", PRINCIPAL, "borrowing {}"),
                Parameter("total_savings", HOLDINGS, "with savings of {}", optional=True),
                Parameter("customer_segment", SEGMENT, "seen as {}", optional=True),
                Parameter("loan_term", TERM, "over {}", optional=True),
            ),
            (Field("loan_decision", DECISION),),
            ask="screen the loan application",
            hint="whether the bank should say yes",
            run=_decision,
        ),
        Tool(
            "configure_standing_order",
            "Set up a payment that repeats, with its rhythm, its bounds and what to do on failure.",
            (
                Parameter("account_id", ACCOUNT, "for {}"),
                Parameter("sent_amount", SENT_AMOUNT, "sending {}"),
                Parameter("start_day", START_DAY, "counted from {}"),
                Parameter("end_day", END_DAY, "with {} as the last date", optional=True),
                Parameter("payment_interval", INTERVAL, "repeated {}", optional=True),
                Parameter("payee_country", COUNTRY, "bound for {}", optional=True),
                Parameter("target_currency", CURRENCY, "changed into {}", optional=True),
                Parameter("retry_count", RETRIES, "allowing {}", optional=True),
                Parameter("notice_time", NOTICE, "with {}", optional=True),
                Parameter("fee_cap", FEE_CAP, "costing no more than {}", optional=True),
                Parameter("run_count", RUNS, "stopping after {}", optional=True),
                Parameter("yearly_rise", YEARLY_RISE, "growing {} a year", optional=True),
                Parameter("cash_reserve", RESERVE, "leaving {} untouched", optional=True),
                Parameter(
                    "failure_action", FALLBACK, "told to {} when funds run short", optional=True
                ),
            ),
            (Field("standing_order_id", ORDER),),
            ask="configure the standing order",
            hint="that the money will go out by itself from now on",
        ),
    ),
)
