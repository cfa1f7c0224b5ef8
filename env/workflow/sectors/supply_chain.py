"""Supply chain: parts, suppliers, stock, orders and how they travel."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Identifier, ListOf, Note, Quantity, Share

__all__ = ["SUPPLY_CHAIN"]

PART = Identifier("part", "part", "PT")
SUPPLIER = Identifier("supplier", "supplier", "SP")
WAREHOUSE = Identifier("warehouse", "warehouse", "WH")
ORDER = Identifier("purchase_order", "order", "PO")
PLANNER = Identifier("planner", "planner", "PL")
WANTED_DAY = Day("wanted_day")
NEEDED_DAY = Day("expedite_day")
MOVE_DAY = Day("transfer_day")
RULE_START = Day("rule_start_day")

DEMAND = Quantity("daily_demand", "pieces", 5, 400, 5)
STOCK = Quantity("stock_level", "pieces", 100, 5_000, 100)
NETWORK_STOCK = Quantity("network_stock", "pieces", 500, 30_000, 500)
LEAD_DAYS = Quantity("lead_days", "days", 3, 90)
SHORTEST_LEAD = Quantity("shortest_lead_days", "days", 3, 60)
PORT_DELAY = Quantity("port_delay_days", "days", 1, 14)
COVER_DAYS = Quantity("cover_days", "days", 1, 120)
SAFETY_STOCK = Quantity("safety_stock", "pieces", 100, 4_000, 100)
REORDER_POINT = Quantity("reorder_point", "pieces", 5_000, 20_000, 100)
BATCH = Quantity("batch_size", "pieces", 10, 500, 10)
ORDER_QUANTITY = Quantity("order_quantity", "pieces", 100, 9_000, 100)
UNIT_PRICE = Quantity("unit_price_euros", "euros", 0.5, 80, 0.5)
ORDER_VALUE = Quantity("order_value_euros", "euros", 1_000, 90_000, 500)
WEIGHT = Quantity("shipment_weight_kg", "kilograms", 100, 9_000, 100)
FREIGHT_RATE = Quantity("freight_rate_euros", "euros", 0.5, 6, 0.1)
FREIGHT_COST = Quantity("freight_cost_euros", "euros", 100, 9_000, 100)
LANDED_COST = Quantity("landed_cost_euros", "euros", 1_000, 99_000, 500)
PURCHASING_BILL = Quantity("purchasing_bill_euros", "euros", 10_000, 400_000, 5_000)
DISTANCE = Quantity("distance_km", "kilometres", 100, 9_000, 100)
EMISSIONS = Quantity("emissions_kg", "kilograms of carbon", 50, 9_000, 50)
ON_TIME = Share("on_time_share", 50, 99)
DUTY = Share("duty_rate", 2, 25)
DANGER = Choice(
    "stockout_grade",
    {"covered": "well in hand", "tight": "wearing thin", "short": "about to run dry"},
)
MODE = Choice(
    "transport_mode",
    {"sea": "slow boat", "rail": "goods train", "air": "cargo plane"},
)

SERVICE_LEVEL = Share("service_level", 80, 99)
REVIEW_DAYS = Quantity("review_interval_days", "days", 1, 30)
LARGEST_ORDER = Quantity("largest_order", "pieces", 1_000, 9_000, 500)
SMALLEST_ORDER = Quantity("smallest_order", "pieces", 20, 500, 20)
SHELF_WEEKS = Quantity("shelf_life_weeks", "weeks", 4, 104, 2)
SPEND_LIMIT = Quantity("spend_limit_euros", "euros", 5_000, 90_000, 5_000)
METHOD = Choice(
    "ordering_method",
    {"fixed_quantity": "equal lots", "fill_up": "a top-up to the brim"},
)

MOVE_NOTE = Note("transfer_note", ("Transfer booked.", "Transfer booked in two loads."))
RULE_NOTE = Note("rule_note", ("Rule active.", "Rule active from the next planning run."))

CARBON_PER_KG_KM = {"sea": 0.00002, "rail": 0.00003, "air": 0.0006}


def _cover_days(stock_level: float, daily_demand: float) -> float:
    return stock_level / max(daily_demand, 1)


def _reorder_point(daily_demand: float, lead_days: float, safety_stock: float = 0) -> float:
    return daily_demand * lead_days + safety_stock


def _order_quantity(reorder_point: float, stock_level: float, batch_size: float = 1) -> float:
    missing = max(reorder_point - stock_level, 0)
    batches = -(-missing // max(batch_size, 1))
    return batches * batch_size


def _landed_cost(
    order_value_euros: float, freight_cost_euros: float, duty_rate: float = 0
) -> float:
    return order_value_euros * (1 + duty_rate) + freight_cost_euros


def _danger(cover_days: float, lead_days: float) -> str:
    if cover_days > 1.5 * lead_days:
        return "covered"
    return "tight" if cover_days > lead_days else "short"


def _mode(stockout_grade: str, shipment_weight_kg: float) -> str:
    if stockout_grade == "short":
        return "air" if shipment_weight_kg < 3_000 else "rail"
    return "rail" if stockout_grade == "tight" and shipment_weight_kg < 6_000 else "sea"


SUPPLY_CHAIN = Sector(
    "supply_chain",
    "supply chain",
    (
        Tool(
            "read_freight_index",
            "Read what it costs at present to ship a kilogram.",
            (),
            (Field("freight_rate_euros", FREIGHT_RATE),),
            ask="read the freight index",
            hint="what carriers charge for a kilogram these days",
        ),
        Tool(
            "read_port_delay",
            "Read by how many days ships wait at the port at present.",
            (),
            (Field("port_delay_days", PORT_DELAY),),
            ask="read the port delay",
            hint="how long ships are kept waiting at the quay",
        ),
        Tool(
            "get_part_demand",
            "Look up how many pieces of a part are used in a day.",
            (Parameter("part_id", PART, "for {}"),),
            (Field("daily_demand", DEMAND),),
            ask="get the part demand",
            hint="how fast the pieces are used up",
        ),
        Tool(
            "find_preferred_supplier",
            "Find the supplier from whom a part is bought first.",
            (Parameter("part_id", PART, "for {}"),),
            (Field("supplier_id", SUPPLIER),),
            ask="find the preferred supplier",
            hint="who we would rather buy it from",
        ),
        Tool(
            "trace_order_supplier",
            "Trace the supplier to whom an order went.",
            (Parameter("order_id", ORDER, "of {}"),),
            (Field("supplier_id", SUPPLIER),),
            ask="trace the order supplier",
            hint="who is supposed to deliver it",
        ),
        Tool(
            "get_supplier_lead_time",
            "Look up the days that a supplier needs from order to delivery.",
            (Parameter("supplier_id", SUPPLIER, "of {}"),),
            (Field("lead_days", LEAD_DAYS),),
            ask="get the supplier lead time",
            hint="how long it takes from ordering to delivery",
        ),
        Tool(
            "rate_supplier_punctuality",
            "Rate a supplier by the share of its deliveries that came on time.",
            (Parameter("supplier_id", SUPPLIER, "of {}"),),
            (Field("on_time_share", ON_TIME),),
            ask="rate the supplier punctuality",
            hint="how often the vendor keeps its word on dates",
        ),
        Tool(
            "pick_shortest_lead_time",
            "Pick the shortest of several lead times.",
            (Parameter("lead_times", ListOf(LEAD_DAYS), "out of {}"),),
            (Field("shortest_lead_days", SHORTEST_LEAD),),
            ask="pick the shortest lead time",
            hint="how soon the quickest vendor can deliver",
            run=lambda lead_times: min(lead_times),
        ),
        Tool(
            "sum_warehouse_stocks",
            "Add up the stock of several places.",
            (Parameter("stock_levels", ListOf(STOCK), "over {}"),),
            (Field("network_stock", NETWORK_STOCK),),
            ask="sum the warehouse stocks",
            hint="how many pieces there are in all places together",
            run=lambda stock_levels: sum(stock_levels),
        ),
        Tool(
            "total_landed_costs",
            "Add up what several orders cost once they have arrived.",
            (Parameter("landed_costs_listed", ListOf(LANDED_COST), "over {}"),),
            (Field("purchasing_bill_euros", PURCHASING_BILL),),
            ask="total the landed costs",
            hint="how big the bill for all purchases gets",
            run=lambda landed_costs_listed: sum(landed_costs_listed),
        ),
        Tool(
            "get_stock_level",
            "Look up how many pieces of a part lie in a warehouse.",
            (
                Parameter("part_id", PART, "of {}"),
                Parameter("warehouse_id", WAREHOUSE, "in {}"),
            ),
            (Field("stock_level", STOCK),),
            ask="get the stock level",
            hint="how many pieces lie on the shelves",
        ),
        Tool(
            "quote_part_price",
            "Quote what a supplier asks for a piece of a part.",
            (
                Parameter("part_id", PART, "of {}"),
                Parameter("supplier_id", SUPPLIER, "from {}"),
            ),
            (Field("unit_price_euros", UNIT_PRICE),),
            ask="quote the part price",
            hint="what the vendor asks for a piece",
        ),
        Tool(
            "compute_order_value",
            "Compute the value of an order.",
            (
                Parameter("unit_price_euros", UNIT_PRICE, "at {} a piece"),
                Parameter("order_quantity", ORDER_QUANTITY, "buying {}"),
            ),
            (Field("order_value_euros", ORDER_VALUE),),
            ask="compute the order value",
            hint="what the goods alone will cost",
            run=lambda unit_price_euros, order_quantity: unit_price_euros * order_quantity,
        ),
        Tool(
            "compute_inventory_cover",
            "Compute for how many days a stock lasts.",
            (
                Parameter("stock_level", STOCK, "with {} on the shelves"),
                Parameter("daily_demand", DEMAND, "using {} a day"),
            ),
            (Field("cover_days", COVER_DAYS),),
            ask="compute the inventory cover",
            hint="how long what we have will last",
            run=_cover_days,
        ),
        Tool(
            "project_depletion_days",
            "Project the days until a stock is used up.",
            (
                Parameter("stock_level", STOCK, "with {} on the shelves"),
                Parameter("daily_demand", DEMAND, "using {} a day"),
            ),
            (Field("cover_days", COVER_DAYS),),
            ask="project the depletion days",
            hint="when the shelves will be empty",
            run=_cover_days,
            same_as="compute_inventory_cover",
        ),
        Tool(
            "weigh_part_order",
            "Compute the weight of an order of a part, packing included.",
            (
                Parameter("part_id", PART, "of {}"),
                Parameter("order_quantity", ORDER_QUANTITY, "buying {}"),
            ),
            (Field("shipment_weight_kg", WEIGHT),),
            ask="weigh the part order",
            hint="how heavy the load will be",
        ),
        Tool(
            "compute_freight_cost",
            "Compute what it costs to ship a weight.",
            (
                Parameter("shipment_weight_kg", WEIGHT, "for a load of {}"),
                Parameter("freight_rate_euros", FREIGHT_RATE, "at {} to carry a kilogram"),
            ),
            (Field("freight_cost_euros", FREIGHT_COST),),
            ask="compute the freight cost",
            hint="what the journey of the goods will cost",
            run=lambda shipment_weight_kg, freight_rate_euros: (
                shipment_weight_kg * freight_rate_euros
            ),
        ),
        Tool(
            "grade_stockout_danger",
            "Grade the danger that a stock runs out before the next delivery.",
            (
                Parameter("cover_days", COVER_DAYS, "with stock for {}"),
                Parameter("lead_days", LEAD_DAYS, "when a delivery takes {}"),
            ),
            (Field("stockout_grade", DANGER),),
            ask="grade the stockout danger",
            hint="whether the shelves hold out until the next delivery",
            run=_danger,
        ),
        Tool(
            "choose_transport_mode",
            "Choose how to ship a weight, given how pressing the need is.",
            (
                Parameter("stockout_grade", DANGER, "with supplies {}"),
                Parameter("shipment_weight_kg", WEIGHT, "for a load of {}"),
            ),
            (Field("transport_mode", MODE),),
            ask="choose the transport mode",
            hint="what kind of vehicle should bring it",
            run=_mode,
        ),
        Tool(
            "compute_safety_stock",
            "Compute the stock that absorbs late deliveries, at 90 percent on time if not given.",
            (
                Parameter("daily_demand", DEMAND, "using {} a day"),
                Parameter("lead_days", LEAD_DAYS, "when a delivery takes {}"),
                Parameter("on_time_share", ON_TIME, "with {} delivered to the day", optional=True),
                Parameter("port_delay_days", PORT_DELAY, "plus {} at the quay", optional=True),
            ),
            (Field("safety_stock", SAFETY_STOCK),),
            ask="compute the safety stock",
            hint="how big a cushion we ought to keep",
            run=lambda daily_demand, lead_days, on_time_share=0.9, port_delay_days=0: (
                daily_demand * (lead_days * (1.1 - min(on_time_share, 1)) + port_delay_days)
            ),
        ),
        Tool(
            "compute_reorder_point",
            "Compute the stock at which to order again.",
            (
                Parameter("daily_demand", DEMAND, "using {} a day"),
                Parameter("lead_days", LEAD_DAYS, "when a delivery takes {}"),
                Parameter("safety_stock", SAFETY_STOCK, "with {} as a cushion", optional=True),
            ),
            (Field("reorder_point", REORDER_POINT),),
            ask="compute the reorder point",
            hint="how far the shelves may empty before we buy again",
            run=_reorder_point,
        ),
        Tool(
            "derive_order_trigger",
            "Derive the stock level that triggers the next order.",
            (
                Parameter("daily_demand", DEMAND, "using {} a day"),
                Parameter("lead_days", LEAD_DAYS, "when a delivery takes {}"),
                Parameter("safety_stock", SAFETY_STOCK, "with {} as a cushion", optional=True),
            ),
            (Field("reorder_point", REORDER_POINT),),
            ask="derive the order trigger",
            hint="what count on the shelves is the sign to buy",
            run=_reorder_point,
            same_as="compute_reorder_point",
        ),
        Tool(
            "compute_order_quantity",
            "Compute how much to order to be back at the reorder point, in whole batches.",
            (
                Parameter("reorder_point", REORDER_POINT, "with a threshold of {}"),
                Parameter("stock_level", STOCK, "with {} on the shelves"),
                Parameter("batch_size", BATCH, "sold in lots of {}", optional=True),
            ),
            (Field("order_quantity", ORDER_QUANTITY),),
            ask="compute the order quantity",
            hint="how many pieces we should buy",
            run=_order_quantity,
        ),
        Tool(
            "compute_landed_cost",
            "Compute what an order costs once it has arrived, with freight and duty.",
            (
                Parameter("order_value_euros", ORDER_VALUE, "for goods worth {}"),
                Parameter("freight_cost_euros", FREIGHT_COST, "carried for {}"),
                Parameter("duty_rate", DUTY, "with customs taking {}", optional=True),
            ),
            (Field("landed_cost_euros", LANDED_COST),),
            ask="compute the landed cost",
            hint="what the goods have cost by the time they are here",
            run=_landed_cost,
        ),
        Tool(
            "work_out_delivered_price",
            "Work out the price of an order as delivered to our door.",
            (
                Parameter("order_value_euros", ORDER_VALUE, "for goods worth {}"),
                Parameter("freight_cost_euros", FREIGHT_COST, "carried for {}"),
                Parameter("duty_rate", DUTY, "with customs taking {}", optional=True),
            ),
            (Field("landed_cost_euros", LANDED_COST),),
            ask="work out the delivered price",
            hint="what we pay in the end to have it at our door",
            run=_landed_cost,
            same_as="compute_landed_cost",
        ),
        Tool(
            "estimate_transport_emissions",
            "Estimate the carbon that a shipment emits, over 1,000 kilometres if not told.",
            (
                Parameter("transport_mode", MODE, "travelling by {}"),
                Parameter("shipment_weight_kg", WEIGHT, "for a load of {}"),
                Parameter("distance_km", DISTANCE, "over {}", optional=True),
            ),
            (Field("emissions_kg", EMISSIONS),),
            ask="estimate the transport emissions",
            hint="what the journey does to the climate",
            run=lambda transport_mode, shipment_weight_kg, distance_km=1_000: (
                CARBON_PER_KG_KM[transport_mode] * shipment_weight_kg * distance_km
            ),
        ),
        Tool(
            "place_purchase_order",
            "Order a quantity of a part from a supplier.",
            (
                Parameter("part_id", PART, "of {}"),
                Parameter("supplier_id", SUPPLIER, "from {}"),
                Parameter("order_quantity", ORDER_QUANTITY, "buying {}"),
                Parameter("wanted_day", WANTED_DAY, "due on {}", optional=True),
                Parameter("warehouse_id", WAREHOUSE, "in {}", optional=True),
                Parameter("transport_mode", MODE, "travelling by {}", optional=True),
            ),
            (Field("order_id", ORDER),),
            ask="place the purchase order",
            hint="under what number the goods were bought",
        ),
        Tool(
            "expedite_purchase_order",
            "Press for an order to come sooner, by a given means of transport.",
            (
                Parameter("order_id", ORDER, "for {}"),
                Parameter("transport_mode", MODE, "travelling by {}"),
                Parameter("expedite_day", NEEDED_DAY, "here by {}", optional=True),
            ),
            (),
            ask="expedite the purchase order",
            hint="that the vendor has been urged to hurry",
        ),
        Tool(
            "transfer_warehouse_stock",
            "Send a part into a warehouse out of the others' stock, for a number of days' use.",
            (
                Parameter("part_id", PART, "of {}"),
                Parameter("warehouse_id", WAREHOUSE, "in {}"),
                Parameter("cover_days", COVER_DAYS, "with stock for {}"),
                Parameter("transfer_day", MOVE_DAY, "leaving on {}", optional=True),
            ),
            (Field("transfer_note", MOVE_NOTE),),
            ask="transfer the warehouse stock",
            hint="that pieces are on their way from our other shelves",
        ),
        Tool(
            "configure_replenishment_rule",
            "Set how a part is bought again; what is not given follows the house rule.",
            (
                Parameter("part_id", PART, "of {}"),
                Parameter("warehouse_id", WAREHOUSE, "in {}"),
                Parameter("reorder_point", REORDER_POINT, "with a threshold of {}"),
                Parameter("safety_stock", SAFETY_STOCK, "with {} as a cushion", optional=True),
                Parameter("supplier_id", SUPPLIER, "from {}", optional=True),
                Parameter("ordering_method", METHOD, "with {} each time", optional=True),
                Parameter("batch_size", BATCH, "sold in lots of {}", optional=True),
                Parameter("smallest_order", SMALLEST_ORDER, "never under {}", optional=True),
                Parameter("largest_order", LARGEST_ORDER, "never over {}", optional=True),
                Parameter("service_level", SERVICE_LEVEL, "serving {} at once", optional=True),
                Parameter("review_interval_days", REVIEW_DAYS, "checked after {}", optional=True),
                Parameter("shelf_life_weeks", SHELF_WEEKS, "good for {}", optional=True),
                Parameter("spend_limit_euros", SPEND_LIMIT, "spending up to {}", optional=True),
                Parameter("transport_mode", MODE, "travelling by {}", optional=True),
                Parameter("planner_id", PLANNER, "watched by {}", optional=True),
                Parameter("rule_start_day", RULE_START, "valid from {}", optional=True),
            ),
            (Field("rule_note", RULE_NOTE),),
            ask="configure the replenishment rule",
            hint="that the shelves get filled again without anybody asking",
        ),
    ),
)
