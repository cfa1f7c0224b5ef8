"""Facilities management: the air, the heating and the cleaning of buildings and their rooms."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Quantity, Share

__all__ = ["FACILITIES"]

AIR_HANDLER = Identifier("air_handler", "air handler", "AHU")
BOILER = Identifier("boiler", "boiler", "BOI")
BUILDING = Identifier("building", "building", "BLD")
CLEANING_CREW = Identifier("cleaning_crew", "cleaning crew", "CLC")
CONTRACTOR = Identifier("contractor", "contractor", "CTR")
ROOM = Identifier("room", "room", "ROM")

AIR_GRADE = Choice(
    "air_grade",
    {"fresh": "pleasant to breathe", "stale": "a bit stuffy", "foul": "headache material"},
)
INSULATION = Choice(
    "insulation_class",
    {"class_a": "snugly wrapped", "class_c": "middling", "class_f": "draughty"},
)
SERVICE_SCOPE = Choice(
    "service_scope",
    {"inspection": "a quick look", "overhaul": "taking it all apart", "swap": "putting in another"},
)
CLEANING_DAY = Day("cleaning_day")
COUNTED_DAY = Day("counted_day")
MEASURED_DAY = Day("measured_day")
SERVICE_DAY = Day("service_day")
VALID_FROM = Day("valid_from")

AIR_CHANGES = Quantity("air_changes", "air changes an hour", 2, 12, 0.5)
AIR_FLOW = Quantity("air_flow", "cubic metres an hour", 500, 9_500, 100)
CARBON_DIOXIDE = Quantity("carbon_dioxide", "parts per million", 500, 1_900, 50)
CLEANING_COST = Quantity("cleaning_cost", "euros", 100, 1_500, 50)
CLEANING_HOURS = Quantity("cleaning_hours", "hours", 2, 60, 0.5)
CLEANING_PACE = Quantity("cleaning_pace", "square metres an hour", 150, 400, 10)
FLOOR_AREA = Quantity("floor_area", "square metres", 400, 9_500, 100)
GAS_NEED = Quantity("gas_need", "kWh", 2_000, 95_000, 500)
GAS_PRICE = Quantity("gas_price", "cents per kWh", 5, 15, 0.5)
HEAT_DEMAND = Quantity("heat_demand", "kWh", 2_000, 90_000, 500)
HEATING_BILL = Quantity("heating_bill", "euros", 200, 9_500, 100)
MEAN_PRESENCE = Quantity("mean_presence", "people", 20, 900, 10)
OUTDOOR_DEGREES = Quantity("outdoor_degrees", "degrees", 2, 18)
PEAK_DIOXIDE = Quantity("peak_dioxide", "parts per million", 500, 1_900, 50)
PRESENCE = Quantity("presence", "people", 20, 900, 10)
ROOM_VOLUME = Quantity("room_volume", "cubic metres", 300, 2_000, 100)
SETPOINT = Quantity("setpoint_degrees", "degrees", 18, 23, 0.5)
SPACE_EACH = Quantity("space_each", "square metres each", 5, 60, 0.5)
START_HOUR = Quantity("start_hour", "o'clock", 5, 10)
STOP_HOUR = Quantity("stop_hour", "o'clock", 16, 22)
TOTAL_AREA = Quantity("total_area", "square metres", 2_000, 40_000, 500)
WAGE = Quantity("hourly_wage", "euros an hour", 14, 32, 0.5)
BURN_EFFICIENCY = Share("burn_efficiency", 70, 95)
CLOGGING = Share("filter_clogging", 5, 80)
NIGHT_SHARE = Share("night_share", 10, 60)

KWH_PER_SQUARE_METRE = {"class_a": 4, "class_c": 9, "class_f": 15}
INDOOR_DEGREES = 22
USUAL_OUTDOOR_DEGREES = 5.5


def _air_changes(air_flow: float, room_volume: float, filter_clogging: float = 0) -> float:
    return air_flow * (1 - filter_clogging) / max(room_volume, 1)


def _air_grade(air_changes: float, dioxide_ppm: float) -> str:
    if air_changes >= 6 and dioxide_ppm <= 1_200:
        return "fresh"
    return "foul" if air_changes < 3 or dioxide_ppm > 1_600 else "stale"


def _heat_demand(
    floor_area: float, insulation_class: str, outdoor_degrees: float = USUAL_OUTDOOR_DEGREES
) -> float:
    colder_by = max(INDOOR_DEGREES - outdoor_degrees, 0)
    usual = INDOOR_DEGREES - USUAL_OUTDOOR_DEGREES
    return floor_area * KWH_PER_SQUARE_METRE[insulation_class] * colder_by / usual


def _heating_bill(gas_kwh: float, gas_price: float) -> float:
    return gas_kwh * gas_price / 100


def _space_each(floor_area: float, people_present: float) -> float:
    return floor_area / max(people_present, 1)


FACILITIES = Sector(
    "facilities",
    "facilities management",
    (
        Tool(
            "get_campus_gas_price",
            "Return the price of gas that holds for the whole campus, in cents per kWh.",
            (),
            (Field("gas_price", GAS_PRICE),),
            ask="get the campus gas price",
            hint="what fuel goes for at present",
        ),
        Tool(
            "read_campus_outdoor_temperature",
            "Read the mean temperature of this month from the campus weather mast.",
            (),
            (Field("outdoor_degrees", OUTDOOR_DEGREES),),
            ask="read the campus outdoor temperature",
            hint="how cold it has been out there",
        ),
        Tool(
            "find_room_home_building",
            "Find the building that a room is in.",
            (Parameter("room_id", ROOM, "containing {}"),),
            (Field("building_id", BUILDING),),
            ask="find the room home building",
            hint="which house we are talking about",
        ),
        Tool(
            "find_room_air_handler",
            "Find the air handler that supplies a room.",
            (Parameter("room_id", ROOM, "for {}"),),
            (Field("handler_id", AIR_HANDLER),),
            ask="find the room air handler",
            hint="which machine blows into that place",
        ),
        Tool(
            "get_room_air_volume",
            "Return the volume of a room in cubic metres.",
            (Parameter("room_id", ROOM, "inside {}"),),
            (Field("room_volume", ROOM_VOLUME),),
            ask="get the room air volume",
            hint="how much space there is between floor and ceiling",
        ),
        Tool(
            "measure_room_carbon_dioxide",
            "Measure the carbon dioxide in a room, on a given day if any, else today.",
            (
                Parameter("room_id", ROOM, "in {}"),
                Parameter("measured_day", MEASURED_DAY, "sampled on {}", optional=True),
            ),
            (Field("dioxide_ppm", CARBON_DIOXIDE),),
            ask="measure the room carbon dioxide",
            hint="how much breath hangs about in there",
        ),
        Tool(
            "find_highest_dioxide_reading",
            "Find the highest of several carbon dioxide readings.",
            (Parameter("dioxide_readings", ListOf(CARBON_DIOXIDE), "among {}"),),
            (Field("peak_ppm", PEAK_DIOXIDE),),
            ask="find the highest dioxide reading",
            hint="how bad it gets where windows stay shut the longest",
            run=lambda dioxide_readings: max(dioxide_readings),
        ),
        Tool(
            "measure_air_handler_flow",
            "Measure how much air a handler moves, on a given day if any, else today.",
            (
                Parameter("handler_id", AIR_HANDLER, "through {}"),
                Parameter("measured_day", MEASURED_DAY, "as found on {}", optional=True),
            ),
            (Field("air_flow", AIR_FLOW),),
            ask="measure the air handler flow",
            hint="how much wind that machine makes",
        ),
        Tool(
            "inspect_handler_filter_clogging",
            "Return the share of an air handler's filter that is clogged.",
            (Parameter("handler_id", AIR_HANDLER, "in {}"),),
            (Field("filter_clogging", CLOGGING),),
            ask="inspect the handler filter clogging",
            hint="how much dust is stuck in that machine",
        ),
        Tool(
            "compute_room_air_changes",
            "Compute how often an hour a room's air is replaced, with the flow reduced by the "
            "clogging of the filter if that is given.",
            (
                Parameter("air_flow", AIR_FLOW, "with {} blown in"),
                Parameter("room_volume", ROOM_VOLUME, "in a space of {}"),
                Parameter("filter_clogging", CLOGGING, "with {} of it blocked", optional=True),
            ),
            (Field("air_changes", AIR_CHANGES),),
            ask="compute the room air changes",
            hint="how many times an hour they get something new to breathe",
            run=_air_changes,
        ),
        Tool(
            "rate_room_ventilation_turnover",
            "Rate a room's ventilation by its turnover: flow through the open part of the filter, "
            "divided by volume.",
            (
                Parameter("air_flow", AIR_FLOW, "supplied with {}"),
                Parameter("room_volume", ROOM_VOLUME, "holding {}"),
                Parameter("filter_clogging", CLOGGING, "{} choked with dust", optional=True),
            ),
            (Field("air_changes", AIR_CHANGES),),
            ask="rate the room ventilation turnover",
            hint="how briskly the inside is swapped for the outside",
            run=_air_changes,
            same_as="compute_room_air_changes",
        ),
        Tool(
            "grade_room_air_quality",
            "Grade the air: fresh from 6 changes an hour on with 1200 parts per million at most, "
            "foul below 3 changes or above 1600 parts, else stale.",
            (
                Parameter("air_changes", AIR_CHANGES, "at {}"),
                Parameter("dioxide_ppm", CARBON_DIOXIDE, "with {} of exhaled gas"),
            ),
            (Field("air_grade", AIR_GRADE),),
            ask="grade the room air quality",
            hint="whether people can keep a clear head in there",
            run=_air_grade,
        ),
        Tool(
            "get_building_floor_area",
            "Return the floor area of a building in square metres.",
            (Parameter("building_id", BUILDING, "of {}"),),
            (Field("floor_area", FLOOR_AREA),),
            ask="get the building floor area",
            hint="how big the house is",
        ),
        Tool(
            "sum_building_floor_areas",
            "Add up the floor areas of several buildings.",
            (Parameter("floor_areas", ListOf(FLOOR_AREA), "over {}"),),
            (Field("total_area", TOTAL_AREA),),
            ask="sum the building floor areas",
            hint="how much carpet we look after altogether",
            run=lambda floor_areas: sum(floor_areas),
        ),
        Tool(
            "count_building_badge_holders",
            "Count the people who badged into a building, on a given day if any, else today.",
            (
                Parameter("building_id", BUILDING, "in {}"),
                Parameter("counted_day", COUNTED_DAY, "let in on {}", optional=True),
            ),
            (Field("people_present", PRESENCE),),
            ask="count the building badge holders",
            hint="how many came to work there",
        ),
        Tool(
            "average_building_presence_counts",
            "Compute the mean of several counts of people present.",
            (Parameter("presence_counts", ListOf(PRESENCE), "over {}"),),
            (Field("mean_presence", MEAN_PRESENCE),),
            ask="average the building presence counts",
            hint="how busy those houses are on the whole",
            run=lambda presence_counts: sum(presence_counts) / len(presence_counts),
        ),
        Tool(
            "compute_floor_area_per_person",
            "Compute the floor area for each person present.",
            (
                Parameter("floor_area", FLOOR_AREA, "with {} to share"),
                Parameter("people_present", PRESENCE, "among {}"),
            ),
            (Field("space_each", SPACE_EACH),),
            ask="compute the floor area per person",
            hint="how much elbow room everybody gets",
            run=_space_each,
        ),
        Tool(
            "measure_workplace_crowding_level",
            "Measure how crowded a workplace is: the square metres that each of those present has.",
            (
                Parameter("floor_area", FLOOR_AREA, "spread over {}"),
                Parameter("people_present", PRESENCE, "used by {}"),
            ),
            (Field("space_each", SPACE_EACH),),
            ask="measure the workplace crowding level",
            hint="whether they are sitting on top of each other",
            run=_space_each,
            same_as="compute_floor_area_per_person",
        ),
        Tool(
            "find_building_main_boiler",
            "Find the boiler that heats a building.",
            (Parameter("building_id", BUILDING, "under {}"),),
            (Field("boiler_id", BOILER),),
            ask="find the building main boiler",
            hint="which burner keeps the house warm",
        ),
        Tool(
            "get_boiler_burn_efficiency",
            "Return the share of the fuel's energy that a boiler turns into heat, as of a given "
            "service day if any.",
            (
                Parameter("boiler_id", BOILER, "of {}"),
                Parameter("service_day", SERVICE_DAY, "as tested on {}", optional=True),
            ),
            (Field("burn_efficiency", BURN_EFFICIENCY),),
            ask="get the boiler burn efficiency",
            hint="how much of the fuel really ends up as warmth",
        ),
        Tool(
            "estimate_building_heat_demand",
            "Estimate a month's heat demand from floor area and insulation, scaled by the outdoor "
            "temperature if that is given.",
            (
                Parameter("floor_area", FLOOR_AREA, "for {} of floor"),
                Parameter("insulation_class", INSULATION, "with walls that are {}"),
                Parameter("outdoor_degrees", OUTDOOR_DEGREES, "at {} outside", optional=True),
            ),
            (Field("heat_kwh", HEAT_DEMAND),),
            ask="estimate the building heat demand",
            hint="how much energy it takes to stay warm",
            run=_heat_demand,
        ),
        Tool(
            "compute_boiler_gas_need",
            "Compute the gas that a boiler burns to deliver an amount of heat.",
            (
                Parameter("heat_kwh", HEAT_DEMAND, "to deliver {}"),
                Parameter("burn_efficiency", BURN_EFFICIENCY, "with {} of the fuel put to use"),
            ),
            (Field("gas_kwh", GAS_NEED),),
            ask="compute the boiler gas need",
            hint="how much fuel has to be bought",
            run=lambda heat_kwh, burn_efficiency: heat_kwh / max(burn_efficiency, 0.01),
        ),
        Tool(
            "compute_building_heating_bill",
            "Compute what an amount of gas costs at a price in cents per kWh.",
            (
                Parameter("gas_kwh", GAS_NEED, "with {} burnt"),
                Parameter("gas_price", GAS_PRICE, "at {}"),
            ),
            (Field("heating_eur", HEATING_BILL),),
            ask="compute the building heating bill",
            hint="what keeping warm costs us",
            run=_heating_bill,
        ),
        Tool(
            "price_boiler_fuel_use",
            "Price the fuel that a boiler uses at a tariff in cents per kWh.",
            (
                Parameter("gas_kwh", GAS_NEED, "using up {}"),
                Parameter("gas_price", GAS_PRICE, "charged at {}"),
            ),
            (Field("heating_eur", HEATING_BILL),),
            ask="price the boiler fuel use",
            hint="how much money goes up the chimney",
            run=_heating_bill,
            same_as="compute_building_heating_bill",
        ),
        Tool(
            "compute_cleaning_round_hours",
            "Compute the hours that it takes to clean an area at a pace, one percent more for each "
            "10 people present if their number is given.",
            (
                Parameter("floor_area", FLOOR_AREA, "over {}"),
                Parameter("cleaning_pace", CLEANING_PACE, "done at {}"),
                Parameter("people_present", PRESENCE, "after {} have been there", optional=True),
            ),
            (Field("cleaning_hours", CLEANING_HOURS),),
            ask="compute the cleaning round hours",
            hint="how long the mopping will take",
            run=lambda floor_area, cleaning_pace, people_present=0: (
                floor_area / max(cleaning_pace, 1) * (1 + people_present / 1_000)
            ),
        ),
        Tool(
            "compute_cleaning_round_cost",
            "Compute what hours of cleaning cost at an hourly wage.",
            (
                Parameter("cleaning_hours", CLEANING_HOURS, "lasting {}"),
                Parameter("hourly_wage", WAGE, "paid with {}"),
            ),
            (Field("cleaning_eur", CLEANING_COST),),
            ask="compute the cleaning round cost",
            hint="what the mopping sets us back",
            run=lambda cleaning_hours, hourly_wage: cleaning_hours * hourly_wage,
        ),
        Tool(
            "book_cleaning_crew_round",
            "Book a cleaning crew for a building and a number of hours, on a given day if any.",
            (
                Parameter("building_id", BUILDING, "at {}"),
                Parameter("crew_id", CLEANING_CREW, "done by {}"),
                Parameter("cleaning_hours", CLEANING_HOURS, "taking {}"),
                Parameter("cleaning_day", CLEANING_DAY, "fixed for {}", optional=True),
            ),
            (),
            ask="book the cleaning crew round",
            hint="that somebody will come and mop",
        ),
        Tool(
            "order_boiler_contractor_service",
            "Order a service of a boiler from a contractor, with what the contractor should know.",
            (
                Parameter("boiler_id", BOILER, "on {}"),
                Parameter("contractor_id", CONTRACTOR, "given to {}"),
                Parameter("service_scope", SERVICE_SCOPE, "meaning {}"),
                Parameter("service_day", SERVICE_DAY, "to happen on {}", optional=True),
                Parameter("burn_efficiency", BURN_EFFICIENCY, "running at {}", optional=True),
                Parameter("heating_eur", HEATING_BILL, "costing {} to run", optional=True),
            ),
            (),
            ask="order the boiler contractor service",
            hint="that an expert will see to the burner",
        ),
        Tool(
            "configure_air_handler_schedule",
            "Set the daily hours of an air handler and, as far as given, its other set points.",
            (
                Parameter("handler_id", AIR_HANDLER, "on {}"),
                Parameter("start_hour", START_HOUR, "from {}"),
                Parameter("stop_hour", STOP_HOUR, "until {}"),
                Parameter("setpoint_degrees", SETPOINT, "blowing at {}", optional=True),
                Parameter("air_flow", AIR_FLOW, "moving {}", optional=True),
                Parameter("dioxide_ppm", CARBON_DIOXIDE, "speeding up at {}", optional=True),
                Parameter("night_share", NIGHT_SHARE, "turned down to {} at night", optional=True),
                Parameter("filter_clogging", CLOGGING, "warning once {} is blocked", optional=True),
                Parameter("room_id", ROOM, "steered by {}", optional=True),
                Parameter("people_present", PRESENCE, "laid out for {}", optional=True),
                Parameter("valid_from", VALID_FROM, "beginning on {}", optional=True),
            ),
            (),
            ask="configure the air handler schedule",
            hint="that the machine keeps the hours we want",
        ),
    ),
)
