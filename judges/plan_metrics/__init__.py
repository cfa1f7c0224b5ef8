"""The programmatic reference of tool-call plans: a plan beside the ground truth, no model.

`metrics` holds the four equations as the paper prints them, `corrected` what it names
as future work, `variants` the list of all. Values of arguments are never compared: the
reference sees structure alone.
"""
