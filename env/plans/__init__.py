"""Plans in general: the records of a domain of plans, and how calls refer to each other."""
