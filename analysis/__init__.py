"""Numbers with their uncertainty: from kept records to tables and figures."""
