"""Travel logistics: trips with their flights, hotels and coaches, and what goes wrong."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Quantity, Share

__all__ = ["TRAVEL_LOGISTICS"]

COACH = Identifier("coach", "coach", "COA")
DRIVER = Identifier("driver", "driver", "DRV")
FLIGHT = Identifier("flight", "flight", "FLT")
HOTEL = Identifier("hotel", "hotel", "HTL")
TOUR_GROUP = Identifier("tour_group", "tour group", "TGR")
TRAVELLER = Identifier("traveller", "traveller", "TVL")
TRIP = Identifier("trip", "trip", "TRP")

AIRPORT = Name("airport", ("Kestrel Bay", "Lindhaven", "Morrow Field", "Port Anselm"))
BOARD = Choice(
    "board",
    {
        "breakfast": "the morning meal",
        "half_board": "both main meals",
        "full_board": "all food and drink",
    },
)
CABIN = Choice(
    "cabin",
    {
        "economy": "the cheap seats",
        "premium": "the wider seats",
        "business": "the front of the plane",
    },
)
MISS_RISK = Choice(
    "miss_risk",
    {"relaxed": "comfortable", "tight": "a close shave", "lost": "hopeless"},
)
ARRIVAL_DAY = Day("arrival_day")
DUTY_DAY = Day("duty_day")
FLIGHT_DAY = Day("flight_day")
REBOOKED_DAY = Day("rebooked_day")
VALID_FROM = Day("valid_from")

ADVANCE = Quantity("advance_days", "days", 3, 60)
AIR_FARE = Quantity("air_fare", "euros", 100, 990, 10)
BAGS = Quantity("bag_count", "bags", 2, 6)
BASE_FARE = Quantity("base_fare", "euros", 60, 900, 10)
CARBON = Quantity("carbon_mass", "kilograms of carbon", 50, 950, 10)
COACH_SEATS = Quantity("coach_seats", "seats", 42, 80, 2)
COMPENSATION = Quantity("compensation", "euros", 10, 400, 10)
CONNECTION_SLACK = Quantity("connection_slack", "minutes", 10, 300, 5)
DELAY = Quantity("flight_delay", "minutes", 15, 150, 5)
FLIGHT_KM = Quantity("flight_km", "km", 300, 9_500, 100)
FUEL_SURCHARGE = Quantity("fuel_surcharge", "euros", 10, 90, 5)
GROUP_SIZE = Quantity("group_size", "passengers", 10, 40)
LAYOVER = Quantity("layover", "minutes", 100, 360, 5)
MEAN_RATE = Quantity("mean_rate", "euros a night", 60, 400, 5)
NIGHT_RATE = Quantity("night_rate", "euros a night", 60, 400, 5)
NIGHTS = Quantity("night_count", "nights", 2, 14)
PEAK_DELAY = Quantity("peak_delay", "minutes", 15, 150, 5)
ROAD_KM = Quantity("road_km", "km of road", 50, 900, 10)
SPARE_SEATS = Quantity("spare_seats", "seats", 2, 60)
STAY_COST = Quantity("stay_cost", "euros", 200, 5_000, 100)
STRANDED = Quantity("stranded_cases", "cases", 2, 80)
TOTAL_CARBON = Quantity("total_carbon", "kilograms of carbon", 100, 9_000, 100)
TRIP_TOTAL = Quantity("trip_total", "euros", 300, 6_000, 100)
WALK = Quantity("terminal_walk", "minutes", 5, 40, 5)
SEATS_SOLD = Share("seats_sold", 50, 95)

EUROS_PER_BAG = 25
BOARD_EUROS_PER_NIGHT = {"breakfast": 15, "half_board": 40, "full_board": 70}
CARBON_PER_KM = {"economy": 0.08, "premium": 0.12, "business": 0.22}


def _stay_cost(night_rate: float, night_count: int, board_plan: str | None = None) -> float:
    board = BOARD_EUROS_PER_NIGHT[board_plan] if board_plan else 0
    return night_count * (night_rate + board)


def _trip_total(stay_eur: float, air_eur: float, compensation_eur: float = 0) -> float:
    return max(stay_eur + air_eur - compensation_eur, 0)


def _slack(layover_minutes: float, delay_minutes: float, walk_minutes: float = 0) -> float:
    return max(layover_minutes - delay_minutes - walk_minutes, 0)


def _miss_risk(slack_minutes: float, group_size: int = 0) -> str:
    left = slack_minutes - 2 * group_size
    return "lost" if left < 45 else "tight" if left < 120 else "relaxed"


def _compensation(base_fare: float, delay_minutes: float) -> float:
    return base_fare * min(delay_minutes / 240, 1)


TRAVEL_LOGISTICS = Sector(
    "travel_logistics",
    "travel logistics",
    (
        Tool(
            "count_stranded_passenger_cases",
            "Count the cases of passengers who are stranded somewhere at present.",
            (),
            (Field("stranded_cases", STRANDED),),
            ask="count the stranded passenger cases",
            hint="how many people are stuck on the way just now",
        ),
        Tool(
            "get_airline_fuel_surcharge",
            "Return the surcharge for fuel that airlines add to each ticket today, in euros.",
            (),
            (Field("surcharge_eur", FUEL_SURCHARGE),),
            ask="get the airline fuel surcharge",
            hint="how much the carriers add for kerosene these days",
        ),
        Tool(
            "find_traveller_next_trip",
            "Find the next trip of a traveller.",
            (Parameter("traveller_id", TRAVELLER, "of {}"),),
            (Field("trip_id", TRIP),),
            ask="find the traveller next trip",
            hint="which journey that person has coming up",
        ),
        Tool(
            "find_trip_outbound_flight",
            "Find the outbound flight of a trip.",
            (Parameter("trip_id", TRIP, "on {}"),),
            (Field("flight_id", FLIGHT),),
            ask="find the trip outbound flight",
            hint="which plane takes them there",
        ),
        Tool(
            "find_trip_booked_hotel",
            "Find the hotel that is booked for a trip.",
            (Parameter("trip_id", TRIP, "during {}"),),
            (Field("hotel_id", HOTEL),),
            ask="find the trip booked hotel",
            hint="where they are going to sleep",
        ),
        Tool(
            "get_trip_night_count",
            "Return for how many nights a trip lasts.",
            (Parameter("trip_id", TRIP, "for {}"),),
            (Field("night_count", NIGHTS),),
            ask="get the trip night count",
            hint="for how long they need a bed",
        ),
        Tool(
            "get_trip_layover_minutes",
            "Return the scheduled minutes between the flights of a trip.",
            (Parameter("trip_id", TRIP, "during {}"),),
            (Field("layover_minutes", LAYOVER),),
            ask="get the trip layover minutes",
            hint="how long they are meant to wait between planes",
        ),
        Tool(
            "get_flight_base_fare",
            "Return the base fare of a flight in a cabin, in euros.",
            (
                Parameter("flight_id", FLIGHT, "on {}"),
                Parameter("cabin_class", CABIN, "in {}"),
            ),
            (Field("base_fare", BASE_FARE),),
            ask="get the flight base fare",
            hint="what a ticket costs before anything is added",
        ),
        Tool(
            "compute_ticket_air_fare",
            "Compute the full fare of a ticket: base fare, surcharge, and 25 euros a bag if their "
            "number is given.",
            (
                Parameter("base_fare", BASE_FARE, "with a ticket at {}"),
                Parameter("surcharge_eur", FUEL_SURCHARGE, "plus {} for kerosene"),
                Parameter("bag_count", BAGS, "checking in {}", optional=True),
            ),
            (Field("air_eur", AIR_FARE),),
            ask="compute the ticket air fare",
            hint="what going there by plane costs, everything included",
            run=lambda base_fare, surcharge_eur, bag_count=0: (
                base_fare + surcharge_eur + EUROS_PER_BAG * bag_count
            ),
        ),
        Tool(
            "get_hotel_night_rate",
            "Return what a hotel charges for a night, for arrival on a given day if any.",
            (
                Parameter("hotel_id", HOTEL, "at {}"),
                Parameter("arrival_day", ARRIVAL_DAY, "arriving on {}", optional=True),
            ),
            (Field("night_rate", NIGHT_RATE),),
            ask="get the hotel night rate",
            hint="what a bed goes for",
        ),
        Tool(
            "average_hotel_night_rates",
            "Compute the mean of several night rates.",
            (Parameter("rates_quoted", ListOf(NIGHT_RATE), "over {}"),),
            (Field("mean_rate", MEAN_RATE),),
            ask="average the hotel night rates",
            hint="how dear those places are on the whole",
            run=lambda rates_quoted: sum(rates_quoted) / len(rates_quoted),
        ),
        Tool(
            "compute_hotel_stay_cost",
            "Compute the cost of a stay from the rate and the nights, with board if it is given.",
            (
                Parameter("night_rate", NIGHT_RATE, "at {}"),
                Parameter("night_count", NIGHTS, "for {}"),
                Parameter("board_plan", BOARD, "with {} included", optional=True),
            ),
            (Field("stay_eur", STAY_COST),),
            ask="compute the hotel stay cost",
            hint="what sleeping there will come to",
            run=_stay_cost,
        ),
        Tool(
            "compute_trip_total_price",
            "Compute the price of a trip: stay and air fare, less the compensation if it is given.",
            (
                Parameter("stay_eur", STAY_COST, "with {} for the bed"),
                Parameter("air_eur", AIR_FARE, "with {} for the plane"),
                Parameter("compensation_eur", COMPENSATION, "getting {} back", optional=True),
            ),
            (Field("total_eur", TRIP_TOTAL),),
            ask="compute the trip total price",
            hint="what the journey costs all in all",
            run=_trip_total,
        ),
        Tool(
            "tally_journey_net_expense",
            "Tally the net expense of a journey: bed and plane, minus what the airline paid back.",
            (
                Parameter("stay_eur", STAY_COST, "having paid {} for sleeping"),
                Parameter("air_eur", AIR_FARE, "having paid {} for flying"),
                Parameter("compensation_eur", COMPENSATION, "having been paid {}", optional=True),
            ),
            (Field("total_eur", TRIP_TOTAL),),
            ask="tally the journey net expense",
            hint="how much money will be gone when they are home again",
            run=_trip_total,
            same_as="compute_trip_total_price",
        ),
        Tool(
            "get_flight_delay_minutes",
            "Return by how many minutes a flight was late on a day.",
            (
                Parameter("flight_id", FLIGHT, "of {}"),
                Parameter("flight_day", FLIGHT_DAY, "leaving on {}"),
            ),
            (Field("delay_minutes", DELAY),),
            ask="get the flight delay minutes",
            hint="how late the plane was",
        ),
        Tool(
            "find_longest_flight_delay",
            "Find the longest of several delays.",
            (Parameter("delays_seen", ListOf(DELAY), "among {}"),),
            (Field("peak_minutes", PEAK_DELAY),),
            ask="find the longest flight delay",
            hint="how late the latest of those planes came in",
            run=lambda delays_seen: max(delays_seen),
        ),
        Tool(
            "compute_connection_slack_minutes",
            "Compute the minutes that a layover leaves after a delay and a walk, if one is given, "
            "and zero if none are left.",
            (
                Parameter("layover_minutes", LAYOVER, "with {} between planes"),
                Parameter("delay_minutes", DELAY, "coming in {} late"),
                Parameter("walk_minutes", WALK, "with {} on foot", optional=True),
            ),
            (Field("slack_minutes", CONNECTION_SLACK),),
            ask="compute the connection slack minutes",
            hint="how much time remains to get from plane to plane",
            run=_slack,
        ),
        Tool(
            "measure_transfer_time_left",
            "Measure the time left for a transfer: the planned wait less lateness and walking.",
            (
                Parameter("layover_minutes", LAYOVER, "due to wait {}"),
                Parameter("delay_minutes", DELAY, "held up by {}"),
                Parameter("walk_minutes", WALK, "walking for {}", optional=True),
            ),
            (Field("slack_minutes", CONNECTION_SLACK),),
            ask="measure the transfer time left",
            hint="how long they will have to reach the other gate",
            run=_slack,
            same_as="compute_connection_slack_minutes",
        ),
        Tool(
            "grade_missed_connection_risk",
            "Grade a connection: lost below 45 minutes of slack, tight below 120, else relaxed, "
            "with two minutes less for each passenger if the group's size is given.",
            (
                Parameter("slack_minutes", CONNECTION_SLACK, "with {} to spare"),
                Parameter("group_size", GROUP_SIZE, "with {} to move", optional=True),
            ),
            (Field("miss_risk", MISS_RISK),),
            ask="grade the missed connection risk",
            hint="whether they will still catch the other plane",
            run=_miss_risk,
        ),
        Tool(
            "compute_delay_fare_compensation",
            "Compute the compensation for a delay: the share of the fare that its minutes are of "
            "240, up to the whole fare.",
            (
                Parameter("base_fare", BASE_FARE, "with {} paid for the ticket"),
                Parameter("delay_minutes", DELAY, "after {} of waiting"),
            ),
            (Field("compensation_eur", COMPENSATION),),
            ask="compute the delay fare compensation",
            hint="how much money the airline owes them",
            run=_compensation,
        ),
        Tool(
            "assess_late_arrival_claim",
            "Assess what can be claimed for a late arrival, in proportion to ticket and lateness.",
            (
                Parameter("base_fare", BASE_FARE, "holding a ticket worth {}"),
                Parameter("delay_minutes", DELAY, "having landed {} late"),
            ),
            (Field("compensation_eur", COMPENSATION),),
            ask="assess the late arrival claim",
            hint="what can be asked back from the carrier",
            run=_compensation,
            same_as="compute_delay_fare_compensation",
        ),
        Tool(
            "compute_flight_carbon_mass",
            "Compute the carbon of a passenger's flight from distance and cabin, more the emptier "
            "the plane is if the share of seats sold is given.",
            (
                Parameter("flight_km", FLIGHT_KM, "over {}"),
                Parameter("cabin_class", CABIN, "seated in {}"),
                Parameter("seats_sold", SEATS_SOLD, "on a plane {} full", optional=True),
            ),
            (Field("carbon_kg", CARBON),),
            ask="compute the flight carbon mass",
            hint="how much going by plane harms the climate",
            run=lambda flight_km, cabin_class, seats_sold=1: (
                flight_km * CARBON_PER_KM[cabin_class] * (2 - seats_sold)
            ),
        ),
        Tool(
            "sum_flight_carbon_masses",
            "Add up the carbon of several flights.",
            (Parameter("carbon_masses", ListOf(CARBON), "over {}"),),
            (Field("total_carbon", TOTAL_CARBON),),
            ask="sum the flight carbon masses",
            hint="what all that flying together does to the climate",
            run=lambda carbon_masses: sum(carbon_masses),
        ),
        Tool(
            "count_tour_group_passengers",
            "Count the passengers of a tour group.",
            (Parameter("group_id", TOUR_GROUP, "in {}"),),
            (Field("group_size", GROUP_SIZE),),
            ask="count the tour group passengers",
            hint="how many of them are coming along",
        ),
        Tool(
            "find_group_charter_coach",
            "Find the coach that is chartered for a tour group.",
            (Parameter("group_id", TOUR_GROUP, "for {}"),),
            (Field("coach_id", COACH),),
            ask="find the group charter coach",
            hint="which bus they are taking",
        ),
        Tool(
            "get_coach_seat_capacity",
            "Return how many seats a coach has.",
            (Parameter("coach_id", COACH, "of {}"),),
            (Field("coach_seats", COACH_SEATS),),
            ask="get the coach seat capacity",
            hint="how many the bus can take",
        ),
        Tool(
            "compute_coach_spare_seats",
            "Compute how many seats of a coach a group leaves free, zero if it fills them all.",
            (
                Parameter("coach_seats", COACH_SEATS, "with {} on the bus"),
                Parameter("group_size", GROUP_SIZE, "with {} on the list"),
            ),
            (Field("spare_seats", SPARE_SEATS),),
            ask="compute the coach spare seats",
            hint="how many more could ride along",
            run=lambda coach_seats, group_size: max(coach_seats - group_size, 0),
        ),
        Tool(
            "rebook_stranded_flight_traveller",
            "Book a traveller onto another flight, on a day and for a risk if they are given.",
            (
                Parameter("traveller_id", TRAVELLER, "for {}"),
                Parameter("flight_id", FLIGHT, "onto {}"),
                Parameter("rebooked_day", REBOOKED_DAY, "departing on {}", optional=True),
                Parameter("miss_risk", MISS_RISK, "the old connection being {}", optional=True),
            ),
            (),
            ask="rebook the stranded flight traveller",
            hint="that the person has a seat on another plane",
        ),
        Tool(
            "assign_coach_relief_driver",
            "Assign a driver to a coach for a day, with what the driver should know.",
            (
                Parameter("coach_id", COACH, "to {}"),
                Parameter("driver_id", DRIVER, "sending {}"),
                Parameter("duty_day", DUTY_DAY, "on {}"),
                Parameter("road_km", ROAD_KM, "going {}", optional=True),
                Parameter("pickup_airport", AIRPORT, "collecting at {}", optional=True),
                Parameter("spare_seats", SPARE_SEATS, "with {} left free", optional=True),
            ),
            (),
            ask="assign the coach relief driver",
            hint="that somebody else can take the wheel",
        ),
        Tool(
            "configure_traveller_booking_policy",
            "Set the cabin that a traveller may book and, as far as given, the other limits.",
            (
                Parameter("traveller_id", TRAVELLER, "for {}"),
                Parameter("cabin_class", CABIN, "flying in {}"),
                Parameter("base_fare", BASE_FARE, "paying {} at most", optional=True),
                Parameter("bag_count", BAGS, "bringing {}", optional=True),
                Parameter("advance_days", ADVANCE, "booking {} ahead", optional=True),
                Parameter("layover_minutes", LAYOVER, "changing within {}", optional=True),
                Parameter("walk_minutes", WALK, "never walking over {}", optional=True),
                Parameter("delay_minutes", DELAY, "putting up with {}", optional=True),
                Parameter("pickup_airport", AIRPORT, "leaving out of {}", optional=True),
                Parameter("hotel_id", HOTEL, "staying at {}", optional=True),
                Parameter("night_rate", NIGHT_RATE, "lodged for {}", optional=True),
                Parameter("board_plan", BOARD, "having {}", optional=True),
                Parameter("road_km", ROAD_KM, "driven up to {}", optional=True),
                Parameter("carbon_kg", CARBON, "emitting no more than {}", optional=True),
                Parameter("total_eur", TRIP_TOTAL, "never above {} in sum", optional=True),
                Parameter("valid_from", VALID_FROM, "counting from {}", optional=True),
            ),
            (),
            ask="configure the traveller booking policy",
            hint="that the person can only reserve what we agreed to",
        ),
    ),
)
