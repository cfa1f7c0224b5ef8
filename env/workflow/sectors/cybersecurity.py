"""Cybersecurity: alerts and the machines behind them, weaknesses, breaches, firewalls."""

from __future__ import annotations

from ..tools import Field, Parameter, Sector, Tool
from ..value_types import Choice, Day, Flag, Identifier, ListOf, Name, Quantity, Share

__all__ = ["CYBERSECURITY"]

ALERT = Identifier("alert", "alert", "AL")
HOST = Identifier("host", "machine", "HO")
LOGIN = Identifier("login", "login", "LG")
SUBNET = Identifier("subnet", "subnet", "SN")
WEAKNESS = Identifier("weakness", "weakness", "WK")
EMAIL = Identifier("email", "message", "EM")
INCIDENT = Identifier("incident", "incident", "IC")
ANALYST = Identifier("analyst", "analyst", "AN")
RULE = Identifier("firewall_rule", "firewall rule", "FR")

THREAT = Share("threat_level", 5, 90)
FAILED = Quantity("failed_logins", "failed attempts", 5, 400, 5)
TRAFFIC = Quantity("outbound_traffic", "megabytes", 200, 9_000, 100)
USUAL = Quantity("usual_traffic", "megabytes on a normal day", 200, 3_000, 100)
ANOMALY = Quantity("anomaly_score", "points of oddity", 5, 100)
SEVERITY = Quantity("severity_score", "on the CVSS scale", 2, 10, 0.1)
ASSET = Quantity("asset_value", "points of worth", 2, 10)
EXPOSURE = Share("exposure", 5, 95)
RISK = Quantity("risk_score", "points of risk", 5, 100)
TRUST = Quantity("sender_trust", "points of trust", 5, 95)
LINKS = Quantity("link_count", "links", 2, 20)
PHISHING = Share("phishing_chance", 5, 95)
DETECTION = Quantity("detection_time", "hours", 2, 96)
RESPONSE = Quantity("response_time", "hours", 2, 72)
MEAN_RESPONSE = Quantity("mean_response", "hours on average", 2, 72, 0.5)
DURATION = Quantity("breach_duration", "hours", 4, 150)
RECORDS = Quantity("exposed_records", "records", 500, 50_000, 500)
OVERLAP = Share("overlap_share", 5, 60)
RECORD_COST = Quantity("record_cost", "euros a record", 2, 40, 0.5)
BREACH_COST = Quantity("breach_cost", "euros", 10_000, 900_000, 5_000)
PORT = Quantity("port_number", "", 20, 990, 10)
RATE_LIMIT = Quantity("rate_limit", "connections a second", 5, 500, 5)
IDLE_LIMIT = Quantity("idle_limit", "minutes", 2, 60)
PACKET_LIMIT = Quantity("packet_limit", "kilobytes a packet", 2, 60)
ALARM_LIMIT = Quantity("alarm_limit", "hits an hour", 10, 900, 10)

COUNTRY = Name("country", ("Iceland", "Uruguay", "Kenya", "Malaysia", "Latvia", "New Zealand"))
PRIORITY = Choice("priority", {"p1": "an emergency", "p2": "serious trouble", "p3": "a trifle"})
DAY_TYPE = Choice(
    "day_type", {"working_day": "while the office is busy", "weekend_day": "while nobody is in"}
)
ACTION = Choice(
    "rule_action", {"deny": "turned away", "allow": "let through", "divert": "put aside"}
)
PROTOCOL = Choice("protocol", {"TCP": "web connections", "UDP": "voice and video", "ICMP": "pings"})
LOGGING = Choice("logging", {"verbose": "every detail", "headers_only": "just the outlines"})
START_DAY = Day("start_day")
END_DAY = Day("end_day")
SCAN_DAY = Day("scan_day")
OPENED_DAY = Day("opened_day")
IS_ISOLATED = Flag("is_isolated")
IS_BLOCKED = Flag("is_blocked")


def _anomaly_score(
    outbound_traffic: float, usual_traffic: float, failed_logins: float = 0
) -> float:
    return min(round(10 * outbound_traffic / max(usual_traffic, 1) + failed_logins / 10, 1), 100)


def _risk_score(
    severity_score: float, asset_value: float, exposure_share: float, threat_level: float = 0
) -> float:
    """Multiply what could happen by what is at stake and by how easy it is to reach."""
    return min(round(severity_score * asset_value * exposure_share * (1 + threat_level), 1), 100)


def _phishing_chance(sender_trust: float, link_count: float, threat_level: float = 0) -> float:
    distrust = max(100 - sender_trust, 0) / 150
    return min(round(distrust + link_count / 100 + threat_level / 10, 3), 1)


def _breach_duration(detection_time: float, response_time: float) -> float:
    return detection_time + response_time


def _priority(risk_score: float, anomaly_score: float, breach_cost: float = 0) -> str:
    points = risk_score + anomaly_score + breach_cost / 10_000
    return "p1" if points >= 110 else "p2" if points >= 60 else "p3"


CYBERSECURITY = Sector(
    "cybersecurity",
    "cybersecurity",
    (
        Tool(
            "get_threat_level",
            "Read the general level of threat that is in force, as a share of the highest.",
            (),
            (Field("threat_level", THREAT),),
            ask="get the threat level",
            hint="how dangerous the times are in general",
        ),
        Tool(
            "find_host_of_alert",
            "Find the machine that set off an alert.",
            (Parameter("alert_id", ALERT, "numbered {}"),),
            (Field("host_id", HOST),),
            ask="find the host of the alert",
            hint="which computer set it off",
        ),
        Tool(
            "find_owner_of_host",
            "Find the login of the person to whom a machine belongs.",
            (Parameter("host_id", HOST, "numbered {}"),),
            (Field("login_id", LOGIN),),
            ask="find the owner of the host",
            hint="who works on that computer",
        ),
        Tool(
            "find_subnet_of_host",
            "Find the part of the network that a machine is in.",
            (Parameter("host_id", HOST, "numbered {}"),),
            (Field("subnet_id", SUBNET),),
            ask="find the subnet of the host",
            hint="where in the network the computer sits",
        ),
        Tool(
            "count_failed_logins",
            "Count the attempts to log in that failed, today or since a day.",
            (
                Parameter("login_id", LOGIN, "for {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("failed_logins", FAILED),),
            ask="count the failed logins",
            hint="how often somebody tried the wrong password",
        ),
        Tool(
            "get_outbound_traffic",
            "Read how much data a machine sent out, today or since a day.",
            (
                Parameter("host_id", HOST, "for {}"),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
            ),
            (Field("outbound_traffic", TRAFFIC),),
            ask="get the outbound traffic",
            hint="how much data has been leaving the computer",
        ),
        Tool(
            "get_usual_traffic",
            "Read how much data a machine sends on a normal day, of one type or of any.",
            (
                Parameter("host_id", HOST, "for {}"),
                Parameter("day_type", DAY_TYPE, "seen {}", optional=True),
            ),
            (Field("usual_traffic", USUAL),),
            ask="get the usual traffic",
            hint="how much data the computer sends when all is well",
        ),
        Tool(
            "score_traffic_anomaly",
            "Score from 0 to 100 how odd a machine's traffic is, with failed logins if known.",
            (
                Parameter("outbound_traffic", TRAFFIC, "sending out {}"),
                Parameter("usual_traffic", USUAL, "as against {}"),
                Parameter("failed_logins", FAILED, "after {}", optional=True),
            ),
            (Field("anomaly_score", ANOMALY),),
            ask="score the traffic anomaly",
            hint="how strangely the computer is behaving",
            run=_anomaly_score,
        ),
        Tool(
            "get_weakness_severity",
            "Read how severe a weakness is on the CVSS scale of 0 to 10.",
            (Parameter("weakness_id", WEAKNESS, "of {}"),),
            (Field("severity_score", SEVERITY),),
            ask="get the weakness severity",
            hint="how bad the hole in the software is",
        ),
        Tool(
            "look_up_flaw_rating",
            "Look up the CVSS rating that was published for a weakness.",
            (Parameter("weakness_id", WEAKNESS, "of {}"),),
            (Field("severity_score", SEVERITY),),
            ask="look up the flaw rating",
            hint="how the experts have marked the hole in the software",
            same_as="get_weakness_severity",
        ),
        Tool(
            "find_highest_severity",
            "Find the highest of several scores on the CVSS scale.",
            (Parameter("severity_scores", ListOf(SEVERITY), "among {}"),),
            (Field("severity_score", SEVERITY),),
            ask="find the highest severity",
            hint="how bad the worst of the holes is",
            run=lambda severity_scores: max(severity_scores),
        ),
        Tool(
            "get_asset_value",
            "Read from 0 to 10 how much the business depends on a machine.",
            (Parameter("host_id", HOST, "for {}"),),
            (Field("asset_value", ASSET),),
            ask="get the asset value",
            hint="how much depends on that computer",
        ),
        Tool(
            "scan_network_exposure",
            "Scan which share of a subnet can be reached from outside, now or as of a past scan.",
            (
                Parameter("subnet_id", SUBNET, "in {}"),
                Parameter("scan_day", SCAN_DAY, "as it was on {}", optional=True),
            ),
            (Field("exposure_share", EXPOSURE),),
            ask="scan the network exposure",
            hint="how much of it strangers can get at",
        ),
        Tool(
            "compute_host_risk",
            "Compute the risk of a machine from a weakness, its worth, its exposure and the times.",
            (
                Parameter("severity_score", SEVERITY, "scored {}"),
                Parameter("asset_value", ASSET, "valued at {}"),
                Parameter("exposure_share", EXPOSURE, "with {} open to strangers"),
                Parameter("threat_level", THREAT, "with the general danger at {}", optional=True),
            ),
            (Field("risk_score", RISK),),
            ask="compute the host risk",
            hint="how much we stand to lose by leaving the computer as it is",
            run=_risk_score,
        ),
        Tool(
            "rate_machine_danger",
            "Rate how much danger a machine is in, from weakness, worth, exposure and threat.",
            (
                Parameter("severity_score", SEVERITY, "scored {}"),
                Parameter("asset_value", ASSET, "valued at {}"),
                Parameter("exposure_share", EXPOSURE, "with {} open to strangers"),
                Parameter("threat_level", THREAT, "with the general danger at {}", optional=True),
            ),
            (Field("risk_score", RISK),),
            ask="rate the machine danger",
            hint="how likely the computer is to be our undoing",
            run=_risk_score,
            same_as="compute_host_risk",
        ),
        Tool(
            "choose_incident_priority",
            "Choose the priority of an incident by risk and anomaly, and by its cost if known.",
            (
                Parameter("risk_score", RISK, "carrying {}"),
                Parameter("anomaly_score", ANOMALY, "showing {}"),
                Parameter("breach_cost", BREACH_COST, "costing {}", optional=True),
            ),
            (Field("priority_grade", PRIORITY),),
            ask="choose the incident priority",
            hint="how soon somebody should deal with it",
            run=_priority,
        ),
        Tool(
            "isolate_infected_host",
            "Cut a machine off from the network unless the priority is p3; tell whether it is.",
            (
                Parameter("host_id", HOST, "numbered {}"),
                Parameter("priority_grade", PRIORITY, "treated as {}"),
            ),
            (Field("is_isolated", IS_ISOLATED),),
            ask="isolate the infected host",
            hint="whether the computer has been cut off",
            run=lambda host_id, priority_grade: priority_grade != "p3",
        ),
        Tool(
            "inspect_suspicious_email",
            "Inspect a message: how far its sender is trusted, from 0 to 100, and its links.",
            (Parameter("email_id", EMAIL, "for {}"),),
            (Field("sender_trust", TRUST), Field("link_count", LINKS)),
            ask="inspect the suspicious email",
            hint="who wrote it and how many addresses it points to",
        ),
        Tool(
            "estimate_phishing_chance",
            "Estimate the chance that a message is phishing, higher in times of threat.",
            (
                Parameter("sender_trust", TRUST, "from somebody with {}"),
                Parameter("link_count", LINKS, "holding {}"),
                Parameter("threat_level", THREAT, "with the general danger at {}", optional=True),
            ),
            (Field("phishing_chance", PHISHING),),
            ask="estimate the phishing chance",
            hint="whether somebody is trying to trick us",
            run=_phishing_chance,
        ),
        Tool(
            "block_email_sender",
            "Block the sender of a message if the chance of phishing is one half or more.",
            (
                Parameter("email_id", EMAIL, "for {}"),
                Parameter("phishing_chance", PHISHING, "with the odds of a trick at {}"),
            ),
            (Field("is_blocked", IS_BLOCKED),),
            ask="block the email sender",
            hint="whether that person has been shut out",
            run=lambda email_id, phishing_chance: phishing_chance >= 0.5,
        ),
        Tool(
            "get_incident_timeline",
            "Read after how many hours an incident was detected, and how long the response took.",
            (Parameter("incident_id", INCIDENT, "for {}"),),
            (Field("detection_time", DETECTION), Field("response_time", RESPONSE)),
            ask="get the incident timeline",
            hint="how long it went unseen and how long it took to put right",
        ),
        Tool(
            "average_response_time",
            "Compute the mean of several response times.",
            (Parameter("response_times", ListOf(RESPONSE), "over {}"),),
            (Field("mean_response", MEAN_RESPONSE),),
            ask="average the response time",
            hint="how quick the team has been on the whole",
            run=lambda response_times: round(sum(response_times) / len(response_times), 2),
        ),
        Tool(
            "compute_breach_duration",
            "Compute the hours for which a breach lasted: detection and response together.",
            (
                Parameter("detection_time", DETECTION, "unseen for {}"),
                Parameter("response_time", RESPONSE, "put right in {}"),
            ),
            (Field("breach_duration", DURATION),),
            ask="compute the breach duration",
            hint="for how long the door stood open",
            run=_breach_duration,
        ),
        Tool(
            "measure_attacker_dwell",
            "Measure how many hours an attacker was inside, until the response ended it.",
            (
                Parameter("detection_time", DETECTION, "unseen for {}"),
                Parameter("response_time", RESPONSE, "put right in {}"),
            ),
            (Field("breach_duration", DURATION),),
            ask="measure the attacker dwell",
            hint="how long the intruders were in the house",
            run=_breach_duration,
            same_as="compute_breach_duration",
        ),
        Tool(
            "count_exposed_records",
            "Count the records that an incident exposed.",
            (Parameter("incident_id", INCIDENT, "for {}"),),
            (Field("exposed_records", RECORDS),),
            ask="count the exposed records",
            hint="how much personal data got out",
        ),
        Tool(
            "total_exposed_records",
            "Add up the records exposed in several incidents, less the share that is in several.",
            (
                Parameter("record_counts", ListOf(RECORDS), "over {}"),
                Parameter("overlap_share", OVERLAP, "with {} counted twice", optional=True),
            ),
            (Field("exposed_records", RECORDS),),
            ask="total the exposed records",
            hint="how much personal data got out altogether",
            run=lambda record_counts, overlap_share=0: round(
                sum(record_counts) * (1 - overlap_share)
            ),
        ),
        Tool(
            "estimate_breach_cost",
            "Estimate the cost of a breach: 600 euros an hour, and 10 a record or as is told.",
            (
                Parameter("exposed_records", RECORDS, "laying open {}"),
                Parameter("breach_duration", DURATION, "lasting {}"),
                Parameter("record_cost", RECORD_COST, "at {}", optional=True),
            ),
            (Field("breach_cost", BREACH_COST),),
            ask="estimate the breach cost",
            hint="how much money all this will take",
            run=lambda exposed_records, breach_duration, record_cost=10: round(
                600 * breach_duration + exposed_records * record_cost
            ),
        ),
        Tool(
            "file_breach_notice",
            "File the notice of a breach that the supervisory authority requires.",
            (
                Parameter("incident_id", INCIDENT, "for {}"),
                Parameter("exposed_records", RECORDS, "laying open {}"),
                Parameter("priority_grade", PRIORITY, "treated as {}"),
            ),
            (),
            ask="file the breach notice",
            hint="that the authorities have been told",
        ),
        Tool(
            "open_security_incident",
            "Open an incident about a machine on a day, with its priority and who looks into it.",
            (
                Parameter("host_id", HOST, "for {}"),
                Parameter("priority_grade", PRIORITY, "treated as {}"),
                Parameter("opened_day", OPENED_DAY, "noticed on {}"),
                Parameter("analyst_id", ANALYST, "in the hands of {}", optional=True),
                Parameter("risk_score", RISK, "carrying {}", optional=True),
            ),
            (Field("incident_id", INCIDENT),),
            ask="open the security incident",
            hint="that somebody has taken the matter up",
        ),
        Tool(
            "configure_firewall_rule",
            "Set up a rule for a subnet's traffic: what is done, to what, when, within limits.",
            (
                Parameter("subnet_id", SUBNET, "in {}"),
                Parameter("rule_action", ACTION, "with traffic {}"),
                Parameter("protocol_name", PROTOCOL, "limited to {}"),
                Parameter("port_number", PORT, "entering by port {}", optional=True),
                Parameter("host_id", HOST, "shielding {}", optional=True),
                Parameter("country_name", COUNTRY, "coming from {}", optional=True),
                Parameter("start_day", START_DAY, "counted from {}", optional=True),
                Parameter("end_day", END_DAY, "ending with {}", optional=True),
                Parameter("rate_limit", RATE_LIMIT, "holding it to {}", optional=True),
                Parameter("idle_limit", IDLE_LIMIT, "hanging up after {}", optional=True),
                Parameter("packet_limit", PACKET_LIMIT, "no larger than {}", optional=True),
                Parameter("alarm_limit", ALARM_LIMIT, "ringing at {}", optional=True),
                Parameter("logging_depth", LOGGING, "writing down {}", optional=True),
                Parameter("incident_id", INCIDENT, "because of {}", optional=True),
                Parameter("analyst_id", ANALYST, "in the hands of {}", optional=True),
            ),
            (Field("rule_id", RULE),),
            ask="configure the firewall rule",
            hint="that the gate knows what to do from now on",
        ),
    ),
)
