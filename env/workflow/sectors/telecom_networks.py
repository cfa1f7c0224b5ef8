"""Telecom networks: radio cells, their towers, the fibre behind them and those who call."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Quantity, Share

__all__ = ["TELECOM_NETWORKS"]

CELL = Identifier("radio_cell", "cell", "CEL")
FIBRE_LINK = Identifier("fibre_link", "fibre link", "FBL")
RIGGING_CREW = Identifier("rigging_crew", "rigging crew", "RIG")
SUBSCRIBER = Identifier("subscriber", "subscriber", "SUB")
TOWER = Identifier("tower", "tower", "TWR")

BAND = Choice(
    "radio_band",
    {
        "sub_ghz": "long-reach frequencies",
        "mid_ghz": "everyday frequencies",
        "mm_wave": "short-range frequencies",
    },
)
URGENCY = Choice(
    "repair_urgency",
    {"routine": "something that can wait", "same_day": "a job for today", "critical": "a crisis"},
)
FILING_DAY = Day("filing_day")
MEASURED_DAY = Day("measured_day")
OUTAGE_DAY = Day("outage_day")
START_DAY = Day("profile_start")
VISIT_DAY = Day("visit_day")

AFFECTED = Quantity("affected_total", "customers", 500, 9_500, 100)
ALARMS = Quantity("alarm_count", "alarms", 2, 90)
ATTACHED = Quantity("attached_count", "customers", 50, 950, 10)
BACKUP_HOURS = Quantity("backup_hours", "hours", 2, 24, 0.5)
BATTERY = Quantity("battery_energy", "kWh", 10, 80, 2)
CAPACITY = Quantity("cell_capacity", "megabits per second", 4_000, 12_000, 500)
CHARGE = Quantity("roaming_charge", "euros", 2, 90, 0.5)
DRAW = Quantity("power_draw", "kW", 2, 8, 0.2)
FEE = Quantity("monthly_fee", "euros", 15, 90, 0.5)
FIBRE_AGE = Quantity("fibre_age", "years", 2, 30)
GOODWILL = Quantity("goodwill", "euros", 2, 40, 0.5)
HANDOVER = Quantity("handover_margin", "decibels", 2, 8, 0.5)
LENGTH = Quantity("link_length", "km", 5, 95)
LOSS = Quantity("link_loss", "decibels", 3, 28, 0.5)
MEAN_TRAFFIC = Quantity("mean_traffic", "megabits per second", 200, 4_000, 100)
OPTICAL_BUDGET = Quantity("optical_budget", "decibels", 20, 40, 0.5)
OPTICAL_MARGIN = Quantity("optical_margin", "decibels", 0, 20, 0.5)
OUTAGE_MINUTES = Quantity("outage_minutes", "minutes", 15, 900, 5)
PEAK_LOSS = Quantity("peak_loss", "decibels", 3, 28, 0.5)
RESERVE = Quantity("repair_reserve", "decibels", 2, 6, 0.5)
ROAMING_VOLUME = Quantity("roaming_volume", "megabytes", 100, 9_000, 100)
SPLICES = Quantity("splice_count", "splices", 2, 40)
TEMPERATURE = Quantity("air_temperature", "degrees", 2, 38)
TILT = Quantity("antenna_tilt", "degrees of tilt", 2, 12, 0.5)
TRAFFIC = Quantity("busy_traffic", "megabits per second", 200, 4_000, 100)
TRANSMIT_POWER = Quantity("transmit_power", "watts", 10, 120, 5)
WHOLESALE_RATE = Quantity("wholesale_rate", "cents per megabyte", 0.2, 0.9, 0.1)
CONGESTION = Share("congestion_share", 20, 95)
MARKUP = Share("roaming_markup", 5, 60)
SLEEP_SHARE = Share("sleep_share", 5, 50)

MINUTES_PER_MONTH = 30 * 24 * 60
RATED_DEGREES = 40


def _congestion(busy_traffic: float, cell_capacity: float) -> float:
    return min(busy_traffic / max(cell_capacity, 1), 1)


def _urgency(congestion_share: float, attached_count: int) -> str:
    if congestion_share > 0.7 or attached_count > 800:
        return "critical"
    return "routine" if congestion_share < 0.5 and attached_count < 400 else "same_day"


def _backup_hours(battery_kwh: float, draw_kw: float, air_degrees: float = RATED_DEGREES) -> float:
    below = max(RATED_DEGREES - air_degrees, 0)
    return battery_kwh / max(draw_kw, 0.1) * (1 - below / 100)


def _goodwill(monthly_fee: float, outage_minutes: float, congestion_share: float = 0) -> float:
    return monthly_fee * min(20 * outage_minutes / MINUTES_PER_MONTH, 1) * (1 + congestion_share)


TELECOM_NETWORKS = Sector(
    "telecom_networks",
    "telecom networks",
    (
        Tool(
            "count_active_network_alarms",
            "Count the alarms that are active anywhere in the network.",
            (),
            (Field("alarm_count", ALARMS),),
            ask="count the active network alarms",
            hint="how many warning lights are on right now",
        ),
        Tool(
            "get_roaming_wholesale_rate",
            "Return what partner networks charge for a megabyte of roaming data, in cents.",
            (),
            (Field("wholesale_rate", WHOLESALE_RATE),),
            ask="get the roaming wholesale rate",
            hint="what our partners abroad charge us for data",
        ),
        Tool(
            "find_subscriber_serving_cell",
            "Find the radio cell that serves a subscriber's home address.",
            (Parameter("subscriber_id", SUBSCRIBER, "reaching {}"),),
            (Field("cell_id", CELL),),
            ask="find the subscriber serving cell",
            hint="which antenna that customer's phone talks to",
        ),
        Tool(
            "get_subscriber_monthly_fee",
            "Return the monthly fee of a subscriber's contract, in euros.",
            (Parameter("subscriber_id", SUBSCRIBER, "paid by {}"),),
            (Field("monthly_fee", FEE),),
            ask="get the subscriber monthly fee",
            hint="what that customer pays us regularly",
        ),
        Tool(
            "find_cell_host_tower",
            "Find the tower on which a cell's antenna is mounted.",
            (Parameter("cell_id", CELL, "carrying {}"),),
            (Field("tower_id", TOWER),),
            ask="find the cell host tower",
            hint="which mast the antenna hangs on",
        ),
        Tool(
            "measure_cell_busy_traffic",
            "Measure the traffic of a cell in its busy hour, on a given day if any, else today.",
            (
                Parameter("cell_id", CELL, "in {}"),
                Parameter("measured_day", MEASURED_DAY, "taken on {}", optional=True),
            ),
            (Field("busy_traffic", TRAFFIC),),
            ask="measure the cell busy traffic",
            hint="how much data flows through when everybody is online",
        ),
        Tool(
            "get_cell_band_capacity",
            "Return how much traffic a cell can carry on a band.",
            (
                Parameter("cell_id", CELL, "of {}"),
                Parameter("radio_band", BAND, "on {}"),
            ),
            (Field("cell_capacity", CAPACITY),),
            ask="get the cell band capacity",
            hint="how much the antenna could carry at best",
        ),
        Tool(
            "compute_cell_congestion_share",
            "Compute the share of a cell's capacity that its busy-hour traffic takes, 1 at most.",
            (
                Parameter("busy_traffic", TRAFFIC, "with {} passing through"),
                Parameter("cell_capacity", CAPACITY, "with room for {}"),
            ),
            (Field("congestion_share", CONGESTION),),
            ask="compute the cell congestion share",
            hint="how crowded it gets at the worst time of day",
            run=_congestion,
        ),
        Tool(
            "rate_radio_load_ratio",
            "Return the ratio of measured load to what the radio can carry, 1 at most.",
            (
                Parameter("busy_traffic", TRAFFIC, "under {} of data"),
                Parameter("cell_capacity", CAPACITY, "built for {}"),
            ),
            (Field("congestion_share", CONGESTION),),
            ask="rate the radio load ratio",
            hint="how close to its limit the antenna runs",
            run=_congestion,
            same_as="compute_cell_congestion_share",
        ),
        Tool(
            "average_busy_cell_traffic",
            "Compute the mean busy-hour traffic of several cells.",
            (Parameter("traffic_readings", ListOf(TRAFFIC), "over {}"),),
            (Field("mean_traffic", MEAN_TRAFFIC),),
            ask="average the busy cell traffic",
            hint="how much data they handle on the whole at rush hour",
            run=lambda traffic_readings: sum(traffic_readings) / len(traffic_readings),
        ),
        Tool(
            "count_cell_attached_subscribers",
            "Count the subscribers that are attached to a cell.",
            (Parameter("cell_id", CELL, "in {}"),),
            (Field("attached_count", ATTACHED),),
            ask="count the cell attached subscribers",
            hint="how many people are connected there",
        ),
        Tool(
            "sum_attached_subscriber_counts",
            "Add up the numbers of subscribers attached to several cells.",
            (Parameter("attached_counts", ListOf(ATTACHED), "over {}"),),
            (Field("affected_total", AFFECTED),),
            ask="sum the attached subscriber counts",
            hint="how many people would be cut off altogether",
            run=lambda attached_counts: sum(attached_counts),
        ),
        Tool(
            "get_cell_outage_minutes",
            "Return for how many minutes a cell was off the air on a day.",
            (
                Parameter("cell_id", CELL, "at {}"),
                Parameter("outage_day", OUTAGE_DAY, "as logged on {}"),
            ),
            (Field("outage_minutes", OUTAGE_MINUTES),),
            ask="get the cell outage minutes",
            hint="how long phones there stayed dead",
        ),
        Tool(
            "estimate_outage_goodwill_credit",
            "Estimate the credit for an outage: 20 times the fee of those minutes, up to a month's "
            "fee, raised by the congestion share if one is given.",
            (
                Parameter("monthly_fee", FEE, "on a contract of {} a month"),
                Parameter("outage_minutes", OUTAGE_MINUTES, "without signal for {}"),
                Parameter("congestion_share", CONGESTION, "having been {} full", optional=True),
            ),
            (Field("goodwill_eur", GOODWILL),),
            ask="estimate the outage goodwill credit",
            hint="how much money would make up for the silence",
            run=_goodwill,
        ),
        Tool(
            "compute_lost_signal_refund",
            "Compute the refund due for minutes without signal, from the fee and the crowding.",
            (
                Parameter("monthly_fee", FEE, "for somebody who pays {}"),
                Parameter("outage_minutes", OUTAGE_MINUTES, "cut off for {}"),
                Parameter("congestion_share", CONGESTION, "with {} of it taken up", optional=True),
            ),
            (Field("goodwill_eur", GOODWILL),),
            ask="compute the refund for the lost signal",
            hint="what we should pay back for the dead line",
            run=_goodwill,
            same_as="estimate_outage_goodwill_credit",
        ),
        Tool(
            "find_tower_backhaul_link",
            "Find the fibre link that connects a tower to the core network.",
            (Parameter("tower_id", TOWER, "leading away from {}"),),
            (Field("link_id", FIBRE_LINK),),
            ask="find the tower backhaul link",
            hint="which cable joins the mast to the rest of the network",
        ),
        Tool(
            "get_fibre_link_length",
            "Return the length of a fibre link in kilometres.",
            (Parameter("link_id", FIBRE_LINK, "of {}"),),
            (Field("link_km", LENGTH),),
            ask="get the fibre link length",
            hint="how far the cable runs",
        ),
        Tool(
            "count_fibre_link_splices",
            "Count the splices in a fibre link.",
            (Parameter("link_id", FIBRE_LINK, "along {}"),),
            (Field("splice_count", SPLICES),),
            ask="count the fibre link splices",
            hint="how often the cable has been joined together",
        ),
        Tool(
            "compute_fibre_link_attenuation",
            "Compute the loss of a link: 0.25 dB a kilometre, 0.1 dB a splice, and 0.05 dB a year "
            "of age if that is given.",
            (
                Parameter("link_km", LENGTH, "over a run of {}"),
                Parameter("splice_count", SPLICES, "with {} in it"),
                Parameter("fibre_age", FIBRE_AGE, "after {} in the ground", optional=True),
            ),
            (Field("loss_db", LOSS),),
            ask="compute the fibre link attenuation",
            hint="how much light gets lost on the way",
            run=lambda link_km, splice_count, fibre_age=0: (
                0.25 * link_km + 0.1 * splice_count + 0.05 * fibre_age
            ),
        ),
        Tool(
            "find_highest_fibre_loss",
            "Find the highest of several link losses.",
            (Parameter("link_losses", ListOf(LOSS), "among {}"),),
            (Field("peak_loss", PEAK_LOSS),),
            ask="find the highest fibre loss",
            hint="how dim the dimmest of those cables gets",
            run=lambda link_losses: max(link_losses),
        ),
        Tool(
            "compute_optical_power_margin",
            "Compute what an optical budget leaves after the loss and a reserve, if one is given, "
            "and zero if nothing is left.",
            (
                Parameter("loss_db", LOSS, "with {} lost along the cable"),
                Parameter("optical_budget", OPTICAL_BUDGET, "out of {} afforded by the laser"),
                Parameter("repair_reserve", RESERVE, "setting aside {} for mending", optional=True),
            ),
            (Field("margin_db", OPTICAL_MARGIN),),
            ask="compute the optical power margin",
            hint="how much brightness is left to play with",
            run=lambda loss_db, optical_budget, repair_reserve=0: max(
                optical_budget - loss_db - repair_reserve, 0
            ),
        ),
        Tool(
            "get_tower_battery_energy",
            "Return the energy stored in the batteries of a tower, in kWh.",
            (Parameter("tower_id", TOWER, "at {}"),),
            (Field("battery_kwh", BATTERY),),
            ask="get the tower battery energy",
            hint="how much juice is stored up at the foot of the mast",
        ),
        Tool(
            "estimate_tower_power_draw",
            "Estimate the electric power that a tower draws: 1.5 kW, 1 kW for each 1000 megabits "
            "per second, and four times its transmit power if that is given.",
            (
                Parameter("busy_traffic", TRAFFIC, "while moving {}"),
                Parameter("transmit_power", TRANSMIT_POWER, "with {} sent out", optional=True),
            ),
            (Field("draw_kw", DRAW),),
            ask="estimate the tower power draw",
            hint="how much electricity the mast swallows",
            run=lambda busy_traffic, transmit_power=0: (
                1.5 + (busy_traffic + 4 * transmit_power) / 1000
            ),
        ),
        Tool(
            "estimate_tower_backup_hours",
            "Estimate how long a tower runs on its batteries, one percent shorter for each degree "
            "by which a given temperature is below 40.",
            (
                Parameter("battery_kwh", BATTERY, "with {} in store"),
                Parameter("draw_kw", DRAW, "using up {}"),
                Parameter("air_degrees", TEMPERATURE, "at {} outside", optional=True),
            ),
            (Field("backup_hours", BACKUP_HOURS),),
            ask="estimate the tower backup hours",
            hint="how long the mast would last in a blackout",
            run=_backup_hours,
        ),
        Tool(
            "predict_mast_battery_runtime",
            "Predict the hours until a mast's batteries are flat, allowing for the air if given.",
            (
                Parameter("battery_kwh", BATTERY, "charged with {}"),
                Parameter("draw_kw", DRAW, "feeding {}"),
                Parameter("air_degrees", TEMPERATURE, "in air of {}", optional=True),
            ),
            (Field("backup_hours", BACKUP_HOURS),),
            ask="predict the battery runtime of the mast",
            hint="when the lights would go out there after mains failure",
            run=_backup_hours,
            same_as="estimate_tower_backup_hours",
        ),
        Tool(
            "grade_tower_repair_urgency",
            "Grade a repair: critical above 70 percent congestion or 800 subscribers, routine "
            "below 50 percent and 400 subscribers, else due on the same day.",
            (
                Parameter("congestion_share", CONGESTION, "with the air {} full"),
                Parameter("attached_count", ATTACHED, "serving {}"),
            ),
            (Field("repair_urgency", URGENCY),),
            ask="grade the tower repair urgency",
            hint="how fast somebody has to climb up there",
            run=_urgency,
        ),
        Tool(
            "dispatch_rigging_crew_visit",
            "Send a rigging crew to a tower with an urgency and whatever else it should know.",
            (
                Parameter("tower_id", TOWER, "to {}"),
                Parameter("crew_id", RIGGING_CREW, "entrusted to {}"),
                Parameter("repair_urgency", URGENCY, "treated as {}"),
                Parameter("visit_day", VISIT_DAY, "planned for {}", optional=True),
                Parameter("backup_hours", BACKUP_HOURS, "with {} on batteries", optional=True),
                Parameter("attached_count", ATTACHED, "while {} depend on it", optional=True),
            ),
            (),
            ask="dispatch the rigging crew visit",
            hint="that the climbers are on their way",
        ),
        Tool(
            "report_regulated_cell_outage",
            "Report to the regulator an outage of a cell, with whom it hit and the day if given.",
            (
                Parameter("cell_id", CELL, "concerning {}"),
                Parameter("outage_minutes", OUTAGE_MINUTES, "lasting {}"),
                Parameter("attached_count", ATTACHED, "affecting {}", optional=True),
                Parameter("filing_day", FILING_DAY, "handed in on {}", optional=True),
            ),
            (),
            ask="report the regulated cell outage",
            hint="that the authority has been informed",
        ),
        Tool(
            "bill_roaming_data_usage",
            "Compute the charge for roaming data at a wholesale rate in cents a megabyte, with a "
            "markup if one is given.",
            (
                Parameter("roaming_volume", ROAMING_VOLUME, "for {} used abroad"),
                Parameter("wholesale_rate", WHOLESALE_RATE, "at {}"),
                Parameter("roaming_markup", MARKUP, "with {} on top", optional=True),
            ),
            (Field("charge_eur", CHARGE),),
            ask="bill the roaming data usage",
            hint="how much the holiday surfing costs the customer",
            run=lambda roaming_volume, wholesale_rate, roaming_markup=0: (
                roaming_volume * wholesale_rate / 100 * (1 + roaming_markup)
            ),
        ),
        Tool(
            "configure_cell_radio_profile",
            "Set the band of a cell and, as far as given, the rest of its radio profile.",
            (
                Parameter("cell_id", CELL, "for {}"),
                Parameter("radio_band", BAND, "transmitting on {}"),
                Parameter("antenna_tilt", TILT, "pointing down by {}", optional=True),
                Parameter("transmit_power", TRANSMIT_POWER, "sending with {}", optional=True),
                Parameter("handover_margin", HANDOVER, "handing over at {}", optional=True),
                Parameter("sleep_share", SLEEP_SHARE, "dozing {} of the night", optional=True),
                Parameter("cell_capacity", CAPACITY, "throttled to {}", optional=True),
                Parameter("busy_traffic", TRAFFIC, "expecting {} at peak", optional=True),
                Parameter("attached_count", ATTACHED, "admitting {} at most", optional=True),
                Parameter("congestion_share", CONGESTION, "full at {}", optional=True),
                Parameter("tower_id", TOWER, "mounted on {}", optional=True),
                Parameter("link_id", FIBRE_LINK, "fed by {}", optional=True),
                Parameter("draw_kw", DRAW, "drawing no more than {}", optional=True),
                Parameter("backup_hours", BACKUP_HOURS, "bridging {} of blackout", optional=True),
                Parameter("crew_id", RIGGING_CREW, "looked after by {}", optional=True),
                Parameter("repair_urgency", URGENCY, "with failures seen as {}", optional=True),
                Parameter("profile_start", START_DAY, "valid from {}", optional=True),
            ),
            (),
            ask="configure the cell radio profile",
            hint="that the antenna has its new settings",
        ),
    ),
)
