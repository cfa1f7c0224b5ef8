"""Known faults at known places: what a fault type is, and how one is planted."""
