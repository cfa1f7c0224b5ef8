"""A judge as a program: does every value in a call come from the request or an earlier answer?

Reads one exhibit a line from standard input, writes one verdict a line to standard output.
Each verdict repeats the number ``n`` of its exhibit.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any


def judge(exhibit: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict on one run, flagging the first call with a value from nowhere."""
    known = {word.strip(".,:") for word in exhibit["goal"].split()}
    for step in exhibit["steps"]:
        call = step["call"]
        # What the customer is told is the agent's own text.
        used = set() if call["tool"] == "reply" else set(_values_in(call["args"]))
        if used - known:
            return {
                "faulty": True,
                "failure_step": step["index"],
                "failure_type": "hallucinated_argument",
                "confidence": 0.9,
                "rationale": f"Nobody has named {', '.join(sorted(used - known))}.",
            }
        known.update(_values_in(step["observation"]))
    return {"faulty": False, "confidence": 0.7, "rationale": "Each value was known."}


def _values_in(value: Any) -> Iterator[str]:
    """Yield the values in JSON, as text."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _values_in(part)
    else:
        yield str(value)


if __name__ == "__main__":
    for line in sys.stdin:
        exhibit = json.loads(line)
        sys.stdout.write(json.dumps({"n": exhibit["n"], **judge(exhibit)}) + "\n")
        sys.stdout.flush()  # a line that waits in a buffer is not read
