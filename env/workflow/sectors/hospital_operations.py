"""Hospital operations: wards and beds, vital signs, medicines, operating rooms."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Name, Quantity, Share

__all__ = ["HOSPITAL_OPERATIONS"]

PATIENT = Identifier("patient", "patient", "PT")
SAMPLE = Identifier("sample", "blood sample", "BS")
WARD = Identifier("ward", "ward", "WD")
BED = Identifier("bed", "bed", "BD")
DRUG = Identifier("drug", "medicine", "MD")
SURGEON = Identifier("surgeon", "surgeon", "SG")
THEATRE = Identifier("theatre", "operating room", "OR")
PROCEDURE = Identifier("procedure", "procedure", "PR")
SLOT = Identifier("theatre_slot", "time slot", "TS")
PLAN = Identifier("discharge_plan", "leaving plan", "DP")

OCCUPIED = Quantity("occupied_beds", "patients", 4, 60)
CAPACITY = Quantity("bed_capacity", "beds", 20, 80)
FREE_BEDS = Quantity("free_beds", "empty beds", 2, 30)
OCCUPANCY = Share("occupancy", 30, 98)
INBOUND = Quantity("inbound_patients", "new arrivals", 2, 12)
NURSES = Quantity("nurse_count", "nurses", 2, 20)
NURSE_LOAD = Quantity("nurse_load", "patients a nurse", 2, 12, 0.5)
HEART_RATE = Quantity("heart_rate", "beats a minute", 45, 160, 5)
BREATHS = Quantity("breathing_rate", "breaths a minute", 8, 40)
TEMPERATURE = Quantity("body_temperature", "degrees", 35, 41, 0.5)
WARNING = Quantity("warning_score", "points", 2, 14)
WAITED = Quantity("waited_time", "minutes", 10, 400, 10)
STAY = Quantity("stay_length", "nights", 2, 30)
MEAN_STAY = Quantity("mean_stay", "nights on average", 2, 30, 0.5)
WEIGHT = Quantity("body_weight", "kilograms", 40, 120)
DOSE_RATE = Quantity("dose_rate", "mg a kilo", 2, 15, 0.5)
DOSES_A_DAY = Quantity("doses_a_day", "times a day", 2, 6)
DOSE = Quantity("single_dose", "mg", 100, 900, 50)
DAILY_DOSE = Quantity("daily_dose", "mg a day", 300, 5_000, 100)
KIDNEYS = Share("kidney_function", 20, 95)
STOCK = Quantity("drug_stock", "packs", 20, 900, 10)
WEEKLY_USE = Quantity("weekly_use", "packs a week", 5, 120, 5)
COVER = Quantity("stock_cover", "days", 2, 90)
OPERATION_TIME = Quantity("operation_time", "minutes", 30, 300, 10)
CLEANING = Quantity("cleaning_time", "minutes", 10, 60, 5)
THEATRE_TIME = Quantity("theatre_time", "minutes", 90, 900, 10)
TREATMENT_TIME = Quantity("treatment_time", "days", 3, 28)
PAIN = Quantity("pain_limit", "points of pain", 2, 7)
FLUID = Quantity("fluid_target", "litres a day", 1.5, 3.5, 0.5)
STEPS = Quantity("step_target", "steps a day", 500, 9_000, 500)
VISITS = Quantity("home_visits", "visits a week", 2, 7)

LANGUAGE = Name("language", ("Spanish", "Polish", "Arabic", "Turkish", "Vietnamese"))
URGENCY = Choice(
    "urgency",
    {
        "triage_red": "a matter of minutes",
        "triage_amber": "a pressing case",
        "triage_green": "a case that can wait",
    },
)
SHIFT = Choice(
    "shift",
    {"early_shift": "in the morning", "late_shift": "in the evening", "night_shift": "overnight"},
)
DIET = Choice(
    "diet", {"low_sodium": "salt-free", "pureed": "mashed", "glucose_controlled": "sugar-free"}
)
MOBILITY = Choice(
    "mobility",
    {"independent": "up and about", "assisted": "unsteady", "bedbound": "unable to get up"},
)
TRANSPORT = Choice("transport", {"taxi_ride": "by cab", "stretcher_car": "lying down"})
AFTERCARE = Choice(
    "aftercare", {"rehab_stay": "weeks of exercise", "outpatient_clinic": "regular check-ups"}
)
CENSUS_DAY = Day("census_day")
START_DAY = Day("start_day")
SLOT_DAY = Day("slot_day")
LEAVING_DAY = Day("discharge_day")
RETURN_DAY = Day("return_day")


def _occupancy(occupied_beds: float, bed_capacity: float) -> float:
    return min(round(occupied_beds / max(bed_capacity, 1), 3), 1)


def _warning_score(heart_rate: float, breathing_rate: float, body_temperature: float) -> float:
    """Add up how far each vital sign is from where it should be."""
    heart = max(heart_rate - 90, 60 - heart_rate, 0) / 10
    breath = max(breathing_rate - 20, 12 - breathing_rate, 0) / 3
    heat = max(body_temperature - 37.5, 36 - body_temperature, 0) * 2
    return round(heart + breath + heat, 1)


def _urgency(warning_score: float, waited_time: float = 0) -> str:
    pressing = warning_score + waited_time / 100
    return "triage_red" if pressing >= 7 else "triage_amber" if pressing >= 4 else "triage_green"


def _stock_cover(drug_stock: float, weekly_use: float) -> float:
    return round(7 * drug_stock / max(weekly_use, 1), 1)


HOSPITAL_OPERATIONS = Sector(
    "hospital_operations",
    "hospital operations",
    (
        Tool(
            "count_inbound_ambulances",
            "Count the patients whom ambulances are bringing in.",
            (),
            (Field("inbound_patients", INBOUND),),
            ask="count the inbound ambulances",
            hint="how many people are being driven in just now",
        ),
        Tool(
            "find_patient_of_sample",
            "Find the patient from whom a blood sample was taken.",
            (Parameter("sample_id", SAMPLE, "numbered {}"),),
            (Field("patient_id", PATIENT),),
            ask="find the patient of the sample",
            hint="whose blood it is",
        ),
        Tool(
            "find_ward_of_patient",
            "Find the ward in which a patient lies.",
            (Parameter("patient_id", PATIENT, "numbered {}"),),
            (Field("ward_id", WARD),),
            ask="find the ward of the patient",
            hint="where in the building the sick person lies",
        ),
        Tool(
            "get_patient_vitals",
            "Read the latest heart rate, breathing rate and temperature of a patient.",
            (Parameter("patient_id", PATIENT, "for {}"),),
            (
                Field("heart_rate", HEART_RATE),
                Field("breathing_rate", BREATHS),
                Field("body_temperature", TEMPERATURE),
            ),
            ask="get the patient vitals",
            hint="how pulse, breath and fever are doing",
        ),
        Tool(
            "get_admission_weight",
            "Read what a patient weighed on admission.",
            (Parameter("patient_id", PATIENT, "for {}"),),
            (Field("body_weight", WEIGHT),),
            ask="get the admission weight",
            hint="what the scales said when the person came in",
        ),
        Tool(
            "get_ward_census",
            "Count the patients in a ward, at present or on a day.",
            (
                Parameter("ward_id", WARD, "in {}"),
                Parameter("census_day", CENSUS_DAY, "as it was on {}", optional=True),
            ),
            (Field("occupied_beds", OCCUPIED),),
            ask="get the ward census",
            hint="how many people are lying there",
        ),
        Tool(
            "get_bed_capacity",
            "Read how many beds a ward has.",
            (Parameter("ward_id", WARD, "in {}"),),
            (Field("bed_capacity", CAPACITY),),
            ask="get the bed capacity",
            hint="how many sick people could be put up there",
        ),
        Tool(
            "look_up_ward_size",
            "Look up the number of places for patients that a ward was built with.",
            (Parameter("ward_id", WARD, "in {}"),),
            (Field("bed_capacity", CAPACITY),),
            ask="look up the ward size",
            hint="how many places the department has at best",
            same_as="get_bed_capacity",
        ),
        Tool(
            "count_ward_nurses",
            "Count the nurses on duty in a ward, now or in one of the shifts.",
            (
                Parameter("ward_id", WARD, "in {}"),
                Parameter("shift_name", SHIFT, "working {}", optional=True),
            ),
            (Field("nurse_count", NURSES),),
            ask="count the ward nurses",
            hint="how many people are there to look after the sick",
        ),
        Tool(
            "find_thinnest_staffing",
            "Find the lowest of several counts of nurses.",
            (Parameter("nurse_counts", ListOf(NURSES), "among {}"),),
            (Field("nurse_count", NURSES),),
            ask="find the thinnest staffing",
            hint="how few nurses the worst placed department has",
            run=lambda nurse_counts: min(nurse_counts),
        ),
        Tool(
            "compute_ward_occupancy",
            "Compute the share of a ward's beds that are taken.",
            (
                Parameter("occupied_beds", OCCUPIED, "looking after {}"),
                Parameter("bed_capacity", CAPACITY, "with {} at most"),
            ),
            (Field("occupancy_share", OCCUPANCY),),
            ask="compute the ward occupancy",
            hint="how full the department is",
            run=_occupancy,
        ),
        Tool(
            "measure_bed_pressure",
            "Measure how near a ward is to having no bed left, as a share.",
            (
                Parameter("occupied_beds", OCCUPIED, "looking after {}"),
                Parameter("bed_capacity", CAPACITY, "with {} at most"),
            ),
            (Field("occupancy_share", OCCUPANCY),),
            ask="measure the bed pressure",
            hint="how close we are to turning people away",
            run=_occupancy,
            same_as="compute_ward_occupancy",
        ),
        Tool(
            "forecast_free_beds",
            "Forecast the beds that stay free once the expected patients have arrived.",
            (
                Parameter("occupied_beds", OCCUPIED, "looking after {}"),
                Parameter("bed_capacity", CAPACITY, "with {} at most"),
                Parameter("inbound_patients", INBOUND, "expecting {}", optional=True),
            ),
            (Field("free_beds", FREE_BEDS),),
            ask="forecast the free beds",
            hint="how many more people there would be room for",
            run=lambda occupied_beds, bed_capacity, inbound_patients=0: max(
                bed_capacity - occupied_beds - inbound_patients, 0
            ),
        ),
        Tool(
            "compute_nurse_load",
            "Compute the patients that each nurse looks after, with those who are expected.",
            (
                Parameter("occupied_beds", OCCUPIED, "looking after {}"),
                Parameter("nurse_count", NURSES, "with {} on duty"),
                Parameter("inbound_patients", INBOUND, "expecting {}", optional=True),
            ),
            (Field("nurse_load", NURSE_LOAD),),
            ask="compute the nurse load",
            hint="how many sick people each of the staff has to mind",
            run=lambda occupied_beds, nurse_count, inbound_patients=0: round(
                (occupied_beds + inbound_patients) / max(nurse_count, 1), 2
            ),
        ),
        Tool(
            "score_early_warning",
            "Score by the vital signs how likely a patient is to get worse; 7 and more is grave.",
            (
                Parameter("heart_rate", HEART_RATE, "with a pulse of {}"),
                Parameter("breathing_rate", BREATHS, "drawing {}"),
                Parameter("body_temperature", TEMPERATURE, "at {} under the tongue"),
            ),
            (Field("warning_score", WARNING),),
            ask="score the early warning",
            hint="how worried we should be about the person",
            run=_warning_score,
        ),
        Tool(
            "grade_triage_urgency",
            "Grade how soon a patient must be seen, by warning score and time already waited.",
            (
                Parameter("warning_score", WARNING, "rated {} for danger"),
                Parameter("waited_time", WAITED, "left sitting for {}", optional=True),
            ),
            (Field("urgency_grade", URGENCY),),
            ask="grade the triage urgency",
            hint="how soon somebody has to see the person",
            run=_urgency,
        ),
        Tool(
            "predict_patient_stay",
            "Predict how many nights a patient stays, more closely if the warning score is known.",
            (
                Parameter("patient_id", PATIENT, "for {}"),
                Parameter("warning_score", WARNING, "rated {} for danger", optional=True),
            ),
            (Field("stay_length", STAY),),
            ask="predict the patient stay",
            hint="when the person will be well enough to go home",
        ),
        Tool(
            "average_patient_stay",
            "Compute the mean of several lengths of stay.",
            (Parameter("stay_lengths", ListOf(STAY), "over {}"),),
            (Field("mean_stay", MEAN_STAY),),
            ask="average the patient stay",
            hint="how long people like these are usually with us",
            run=lambda stay_lengths: round(sum(stay_lengths) / len(stay_lengths), 2),
        ),
        Tool(
            "assign_patient_bed",
            "Assign a bed in a ward to a patient of a given urgency.",
            (
                Parameter("patient_id", PATIENT, "for {}"),
                Parameter("ward_id", WARD, "in {}"),
                Parameter("urgency_grade", URGENCY, "taken as {}"),
            ),
            (Field("bed_id", BED),),
            ask="assign the patient bed",
            hint="where exactly the newcomer can lie down",
        ),
        Tool(
            "get_dosing_rule",
            "Read the dose for each kilo of weight of a medicine, and how often a day it is given.",
            (Parameter("drug_id", DRUG, "of {}"),),
            (Field("dose_rate", DOSE_RATE), Field("doses_a_day", DOSES_A_DAY)),
            ask="get the dosing rule",
            hint="what the handbook says about giving the stuff",
        ),
        Tool(
            "compute_single_dose",
            "Compute one dose of a medicine from the weight of the patient.",
            (
                Parameter("body_weight", WEIGHT, "weighing {}"),
                Parameter("dose_rate", DOSE_RATE, "dosed at {}"),
            ),
            (Field("single_dose", DOSE),),
            ask="compute the single dose",
            hint="how much to give each time",
            run=lambda body_weight, dose_rate: round(body_weight * dose_rate, 1),
        ),
        Tool(
            "compute_daily_dose",
            "Compute the dose of a whole day, cut in proportion where the kidneys work less.",
            (
                Parameter("single_dose", DOSE, "swallowing {} each time"),
                Parameter("doses_a_day", DOSES_A_DAY, "taken {}"),
                Parameter("kidney_function", KIDNEYS, "with kidneys at {}", optional=True),
            ),
            (Field("daily_dose", DAILY_DOSE),),
            ask="compute the daily dose",
            hint="how much of it is safe between one morning and the next",
            run=lambda single_dose, doses_a_day, kidney_function=1: round(
                single_dose * doses_a_day * kidney_function, 1
            ),
        ),
        Tool(
            "get_drug_stock",
            "Count the packs of a medicine in the pharmacy.",
            (Parameter("drug_id", DRUG, "of {}"),),
            (Field("drug_stock", STOCK),),
            ask="get the drug stock",
            hint="what is left on the shelves of the pharmacy",
        ),
        Tool(
            "get_drug_usage",
            "Read how many packs of a medicine a week takes, of late or from a day on.",
            (
                Parameter("drug_id", DRUG, "of {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("weekly_use", WEEKLY_USE),),
            ask="get the drug usage",
            hint="how fast the packs are going",
        ),
        Tool(
            "compute_stock_cover",
            "Compute for how many days a stock lasts.",
            (
                Parameter("drug_stock", STOCK, "with {} in store"),
                Parameter("weekly_use", WEEKLY_USE, "going through {}"),
            ),
            (Field("cover_time", COVER),),
            ask="compute the stock cover",
            hint="when we shall run out",
            run=_stock_cover,
        ),
        Tool(
            "estimate_drug_runway",
            "Estimate the days until the last pack of a medicine is used up.",
            (
                Parameter("drug_stock", STOCK, "with {} in store"),
                Parameter("weekly_use", WEEKLY_USE, "going through {}"),
            ),
            (Field("cover_time", COVER),),
            ask="estimate the drug runway",
            hint="how long the supply will hold out",
            run=_stock_cover,
            same_as="compute_stock_cover",
        ),
        Tool(
            "get_operation_time",
            "Read how many minutes a procedure takes in the operating room.",
            (Parameter("procedure_id", PROCEDURE, "for {}"),),
            (Field("operation_time", OPERATION_TIME),),
            ask="get the operation time",
            hint="how long the surgeons will be at it",
        ),
        Tool(
            "sum_theatre_time",
            "Add up the minutes of several procedures, with the cleaning after each of them.",
            (
                Parameter("operation_times", ListOf(OPERATION_TIME), "over {}"),
                Parameter(
                    "cleaning_time", CLEANING, "with {} of scrubbing after each", optional=True
                ),
            ),
            (Field("theatre_time", THEATRE_TIME),),
            ask="sum the theatre time",
            hint="how long the room is taken up by all of it",
            run=lambda operation_times, cleaning_time=0: (
                sum(operation_times) + cleaning_time * len(operation_times)
            ),
        ),
        Tool(
            "book_theatre_slot",
            "Book an operating room and a surgeon on a day for some minutes.",
            (
                Parameter("theatre_id", THEATRE, "in {}"),
                Parameter("surgeon_id", SURGEON, "under {}"),
                Parameter("slot_day", SLOT_DAY, "to be held on {}"),
                Parameter("operation_time", OPERATION_TIME, "cutting for {}"),
                Parameter("urgency_grade", URGENCY, "taken as {}", optional=True),
            ),
            (Field("slot_id", SLOT),),
            ask="book the theatre slot",
            hint="that a room and a doctor are set aside",
        ),
        Tool(
            "write_discharge_plan",
            "Write the plan for a patient who leaves: day, way home, food, medicine and care.",
            (
                Parameter("patient_id", PATIENT, "for {}"),
                Parameter("ward_id", WARD, "in {}"),
                Parameter("discharge_day", LEAVING_DAY, "leaving on {}"),
                Parameter("return_day", RETURN_DAY, "coming back on {}", optional=True),
                Parameter("diet_type", DIET, "eating {} meals", optional=True),
                Parameter("mobility_level", MOBILITY, "found {}", optional=True),
                Parameter("transport_mode", TRANSPORT, "going home {}", optional=True),
                Parameter("aftercare_type", AFTERCARE, "followed by {}", optional=True),
                Parameter("drug_id", DRUG, "given {}", optional=True),
                Parameter("daily_dose", DAILY_DOSE, "swallowing {}", optional=True),
                Parameter("treatment_time", TREATMENT_TIME, "kept up for {}", optional=True),
                Parameter("pain_limit", PAIN, "ringing us at {}", optional=True),
                Parameter("fluid_target", FLUID, "drinking {}", optional=True),
                Parameter("step_target", STEPS, "walking {}", optional=True),
                Parameter("home_visits", VISITS, "with a nurse making {}", optional=True),
                Parameter("spoken_language", LANGUAGE, "spoken to in {}", optional=True),
            ),
            (Field("plan_id", PLAN),),
            ask="write the discharge plan",
            hint="that all is set down for the way home",
        ),
    ),
)
