"""The programmatic reference of tool-call plans: a plan beside the ground truth, no model.

`metrics` has the four equations of the paper, `corrected` the corrections that it names
as future work, `variants` the list of all. Values of arguments are never compared.
"""
