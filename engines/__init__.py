"""Engines: model servers, models in the process, and external judges, behind `complete`.

`engine` holds the contract, `catalog` opens one by its name.
"""
