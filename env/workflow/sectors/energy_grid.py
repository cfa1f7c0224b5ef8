"""Energy grid operations: feeders, lines, outages and the crews that mend them."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Note, Quantity, Share

__all__ = ["ENERGY_GRID"]

FEEDER = Identifier("feeder", "feeder", "FD")
SUBSTATION = Identifier("substation", "substation", "SS")
OUTAGE = Identifier("outage", "outage", "OT")
CREW = Identifier("crew", "crew", "CW")
REGION = Name("region", ("Northvale", "Harrow Coast", "Millbrook", "Eastmoor", "Saltmarsh"))
FORECAST_DAY = Day("forecast_day")
INSPECTION_DAY = Day("inspection_day")

LOAD = Quantity("load_kw", "kW", 800, 12_000, 100)
CAPACITY = Quantity("capacity_kw", "kW", 9_000, 20_000, 500)
HEADROOM = Quantity("headroom_kw", "kW", 0, 9_000, 100)
TOTAL_LOAD = Quantity("total_load_kw", "kW", 10_000, 60_000, 500)
BATTERY = Quantity("battery_kw", "kW", 500, 6_000, 100)
FREQUENCY = Quantity("frequency_hz", "hertz", 49.4, 49.9, 0.1)
TEMPERATURE = Quantity("temperature_c", "degrees", 5, 40)
POLE_AGE = Quantity("pole_age_years", "years", 5, 60)
CUSTOMERS = Quantity("homes_supplied", "households", 100, 4_000, 100)
TOTAL_CUSTOMERS = Quantity("total_customers", "households", 500, 9_000, 100)
REPAIR_HOURS = Quantity("repair_hours", "hours", 1, 16, 0.5)
DISPATCH_HOURS = Quantity("dispatch_hours", "hours", 1, 6, 0.5)
LOST_ENERGY = Quantity("lost_energy_kwh", "kWh", 1_000, 40_000, 500)
LOST_MINUTES = Quantity("lost_minutes", "minutes", 10_000, 900_000, 10_000)
TARIFF = Quantity("tariff_cents", "cents", 12, 45)
SPOT_PRICE = Quantity("spot_price_cents", "cents", 4, 30, 0.5)
OUTAGE_COST = Quantity("outage_cost_euros", "euros", 500, 9_000, 100)
DISPATCH_INCOME = Quantity("dispatch_income_euros", "euros", 100, 2_000, 100)
RISK = Share("outage_risk")
WORST_RISK = Share("worst_outage_risk")
CHARGE = Share("battery_charge", 20, 100)
WEATHER = Choice(
    "weather_grade",
    {"calm": "hardly a breeze", "gusty": "blustery all day", "stormy": "a full gale"},
)
OVERLOAD = Choice(
    "overload_grade",
    {"low": "nothing to lose sleep over", "raised": "worrying", "severe": "past the red mark"},
)
PRIORITY = Choice(
    "repair_priority",
    {
        "routine": "fit to wait",
        "urgent": "due before nightfall",
        "emergency": "more pressing than all else",
    },
)

TRIP_CURRENT = Quantity("trip_current", "amperes", 200, 900, 50)
TRIP_DELAY = Quantity("trip_delay", "seconds", 0.5, 5, 0.5)
GROUND_CURRENT = Quantity("ground_current", "amperes", 20, 120, 10)
RECLOSE_COUNT = Quantity("reclose_count", "attempts", 1, 4)
RECLOSE_PAUSE = Quantity("reclose_pause", "seconds", 5, 60, 5)
LOWEST_VOLTAGE = Quantity("lowest_voltage", "volts", 9_000, 9_900, 100)
HIGHEST_VOLTAGE = Quantity("highest_voltage", "volts", 10_500, 11_500, 100)
ALARM_SHARE = Share("alarm_share", 50, 95)
LOG_WEEKS = Quantity("log_weeks", "weeks", 2, 52, 2)
TEST_DAY = Day("relay_test_day")
TRIP_CURVE = Choice(
    "trip_curve",
    {"definite_time": "a flat response", "inverse_time": "a falling response"},
)

CREW_NOTE = Note("crew_note", ("The crew is on its way.", "The crew leaves within the hour."))
INSPECTION_NOTE = Note("inspection_note", ("Inspection entered.", "Inspection put on the rota."))
RELAY_NOTE = Note("relay_note", ("Settings accepted.", "Settings accepted after a self-test."))

WEATHER_STRESS = {"calm": 0.6, "gusty": 1.0, "stormy": 1.8}


def _headroom(load_kw: float, capacity_kw: float) -> float:
    return max(capacity_kw - load_kw, 0)


def _lost_minutes(homes_supplied: float, repair_hours: float) -> float:
    return homes_supplied * repair_hours * 60


def _overload(load_kw: float, capacity_kw: float, temperature_c: float = 20) -> str:
    # A conductor carries about one percent less for each degree above 20.
    usage = load_kw / capacity_kw + max(temperature_c - 20, 0) / 100
    if usage < 0.6:
        return "low"
    return "raised" if usage < 0.9 else "severe"


def _priority(homes_supplied: float, outage_cost_euros: float) -> str:
    weight = homes_supplied + outage_cost_euros / 2
    if weight < 2_500:
        return "routine"
    return "urgent" if weight < 4_500 else "emergency"


ENERGY_GRID = Sector(
    "energy_grid",
    "energy grid operations",
    (
        Tool(
            "read_grid_frequency",
            "Read the present frequency of the grid.",
            (),
            (Field("frequency_hz", FREQUENCY),),
            ask="read the grid frequency",
            hint="how steadily the whole network is humming",
        ),
        Tool(
            "read_spot_price",
            "Read the price of a kilowatt-hour on the spot market.",
            (),
            (Field("spot_price_cents", SPOT_PRICE),),
            ask="read the spot price",
            hint="what a kilowatt-hour sells for on the market at this moment",
        ),
        Tool(
            "get_feeder_load",
            "Read the present load of a feeder.",
            (Parameter("feeder_id", FEEDER, "on {}"),),
            (Field("load_kw", LOAD),),
            ask="get the feeder load",
            hint="how hard the line is working right now",
        ),
        Tool(
            "get_feeder_capacity",
            "Look up the load that a feeder is built for.",
            (Parameter("feeder_id", FEEDER, "of {}"),),
            (Field("capacity_kw", CAPACITY),),
            ask="get the feeder capacity",
            hint="how much the line was built to carry",
        ),
        Tool(
            "find_main_feeder",
            "Find the feeder that carries most of a substation's load.",
            (Parameter("substation_id", SUBSTATION, "out of {}"),),
            (Field("feeder_id", FEEDER),),
            ask="find the main feeder",
            hint="which line leaving the station matters most",
        ),
        Tool(
            "locate_outage_feeder",
            "Find the feeder on which an outage lies.",
            (Parameter("outage_id", OUTAGE, "behind {}"),),
            (Field("feeder_id", FEEDER),),
            ask="locate the outage feeder",
            hint="which line has gone dark",
        ),
        Tool(
            "count_feeder_customers",
            "Count the households that a feeder supplies.",
            (Parameter("feeder_id", FEEDER, "along {}"),),
            (Field("homes_supplied", CUSTOMERS),),
            ask="count the feeder customers",
            hint="how many homes hang on the line",
        ),
        Tool(
            "find_standby_crew",
            "Find the repair crew that is on standby in a region.",
            (Parameter("service_region", REGION, "in {}"),),
            (Field("crew_id", CREW),),
            ask="find the standby crew",
            hint="who could drive out straight away",
        ),
        Tool(
            "look_up_region_tariff",
            "Look up what households in a region pay for a kilowatt-hour.",
            (Parameter("service_region", REGION, "in {}"),),
            (Field("tariff_cents", TARIFF),),
            ask="look up the region tariff",
            hint="what people there pay for a kilowatt-hour",
        ),
        Tool(
            "fetch_household_tariff",
            "Fetch the household price of a kilowatt-hour in a region.",
            (Parameter("service_region", REGION, "in {}"),),
            (Field("tariff_cents", TARIFF),),
            ask="fetch the household tariff",
            hint="what a kilowatt-hour costs a family living there",
            same_as="look_up_region_tariff",
        ),
        Tool(
            "total_feeder_loads",
            "Add up the loads of several feeders.",
            (Parameter("feeder_loads", ListOf(LOAD), "over {}"),),
            (Field("total_load_kw", TOTAL_LOAD),),
            ask="total the feeder loads",
            hint="how much all these lines draw together",
            run=lambda feeder_loads: sum(feeder_loads),
        ),
        Tool(
            "pick_highest_outage_risk",
            "Pick the highest of several risks of an outage.",
            (Parameter("line_risks", ListOf(RISK), "out of {}"),),
            (Field("worst_outage_risk", WORST_RISK),),
            ask="pick the highest outage risk",
            hint="how bad the chances are where they are worst",
            run=lambda line_risks: max(line_risks),
        ),
        Tool(
            "total_customers_affected",
            "Add up the households that several feeders supply.",
            (Parameter("customer_counts", ListOf(CUSTOMERS), "over {}"),),
            (Field("total_customers", TOTAL_CUSTOMERS),),
            ask="total the customers affected",
            hint="how many homes would be hit in all",
            run=lambda customer_counts: sum(customer_counts),
        ),
        Tool(
            "forecast_region_weather",
            "Forecast the weather that the lines of a region will face on a day.",
            (
                Parameter("service_region", REGION, "in {}"),
                Parameter("forecast_day", FORECAST_DAY, "for {}"),
            ),
            (Field("weather_grade", WEATHER), Field("temperature_c", TEMPERATURE)),
            ask="forecast the region weather",
            hint="what the sky has in store for the lines there",
        ),
        Tool(
            "compute_line_headroom",
            "Compute how much load a line can still take.",
            (
                Parameter("load_kw", LOAD, "at {}"),
                Parameter("capacity_kw", CAPACITY, "with room for {} in all"),
            ),
            (Field("headroom_kw", HEADROOM),),
            ask="compute the line headroom",
            hint="how much more it could carry",
            run=_headroom,
        ),
        Tool(
            "derive_spare_line_capacity",
            "Derive the part of a line's capacity that no load uses yet.",
            (
                Parameter("load_kw", LOAD, "at {}"),
                Parameter("capacity_kw", CAPACITY, "with room for {} in all"),
            ),
            (Field("headroom_kw", HEADROOM),),
            ask="derive the spare line capacity",
            hint="what is left on it for newcomers",
            run=_headroom,
            same_as="compute_line_headroom",
        ),
        Tool(
            "grade_line_overload",
            "Grade how close a line is to overload, in hot weather more strictly.",
            (
                Parameter("load_kw", LOAD, "at {}"),
                Parameter("capacity_kw", CAPACITY, "with room for {} in all"),
                Parameter("temperature_c", TEMPERATURE, "in a heat of {}", optional=True),
            ),
            (Field("overload_grade", OVERLOAD),),
            ask="grade the line overload",
            hint="whether it is being asked to carry too much",
            run=_overload,
        ),
        Tool(
            "estimate_outage_risk",
            "Estimate the chance that a loaded line fails in given weather.",
            (
                Parameter("load_kw", LOAD, "at {}"),
                Parameter("weather_grade", WEATHER, "in weather described as {}"),
                Parameter("pole_age_years", POLE_AGE, "on poles that stand for {}", optional=True),
            ),
            (Field("outage_risk", RISK),),
            ask="estimate the outage risk",
            hint="how likely it is that the lights go out",
            run=lambda load_kw, weather_grade, pole_age_years=0: min(
                load_kw * WEATHER_STRESS[weather_grade] / 30_000 + pole_age_years / 400, 1
            ),
        ),
        Tool(
            "estimate_repair_hours",
            "Estimate how long a crew will need to mend what caused an outage.",
            (
                Parameter("outage_id", OUTAGE, "to end {}"),
                Parameter("crew_id", CREW, "with {} at work"),
                Parameter("weather_grade", WEATHER, "in weather described as {}", optional=True),
            ),
            (Field("repair_hours", REPAIR_HOURS),),
            ask="estimate the repair hours",
            hint="how long it will be until the fault is mended",
        ),
        Tool(
            "compute_unserved_energy",
            "Compute the energy that a dead line does not deliver until it is mended.",
            (
                Parameter("load_kw", LOAD, "at {}"),
                Parameter("repair_hours", REPAIR_HOURS, "while repairs take {}"),
            ),
            (Field("lost_energy_kwh", LOST_ENERGY),),
            ask="compute the unserved energy",
            hint="how much power never reaches anybody",
            run=lambda load_kw, repair_hours: load_kw * repair_hours,
        ),
        Tool(
            "price_unserved_energy",
            "Price the energy that was not delivered at a tariff.",
            (
                Parameter("lost_energy_kwh", LOST_ENERGY, "for a shortfall of {}"),
                Parameter("tariff_cents", TARIFF, "at {} for each kilowatt-hour"),
            ),
            (Field("outage_cost_euros", OUTAGE_COST),),
            ask="price the unserved energy",
            hint="how much money slips away while it is dark",
            run=lambda lost_energy_kwh, tariff_cents: lost_energy_kwh * tariff_cents / 100,
        ),
        Tool(
            "compute_customer_minutes",
            "Compute the minutes without power, added up over all households.",
            (
                Parameter("homes_supplied", CUSTOMERS, "with {} in the dark"),
                Parameter("repair_hours", REPAIR_HOURS, "while repairs take {}"),
            ),
            (Field("lost_minutes", LOST_MINUTES),),
            ask="compute the customer minutes",
            hint="how much waiting in the dark that adds up to",
            run=_lost_minutes,
        ),
        Tool(
            "tally_interruption_minutes",
            "Tally the interruption of supply in minutes over all households.",
            (
                Parameter("homes_supplied", CUSTOMERS, "with {} in the dark"),
                Parameter("repair_hours", REPAIR_HOURS, "while repairs take {}"),
            ),
            (Field("lost_minutes", LOST_MINUTES),),
            ask="tally the interruption minutes",
            hint="what figure the regulator will ask about for all homes together",
            run=_lost_minutes,
            same_as="compute_customer_minutes",
        ),
        Tool(
            "rank_repair_priority",
            "Rank how soon a repair must begin by the households and the money at stake.",
            (
                Parameter("homes_supplied", CUSTOMERS, "with {} in the dark"),
                Parameter("outage_cost_euros", OUTAGE_COST, "at a loss of {}"),
            ),
            (Field("repair_priority", PRIORITY),),
            ask="rank the repair priority",
            hint="how soon somebody has to start mending",
            run=_priority,
        ),
        Tool(
            "size_battery_dispatch",
            "Compute the battery power to feed in so that the frequency comes back to 50 hertz.",
            (
                Parameter("total_load_kw", TOTAL_LOAD, "under a demand of {}"),
                Parameter("frequency_hz", FREQUENCY, "while the grid runs at {}"),
                Parameter("battery_charge", CHARGE, "with the cells {} full", optional=True),
            ),
            (Field("battery_kw", BATTERY),),
            ask="size the battery dispatch",
            hint="how much the storage should feed in",
            run=lambda total_load_kw, frequency_hz, battery_charge=1: (
                total_load_kw * max(50 - frequency_hz, 0) / 5 * battery_charge
            ),
        ),
        Tool(
            "price_battery_dispatch",
            "Price the energy that a battery feeds in, for one hour unless told otherwise.",
            (
                Parameter("battery_kw", BATTERY, "feeding in {}"),
                Parameter("spot_price_cents", SPOT_PRICE, "on a market that pays {}"),
                Parameter("dispatch_hours", DISPATCH_HOURS, "lasting {}", optional=True),
            ),
            (Field("dispatch_income_euros", DISPATCH_INCOME),),
            ask="price the battery dispatch",
            hint="what the storage earns by stepping in",
            run=lambda battery_kw, spot_price_cents, dispatch_hours=1: (
                battery_kw * spot_price_cents / 100 * dispatch_hours
            ),
        ),
        Tool(
            "dispatch_repair_crew",
            "Send a crew out to end an outage.",
            (
                Parameter("crew_id", CREW, "sending {}"),
                Parameter("outage_id", OUTAGE, "to end {}"),
                Parameter("repair_priority", PRIORITY, "marked as {}", optional=True),
                Parameter("repair_hours", REPAIR_HOURS, "booked for {}", optional=True),
            ),
            (Field("crew_note", CREW_NOTE),),
            ask="dispatch the repair crew",
            hint="that people with tools are on the road",
        ),
        Tool(
            "notify_feeder_customers",
            "Tell the households on a feeder how long repairs will take.",
            (
                Parameter("feeder_id", FEEDER, "along {}"),
                Parameter("repair_hours", REPAIR_HOURS, "while repairs take {}"),
            ),
            (),
            ask="notify the feeder customers",
            hint="that the people affected have been told how long it takes",
        ),
        Tool(
            "schedule_line_inspection",
            "Enter an inspection of a feeder, the sooner the higher its risk.",
            (
                Parameter("feeder_id", FEEDER, "along {}"),
                Parameter("outage_risk", RISK, "with the chance of a failure put at {}"),
                Parameter("inspection_day", INSPECTION_DAY, "from {} onwards"),
                Parameter("crew_id", CREW, "sending {}", optional=True),
                Parameter("weather_grade", WEATHER, "in weather described as {}", optional=True),
                Parameter("pole_age_years", POLE_AGE, "on poles that stand for {}", optional=True),
            ),
            (Field("inspection_note", INSPECTION_NOTE),),
            ask="schedule the line inspection",
            hint="that somebody will walk along it and look at the poles",
        ),
        Tool(
            "configure_feeder_relay",
            "Set the relay that protects a feeder; what is not given keeps its factory value.",
            (
                Parameter("feeder_id", FEEDER, "guarding {}"),
                Parameter("trip_current", TRIP_CURRENT, "cutting out at {}"),
                Parameter("trip_delay", TRIP_DELAY, "with {} of patience first", optional=True),
                Parameter("trip_curve", TRIP_CURVE, "with {}", optional=True),
                Parameter("ground_current", GROUND_CURRENT, "with {} to earth", optional=True),
                Parameter("reclose_count", RECLOSE_COUNT, "with {} at closing", optional=True),
                Parameter("reclose_pause", RECLOSE_PAUSE, "with {} in between", optional=True),
                Parameter("lowest_voltage", LOWEST_VOLTAGE, "never under {}", optional=True),
                Parameter("highest_voltage", HIGHEST_VOLTAGE, "never over {}", optional=True),
                Parameter("alarm_share", ALARM_SHARE, "warning at {} of that", optional=True),
                Parameter("temperature_c", TEMPERATURE, "made for {} outdoors", optional=True),
                Parameter("log_weeks", LOG_WEEKS, "keeping records for {}", optional=True),
                Parameter("test_day", TEST_DAY, "tried out on {}", optional=True),
            ),
            (Field("relay_note", RELAY_NOTE),),
            ask="configure the feeder relay",
            hint="that the switch guarding the line knows when to cut it off",
        ),
    ),
)
